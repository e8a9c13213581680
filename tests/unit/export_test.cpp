// The texts of exports, worked out by hand for one small run: docs/model.md, sections 8 and 9.
#include "retrygarden/export.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
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

std::string written(void (*write)(const Scenario&, const Sink&)) {
  std::string text;
  write(example(), [&](std::string_view piece) { text += piece; });
  return text;
}

constexpr std::string_view kHead = R"({
  "retrygarden": 1,
  "scenario": {
    "retrygarden": 1,
    "name": "[ {\"x\": 1},\n  y ]",
    "clients": 1,
    "horizon": 9,
    "seed": 5,
    "arrivals": {"kind": "burst", "at": 0},
    "server": {
      "capacity": 1,
      "outages": [{"from": 0, "ticks": 1}],
      "deduplication": {"kind": "none"}
    },
    "policies": [
      {
        "name": "a \"b\", c",
        "attempts": 2,
        "delay": {"kind": "fixed", "ticks": 3},
        "jitter": {"kind": "none"}
      }
    ]
  },
)";

constexpr std::string_view kSummary =
    R"({"clients": 1, "attempts": 2, "accepted": 1, "overloaded": 0, "unavailable": 1, "effects": 1, )"
    R"("duplicate_effects": 0, "suppressed_effects": 0, "lost_responses": 0, "acknowledged": 1, )"
    R"("exhausted": 0, "scheduled": 0, "applied_unacknowledged": 0, )"
    R"("peak_load": {"tick": 0, "requests": 1}, "last_acknowledged_tick": 3, )"
    R"("time_to_acknowledge": {"p50": 3, "p90": 3, "p99": 3, "max": 3}})";

constexpr std::string_view kLoad = R"(      "load": [
        {"tick": 0, "attempts": 1, "accepted": 0, "overloaded": 0, "unavailable": 1, "effects": 0, "acknowledged": 0},
        {"tick": 3, "attempts": 1, "accepted": 1, "overloaded": 0, "unavailable": 0, "effects": 1, "acknowledged": 1}
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
    "Service takes no time: an accepted attempt is handled, and answered, in the tick in which it is made.",
    "Capacity limits how many attempts the server accepts in one tick; nothing waits for a place.",
    "Within a tick the clients with the lowest numbers win capacity.",
    "An operation takes effect whole and at once, and no outage undoes it; deduplication keys outlive outages.",
    "Only the response to a client's first started request can be lost; requests are never lost.",
    "Each client has one operation, and at most one attempt of it at a time.",
    "A client whose next attempt falls at the horizon or later has neither failed nor succeeded.",
    "Authentication, partial writes and distributions of latency are left out."
  ],
)";
  EXPECT_EQ(written(write_export_json), std::string(kHead) + assumptions + results(R"(,
      "attempts": [
        {"tick": 0, "client": 0, "attempt": 1, "outcome": "unavailable", "started_tick": null, "effect": "none", "response": "none", "failed_tick": 0, "next_tick": 3},
        {"tick": 3, "client": 0, "attempt": 2, "outcome": "accepted", "started_tick": 3, "effect": "applied", "response": "acknowledged", "failed_tick": null, "next_tick": null}
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
  EXPECT_EQ(
      lines[0].substr(0, lines[0].find(", \"assumptions\": [\"Service")),
      R"({"record": "export", "retrygarden": 1, "scenario": {"retrygarden": 1, )"
      R"("name": "[ {\"x\": 1},\n  y ]", "clients": 1, "horizon": 9, "seed": 5, )"
      R"("arrivals": {"kind": "burst", "at": 0}, "server": {"capacity": 1, )"
      R"("outages": [{"from": 0, "ticks": 1}], "deduplication": {"kind": "none"}}, )"
      R"("policies": [{"name": "a \"b\", c", "attempts": 2, "delay": {"kind": "fixed", "ticks": 3}, )"
      R"("jitter": {"kind": "none"}}]})");
  EXPECT_EQ(lines[1],
            R"({"record": "summary", "policy": "a \"b\", c", )" + std::string(kSummary.substr(1)));
  EXPECT_EQ(
      lines[2],
      R"({"record": "load", "policy": "a \"b\", c", "tick": 0, "attempts": 1, "accepted": 0, )"
      R"("overloaded": 0, "unavailable": 1, "effects": 0, "acknowledged": 0})");
  EXPECT_EQ(
      lines[4],
      R"({"record": "attempt", "policy": "a \"b\", c", "tick": 0, "client": 0, "attempt": 1, )"
      R"("outcome": "unavailable", "started_tick": null, "effect": "none", "response": "none", )"
      R"("failed_tick": 0, "next_tick": 3})");
  EXPECT_EQ(lines[6],
            R"({"record": "client", "policy": "a \"b\", c", "client": 0, "arrival": 0, )"
            R"("state": "acknowledged", "attempts": 2, "effects": 1, "acknowledged_tick": 3, )"
            R"("next_tick": null})");
  EXPECT_EQ(nlohmann::json::parse(lines[0])["assumptions"].size(), 8U);
}

TEST(Export, AsCsvHasAHeaderAndQuotesWhatNeedsIt) {
  EXPECT_EQ(
      written(write_summary_csv),
      "policy,clients,attempts,accepted,overloaded,unavailable,effects,duplicate_effects,"
      "suppressed_effects,lost_responses,acknowledged,exhausted,scheduled,applied_unacknowledged,"
      "peak_load_tick,peak_load_requests,last_acknowledged_tick,time_to_acknowledge_p50,"
      "time_to_acknowledge_p90,time_to_acknowledge_p99,time_to_acknowledge_max\n"
      "\"a \"\"b\"\", c\",1,2,1,0,1,1,0,0,0,1,0,0,0,0,1,3,3,3,3,3\n");
  EXPECT_EQ(written(write_load_csv),
            "policy,tick,attempts,accepted,overloaded,unavailable,effects,acknowledged\n"
            "\"a \"\"b\"\", c\",0,1,0,0,1,0,0\n"
            "\"a \"\"b\"\", c\",3,1,1,0,0,1,1\n");
  EXPECT_EQ(
      written(write_attempts_csv),
      "policy,tick,client,attempt,outcome,started_tick,effect,response,failed_tick,next_tick\n"
      "\"a \"\"b\"\", c\",0,0,1,unavailable,,none,none,0,3\n"
      "\"a \"\"b\"\", c\",3,0,2,accepted,3,applied,acknowledged,,\n");
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
    return text.substr(0, text.find(",1,2,1,0,1,1,"));
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

TEST(Export, StatesEightAssumptions) {
  EXPECT_EQ(assumptions().size(), 8U);
}

}  // namespace
}  // namespace retrygarden
