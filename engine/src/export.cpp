#include "retrygarden/export.h"

#include <algorithm>
#include <array>
#include <optional>

#include "client_records.h"
#include "json_records.h"
#include "json_text.h"
#include "record_members.h"
#include "retrygarden/plan.h"

namespace retrygarden {

namespace {

constexpr std::array<std::string_view, 10> kAssumptions = {
    "Capacity limits how many requests the server starts in a window of ticks, concurrency how "
    "many it works on at once; at the border of two windows both their capacities can be used in a "
    "row.",
    "Every request takes the same service time, and an operation takes effect whole when its "
    "request is started; no outage undoes it.",
    "Deduplication keys outlive outages, unless an outage is said to lose them.",
    "Where ties are broken by client, the lowest client numbers win capacity within a tick.",
    "Each client has one operation, and waits on at most one attempt of it at a time.",
    "A client that gave up on an attempt ignores its response.",
    "A deadline stops retries; it does not end an attempt under way.",
    "An attempt that a breaker stops counts as an attempt.",
    "A client that is awaiting or scheduled at the horizon has neither failed nor succeeded.",
    "Authentication, partial writes and distributions of latency are left out.",
};

// A run of each part of a document.
struct PartRuns {
  const Plan& plan;
  const Workers& workers;

  Summary summary() const { return run(plan, {}, workers); }

  // Each calls write(record) for the records of its kind.
  template <class Write>
  void for_each_load(Write write) const {
    run(plan, {.tick_load = write}, workers);
  }
  template <class Write>
  void for_each_attempt(Write write) const {
    run(plan, {.attempt = write}, workers);
  }
  template <class Write>
  void for_each_client(Write write) const {
    for (const ClientRecord& client : run_clients(plan, workers)) {
      write(client);
    }
  }
};

// A list of records, one a line, as the last member of an object or before another.
class JsonList {
 public:
  JsonList(Writer& out, std::string_view name) : out_(out) {
    out_ << ",\n      \"" << name << "\": [";
  }
  template <class Record>
  void operator()(const Record& record) {
    out_ << (is_first_ ? "\n        " : ",\n        ");
    is_first_ = false;
    write_json_record(out_, record);
  }
  void close() { out_ << "\n      ]"; }

 private:
  Writer& out_;
  bool is_first_ = true;
};

void write_load_list(Writer& out, const PartRuns& runs) {
  JsonList list(out, "load");
  runs.for_each_load([&](const TickLoad& load) { list(load); });
  list.close();
}

void write_attempts_list(Writer& out, const PartRuns& runs) {
  JsonList list(out, "attempts");
  runs.for_each_attempt([&](const Attempt& attempt) { list(attempt); });
  list.close();
}

void write_clients_list(Writer& out, const PartRuns& runs) {
  JsonList list(out, "clients");
  runs.for_each_client([&](const ClientRecord& client) { list(client); });
  list.close();
}

void write_document_head(Writer& out, const Scenario& scenario) {
  out << "{\n  \"retrygarden\": 1,\n  \"scenario\": " << write_scenario(scenario, 2);
}

// The items of the list of assumptions.
void write_assumptions(Writer& out, std::string_view before_first, std::string_view between) {
  for (std::size_t i = 0; i < kAssumptions.size(); ++i) {
    out << (i == 0 ? before_first : between) << json_string(kAssumptions[i]);
  }
}

// The member `results`: for each policy its name, the summary, and what write_rest adds.
template <class WriteRest>
void write_results(Writer& out, const Scenario& scenario, const Workers& workers,
                   WriteRest write_rest) {
  out << ",\n  \"results\": [";
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    const Plan plan = make_plan(scenario, i);
    out << (i == 0 ? "\n    {" : ",\n    {");
    out << "\n      \"policy\": " << json_string(scenario.policies[i].name);
    out << ",\n      \"summary\": ";
    const PartRuns runs{plan, workers};
    write_json_record(out, runs.summary());
    write_rest(runs);
    out << "\n    }";
  }
  out << "\n  ]\n}\n";
  out.flush();
}

// JSON text without its line breaks and indentation. Strings hold none: JSON has them escaped.
std::string on_one_line(std::string_view json) {
  std::string line;
  while (!json.empty()) {
    const std::size_t end = std::min(json.find('\n'), json.size());
    line += json.substr(0, end);
    json.remove_prefix(end);
    json.remove_prefix(std::min(json.find_first_not_of("\n "), json.size()));
    line += json.empty() || line.ends_with('{') || line.ends_with('[') || json.front() == '}' ||
                    json.front() == ']'
                ? ""
                : " ";
  }
  return line;
}

// One record as the fields of a CSV line, after the policy's name; records inside become fields of
// their own.
class CsvRecord {
 public:
  explicit CsvRecord(Writer& out) : out_(out) {}

  void operator()(std::string_view /*name*/, std::unsigned_integral auto number) {
    out_ << "," << number;
  }
  void operator()(std::string_view /*name*/, std::string_view text) { out_ << "," << text; }
  void operator()(std::string_view /*name*/, const std::optional<std::uint32_t>& number) {
    out_ << ",";
    if (number) {
      out_ << *number;
    }
  }
  void operator()(std::string_view /*name*/, const HasMembers auto& record) {
    visit_members(record, *this);
  }

 private:
  Writer& out_;
};

// A CSV text: a header, then for each policy the records that for_each(runs, write) gives.
template <class Record, class ForEach>
void write_csv(const Scenario& scenario, const Sink& sink, const Workers& workers,
               ForEach for_each) {
  Writer out(sink);
  out << "policy";
  for (const std::string& name : column_names<Record>()) {
    out << "," << name;
  }
  out << "\n";
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    const std::string policy = csv_field(scenario.policies[i].name);
    const Plan plan = make_plan(scenario, i);
    for_each(PartRuns{plan, workers}, [&](const Record& record) {
      out << policy;
      visit_members(record, CsvRecord(out));
      out << "\n";
    });
  }
  out.flush();
}

}  // namespace

std::span<const std::string_view> assumptions() {
  return kAssumptions;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string field = "\"";
  for (const char c : text) {
    field += c == '"' ? "\"\"" : std::string(1, c);
  }
  return field + "\"";
}

std::vector<ClientRecord> run_clients(const Plan& plan, const Workers& workers) {
  // Only the first of several processes is shown anything.
  ClientRecords clients(plan, 0, workers.shows() ? plan.clients - 1 : 0, 1);
  run(plan,
      {.attempt = [&](const Attempt& attempt) { clients.add(attempt); },
       .client_end = [&](const ClientEnd& end) { clients.add(end); }},
      workers);
  return clients.take();
}

void write_export_json(const Scenario& scenario, const Sink& sink, const Workers& workers) {
  Writer out(sink);
  write_document_head(out, scenario);
  out << ",\n  \"assumptions\": [";
  write_assumptions(out, "\n    ", ",\n    ");
  out << "\n  ]";
  write_results(out, scenario, workers, [&](const PartRuns& runs) {
    write_load_list(out, runs);
    write_attempts_list(out, runs);
    write_clients_list(out, runs);
  });
}

void write_run_json(const Scenario& scenario, const Sink& sink, const Workers& workers) {
  Writer out(sink);
  write_document_head(out, scenario);
  write_results(out, scenario, workers, [&](const PartRuns& runs) { write_load_list(out, runs); });
}

void write_export_ndjson(const Scenario& scenario, const Sink& sink, const Workers& workers) {
  Writer out(sink);
  out << R"({"record": "export", "retrygarden": 1, "scenario": )"
      << on_one_line(write_scenario(scenario)) << ", \"assumptions\": [";
  write_assumptions(out, "", ", ");
  out << "]}\n";
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    const Plan plan = make_plan(scenario, i);
    const std::string policy = json_string(scenario.policies[i].name);
    const auto line = [&](std::string_view kind) {
      return [&out, &policy, kind](const auto& record) {
        out << R"({"record": ")" << kind << R"(", "policy": )" << policy << ", ";
        visit_members(record, JsonMembers(out));
        out << "}\n";
      };
    };
    const PartRuns runs{plan, workers};
    line("summary")(runs.summary());
    runs.for_each_load(line("load"));
    runs.for_each_attempt(line("attempt"));
    runs.for_each_client(line("client"));
  }
  out.flush();
}

void write_summary_csv(const Scenario& scenario, const Sink& sink, const Workers& workers) {
  write_csv<Summary>(scenario, sink, workers,
                     [](const PartRuns& runs, const auto& write) { write(runs.summary()); });
}

void write_load_csv(const Scenario& scenario, const Sink& sink, const Workers& workers) {
  write_csv<TickLoad>(scenario, sink, workers,
                      [](const PartRuns& runs, const auto& write) { runs.for_each_load(write); });
}

void write_attempts_csv(const Scenario& scenario, const Sink& sink, const Workers& workers) {
  write_csv<Attempt>(scenario, sink, workers,
                     [](const PartRuns& runs, const auto& write) { runs.for_each_attempt(write); });
}

void write_clients_csv(const Scenario& scenario, const Sink& sink, const Workers& workers) {
  write_csv<ClientRecord>(scenario, sink, workers, [](const PartRuns& runs, const auto& write) {
    runs.for_each_client(write);
  });
}

std::uint64_t export_memory_bytes(const Scenario& scenario, const Workers& workers) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    const Plan plan = make_plan(scenario, i);
    most = std::max(most, run_memory_bytes(plan, workers) + records_memory_bytes(plan, workers) +
                              sizeof(ClientRecord) * std::uint64_t{scenario.clients});
  }
  return most;
}

}  // namespace retrygarden
