// The texts of exports, worked out by hand for one small run: docs/model.md, sections 8 and 9.
#include "retrygarden/export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace retrygarden {
namespace {

// One client, down in tick 0, accepted in tick 3; the policy's name needs quotes everywhere.
Scenario example() {
  return *read_scenario(R"({
    "retrygarden": 1, "name": "[ {\"x\": 1},\n  y ]", "clients": 1, "horizon": 9, "seed": 5,
    "server": {"capacity": 1, "outages": [{"from": 0, "ticks": 1}]},
    "policies": [{"name": "a \"b\", c", "attempts": 2, "delay": {"kind": "fixed", "ticks": 3}}]})");
}

std::string written(void (*write)(const Scenario&, const Sink&, const Workers&)) {
  std::string text;
  write(example(), [&](std::string_view piece) { text += piece; }, {});
  return text;
}

constexpr std::string_view kHead = R"({
  "retrygarden": 1,
  "scenario": {
    "retrygarden": 1,
    "name": "[ {\"x\": 1},\n  y ]",
    "clients": 1,
    "clients_per_host": 1,
    "horizon": 9,
    "seed": 5,
    "arrivals": {"kind": "burst", "at": 0},
    "server": {
      "capacity": 1,
      "capacity_window": 1,
      "service_ticks": 0,
      "queue": 0,
      "discipline": "fifo",
      "drop_abandoned": false,
      "retry_after": 0,
      "tie_break": "client",
      "outages": [{"from": 0, "ticks": 1, "kind": "refuse", "loses_keys": false}],
      "deduplication": {"kind": "none"}
    },
    "faults": {
      "response_loss": 0,
      "request_loss": 0
    },
    "policies": [
      {
        "name": "a \"b\", c",
        "attempts": 2,
        "timeout": 0,
        "delay": {"kind": "fixed", "ticks": 3},
        "jitter": {"kind": "none"},
        "on_retry_after": "ignore"
      }
    ]
  },
)";

constexpr std::string_view kSummary =
    R"({"clients": 1, "attempts": 2, "accepted": 1, "overloaded": 0, "unavailable": 1, )"
    R"("lost_requests": 0, "short_circuited": 0, "started": 1, "dropped": 0, "effects": 1, )"
    R"("duplicate_effects": 0, "suppressed_effects": 0, "lost_responses": 0, )"
    R"("crashed_responses": 0, "late_responses": 0, "timeouts": 0, "acknowledged": 1, )"
    R"("exhausted": 0, "deadline_exceeded": 0, "budget_denied": 0, "awaiting": 0, )"
    R"("scheduled": 0, "applied_unacknowledged": 0, )"
    R"("peak_load": {"tick": 0, "requests": 1}, "last_acknowledged_tick": 3, )"
    R"("time_to_acknowledge": {"p50": 3, "p90": 3, "p99": 3, "max": 3}})";

constexpr std::string_view kLoad = R"(      "load": [
        {"tick": 0, "attempts": 1, "accepted": 0, "overloaded": 0, "unavailable": 1, "lost_requests": 0, "short_circuited": 0, "started": 0, "dropped": 0, "effects": 0, "acknowledged": 0, "queued": 0},
        {"tick": 3, "attempts": 1, "accepted": 1, "overloaded": 0, "unavailable": 0, "lost_requests": 0, "short_circuited": 0, "started": 1, "dropped": 0, "effects": 1, "acknowledged": 1, "queued": 0}
      ])";

std::string results(std::string_view rest) {
  return std::string(
             "  \"results\": [\n    {\n      \"policy\": \"a \\\"b\\\", c\",\n      \"summary\": ")
      .append(kSummary)
      .append(",\n")
      .append(kLoad)
      .append(rest)
      .append("\n    }\n  ]\n}\n");
}

TEST(Export, HasADocumentWithARecordALine) {
  const std::string assumptions = R"(  "assumptions": [
    "Capacity limits how many requests the server starts in a window of ticks, concurrency how many it works on at once; at the border of two windows both their capacities can be used in a row.",
    "Every request takes the same service time, and an operation takes effect whole when its request is started; no outage undoes it.",
    "Deduplication keys outlive outages, unless an outage is said to lose them.",
    "Where ties are broken by client, the lowest client numbers win capacity within a tick.",
    "Each client has one operation, and waits on at most one attempt of it at a time.",
    "A client that gave up on an attempt ignores its response.",
    "A deadline stops retries; it does not end an attempt under way.",
    "An attempt that a breaker stops counts as an attempt.",
    "A client that is awaiting or scheduled at the horizon has neither failed nor succeeded.",
    "Authentication, partial writes and distributions of latency are left out."
  ],
)";
  EXPECT_EQ(written(write_export_json), std::string(kHead) + assumptions + results(R"(,
      "attempts": [
        {"tick": 0, "client": 0, "attempt": 1, "outcome": "unavailable", "started_tick": null, "dropped_tick": null, "effect": "none", "response": "none", "failed_tick": 0, "next_tick": 3},
        {"tick": 3, "client": 0, "attempt": 2, "outcome": "accepted", "started_tick": 3, "dropped_tick": null, "effect": "applied", "response": "acknowledged", "failed_tick": null, "next_tick": null}
      ],
      "clients": [
        {"client": 0, "arrival": 0, "state": "acknowledged", "attempts": 2, "effects": 1, "acknowledged_tick": 3, "next_tick": null}
      ])"));
}

TEST(Export, OfARunHasSummariesAndLoad) {
  EXPECT_EQ(written(write_run_json), std::string(kHead) + results(""));
}

TEST(Export, AsNdjsonHasARecordALine) {
  std::vector<std::string> lines;
  std::istringstream text(written(write_export_ndjson));
  for (std::string line; std::getline(text, line);) {
    lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0].substr(0, lines[0].find(", \"assumptions\": [\"Capacity")),
            R"({"record": "export", "retrygarden": 1, "scenario": {"retrygarden": 1, )"
            R"("name": "[ {\"x\": 1},\n  y ]", "clients": 1, "clients_per_host": 1, "horizon": 9, )"
            R"("seed": 5, "arrivals": {"kind": "burst", "at": 0}, "server": {"capacity": 1, )"
            R"("capacity_window": 1, "service_ticks": 0, "queue": 0, "discipline": "fifo", )"
            R"("drop_abandoned": false, "retry_after": 0, "tie_break": "client", )"
            R"("outages": [{"from": 0, "ticks": 1, "kind": "refuse", "loses_keys": false}], )"
            R"("deduplication": {"kind": "none"}}, )"
            R"("faults": {"response_loss": 0, "request_loss": 0}, )"
            R"("policies": [{"name": "a \"b\", c", "attempts": 2, "timeout": 0, )"
            R"("delay": {"kind": "fixed", "ticks": 3}, "jitter": {"kind": "none"}, )"
            R"("on_retry_after": "ignore"}]})");
  EXPECT_EQ(lines[1],
            R"({"record": "summary", "policy": "a \"b\", c", )" + std::string(kSummary.substr(1)));
  EXPECT_EQ(
      lines[2],
      R"({"record": "load", "policy": "a \"b\", c", "tick": 0, "attempts": 1, "accepted": 0, )"
      R"("overloaded": 0, "unavailable": 1, "lost_requests": 0, "short_circuited": 0, )"
      R"("started": 0, "dropped": 0, "effects": 0, "acknowledged": 0, "queued": 0})");
  EXPECT_EQ(
      lines[4],
      R"({"record": "attempt", "policy": "a \"b\", c", "tick": 0, "client": 0, "attempt": 1, )"
      R"("outcome": "unavailable", "started_tick": null, "dropped_tick": null, "effect": "none", )"
      R"("response": "none", "failed_tick": 0, "next_tick": 3})");
  EXPECT_EQ(lines[6],
            R"({"record": "client", "policy": "a \"b\", c", "client": 0, "arrival": 0, )"
            R"("state": "acknowledged", "attempts": 2, "effects": 1, "acknowledged_tick": 3, )"
            R"("next_tick": null})");
  const auto first = nlohmann::json::parse(lines[0])["assumptions"];
  EXPECT_EQ(first,
            nlohmann::json(std::vector<std::string>(assumptions().begin(), assumptions().end())));
}

TEST(Export, AsCsvHasAHeaderAndQuotesWhatNeedsIt) {
  EXPECT_EQ(written(write_summary_csv),
            "policy,clients,attempts,accepted,overloaded,unavailable,lost_requests,short_circuited,"
            "started,dropped,effects,duplicate_effects,suppressed_effects,lost_responses,"
            "crashed_responses,late_responses,timeouts,acknowledged,exhausted,deadline_exceeded,"
            "budget_denied,awaiting,scheduled,applied_unacknowledged,"
            "peak_load_tick,peak_load_requests,last_acknowledged_tick,time_to_acknowledge_p50,"
            "time_to_acknowledge_p90,time_to_acknowledge_p99,time_to_acknowledge_max\n"
            "\"a \"\"b\"\", c\",1,2,1,0,1,0,0,1,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,3,3,3,3,3\n");
  EXPECT_EQ(written(write_load_csv),
            "policy,tick,attempts,accepted,overloaded,unavailable,lost_requests,short_circuited,"
            "started,dropped,effects,acknowledged,queued\n"
            "\"a \"\"b\"\", c\",0,1,0,0,1,0,0,0,0,0,0,0\n"
            "\"a \"\"b\"\", c\",3,1,1,0,0,0,0,1,0,1,1,0\n");
  EXPECT_EQ(written(write_attempts_csv),
            "policy,tick,client,attempt,outcome,started_tick,dropped_tick,effect,response,"
            "failed_tick,next_tick\n"
            "\"a \"\"b\"\", c\",0,0,1,unavailable,,,none,none,0,3\n"
            "\"a \"\"b\"\", c\",3,0,2,accepted,3,,applied,acknowledged,,\n");
  EXPECT_EQ(written(write_clients_csv),
            "policy,client,arrival,state,attempts,effects,acknowledged_tick,next_tick\n"
            "\"a \"\"b\"\", c\",0,0,acknowledged,2,1,3,\n");
}

TEST(Export, AsCsvQuotesOnlyWhatNeedsIt) {
  const auto first_field = [](const std::string& name) {
    Scenario scenario = example();
    scenario.policies[0].name = name;
    std::string text;
    write_summary_csv(scenario, [&](std::string_view piece) { text += piece; });
    text.erase(0, text.find('\n') + 1);
    return text.substr(0, text.find(",1,2,1,0,1,0,0,1,"));
  };
  EXPECT_EQ(first_field("plain name"), "plain name");
  EXPECT_EQ(first_field("a,b"), "\"a,b\"");
  EXPECT_EQ(first_field("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(first_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(first_field("a\rb"), "\"a\rb\"");
}

TEST(Export, ASinkMayEndIt) {
  struct Full : std::exception {};
  EXPECT_THROW(write_export_json(example(), [](std::string_view) { throw Full(); }), Full);
}

// Service of 3 ticks, one at a time, a place to wait; client 0's first response is lost. Clients
// wait for 4 ticks, and try again 2 ticks later, until 7.
//   t0: 0 starts, 1 waits, 2 is overloaded.   t2: 2 is overloaded again.
//   t3: 1 starts.                             t4: 2 waits; 0 and 1 give up.
//   t6: 2 starts, 0 waits, 1 is overloaded and stops; the response to its first attempt is late.
// With one attempt each all of them stop at 0 and 4.
Scenario richer() {
  return *read_scenario(R"({
    "retrygarden": 1, "clients": 3, "horizon": 8, "seed": 5,
    "server": {"capacity": 2, "service_ticks": 3, "concurrency": 1, "queue": 1},
    "faults": {"first_response_lost": {"every": 3}},
    "policies": [{"name": "p", "attempts": 9, "timeout": 4, "deadline": 7,
                  "delay": {"kind": "fixed", "ticks": 2}},
                 {"name": "q", "attempts": 1, "timeout": 4, "delay": {"kind": "fixed", "ticks": 2}}]})");
}

std::string written_richer(void (*write)(const Scenario&, const Sink&, const Workers&)) {
  std::string text;
  write(richer(), [&](std::string_view piece) { text += piece; }, {});
  return text;
}

TEST(Export, AsCsvHasTheRecordsOfAllPolicies) {
  const std::string summaries = written_richer(write_summary_csv);
  EXPECT_EQ(summaries.substr(summaries.find('\n') + 1),
            "p,3,7,4,3,0,0,0,3,0,3,0,0,1,0,1,2,0,0,1,0,2,0,3,0,3,,,,,\n"
            "q,3,3,2,1,0,0,0,2,0,2,0,0,1,0,1,2,0,3,0,0,0,0,2,0,3,,,,,\n");
  const std::string loads = written_richer(write_load_csv);
  EXPECT_EQ(loads.substr(loads.find('\n') + 1),
            "p,0,3,2,1,0,0,0,1,0,1,0,1\n"
            "p,2,1,0,1,0,0,0,0,0,0,0,1\n"
            "p,3,0,0,0,0,0,0,1,0,1,0,0\n"
            "p,4,1,1,0,0,0,0,0,0,0,0,1\n"
            "p,6,2,1,1,0,0,0,1,0,1,0,1\n"
            "q,0,3,2,1,0,0,0,1,0,1,0,1\n"
            "q,3,0,0,0,0,0,0,1,0,1,0,0\n");
  const std::string attempts = written_richer(write_attempts_csv);
  EXPECT_EQ(attempts.substr(attempts.find('\n') + 1),
            "p,0,0,1,accepted,0,,applied,lost,4,6\n"
            "p,0,1,1,accepted,3,,applied,late,4,6\n"
            "p,0,2,1,overloaded,,,none,none,0,2\n"
            "p,2,2,2,overloaded,,,none,none,2,4\n"
            "p,4,2,3,accepted,6,,applied,none,,\n"
            "p,6,0,2,accepted,,,none,none,,\n"
            "p,6,1,2,overloaded,,,none,none,6,\n"
            "q,0,0,1,accepted,0,,applied,lost,4,\n"
            "q,0,1,1,accepted,3,,applied,late,4,\n"
            "q,0,2,1,overloaded,,,none,none,0,\n");
  const std::string clients = written_richer(write_clients_csv);
  EXPECT_EQ(clients.substr(clients.find('\n') + 1),
            "p,0,0,awaiting,2,1,,\n"
            "p,1,0,deadline_exceeded,2,1,,\n"
            "p,2,0,awaiting,3,1,,\n"
            "q,0,0,exhausted,1,1,,\n"
            "q,1,0,exhausted,1,1,,\n"
            "q,2,0,exhausted,1,0,,\n");
}

TEST(Export, HasAnObjectForEachPolicy) {
  const auto document = nlohmann::json::parse(written_richer(write_export_json));
  ASSERT_EQ(document["results"].size(), 2U);
  EXPECT_EQ(document["results"][0]["policy"], "p");
  EXPECT_EQ(document["results"][1]["policy"], "q");
  EXPECT_EQ(document["results"][0]["attempts"].size(), 7U);
  EXPECT_EQ(document["results"][1]["clients"].size(), 3U);
  EXPECT_EQ(document["results"][0]["summary"]["time_to_acknowledge"]["max"], nullptr);
  EXPECT_EQ(document["results"][0]["summary"]["last_acknowledged_tick"], nullptr);
  const auto runs = nlohmann::json::parse(written_richer(write_run_json));
  ASSERT_EQ(runs["results"].size(), 2U);
  EXPECT_EQ(runs["results"][1]["load"], document["results"][1]["load"]);
  EXPECT_EQ(runs["results"][1].size(), 3U);
}

// The counts that are 0 above: two clients on a host, of which a breaker stops the second attempts.
TEST(Export, APeakThatIsNotThereIsNull) {
  const Scenario scenario = *read_scenario(R"({
    "retrygarden": 1, "clients": 2, "clients_per_host": 2, "horizon": 9, "seed": 5,
    "server": {"capacity": 1}, "faults": {"request_loss": 1},
    "policies": [{"name": "p", "attempts": 2, "delay": {"kind": "fixed", "ticks": 1},
                  "breaker": {"window": 1, "failures": 1, "open_ticks": 9, "probes": 1}}]})");
  std::string text;
  write_summary_csv(scenario, [&](std::string_view piece) { text += piece; });
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            "p,2,4,0,0,0,2,2,0,0,0,0,0,0,0,0,2,0,2,0,0,0,0,0,,0,,,,,\n");
  text.clear();
  write_run_json(scenario, [&](std::string_view piece) { text += piece; });
  EXPECT_NE(text.find(R"("peak_load": {"tick": null, "requests": 0})"), std::string::npos);
}

// A sink is given the text in pieces, and all of it.
TEST(Export, IsGivenInPiecesInOrder) {
  Scenario scenario = example();
  scenario.clients = 5000;
  scenario.server.capacity = 5000;
  std::string text;
  std::size_t pieces = 0;
  write_attempts_csv(scenario, [&](std::string_view piece) {
    text += piece;
    ++pieces;
  });
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), 10'001U);
  EXPECT_TRUE(text.ends_with(",3,4999,2,accepted,3,,applied,acknowledged,,\n"));
  EXPECT_GT(pieces, 1U);
  EXPECT_LT(pieces, 100U);
}

TEST(Export, StatesItsAssumptions) {
  EXPECT_EQ(assumptions().size(), 10U);
}

}  // namespace
}  // namespace retrygarden
