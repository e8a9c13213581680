// Writing results: the export document of docs/model.md, section 9, and the same records as NDJSON
// and CSV.
//
// Everything is streamed. The loop is deterministic, so each part of a document comes from a run of
// its own, and memory does not grow with what is written; only the records of the clients are held.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrygarden/event_loop.h"
#include "retrygarden/scenario.h"

namespace retrygarden {

// Takes the text piece by piece, in order. It may throw; writing then ends, and the exception
// passes through.
using Sink = std::function<void(std::string_view)>;

// What the model leaves out, in sentences (section 9).
std::span<const std::string_view> assumptions();

// The records of all clients, ascending, gathered from a run. Memory: theirs beside the run's.
std::vector<ClientRecord> run_clients(const Plan& plan, const Workers& workers = {});

// The export document, one record a line. The same scenario gives the same bytes on every machine.
void write_export_json(const Scenario& scenario, const Sink& sink, const Workers& workers = {});

// The same records, one JSON object a line, each with a member `record` that tells what it is:
// `export` (the scenario and the assumptions), then for each policy `summary`, `load`, `attempt`,
// `client`.
void write_export_ndjson(const Scenario& scenario, const Sink& sink, const Workers& workers = {});

// The same records as CSV: a header line, the policy's name first, fields quoted as in RFC 4180,
// lines ended by a line feed. A value that does not exist is an empty field.
void write_summary_csv(const Scenario& scenario, const Sink& sink, const Workers& workers = {});
void write_load_csv(const Scenario& scenario, const Sink& sink, const Workers& workers = {});
void write_attempts_csv(const Scenario& scenario, const Sink& sink, const Workers& workers = {});
void write_clients_csv(const Scenario& scenario, const Sink& sink, const Workers& workers = {});

// text as a field of CSV, in quotes where RFC 4180 asks for them.
std::string csv_field(std::string_view text);

// The document without the records of attempts and clients: {retrygarden, scenario, results:
// [{policy, summary, load}]}.
void write_run_json(const Scenario& scenario, const Sink& sink, const Workers& workers = {});

// An upper estimate of the bytes held at once while an export of the scenario is written.
std::uint64_t export_memory_bytes(const Scenario& scenario, const Workers& workers = {});

}  // namespace retrygarden
