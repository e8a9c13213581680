// Views: runs made small enough to be looked at, as JSON.
//
// A view has all of a small run and the shape of a large one: load in columns of several ticks, the
// attempts of a sample of clients, and how many attempts groups of clients make in each column. The
// page shows views; so its numbers are the engine's, and it computes nothing of a run by itself.
//
// Each text is one JSON value. Records have the members of docs/model.md, section 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "retrygarden/explanation.h"
#include "retrygarden/export.h"
#include "retrygarden/results.h"
#include "retrygarden/scenario.h"

namespace retrygarden {

// How much of a run its view holds at most.
struct ViewSize {
  std::size_t columns = 600;     // of the load, at least 1
  std::uint32_t clients = 300;   // of which attempts are told, at least 1
  std::size_t attempts = 20000;  // at least 1
  std::size_t whole = 0;         // a run of so many attempts is told whole, whatever the other two
};

// Called after each tick that has a record of load.
using ViewProgress =
    std::function<void(std::size_t policy_index, Tick tick, std::uint64_t attempts)>;

// {scenario, results: [{policy, summary, diagnosis, ticks_per_column, load, lanes, density}]}.
//
// load: records with the sums of ticks_per_column ticks each, a power of two, from tick 0 to the
// last tick that has a record, without gaps; queued is the most that waited in one of them.
// lanes: see write_lanes_json(). They hold every client, or a sample: each step-th from client 0.
// density: null if they hold every client; else {clients_per_row, cells: [{row, column, attempts,
// effects, duplicates, acknowledged}]}, by clients and columns of load, of the attempts made there;
// cells without attempts are left out.
//
// Time: that of two runs of each policy, one with an observer of attempts, and of diagnose().
void write_view_json(const Scenario& scenario, const ViewSize& size, const Sink& sink,
                     const ViewProgress& progress = {});

// The clients first, first + step, … up to last, and all their attempts: {first, last, step,
// complete, clients, attempts}. Of more attempts than `most`, those of the highest clients are left
// out until the rest fits, and last is lower; if those of one client alone are too many, complete
// is false and the later ones are missing.
//
// Preconditions: the policy is there; first <= last < clients; step and most at least 1.
struct LaneRange {
  Client first = 0;
  Client last = 0;
  std::uint32_t step = 1;
  std::size_t most = 20000;
};
void write_lanes_json(const Scenario& scenario, std::size_t policy_index, const LaneRange& range,
                      const Sink& sink);

// {attempt, server, response, client, next, delay}: the record, the words of attempt_words.h, and
// null or {interval, words: [{word, rejected}], drawn, previous, max_delay, hint, on_retry_after,
// delay, due}. null if there is no such attempt.
void write_explanation_json(const Scenario& scenario, std::size_t policy_index, Client client,
                            std::uint32_t attempt, const Sink& sink);

// [{line, column, pointer, expected, found, text}].
void write_faults_json(const Faults& faults, const Sink& sink);

// An upper estimate of the bytes held at once while a view is written.
std::uint64_t view_memory_bytes(const Scenario& scenario, const ViewSize& size);

}  // namespace retrygarden
