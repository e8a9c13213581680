// Views: of small runs all of it, compared with the export; of larger ones sums and samples, worked
// out from the single records.
#include "retrygarden/view.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "retrygarden/diagnosis.h"
#include "support/documents.h"
#include "support/runs.h"
#include "support/scenario_generator.h"

namespace retrygarden::test {
namespace {

using nlohmann::ordered_json;

template <class Write>
ordered_json json_from(Write write) {
  std::string text;
  write([&](std::string_view piece) { text += piece; });
  return ordered_json::parse(text);
}

ordered_json view_of(const Scenario& scenario, const ViewSize& size = {}) {
  return json_from([&](const Sink& sink) { write_view_json(scenario, size, sink); });
}

ordered_json lanes_of(const Scenario& scenario, const LaneRange& range) {
  return json_from([&](const Sink& sink) { write_lanes_json(scenario, 0, range, sink); });
}

ordered_json export_of(const Scenario& scenario) {
  return ordered_json::parse(export_text(scenario));
}

ordered_json member_of_each(const ordered_json& records, const char* name) {
  ordered_json values = ordered_json::array();
  for (const ordered_json& record : records) {
    values.push_back(record[name]);
  }
  return values;
}

// Two policies that differ.
Scenario two_policies() {
  Scenario example = scenario(8, 40, 3, 4, FixedDelay{4});
  example.server.outages = {{.from = 0, .ticks = 2}};
  example.policies.push_back(example.policies[0]);
  example.policies[1].name = "\"other\"";
  example.policies[1].delay = ExponentialDelay{.base = 2, .cap = 16};
  return example;
}

TEST(View, HasAllOfASmallRun) {
  const Scenario example = two_policies();
  const ordered_json view = view_of(example);
  const ordered_json document = export_of(example);
  EXPECT_EQ(view["scenario"], document["scenario"]);
  ASSERT_EQ(view["results"].size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const ordered_json& result = view["results"][i];
    const ordered_json& exported = document["results"][i];
    EXPECT_EQ(result["policy"], exported["policy"]);
    EXPECT_EQ(result["summary"], exported["summary"]);
    EXPECT_EQ(result["diagnosis"], ordered_json(diagnose(example, i)));
    EXPECT_EQ(result["ticks_per_column"], 1);
    EXPECT_EQ(result["lanes"]["first"], 0);
    EXPECT_EQ(result["lanes"]["last"], 7);
    EXPECT_EQ(result["lanes"]["step"], 1);
    EXPECT_EQ(result["lanes"]["complete"], true);
    EXPECT_EQ(result["lanes"]["clients"], exported["clients"]);
    EXPECT_EQ(result["lanes"]["attempts"], exported["attempts"]);
    EXPECT_EQ(result["density"], nullptr);
  }
}

// Attempts in ticks 0, 4, 8: what lies between has columns too.
TEST(View, HasLoadWithoutGaps) {
  const ordered_json load = view_of(scenario(2, 40, 0, 3, FixedDelay{4}))["results"][0]["load"];
  EXPECT_EQ(member_of_each(load, "tick"), (ordered_json{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(member_of_each(load, "attempts"), (ordered_json{2, 0, 0, 0, 2, 0, 0, 0, 2}));
  EXPECT_EQ(member_of_each(load, "overloaded"), (ordered_json{2, 0, 0, 0, 2, 0, 0, 0, 2}));
}

// Nine ticks in at most four columns are three of four ticks.
TEST(View, SumsTheLoadOfSeveralTicks) {
  const ordered_json result =
      view_of(scenario(2, 40, 0, 3, FixedDelay{4}), {.columns = 4})["results"][0];
  EXPECT_EQ(result["ticks_per_column"], 4);
  EXPECT_EQ(member_of_each(result["load"], "tick"), (ordered_json{0, 4, 8}));
  EXPECT_EQ(member_of_each(result["load"], "attempts"), (ordered_json{2, 2, 2}));
}

// Three requests come at tick 0; one is started in every window of 8 ticks. So two wait from tick
// 0, one from tick 8, none from tick 16 on.
TEST(View, LetsRequestsWaitInColumnsWithoutRecords) {
  Scenario example = scenario(3, 40, 1, 1, FixedDelay{1}, 30);
  example.server.capacity_window = 8;
  example.server.queue = 9;
  ordered_json result = view_of(example)["results"][0];
  EXPECT_EQ(member_of_each(result["load"], "queued"),
            (ordered_json{2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
  result = view_of(example, {.columns = 5})["results"][0];
  EXPECT_EQ(result["ticks_per_column"], 4);
  EXPECT_EQ(member_of_each(result["load"], "queued"), (ordered_json{2, 2, 1, 1, 0}));
  EXPECT_EQ(member_of_each(result["load"], "started"), (ordered_json{1, 0, 1, 0, 1}));
}

// The most of a column's ticks may be of one without a record: two wait in ticks 5 to 8, none at
// the end of 9.
TEST(View, CountsWhoWaitedBeforeTheFirstRecordOfAColumn) {
  Scenario example = scenario(2, 40, 2, 1, FixedDelay{1}, 30);
  example.arrivals = BurstArrivals{.at = 1};
  example.server.queue = 9;
  example.server.outages = {{.from = 0, .ticks = 9, .kind = OutageKind::kHang}};
  ordered_json result = view_of(example, {.columns = 3})["results"][0];
  EXPECT_EQ(result["ticks_per_column"], 4);
  EXPECT_EQ(member_of_each(result["load"], "queued"), (ordered_json{2, 2, 2}));
  EXPECT_EQ(member_of_each(result["load"], "attempts"), (ordered_json{2, 0, 0}));
  EXPECT_EQ(member_of_each(result["load"], "acknowledged"), (ordered_json{0, 0, 2}));
}

// 250 clients at once: each third one is told of, and in rows of three they are counted.
TEST(View, SamplesTheClientsOfALargeRun) {
  const Scenario example = scenario(250, 40, 100, 3, FixedDelay{4});
  const ordered_json result = view_of(example, {.columns = 9, .clients = 100})["results"][0];
  const ordered_json& lanes = result["lanes"];
  EXPECT_EQ(lanes["step"], 3);
  EXPECT_EQ(lanes["last"], 249);
  EXPECT_EQ(lanes["complete"], true);
  EXPECT_EQ(lanes["clients"].size(), 84U);
  EXPECT_EQ(lanes["clients"][83]["client"], 249);
  // 0 to 99 try once, 100 to 199 twice, the rest three times; of those 34, 33 and 17 are told of.
  EXPECT_EQ(lanes["attempts"].size(), 34U + 2 * 33 + 3 * 17);
  EXPECT_EQ(result["density"]["clients_per_row"], 3);
  const ordered_json& cells = result["density"]["cells"];
  EXPECT_EQ(cells.size(), 84U + 51 + 18);  // 100 is in row 33, 200 in row 66
  EXPECT_EQ(cells[0], (ordered_json{{"row", 0},
                                    {"column", 0},
                                    {"attempts", 3},
                                    {"effects", 3},
                                    {"duplicates", 0},
                                    {"acknowledged", 3}}));
  // Row 33 is of clients 99 to 101: one of them has the last place in tick 0.
  EXPECT_EQ(cells[33], (ordered_json{{"row", 33},
                                     {"column", 0},
                                     {"attempts", 3},
                                     {"effects", 1},
                                     {"duplicates", 0},
                                     {"acknowledged", 1}}));
  EXPECT_EQ(cells[34], (ordered_json{{"row", 33},
                                     {"column", 4},
                                     {"attempts", 2},
                                     {"effects", 2},
                                     {"duplicates", 0},
                                     {"acknowledged", 2}}));
}

TEST(View, CountsDuplicatesApart) {
  Scenario example = scenario(4, 40, 4, 2, FixedDelay{2});
  example.faults.first_response_lost = FirstResponseLost{.every = 4};
  const ordered_json cells = view_of(example, {.clients = 2})["results"][0]["density"]["cells"];
  EXPECT_EQ(cells[1], (ordered_json{{"row", 0},
                                    {"column", 2},
                                    {"attempts", 1},
                                    {"effects", 1},
                                    {"duplicates", 1},
                                    {"acknowledged", 1}}));
}

// 10 clients make 30 attempts; 12 of them are those of four clients: 0, 3, 6, 9.
TEST(View, SamplesFewerClientsWhereTheyMakeManyAttempts) {
  const Scenario example = scenario(10, 40, 0, 3, FixedDelay{4});
  const ordered_json result = view_of(example, {.attempts = 12})["results"][0];
  EXPECT_EQ(result["lanes"]["step"], 3);
  EXPECT_EQ(member_of_each(result["lanes"]["clients"], "client"), (ordered_json{0, 3, 6, 9}));
  EXPECT_EQ(result["lanes"]["attempts"].size(), 12U);
  EXPECT_EQ(result["density"]["clients_per_row"], 1);
  EXPECT_EQ(view_of(example, {.attempts = 30})["results"][0]["density"], nullptr);
  EXPECT_NE(view_of(example, {.attempts = 29})["results"][0]["density"], nullptr);
  EXPECT_EQ(view_of(example, {.clients = 10})["results"][0]["density"], nullptr);
  EXPECT_NE(view_of(example, {.clients = 9})["results"][0]["density"], nullptr);
}

// Each third client would be one that the rule hits.
TEST(View, SamplesClientsOfAllKinds) {
  Scenario example = scenario(250, 40, 250, 3, FixedDelay{4});
  const auto step = [&] {
    return view_of(example, {.clients = 100})["results"][0]["lanes"]["step"];
  };
  EXPECT_EQ(step(), 3);
  example.faults.first_response_lost = FirstResponseLost{.every = 3};
  EXPECT_EQ(step(), 4);
  example.clients_per_host = 10;
  EXPECT_EQ(step(), 7);
  example.faults.first_response_lost = FirstResponseLost{.every = 7};
  EXPECT_EQ(step(), 3);
  // 2 · 3 · 5 · 7 · 11 · 13: what shares no factor with it is 17 or more.
  example.faults.first_response_lost = FirstResponseLost{.every = 30030};
  EXPECT_EQ(step(), 17);
  example.clients_per_host = 17 * 19 * 23 * 29;
  EXPECT_EQ(step(), 31);
}

TEST(View, SamplesOneClientWhereNoStepWillDo) {
  Scenario example = scenario(3, 40, 0, 3, FixedDelay{4});
  example.faults.first_response_lost = FirstResponseLost{.every = 6};
  const ordered_json lanes = view_of(example, {.clients = 2})["results"][0]["lanes"];
  EXPECT_EQ(lanes["step"], 3);
  EXPECT_EQ(lanes["last"], 0);
  EXPECT_EQ(lanes["clients"].size(), 1U);
}

TEST(View, TellsRunsUpToASizeWhole) {
  const Scenario example = scenario(10, 40, 0, 3, FixedDelay{4});
  const ordered_json whole =
      view_of(example, {.clients = 2, .attempts = 2, .whole = 30})["results"][0];
  EXPECT_EQ(whole["density"], nullptr);
  EXPECT_EQ(whole["lanes"]["attempts"], export_of(example)["results"][0]["attempts"]);
  const ordered_json sample =
      view_of(example, {.clients = 2, .attempts = 6, .whole = 29})["results"][0];
  EXPECT_NE(sample["density"], nullptr);
  EXPECT_EQ(member_of_each(sample["lanes"]["clients"], "client"), (ordered_json{0, 5}));
}

// What the page shows whole: 300 clients, 20,000 attempts, 600 ticks.
TEST(View, HasTheSizeOfThePage) {
  const auto result = [](std::uint32_t clients, std::uint32_t horizon, std::uint32_t attempts) {
    return view_of(scenario(clients, horizon, 0, attempts, FixedDelay{1}))["results"][0];
  };
  EXPECT_EQ(result(300, 9, 1)["density"], nullptr);
  EXPECT_NE(result(301, 9, 1)["density"], nullptr);
  EXPECT_EQ(result(100, 200, 200)["density"], nullptr);
  EXPECT_NE(result(100, 201, 201)["density"], nullptr);
  EXPECT_EQ(result(1, 600, 600)["load"].size(), 600U);
  EXPECT_EQ(result(1, 601, 601)["load"].size(), 301U);
}

TEST(View, TellsProgress) {
  std::vector<std::string> calls;
  write_view_json(
      two_policies(), {}, [](std::string_view) {},
      [&](std::size_t policy, Tick tick, std::uint64_t attempts) {
        calls.push_back(std::to_string(policy) + " " + std::to_string(tick) + " " +
                        std::to_string(attempts));
      });
  // Fixed: 8, 8, 5, 2 attempts; exponential: in ticks 0, 2, 6 and 14.
  EXPECT_EQ(calls, (std::vector<std::string>{"0 0 8", "0 4 16", "0 8 21", "0 12 23", "1 0 8",
                                             "1 2 16", "1 6 21", "1 14 23"}));
}

TEST(Lanes, AreThoseAskedFor) {
  const Scenario example = scenario(10, 40, 1, 3, FixedDelay{4});
  const ordered_json document = export_of(example)["results"][0];
  const ordered_json lanes = lanes_of(example, {.first = 3, .last = 5});
  EXPECT_EQ(lanes["first"], 3);
  EXPECT_EQ(lanes["last"], 5);
  EXPECT_EQ(member_of_each(lanes["clients"], "client"), (ordered_json{3, 4, 5}));
  ordered_json attempts = ordered_json::array();
  for (const ordered_json& attempt : document["attempts"]) {
    if (3 <= attempt["client"] && attempt["client"] <= 5) {
      attempts.push_back(attempt);
    }
  }
  EXPECT_EQ(lanes["attempts"], attempts);
  EXPECT_EQ(lanes["clients"][0], document["clients"][3]);
  EXPECT_EQ(lanes["clients"][2], document["clients"][5]);
}

TEST(Lanes, EndWithTheLastClientOfAStep) {
  const ordered_json lanes =
      lanes_of(scenario(10, 40, 1, 3, FixedDelay{4}), {.first = 1, .last = 9, .step = 3});
  EXPECT_EQ(lanes["last"], 7);
  EXPECT_EQ(member_of_each(lanes["clients"], "client"), (ordered_json{1, 4, 7}));
}

// Eight clients with three attempts each. Six attempts leave room for two clients, five for one.
TEST(Lanes, LeaveOutTheHighestClients) {
  const Scenario example = scenario(8, 40, 0, 3, FixedDelay{4});
  const auto lanes_with = [&](std::size_t most) {
    return lanes_of(example, {.first = 0, .last = 7, .most = most});
  };
  EXPECT_EQ(lanes_with(24)["clients"].size(), 8U);
  const ordered_json six = lanes_with(6);
  EXPECT_EQ(member_of_each(six["clients"], "client"), (ordered_json{0, 1}));
  EXPECT_EQ(six["last"], 1);
  EXPECT_EQ(six["complete"], true);
  EXPECT_EQ(member_of_each(six["attempts"], "client"), (ordered_json{0, 1, 0, 1, 0, 1}));
  const ordered_json five = lanes_with(5);
  EXPECT_EQ(member_of_each(five["clients"], "client"), (ordered_json{0}));
  EXPECT_EQ(five["attempts"].size(), 3U);
  EXPECT_EQ(five["complete"], true);
  const ordered_json two = lanes_with(2);
  EXPECT_EQ(member_of_each(two["attempts"], "attempt"), (ordered_json{1, 2}));
  EXPECT_EQ(two["clients"][0]["attempts"], 3);
  EXPECT_EQ(two["complete"], false);
}

TEST(Lanes, LeaveOutTheHighestClientsOfARange) {
  const ordered_json lanes =
      lanes_of(scenario(9, 40, 0, 3, FixedDelay{4}), {.first = 5, .last = 8, .most = 6});
  EXPECT_EQ(lanes["last"], 6);
  EXPECT_EQ(member_of_each(lanes["attempts"], "client"), (ordered_json{5, 6, 5, 6, 5, 6}));
  const ordered_json every_second =
      lanes_of(scenario(9, 40, 0, 3, FixedDelay{4}), {.first = 1, .last = 8, .step = 2, .most = 6});
  EXPECT_EQ(member_of_each(every_second["attempts"], "client"), (ordered_json{1, 3, 1, 3, 1, 3}));
}

ordered_json explanation_of(const Scenario& scenario, Client client, std::uint32_t attempt) {
  return json_from(
      [&](const Sink& sink) { write_explanation_json(scenario, 0, client, attempt, sink); });
}

TEST(ExplanationJson, HasWordsAndDelay) {
  Scenario example = scenario(1, 40, 0, 3, FixedDelay{4});
  example.server.retry_after = 6;
  example.policies[0].max_delay = 3;
  example.policies[0].on_retry_after = OnRetryAfter::kAtLeast;
  const ordered_json explanation = explanation_of(example, 0, 1);
  EXPECT_EQ(explanation["attempt"], export_of(example)["results"][0]["attempts"][0]);
  EXPECT_EQ(explanation["server"], "nothing: over capacity");
  EXPECT_EQ(explanation["response"], "none");
  EXPECT_EQ(explanation["client"], "refused, retry after 6");
  EXPECT_EQ(explanation["next"], "retries at tick 6");
  EXPECT_EQ(explanation["delay"], (ordered_json{{"interval", {4, 4}},
                                                {"words", ordered_json::array()},
                                                {"drawn", 4},
                                                {"previous", nullptr},
                                                {"max_delay", 3},
                                                {"hint", 6},
                                                {"on_retry_after", "at_least"},
                                                {"delay", 6},
                                                {"due", 6}}));
}

TEST(ExplanationJson, HasNoDelayAfterSuccess) {
  const ordered_json explanation = explanation_of(scenario(1, 40, 1, 3, FixedDelay{4}), 0, 1);
  EXPECT_EQ(explanation["server"], "applied the operation");
  EXPECT_EQ(explanation["next"], "done");
  EXPECT_EQ(explanation["delay"], nullptr);
}

TEST(ExplanationJson, HasNothingDrawnWhereTheHintReplacesTheDelay) {
  Scenario example = scenario(1, 40, 0, 3, DecorrelatedDelay{.base = 4, .cap = 9});
  example.server.retry_after = 6;
  example.policies[0].on_retry_after = OnRetryAfter::kReplace;
  const ordered_json delay = explanation_of(example, 0, 2)["delay"];
  EXPECT_EQ(delay["interval"], nullptr);
  EXPECT_EQ(delay["drawn"], nullptr);
  EXPECT_EQ(delay["max_delay"], nullptr);
  EXPECT_EQ(delay["due"], 12);
}

TEST(ExplanationJson, HasTheWordsDrawn) {
  Scenario example = scenario(40, 2147483647, 0, 9, FixedDelay{805306368});
  example.seed = 35;
  example.policies[0].jitter = ProportionalJitter{fraction("1")};
  const Plan plan = make_plan(example, 0);
  bool has_rejected = false;
  for (Client client = 0; client < 40; ++client) {
    ordered_json words = ordered_json::array();
    const Explanation explanation = explain(plan, client, 1).value();
    for (const DrawnWord& drawn : explanation.delay.value().words) {
      words.push_back({{"word", drawn.word}, {"rejected", drawn.is_rejected}});
      has_rejected = has_rejected || drawn.is_rejected;
    }
    EXPECT_EQ(explanation_of(example, client, 1)["delay"]["words"], words);
  }
  EXPECT_TRUE(has_rejected);
}

TEST(ExplanationJson, IsNullForAttemptsThatWereNotMade) {
  EXPECT_EQ(explanation_of(scenario(1, 40, 1, 3, FixedDelay{4}), 0, 2), nullptr);
}

ordered_json faults_of(std::string_view text) {
  return json_from([&](const Sink& sink) { write_faults_json(read_scenario(text).error(), sink); });
}

TEST(FaultsJson, HasPlaceAndWords) {
  const ordered_json syntax = faults_of("{\n \"clients\" 3}");
  ASSERT_EQ(syntax.size(), 1U);
  EXPECT_EQ(syntax[0]["line"], 2);
  EXPECT_EQ(syntax[0]["column"], 12);
  EXPECT_EQ(syntax[0]["pointer"], "");
  const ordered_json values = faults_of(
      R"({"retrygarden": 1, "clients": "eight", "horizon": 0, "seed": 1,
          "server": {"capacity": 1}, "policies": [
            {"name": "p", "attempts": 1, "delay": {"kind": "fixed", "ticks": 1}}]})");
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0], (ordered_json{{"line", nullptr},
                                     {"column", nullptr},
                                     {"pointer", "/clients"},
                                     {"expected", "an integer from 1 to 4294967295"},
                                     {"found", "\"eight\""},
                                     {"text",
                                      "/clients: expected an integer from 1 to 4294967295, "
                                      "found \"eight\""}}));
  EXPECT_EQ(values[1]["pointer"], "/horizon");
}

// What a view says of load, whatever its columns, is the sum of the ticks' records.
RC_GTEST_PROP(View, HasTheSumsOfTheLoad, ()) {
  const Scenario example = scenario_of(*scenario_texts());
  const auto columns = *rc::gen::inRange<std::size_t>(1, 40);
  const ordered_json view = view_of(example, {.columns = columns});
  const ordered_json document = export_of(example);
  for (std::size_t i = 0; i < example.policies.size(); ++i) {
    const ordered_json& result = view["results"][i];
    const ordered_json& load = result["load"];
    const std::uint64_t width = result["ticks_per_column"];
    RC_ASSERT(load.size() <= columns);
    std::vector<std::map<std::string, std::uint64_t>> sums(load.size());
    std::uint64_t queued = 0;
    std::uint64_t next_tick = 0;
    for (const ordered_json& record : document["results"][i]["load"]) {
      const std::uint64_t tick = record["tick"];
      for (std::uint64_t column = next_tick / width; column * width < tick; ++column) {
        std::uint64_t& most = sums.at(column)["queued"];
        most = std::max(most, next_tick < tick ? queued : 0);
      }
      next_tick = tick + 1;
      queued = record["queued"];
      auto& sum = sums.at(tick / width);
      for (const auto& [name, value] : record.items()) {
        sum[name] = name == "queued" ? std::max<std::uint64_t>(sum[name], value)
                                     : sum[name] + value.get<std::uint64_t>();
      }
    }
    RC_ASSERT(load.size() == (next_tick - 1) / width + 1);
    for (std::size_t column = 0; column < load.size(); ++column) {
      RC_ASSERT(load[column]["tick"] == column * width);
      for (const auto& [name, value] : load[column].items()) {
        if (name != "tick") {
          RC_ASSERT(sums[column][name] == value.get<std::uint64_t>());
        }
      }
    }
  }
}

// Every attempt is counted in one cell.
RC_GTEST_PROP(View, CountsAllAttemptsInItsCells, ()) {
  const Scenario example = scenario_of(*scenario_texts());
  const ordered_json view = view_of(example, {.columns = 7, .clients = 1, .attempts = 1});
  for (const ordered_json& result : view["results"]) {
    const ordered_json& summary = result["summary"];
    if (result["density"].is_null()) {
      RC_ASSERT(summary["attempts"] == 1);
      continue;
    }
    std::map<std::string, std::uint64_t> sums;
    for (const ordered_json& cell : result["density"]["cells"]) {
      for (const auto& [name, value] : cell.items()) {
        sums[name] += value.get<std::uint64_t>();
      }
    }
    RC_ASSERT(sums["attempts"] == summary["attempts"]);
    RC_ASSERT(sums["effects"] == summary["effects"]);
    RC_ASSERT(sums["duplicates"] == summary["duplicate_effects"]);
    RC_ASSERT(sums["acknowledged"] == summary["acknowledged"]);
  }
}

TEST(View, MemoryGrowsWithClientsColumnsAndAttempts) {
  Scenario example = scenario(1000, 40, 1, 3, FixedDelay{4});
  const std::uint64_t small = view_memory_bytes(example, {});
  EXPECT_GE(view_memory_bytes(example, {.columns = 601}), small + 100 * 32);
  EXPECT_GE(view_memory_bytes(example, {.clients = 301}), small + sizeof(ClientRecord));
  EXPECT_GE(view_memory_bytes(example, {.attempts = 20001}), small + 2 * sizeof(Attempt));
  EXPECT_GE(view_memory_bytes(example, {.whole = 20001}), small + 2 * sizeof(Attempt));
  example.clients = 2000;
  EXPECT_GE(view_memory_bytes(example, {}), small + 1000 * 13);
}

}  // namespace
}  // namespace retrygarden::test
