// Tests of the reference model. Every expected value comes from docs/model.md: published there, or
// worked out by hand from its rules.

#include "reference_model/reference_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference_model/draws.h"

namespace {

using nlohmann::ordered_json;
using reference_model::draw;
using reference_model::export_document;
using reference_model::InvalidScenario;
using reference_model::philox_block;

using Block = std::array<std::uint32_t, 4>;

// A valid scenario that needs no default: tests change single members of it.
ordered_json plain_scenario() {
  return ordered_json::parse(R"({
    "retrygarden": 1, "clients": 1, "horizon": 10, "seed": 7,
    "server": {"capacity": 1},
    "policies": [{"name": "p", "attempts": 1000, "delay": {"kind": "fixed", "ticks": 2}}]
  })");
}

ordered_json run(const ordered_json& scenario) {
  return export_document(scenario.dump());
}

// The values of one member over a list of records.
std::vector<ordered_json> column(const ordered_json& records, const std::string& member) {
  std::vector<ordered_json> values;
  for (const ordered_json& record : records) {
    values.push_back(record.at(member));
  }
  return values;
}

// The attempt ticks of a single client that is never accepted, so that only its delays count.
std::vector<ordered_json> refused_ticks(const std::string& delay, const std::string& jitter,
                                        int horizon) {
  ordered_json scenario = plain_scenario();
  scenario["server"]["capacity"] = 0;
  scenario["horizon"] = horizon;
  scenario["policies"][0]["attempts"] = 4294967295;
  scenario["policies"][0]["delay"] = ordered_json::parse(delay);
  if (!jitter.empty()) {
    scenario["policies"][0]["jitter"] = ordered_json::parse(jitter);
  }
  return column(run(scenario)["results"][0]["attempts"], "tick");
}

using Ticks = std::vector<ordered_json>;

// ---------------------------------------------------------------------------------- draws

TEST(ReferenceModelDraws, PhiloxGivesTheKnownAnswers) {
  EXPECT_EQ(philox_block({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(
      philox_block({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
      (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      philox_block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
      (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(ReferenceModelDraws, TakesTheFirstWordWhenItIsNotRejected) {
  // Counter and key are zero, so w0 = 6627e8d5 hex = 1713891541.
  // s = 10: 2^32 mod 10 = 6; 10 w0 = 3 * 2^32 + 4254013522, which is not below 6.
  EXPECT_EQ(draw(1, 10, 0, 0, 0, 0), 1 + 3);
  // s = 2^32 - 1 has 2^32 mod s = 1, and w0 * s = (w0 - 1) * 2^32 + (2^32 - w0).
  EXPECT_EQ(draw(0, 4294967294, 0, 0, 0, 0), 1713891540);
  EXPECT_EQ(draw(5, 5, 0, 0, 0, 0), 5);
}

TEST(ReferenceModelDraws, RejectsWordsBelowTheThreshold) {
  // s = 2^31 + 1, so 2^32 mod s = 2^31 - 1 = 7fffffff hex. Modulo 2^32, w * s is w for an even w
  // and w + 80000000 hex for an odd one. The third known answer's words give, in turn, 516cfe09,
  // 14fdcceb, 5001e420: all rejected; then 24126ea1 gives a4126ea1, and floor(w * s / 2^32) is
  // floor(w / 2 + w / 2^32) = 12093750 hex (0.5 + 0.14... is left over).
  EXPECT_EQ(draw(0, 0x80000000, 0x299f31d0a4093822, 0x85a308d3, 0x243f6a88, 0x0370734413198a2e),
            0x12093750);
}

// The draw rule of section 7 over the words of several blocks, in 64-bit arithmetic: s < 2^32, so a
// product of a word and s fits.
std::pair<std::int64_t, int> draw_from_blocks(std::int64_t lo, std::uint64_t s, std::uint64_t seed,
                                              std::uint32_t purpose, std::uint32_t index,
                                              std::uint32_t client) {
  const std::uint64_t two_to_32 = 1ULL << 32;
  for (std::uint32_t r = 0;; ++r) {
    for (const std::uint64_t word : philox_block({index, purpose + 256 * r, client, 0},
                                                 {static_cast<std::uint32_t>(seed % two_to_32),
                                                  static_cast<std::uint32_t>(seed / two_to_32)})) {
      if (word * s % two_to_32 >= two_to_32 % s) {
        return {lo + static_cast<std::int64_t>(word * s / two_to_32), static_cast<int>(r)};
      }
    }
  }
}

TEST(ReferenceModelDraws, GoesOnWithTheNextBlock) {
  // With s = 2^31 + 1 nearly half of all words are rejected, so about one client in 16 needs
  // block 1.
  const std::uint64_t s = (1ULL << 31) + 1;
  const std::uint64_t seed = (3ULL << 32) + 5;
  int later_blocks = 0;
  for (std::uint32_t client = 0; client < 200; ++client) {
    const auto [value, block] = draw_from_blocks(100, s, seed, 3, 2, client);
    EXPECT_EQ(draw(100, 100 + (1LL << 31), seed, 3, 2, client), value);
    later_blocks += block > 0;
  }
  EXPECT_GT(later_blocks, 0);
}

TEST(ReferenceModelDraws, RefusesImpossibleIntervals) {
  EXPECT_THROW(draw(2, 1, 0, 0, 0, 0), std::invalid_argument);
  EXPECT_THROW(draw(0, 4294967295, 0, 0, 0, 0), std::invalid_argument);
}

// ---------------------------------------------------------------------------------- delays

TEST(ReferenceModelDelays, Fixed) {
  EXPECT_EQ(refused_ticks(R"({"kind": "fixed", "ticks": 3})", "", 10), (Ticks{0, 3, 6, 9}));
}

TEST(ReferenceModelDelays, Linear) {
  // 1, 3, then min(4, 5), min(4, 7).
  EXPECT_EQ(refused_ticks(R"({"kind": "linear", "base": 1, "step": 2, "cap": 4})", "", 13),
            (Ticks{0, 1, 4, 8, 12}));
}

TEST(ReferenceModelDelays, Exponential) {
  // 3, floor(4.5), floor(6.75), min(9, floor(10.125)), 9.
  EXPECT_EQ(
      refused_ticks(R"({"kind": "exponential", "base": 3, "multiplier": 1.5, "cap": 9})", "", 32),
      (Ticks{0, 3, 7, 13, 22, 31}));
  // The default multiplier is 2: 1, 2, 4, 8, 8.
  EXPECT_EQ(refused_ticks(R"({"kind": "exponential", "base": 1, "cap": 8})", "", 24),
            (Ticks{0, 1, 3, 7, 15, 23}));
}

TEST(ReferenceModelDelays, ExponentialTakesThePowerExactly) {
  // 1, 1.5, 2.25, 3.375, 5.0625 floored at the end: 1, 1, 2, 3, 5.
  EXPECT_EQ(
      refused_ticks(R"({"kind": "exponential", "base": 1, "multiplier": 1.5, "cap": 100})", "", 13),
      (Ticks{0, 1, 2, 4, 7, 12}));
  // 1.01^69 = 1.987 and 1.01^70 = 2.007: delays 1 to 70 are 1, delays 71 and 72 are 2.
  const Ticks slow = refused_ticks(
      R"({"kind": "exponential", "base": 1, "multiplier": 1.01, "cap": 1000})", "", 75);
  ASSERT_EQ(slow.size(), 73U);
  EXPECT_EQ(slow[70], 70);
  EXPECT_EQ(slow[71], 72);
  EXPECT_EQ(slow[72], 74);
}

TEST(ReferenceModelDelays, List) {
  EXPECT_EQ(refused_ticks(R"({"kind": "list", "ticks": [2, 5, 1]})", "", 10),
            (Ticks{0, 2, 7, 8, 9}));
}

TEST(ReferenceModelDelays, JitterOfOneValueMakesNoDifference) {
  const std::string one_tick = R"({"kind": "fixed", "ticks": 1})";
  EXPECT_EQ(refused_ticks(one_tick, R"({"kind": "full"})", 3), (Ticks{0, 1, 2}));
  EXPECT_EQ(refused_ticks(one_tick, R"({"kind": "equal"})", 3), (Ticks{0, 1, 2}));
  // [max(1, ceil(0)), floor(1.999999)]
  EXPECT_EQ(refused_ticks(one_tick, R"({"kind": "proportional", "fraction": 0.999999})", 3),
            (Ticks{0, 1, 2}));
  // [ceil(2.85), floor(3.15)]
  EXPECT_EQ(refused_ticks(R"({"kind": "fixed", "ticks": 3})",
                          R"({"kind": "proportional", "fraction": 0.05})", 10),
            (Ticks{0, 3, 6, 9}));
}

// The first two attempts after tick 0 with delays drawn from [lo, hi]; plain_scenario's seed is 7.
Ticks two_drawn_delays(std::int64_t lo, std::int64_t hi) {
  const std::int64_t first = draw(lo, hi, 7, 0, 1, 0);
  return {0, first, first + draw(lo, hi, 7, 0, 2, 0)};
}

TEST(ReferenceModelDelays, JitterDrawsFromItsInterval) {
  const auto first_three = [](const std::string& ticks, const std::string& jitter) {
    Ticks all = refused_ticks(R"({"kind": "fixed", "ticks": )" + ticks + "}", jitter, 10000);
    all.resize(3);
    return all;
  };
  EXPECT_EQ(first_three("900", R"({"kind": "full"})"), two_drawn_delays(1, 900));
  // 901 - floor(450.5)
  EXPECT_EQ(first_three("901", R"({"kind": "equal"})"), two_drawn_delays(451, 901));
  // ceil(757.5) and floor(1262.5)
  EXPECT_EQ(first_three("1010", R"({"kind": "proportional", "fraction": 0.25})"),
            two_drawn_delays(758, 1262));
  // max(1, 0) and 2000
  EXPECT_EQ(first_three("1000", R"({"kind": "proportional", "fraction": 1})"),
            two_drawn_delays(1, 2000));
}

TEST(ReferenceModelDelays, DecorrelatedDrawsFromThePreviousValue) {
  const std::int64_t d1 = std::min<std::int64_t>(400, draw(50, 150, 7, 0, 1, 0));
  const std::int64_t d2 = std::min<std::int64_t>(400, draw(50, 3 * d1, 7, 0, 2, 0));
  const std::int64_t d3 = std::min<std::int64_t>(400, draw(50, 3 * d2, 7, 0, 3, 0));
  const std::int64_t d4 = std::min<std::int64_t>(400, draw(50, 3 * d3, 7, 0, 4, 0));
  Ticks ticks = refused_ticks(R"({"kind": "decorrelated", "base": 50, "cap": 400})", "", 5000);
  ticks.resize(5);
  EXPECT_EQ(ticks, (Ticks{0, d1, d1 + d2, d1 + d2 + d3, d1 + d2 + d3 + d4}));
}

TEST(ReferenceModelDelays, DecorrelatedIsHeldToItsCap) {
  EXPECT_EQ(refused_ticks(R"({"kind": "decorrelated", "base": 4, "cap": 4})", "", 10),
            (Ticks{0, 4, 8}));
}

// ---------------------------------------------------------------------------------- arrivals

TEST(ReferenceModelArrivals, BurstSpreadAndRandom) {
  ordered_json scenario = plain_scenario();
  scenario["clients"] = 3;
  scenario["arrivals"] = {{"at", 4}};
  EXPECT_EQ(column(run(scenario)["results"][0]["clients"], "arrival"), (Ticks{4, 4, 4}));
  // floor(0 / 3), floor(10 / 3), floor(20 / 3)
  scenario["arrivals"] = {{"kind", "spread"}, {"over", 10}};
  EXPECT_EQ(column(run(scenario)["results"][0]["clients"], "arrival"), (Ticks{0, 3, 6}));
  scenario["arrivals"] = {{"kind", "random"}, {"over", 10}};
  EXPECT_EQ(column(run(scenario)["results"][0]["clients"], "arrival"),
            (Ticks{draw(0, 9, 7, 3, 0, 0), draw(0, 9, 7, 3, 0, 1), draw(0, 9, 7, 3, 0, 2)}));
  scenario["arrivals"] = {{"kind", "random"}, {"over", 1}};
  EXPECT_EQ(column(run(scenario)["results"][0]["clients"], "arrival"), (Ticks{0, 0, 0}));
}

// ---------------------------------------------------------------------------------- runs

// Tick 0 is an outage. At tick 2 client 0 wins the place, its operation is applied, its response is
// lost; clients 1 and 2 are overloaded. At tick 4, the last attempt of each, client 0 wins again
// with a key that is 2 ticks old.
ordered_json lost_response_scenario(int ttl) {
  ordered_json scenario = plain_scenario();
  scenario["clients"] = 3;
  scenario["server"] = {{"capacity", 1},
                        {"outages", ordered_json::array({{{"from", 0}, {"ticks", 1}}})},
                        {"deduplication", {{"kind", "ttl"}, {"ticks", ttl}}}};
  scenario["faults"]["first_response_lost"] = {{"every", 2}};
  scenario["policies"][0]["attempts"] = 3;
  return scenario;
}

TEST(ReferenceModelRun, RecordsAWholeRun) {
  const ordered_json expected = ordered_json::parse(R"({
    "policy": "p",
    "summary": {
      "clients": 3, "attempts": 9, "accepted": 2, "overloaded": 4, "unavailable": 3,
      "lost_requests": 0, "short_circuited": 0, "started": 2, "dropped": 0,
      "effects": 1, "duplicate_effects": 0, "suppressed_effects": 1, "lost_responses": 1,
      "crashed_responses": 0, "late_responses": 0, "timeouts": 1, "acknowledged": 1,
      "exhausted": 2, "deadline_exceeded": 0, "budget_denied": 0, "awaiting": 0, "scheduled": 0,
      "applied_unacknowledged": 0,
      "peak_load": {"tick": 0, "requests": 3}, "last_acknowledged_tick": 4,
      "time_to_acknowledge": {"p50": 4, "p90": 4, "p99": 4, "max": 4}
    },
    "load": [
      {"tick": 0, "attempts": 3, "accepted": 0, "overloaded": 0, "unavailable": 3,
       "lost_requests": 0, "short_circuited": 0, "started": 0, "dropped": 0,
       "effects": 0, "acknowledged": 0, "queued": 0},
      {"tick": 2, "attempts": 3, "accepted": 1, "overloaded": 2, "unavailable": 0,
       "lost_requests": 0, "short_circuited": 0, "started": 1, "dropped": 0,
       "effects": 1, "acknowledged": 0, "queued": 0},
      {"tick": 4, "attempts": 3, "accepted": 1, "overloaded": 2, "unavailable": 0,
       "lost_requests": 0, "short_circuited": 0, "started": 1, "dropped": 0,
       "effects": 0, "acknowledged": 1, "queued": 0}
    ],
    "attempts": [
      {"tick": 0, "client": 0, "attempt": 1, "outcome": "unavailable", "started_tick": null,
       "dropped_tick": null, "effect": "none", "response": "none", "failed_tick": 0, "next_tick": 2},
      {"tick": 0, "client": 1, "attempt": 1, "outcome": "unavailable", "started_tick": null,
       "dropped_tick": null, "effect": "none", "response": "none", "failed_tick": 0, "next_tick": 2},
      {"tick": 0, "client": 2, "attempt": 1, "outcome": "unavailable", "started_tick": null,
       "dropped_tick": null, "effect": "none", "response": "none", "failed_tick": 0, "next_tick": 2},
      {"tick": 2, "client": 0, "attempt": 2, "outcome": "accepted", "started_tick": 2,
       "dropped_tick": null, "effect": "applied", "response": "lost", "failed_tick": 2, "next_tick": 4},
      {"tick": 2, "client": 1, "attempt": 2, "outcome": "overloaded", "started_tick": null,
       "dropped_tick": null, "effect": "none", "response": "none", "failed_tick": 2, "next_tick": 4},
      {"tick": 2, "client": 2, "attempt": 2, "outcome": "overloaded", "started_tick": null,
       "dropped_tick": null, "effect": "none", "response": "none", "failed_tick": 2, "next_tick": 4},
      {"tick": 4, "client": 0, "attempt": 3, "outcome": "accepted", "started_tick": 4,
       "dropped_tick": null, "effect": "suppressed", "response": "acknowledged", "failed_tick": null, "next_tick": null},
      {"tick": 4, "client": 1, "attempt": 3, "outcome": "overloaded", "started_tick": null,
       "dropped_tick": null, "effect": "none", "response": "none", "failed_tick": 4, "next_tick": null},
      {"tick": 4, "client": 2, "attempt": 3, "outcome": "overloaded", "started_tick": null,
       "dropped_tick": null, "effect": "none", "response": "none", "failed_tick": 4, "next_tick": null}
    ],
    "clients": [
      {"client": 0, "arrival": 0, "state": "acknowledged", "attempts": 3, "effects": 1,
       "acknowledged_tick": 4, "next_tick": null},
      {"client": 1, "arrival": 0, "state": "exhausted", "attempts": 3, "effects": 0,
       "acknowledged_tick": null, "next_tick": null},
      {"client": 2, "arrival": 0, "state": "exhausted", "attempts": 3, "effects": 0,
       "acknowledged_tick": null, "next_tick": null}
    ]
  })");
  // Compared as text, so that the order of members counts too.
  EXPECT_EQ(run(lost_response_scenario(3))["results"][0].dump(1), expected.dump(1));
}

TEST(ReferenceModelRun, AKeyIsNoLongerLiveAfterItsTicks) {
  const ordered_json result = run(lost_response_scenario(2))["results"][0];
  EXPECT_EQ(result["attempts"][6]["effect"], "duplicate");
  EXPECT_EQ(result["attempts"][6]["response"], "acknowledged");
  EXPECT_EQ(result["clients"][0]["effects"], 2);
  EXPECT_EQ(result["summary"]["effects"], 2);
  EXPECT_EQ(result["summary"]["duplicate_effects"], 1);
  EXPECT_EQ(result["summary"]["suppressed_effects"], 0);
}

TEST(ReferenceModelRun, AnAppliedOperationMayStayUnacknowledged) {
  ordered_json scenario = lost_response_scenario(3);
  scenario["policies"][0]["attempts"] = 2;
  const ordered_json result = run(scenario)["results"][0];
  EXPECT_EQ(result["summary"]["applied_unacknowledged"], 1);
  EXPECT_EQ(result["summary"]["exhausted"], 3);
  EXPECT_EQ(result["summary"]["last_acknowledged_tick"], nullptr);
  EXPECT_EQ(result["summary"]["time_to_acknowledge"],
            ordered_json::parse(R"({"p50": null, "p90": null, "p99": null, "max": null})"));
}

TEST(ReferenceModelRun, AClientWhoseNextAttemptIsAtTheHorizonIsScheduled) {
  ordered_json scenario = plain_scenario();
  scenario["server"]["capacity"] = 0;
  scenario["horizon"] = 4;
  ordered_json result = run(scenario)["results"][0];
  EXPECT_EQ(column(result["attempts"], "next_tick"), (Ticks{2, 4}));
  EXPECT_EQ(result["clients"][0]["state"], "scheduled");
  EXPECT_EQ(result["clients"][0]["next_tick"], 4);
  // With a budget of two attempts the same client is exhausted.
  scenario["policies"][0]["attempts"] = 2;
  result = run(scenario)["results"][0];
  EXPECT_EQ(column(result["attempts"], "next_tick"), (Ticks{2, nullptr}));
  EXPECT_EQ(result["clients"][0]["state"], "exhausted");
  EXPECT_EQ(result["clients"][0]["next_tick"], nullptr);
}

TEST(ReferenceModelRun, OutagesMayOverlapAndReachPastTheHorizon) {
  ordered_json scenario = plain_scenario();
  scenario["server"]["outages"] =
      ordered_json::parse(R"([{"from": 7, "ticks": 2147483647}, {"from": 0, "ticks": 3},
                              {"from": 2, "ticks": 2}, {"from": 2147483647, "ticks": 1}])");
  scenario["policies"][0]["delay"]["ticks"] = 1;
  // Down in 0 to 3: the attempt at 4 is the first that is accepted.
  EXPECT_EQ(column(run(scenario)["results"][0]["load"], "unavailable"), (Ticks{1, 1, 1, 1, 0}));
  scenario["arrivals"]["at"] = 6;
  scenario["server"]["capacity"] = 0;
  EXPECT_EQ(column(run(scenario)["results"][0]["attempts"], "outcome"),
            (Ticks{"overloaded", "unavailable", "unavailable", "unavailable"}));
}

TEST(ReferenceModelRun, PercentilesAreByNearestRank) {
  // One client is acknowledged in each of the ticks 4 to 14: times 0 to 10. Of 11 values p50 is
  // number ceil(5.5) = 6, p90 number ceil(9.9) = 10, p99 number ceil(10.89) = 11.
  ordered_json scenario = plain_scenario();
  scenario["clients"] = 11;
  scenario["horizon"] = 20;
  scenario["arrivals"]["at"] = 4;
  scenario["policies"][0]["delay"]["ticks"] = 1;
  const ordered_json summary = run(scenario)["results"][0]["summary"];
  EXPECT_EQ(summary["time_to_acknowledge"],
            ordered_json::parse(R"({"p50": 5, "p90": 9, "p99": 10, "max": 10})"));
  EXPECT_EQ(summary["last_acknowledged_tick"], 14);
  EXPECT_EQ(summary["peak_load"], ordered_json::parse(R"({"tick": 4, "requests": 11})"));
}

TEST(ReferenceModelRun, PoliciesDoNotInfluenceEachOther) {
  ordered_json scenario = lost_response_scenario(3);
  scenario["policies"].push_back(scenario["policies"][0]);
  scenario["policies"][1]["name"] = "q";
  ordered_json results = run(scenario)["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[1]["policy"], "q");
  results[1]["policy"] = "p";
  EXPECT_EQ(results[0], results[1]);
}

TEST(ReferenceModelRun, LongRunsEnd) {
  // The first n delays add up to about 100 * (1.01^n - 1), which passes the horizon of 2^31 - 1 at
  // n = ln(21474837.47) / ln(1.01) = 1696.6: attempts 1 to 1697 are made.
  EXPECT_EQ(
      refused_ticks(R"({"kind": "exponential", "base": 1, "multiplier": 1.01, "cap": 1073741824})",
                    "", 2147483647)
          .size(),
      1697U);
  EXPECT_EQ(
      refused_ticks(R"({"kind": "exponential", "base": 1, "multiplier": 1, "cap": 9})", "", 20000)
          .size(),
      20000U);
  EXPECT_EQ(refused_ticks(R"({"kind": "exponential", "base": 1, "multiplier": 1.01, "cap": 2})", "",
                          20000)
                .size(),
            10035U);  // ticks 0 to 70, then every second one from 72 to 19998
  EXPECT_EQ(refused_ticks(R"({"kind": "fixed", "ticks": 1073741824})", "", 2147483647),
            (Ticks{0, 1073741824}));
}

// ------------------------------------------------------------------- runs and their records

// plain_scenario with other values (JSON Merge Patch), and the same for its one policy.
ordered_json scenario_with(const std::string& changes, const std::string& policy_changes = "{}") {
  ordered_json scenario = plain_scenario();
  scenario.merge_patch(ordered_json::parse(changes));
  const ordered_json policy_patch = ordered_json::parse(policy_changes);
  ordered_json& policy = scenario["policies"][0];
  if (policy_patch.contains("delay")) {
    policy.erase("delay");  // its kind may change
  }
  policy.merge_patch(policy_patch);
  return scenario;
}

ordered_json result_of(const ordered_json& scenario) {
  return run(scenario)["results"][0];
}

ordered_json result_with(const std::string& changes, const std::string& policy_changes = "{}") {
  return result_of(scenario_with(changes, policy_changes));
}

using Lines = std::vector<std::string>;

// Each record as its values with blanks between them, "-" for null: for an attempt those of tick,
// client, attempt, outcome, started_tick, dropped_tick, effect, response, failed_tick, next_tick.
Lines lines_of(const ordered_json& records) {
  Lines lines;
  for (const ordered_json& record : records) {
    std::string line;
    for (const ordered_json& value : record) {
      std::string word = value.is_null() ? "-" : value.dump();
      word.erase(std::remove(word.begin(), word.end(), '"'), word.end());
      line += (line.empty() ? "" : " ") + word;
    }
    lines.push_back(line);
  }
  return lines;
}

Lines attempt_lines(const std::string& changes, const std::string& policy_changes = "{}") {
  return lines_of(result_with(changes, policy_changes)["attempts"]);
}

// The attempts of one client.
ordered_json attempts_of(const ordered_json& result, int client) {
  ordered_json attempts = ordered_json::array();
  for (const ordered_json& record : result["attempts"]) {
    if (record["client"] == client) {
      attempts.push_back(record);
    }
  }
  return attempts;
}

using Words = std::vector<ordered_json>;

// Draws that a test answers, and that it can look at afterwards.
struct Draw {
  std::int64_t lo;
  std::int64_t hi;
  std::uint32_t purpose;
  std::uint32_t index;
  std::uint64_t client;

  bool operator==(const Draw&) const = default;
};
using Draws = std::vector<Draw>;

struct Recorded {
  ordered_json result;
  Draws draws;
};

template <typename Answer>
Recorded run_with_draws(const ordered_json& scenario, Answer answer) {
  Recorded recorded;
  const reference_model::DrawSource source = [&](std::int64_t lo, std::int64_t hi,
                                                 std::uint32_t purpose, std::uint32_t index,
                                                 std::uint64_t client) -> std::int64_t {
    recorded.draws.push_back({lo, hi, purpose, index, client});
    return answer(recorded.draws.back());
  };
  recorded.result = export_document(scenario.dump(), source)["results"][0];
  return recorded;
}

const auto highest = [](const Draw& d) { return d.hi; };

// ------------------------------------------------------------------------------ hosts, arrivals

TEST(ReferenceModelArrivals, SpreadInterleavesTheHosts) {
  // Hosts {0, 1}, {2, 3}, {4}. By (i mod 2, host): 0, 2, 4, then 1, 3. Ranks 0, 3, 1, 4, 2 for the
  // clients 0 to 4; with T = 10 each is at twice its rank.
  const ordered_json result = result_with(
      R"({"clients": 5, "clients_per_host": 2, "arrivals": {"kind": "spread", "over": 10}})");
  EXPECT_EQ(column(result["clients"], "arrival"), (Ticks{0, 6, 2, 8, 4}));
}

TEST(ReferenceModelArrivals, OneBigHostIsInTheOrderOfItsClients) {
  const ordered_json result = result_with(
      R"({"clients": 3, "clients_per_host": 9, "arrivals": {"kind": "spread", "over": 10}})");
  EXPECT_EQ(column(result["clients"], "arrival"), (Ticks{0, 3, 6}));
}

// ---------------------------------------------------------------------------- the server's work

TEST(ReferenceModelServer, AResponseComesAfterTheServiceTime) {
  const ordered_json result =
      result_with(R"({"server": {"service_ticks": 3}})", R"({"timeout": 5})");
  EXPECT_EQ(lines_of(result["attempts"]), (Lines{"0 0 1 accepted 0 - applied acknowledged - -"}));
  EXPECT_EQ(result["clients"][0]["acknowledged_tick"], 3);
  // tick, attempts, accepted, overloaded, unavailable, lost_requests, short_circuited, started,
  // dropped, effects, acknowledged, queued
  EXPECT_EQ(lines_of(result["load"]),
            (Lines{"0 1 1 0 0 0 0 1 0 1 0 0", "3 0 0 0 0 0 0 0 0 0 1 0"}));
  EXPECT_EQ(result["summary"]["time_to_acknowledge"]["max"], 3);
}

TEST(ReferenceModelServer, AResponseInTheTickOfTheTimeoutIsInTime) {
  const std::string slow = R"({"server": {"service_ticks": 3}})";
  EXPECT_EQ(attempt_lines(slow, R"({"timeout": 3, "attempts": 1})"),
            (Lines{"0 0 1 accepted 0 - applied acknowledged - -"}));
  // One tick less: it fails in 2, and the response of tick 3 is late.
  const ordered_json result = result_with(slow, R"({"timeout": 2, "attempts": 1})");
  EXPECT_EQ(lines_of(result["attempts"]), (Lines{"0 0 1 accepted 0 - applied late 2 -"}));
  EXPECT_EQ(result["clients"][0]["state"], "exhausted");
  EXPECT_EQ(result["summary"]["late_responses"], 1);
  EXPECT_EQ(result["summary"]["timeouts"], 1);
  EXPECT_EQ(result["summary"]["applied_unacknowledged"], 1);
  // Nothing that load records happened in tick 3.
  EXPECT_EQ(column(result["load"], "tick"), (Ticks{0}));
}

TEST(ReferenceModelServer, AnAcknowledgementIsOfTheAttemptThatIsWaitedOn) {
  // Attempt 1, answered in 3, fails in 2. Attempt 2 is sent in 3, so that the response to attempt 1
  // is late although its client waits. Attempt 2 would be answered in 6, the horizon.
  const Lines lines = attempt_lines(R"({"server": {"service_ticks": 3}, "horizon": 6})",
                                    R"({"timeout": 2, "delay": {"kind": "fixed", "ticks": 1}})");
  EXPECT_EQ(lines, (Lines{"0 0 1 accepted 0 - applied late 2 3",
                          "3 0 2 accepted 3 - duplicate none 5 6"}));
}

TEST(ReferenceModelServer, TheQueueIsServedByItsDiscipline) {
  const auto started = [](const std::string& discipline) {
    return result_with(
        R"({"clients": 4, "server": {"queue": 2, "discipline": ")" + discipline + R"("}})",
        R"({"timeout": 10, "attempts": 1})");
  };
  const ordered_json fifo = started("fifo");
  EXPECT_EQ(lines_of(fifo["attempts"]), (Lines{"0 0 1 accepted 0 - applied acknowledged - -",
                                               "0 1 1 accepted 1 - applied acknowledged - -",
                                               "0 2 1 accepted 2 - applied acknowledged - -",
                                               "0 3 1 overloaded - - none none 0 -"}));
  EXPECT_EQ(column(fifo["load"], "queued"), (Ticks{2, 1, 0}));
  const ordered_json lifo = started("lifo");
  EXPECT_EQ(column(lifo["attempts"], "started_tick"), (Ticks{0, 2, 1, nullptr}));
}

TEST(ReferenceModelServer, WhatWaitsIsStartedBeforeWhatArrives) {
  const Recorded recorded = run_with_draws(
      scenario_with(
          R"({"clients": 3, "server": {"queue": 1}, "arrivals": {"kind": "random", "over": 2}})",
          R"({"timeout": 10})"),
      [](const Draw& d) { return d.client == 0 ? 1 : 0; });
  // Clients 1 and 2 come in tick 0: 1 is started, 2 waits. Client 0 comes in tick 1 and has to
  // wait, as 2 is started.
  EXPECT_EQ(lines_of(recorded.result["attempts"]),
            (Lines{"0 1 1 accepted 0 - applied acknowledged - -",
                   "0 2 1 accepted 1 - applied acknowledged - -",
                   "1 0 1 accepted 2 - applied acknowledged - -"}));
}

// Tick 0: client 0 is started, the others wait. Tick 1: client 1 is started and acknowledged, 2 and
// 3 time out. Their turn comes in tick 2.
constexpr const char* abandoning_clients = R"({"timeout": 1, "attempts": 1})";

TEST(ReferenceModelServer, AbandonedRequestsAreStartedAllTheSame) {
  const ordered_json result =
      result_with(R"({"clients": 4, "server": {"queue": 3}})", abandoning_clients);
  EXPECT_EQ(lines_of(result["attempts"]),
            (Lines{"0 0 1 accepted 0 - applied acknowledged - -",
                   "0 1 1 accepted 1 - applied acknowledged - -",
                   "0 2 1 accepted 2 - applied late 1 -", "0 3 1 accepted 3 - applied late 1 -"}));
}

TEST(ReferenceModelServer, DropAbandonedDropsThemWhenTheirTurnComes) {
  const ordered_json result = result_with(
      R"({"clients": 4, "server": {"queue": 3, "drop_abandoned": true}})", abandoning_clients);
  EXPECT_EQ(lines_of(result["attempts"]),
            (Lines{"0 0 1 accepted 0 - applied acknowledged - -",
                   "0 1 1 accepted 1 - applied acknowledged - -",
                   "0 2 1 accepted - 2 none none 1 -", "0 3 1 accepted - 2 none none 1 -"}));
  EXPECT_EQ(lines_of(result["load"]), (Lines{"0 4 4 0 0 0 0 1 0 1 1 3", "1 0 0 0 0 0 0 1 0 1 1 2",
                                             "2 0 0 0 0 0 0 0 2 0 0 0"}));
  EXPECT_EQ(result["summary"]["dropped"], 2);
  EXPECT_EQ(result["summary"]["started"], 2);
}

TEST(ReferenceModelServer, DropAbandonedGoesByTheAttempt) {
  // Capacity 1, window 4: client 0 is started in 0, client 1 waits, fails in 1, and sends attempt 2
  // in 3, which waits behind attempt 1. In 4 attempt 1 is dropped, though its client waits again,
  // and attempt 2 is started.
  EXPECT_EQ(
      attempt_lines(R"({"clients": 2, "server": {"queue": 2, "drop_abandoned": true,
                              "capacity_window": 4}})",
                    R"({"timeout": 1})"),
      (Lines{"0 0 1 accepted 0 - applied acknowledged - -", "0 1 1 accepted - 4 none none 1 3",
             "3 1 2 accepted 4 - applied acknowledged - -"}));
}

TEST(ReferenceModelServer, AbandonedRequestsKeepTheirPlacesWhileNothingCanStart) {
  const ordered_json result =
      result_with(R"({"server": {"capacity": 0, "queue": 1, "drop_abandoned": true}})",
                  R"({"timeout": 1, "attempts": 2})");
  // It fails in 1; in 3 its place is still taken.
  EXPECT_EQ(lines_of(result["attempts"]),
            (Lines{"0 0 1 accepted - - none none 1 3", "3 0 2 overloaded - - none none 3 -"}));
  EXPECT_EQ(column(result["load"], "queued"), (Ticks{1, 1}));
}

TEST(ReferenceModelServer, ConcurrencyLimitsWhatIsInService) {
  // Started in 0 is in service in 0, 1, 2: two at a time, every 3 ticks.
  const ordered_json result = result_with(
      R"({"clients": 5, "server": {"capacity": 5, "concurrency": 2, "service_ticks": 3,
          "queue": 5}})",
      R"({"timeout": 100})");
  EXPECT_EQ(column(result["attempts"], "started_tick"), (Ticks{0, 0, 3, 3, 6}));
  EXPECT_EQ(column(result["clients"], "acknowledged_tick"), (Ticks{3, 3, 6, 6, 9}));
  // Without service time it never limits.
  EXPECT_EQ(
      column(
          result_with(R"({"clients": 3, "server": {"capacity": 3, "concurrency": 1}})")["attempts"],
          "started_tick"),
      (Ticks{0, 0, 0}));
}

TEST(ReferenceModelServer, ConcurrencyCountsEachRequestFromItsOwnStart) {
  // Capacity 1 in a tick, concurrency 2, service 4: started in 0 and 1, then when these are done,
  // in 4 and 5.
  const ordered_json result =
      result_with(R"({"clients": 4, "server": {"concurrency": 2, "service_ticks": 4, "queue": 9}})",
                  R"({"timeout": 100})");
  EXPECT_EQ(column(result["attempts"], "started_tick"), (Ticks{0, 1, 4, 5}));
}

TEST(ReferenceModelServer, CapacityIsOfAWindow) {
  // Windows 0 to 3, 4 to 7, 8 to 11, two requests each: at the border two in 3 and two in 4.
  const ordered_json result = result_with(
      R"({"clients": 5, "horizon": 20, "arrivals": {"at": 3},
          "server": {"capacity": 2, "capacity_window": 4, "queue": 9}})",
      R"({"timeout": 100})");
  EXPECT_EQ(column(result["attempts"], "started_tick"), (Ticks{3, 3, 4, 4, 8}));
  // Without a queue: overloaded in 3, 5 and 7 (client 4), as the window of 4 to 7 is used up in 5.
  const ordered_json without_queue = result_with(
      R"({"clients": 5, "horizon": 20, "arrivals": {"at": 3},
          "server": {"capacity": 2, "capacity_window": 4}})");
  EXPECT_EQ(column(attempts_of(without_queue, 4), "tick"), (Ticks{3, 5, 7, 9}));
}

TEST(ReferenceModelServer, TiesCanBeBrokenAtRandom) {
  // Capacity 1, everybody comes again every 2 ticks: in tick 2 (k - 1) the one with the least first
  // word for purpose 4 and index k among those left is started.
  const ordered_json result =
      result_with(R"({"clients": 4, "horizon": 8, "server": {"tie_break": "random"}})");
  std::vector<std::uint32_t> left = {0, 1, 2, 3};
  std::vector<std::uint32_t> winners;
  for (std::uint32_t k = 1; k <= 4; ++k) {
    const auto first =
        std::min_element(left.begin(), left.end(), [&](std::uint32_t a, std::uint32_t b) {
          return philox_block({k, 4, a, 0}, {7, 0})[0] < philox_block({k, 4, b, 0}, {7, 0})[0];
        });
    winners.push_back(*first);
    left.erase(first);
  }
  EXPECT_NE(winners, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  for (std::size_t k = 0; k < winners.size(); ++k) {
    EXPECT_EQ(result["clients"][winners[k]]["acknowledged_tick"], 2 * k);
  }
  // The records stand by (tick, client) all the same.
  const ordered_json records = result["attempts"];
  EXPECT_TRUE(std::is_sorted(records.begin(), records.end(), [](const auto& a, const auto& b) {
    return std::pair(a["tick"], a["client"]) < std::pair(b["tick"], b["client"]);
  }));
  EXPECT_EQ(records.size(), 4U + 3 + 2 + 1);
}

TEST(ReferenceModelServer, TheTieBreakWordIsTheFirstOfBlock0) {
  // The first known answer; then the words of the counter and the key in their places.
  EXPECT_EQ(reference_model::first_word(0, 0, 0, 0), 0x6627e8d5U);
  EXPECT_EQ(reference_model::first_word((3ULL << 32) + 5, 4, 2, (7ULL << 32) + 1),
            philox_block({2, 4, 1, 7}, {5, 3})[0]);
}

// ------------------------------------------------------------------------------------ outages

TEST(ReferenceModelOutages, AHungServerRefusesNobody) {
  // Hanging in 0 to 3. Tick 0: client 0 takes the only place, 1 and 2 are lost; all fail in 1 and
  // come again in 3: the place is still taken. In 4 the server starts client 0's attempt 1, whose
  // response finds it waiting on attempt 2. The attempts 2 fail in 4.
  const ordered_json result = result_with(
      R"({"clients": 3,
          "server": {"queue": 1, "outages": [{"from": 0, "ticks": 4, "kind": "hang"}]}})",
      R"({"timeout": 1, "attempts": 2})");
  EXPECT_EQ(
      lines_of(result["attempts"]),
      (Lines{"0 0 1 accepted 4 - applied late 1 3", "0 1 1 request_lost - - none none 1 3",
             "0 2 1 request_lost - - none none 1 3", "3 0 2 request_lost - - none none 4 -",
             "3 1 2 request_lost - - none none 4 -", "3 2 2 request_lost - - none none 4 -"}));
  EXPECT_EQ(result["summary"]["lost_requests"], 5);
  EXPECT_EQ(result["summary"]["timeouts"], 6);
  EXPECT_EQ(result["summary"]["peak_load"], ordered_json::parse(R"({"tick": 0, "requests": 1})"));
}

TEST(ReferenceModelOutages, NobodyReachesAServerThatHangsForever) {
  const ordered_json summary = result_with(
      R"({"clients": 2, "server": {"outages": [{"from": 0, "ticks": 10, "kind": "hang"}]}})",
      R"({"timeout": 20})")["summary"];
  EXPECT_EQ(summary["peak_load"], ordered_json::parse(R"({"tick": null, "requests": 0})"));
  EXPECT_EQ(summary["lost_requests"], 2);
  EXPECT_EQ(summary["awaiting"], 2);
  EXPECT_EQ(summary["scheduled"], 0);
}

TEST(ReferenceModelOutages, RefusingGoesBeforeHanging) {
  // Hanging in 0 to 4 but for 2 (refuse) and 3 (crash): without a queue lost, unavailable,
  // unavailable, lost, and accepted in 5.
  const ordered_json result = result_with(
      R"({"arrivals": {"at": 1}, "server": {"outages": [{"from": 0, "ticks": 5, "kind": "hang"},
          {"from": 2, "ticks": 1}, {"from": 3, "ticks": 1, "kind": "crash"}]}})",
      R"({"timeout": 0, "delay": {"kind": "fixed", "ticks": 1}})");
  EXPECT_EQ(column(result["attempts"], "outcome"),
            (Words{"request_lost", "unavailable", "unavailable", "request_lost", "accepted"}));
}

TEST(ReferenceModelOutages, WhatWaitsOutlastsOutagesThatAreNoCrash) {
  // Client 1 waits from 0 on; no start in 1 to 3 and 4 to 6.
  const ordered_json result = result_with(
      R"({"clients": 2, "server": {"queue": 1, "outages": [{"from": 4, "ticks": 3, "kind": "hang"},
          {"from": 1, "ticks": 3, "kind": "refuse"}]}})",
      R"({"timeout": 100})");
  EXPECT_EQ(column(result["attempts"], "started_tick"), (Ticks{0, 7}));
  EXPECT_EQ(result["summary"]["acknowledged"], 2);
}

TEST(ReferenceModelOutages, OnlyACrashStopsResponses) {
  const auto with_kind = [](const std::string& kind) {
    return attempt_lines(R"({"server": {"service_ticks": 3, "outages": [{"from": 1, "ticks": 9,
                             "kind": ")" +
                             kind + R"("}]}})",
                         R"({"timeout": 5, "attempts": 1})");
  };
  EXPECT_EQ(with_kind("refuse"), (Lines{"0 0 1 accepted 0 - applied acknowledged - -"}));
  EXPECT_EQ(with_kind("hang"), (Lines{"0 0 1 accepted 0 - applied acknowledged - -"}));
  EXPECT_EQ(with_kind("crash"), (Lines{"0 0 1 accepted 0 - applied crashed 5 -"}));
}

TEST(ReferenceModelOutages, ACrashStopsTheResponsesDueInItsFirstTickToo) {
  // Due in 3.
  const auto with_crash = [](int from) {
    return result_with(R"({"server": {"service_ticks": 3, "outages": [{"kind": "crash", "ticks": 1,
                           "from": )" +
                           std::to_string(from) + "}]}, \"horizon\": 12}",
                       R"({"timeout": 5})");
  };
  const ordered_json crashed = with_crash(3);
  // It fails in 5; attempt 2 of 7 is served anew, and answered in 10.
  EXPECT_EQ(lines_of(crashed["attempts"]),
            (Lines{"0 0 1 accepted 0 - applied crashed 5 7",
                   "7 0 2 accepted 7 - duplicate acknowledged - -"}));
  EXPECT_EQ(crashed["summary"]["crashed_responses"], 1);
  EXPECT_EQ(crashed["summary"]["timeouts"], 1);
  EXPECT_EQ(lines_of(with_crash(4)["attempts"]),
            (Lines{"0 0 1 accepted 0 - applied acknowledged - -"}));
}

TEST(ReferenceModelOutages, ACrashDropsTheQueueAndEndsService) {
  // One at a time, for 5 ticks. The crash of tick 2 drops client 1's request, and the attempts 2 of
  // tick 4 find nothing in service. At the horizon both wait on these.
  const ordered_json result = result_with(
      R"({"clients": 2, "horizon": 6, "server": {"capacity": 2, "concurrency": 1,
          "service_ticks": 5, "queue": 2, "outages": [{"from": 2, "ticks": 1, "kind": "crash"}]}})",
      R"({"timeout": 2})");
  EXPECT_EQ(lines_of(result["attempts"]),
            (Lines{"0 0 1 accepted 0 - applied crashed 2 4", "0 1 1 accepted - 2 none none 2 4",
                   "4 0 2 accepted 4 - duplicate none - -", "4 1 2 accepted - - none none - -"}));
  EXPECT_EQ(lines_of(result["load"]), (Lines{"0 2 2 0 0 0 0 1 0 1 0 1", "2 0 0 0 0 0 0 0 1 0 0 0",
                                             "4 2 2 0 0 0 0 1 0 1 0 1"}));
  EXPECT_EQ(lines_of(result["clients"]), (Lines{"0 0 awaiting 2 2 - -", "1 0 awaiting 2 0 - -"}));
  EXPECT_EQ(result["summary"]["awaiting"], 2);
  EXPECT_EQ(result["summary"]["applied_unacknowledged"], 1);
}

TEST(ReferenceModelOutages, ACrashDoesNotGiveCapacityBack) {
  // The window of ticks 0 to 9 is used up in tick 0.
  EXPECT_EQ(
      attempt_lines(R"({"horizon": 11, "server": {"capacity_window": 10, "service_ticks": 2,
                              "outages": [{"from": 1, "ticks": 1, "kind": "crash"}]}})",
                    R"({"timeout": 3, "attempts": 2})"),
      (Lines{"0 0 1 accepted 0 - applied crashed 3 5", "5 0 2 overloaded - - none none 5 -"}));
}

TEST(ReferenceModelOutages, WhatComesAfterACrashIsQueuedAgain) {
  // Capacity 1 in windows of 3 ticks. Client 1 waits in 0, for tick 3, but is dropped in 1. Its
  // attempt 2 of tick 4 is started at once: the window of 3 to 5 is unused.
  EXPECT_EQ(
      attempt_lines(R"({"clients": 2, "server": {"capacity_window": 3, "queue": 1,
                              "outages": [{"from": 1, "ticks": 1, "kind": "crash"}]}})",
                    R"({"timeout": 2})"),
      (Lines{"0 0 1 accepted 0 - applied acknowledged - -", "0 1 1 accepted - 1 none none 2 4",
             "4 1 2 accepted 4 - applied acknowledged - -"}));
}

TEST(ReferenceModelOutages, ALostResponseStaysLostAtACrash) {
  const ordered_json result = result_with(
      R"({"faults": {"first_response_lost": {"every": 1}}, "server": {"service_ticks": 3,
          "outages": [{"from": 1, "ticks": 1, "kind": "crash"}]}})",
      R"({"timeout": 3, "attempts": 1})");
  EXPECT_EQ(lines_of(result["attempts"]), (Lines{"0 0 1 accepted 0 - applied lost 3 -"}));
  EXPECT_EQ(result["summary"]["lost_responses"], 1);
  EXPECT_EQ(result["summary"]["crashed_responses"], 0);
}

TEST(ReferenceModelOutages, TheHorizonHidesResponsesButNotWhatBecameOfThemBefore) {
  // Started in 0, due in 30, the horizon is 5.
  const auto response = [](const std::string& more_of_server, const std::string& faults) {
    return result_with(R"({"horizon": 5, "server": {"service_ticks": 30)" + more_of_server +
                           R"(}, "faults": )" + faults + "}",
                       R"({"timeout": 40})")["attempts"][0]["response"];
  };
  EXPECT_EQ(response("", "{}"), "none");
  EXPECT_EQ(response("", R"({"first_response_lost": {"every": 1}})"), "lost");
  EXPECT_EQ(response(R"(, "outages": [{"from": 4, "ticks": 1, "kind": "crash"}])", "{}"),
            "crashed");
  EXPECT_EQ(response(R"(, "outages": [{"from": 5, "ticks": 1, "kind": "crash"}])", "{}"), "none");
}

TEST(ReferenceModelOutages, SomeLoseTheKeys) {
  // Attempt 1 of tick 0 is applied and its response lost; attempt 2 comes in 2.
  const auto second_effect = [](const std::string& outage) {
    return result_with(R"({"faults": {"first_response_lost": {"every": 1}}, "server": {
                           "deduplication": {"kind": "forever"}, "outages": [)" +
                           outage + "]}}",
                       R"({"timeout": 0})")["attempts"][1]["effect"];
  };
  EXPECT_EQ(second_effect(R"({"from": 1, "ticks": 1, "kind": "crash"})"), "suppressed");
  for (const std::string kind : {"refuse", "hang", "crash"}) {
    EXPECT_EQ(
        second_effect(R"({"from": 1, "ticks": 1, "loses_keys": true, "kind": ")" + kind + "\"}"),
        "duplicate");
  }
  // A key that is stored afterwards stays. Refusing in 0 only: attempt 2 is the first that is
  // started, attempt 3 is suppressed.
  EXPECT_EQ(attempt_lines(R"({"faults": {"first_response_lost": {"every": 1}}, "server": {
                              "deduplication": {"kind": "forever"},
                              "outages": [{"from": 0, "ticks": 1, "loses_keys": true}]}})"),
            (Lines{"0 0 1 unavailable - - none none 0 2", "2 0 2 accepted 2 - applied lost 2 4",
                   "4 0 3 accepted 4 - suppressed acknowledged - -"}));
}

TEST(ReferenceModelOutages, ThoseOfOneTickDoWhatEachOfThemDoes) {
  // In tick 1 one outage loses the keys, another crashes: attempt 1 is crashed, attempt 2 of tick 4
  // a duplicate.
  EXPECT_EQ(attempt_lines(R"({"server": {"service_ticks": 2, "deduplication": {"kind": "forever"},
                              "outages": [{"from": 1, "ticks": 1, "kind": "hang",
                              "loses_keys": true}, {"from": 1, "ticks": 2, "kind": "crash"}]}})",
                          R"({"timeout": 2})"),
            (Lines{"0 0 1 accepted 0 - applied crashed 2 4",
                   "4 0 2 accepted 4 - duplicate acknowledged - -"}));
}

// ------------------------------------------------------------------------------------- losses

TEST(ReferenceModelLosses, RequestsAreLostByADraw) {
  // Lost when the draw is less than 250000: attempt 1 is, attempt 2 is not. The draw of attempt 2
  // comes before the server refuses.
  const Recorded recorded = run_with_draws(
      scenario_with(
          R"({"faults": {"request_loss": 0.25}, "server": {"outages": [{"from": 3, "ticks": 1}]}})",
          R"({"timeout": 1, "attempts": 3})"),
      [](const Draw& d) { return d.index == 1 ? 249999 : 250000; });
  EXPECT_EQ(recorded.draws,
            (Draws{{0, 999999, 2, 1, 0}, {0, 999999, 2, 2, 0}, {0, 999999, 2, 3, 0}}));
  EXPECT_EQ(lines_of(recorded.result["attempts"]),
            (Lines{"0 0 1 request_lost - - none none 1 3", "3 0 2 unavailable - - none none 3 5",
                   "5 0 3 accepted 5 - applied acknowledged - -"}));
  EXPECT_EQ(recorded.result["summary"]["lost_requests"], 1);
  EXPECT_EQ(recorded.result["load"][0]["lost_requests"], 1);
  EXPECT_EQ(recorded.result["summary"]["peak_load"]["tick"], 3);
}

TEST(ReferenceModelLosses, ResponsesAreLostByADraw) {
  const Recorded recorded =
      run_with_draws(scenario_with(R"({"faults": {"response_loss": 0.5}})"),
                     [](const Draw& d) { return d.index == 1 ? 499999 : 500000; });
  EXPECT_EQ(recorded.draws, (Draws{{0, 999999, 1, 1, 0}, {0, 999999, 1, 2, 0}}));
  EXPECT_EQ(lines_of(recorded.result["attempts"]),
            (Lines{"0 0 1 accepted 0 - applied lost 0 2",
                   "2 0 2 accepted 2 - duplicate acknowledged - -"}));
}

TEST(ReferenceModelLosses, TheFirstResponseIsLostWithoutADraw) {
  const Recorded recorded = run_with_draws(
      scenario_with(
          R"({"faults": {"response_loss": 1, "first_response_lost": {"every": 1}}, "horizon": 4})"),
      highest);
  // Attempt 1 without a draw; attempt 2 with one, as 999999 < 1000000.
  EXPECT_EQ(recorded.draws, (Draws{{0, 999999, 1, 2, 0}}));
  EXPECT_EQ(column(recorded.result["attempts"], "response"), (Words{"lost", "lost"}));
}

TEST(ReferenceModelLosses, TheFirstRequestIsTheFirstThatTheServerStarts) {
  // Client 0's attempt 1 waits, fails in 1; attempt 2 (sent in 3, lifo) is started first, in 4, and
  // its response lost. In 5 attempt 1 is started; its response is not lost but late. Nor is that to
  // client 1, as 1 mod 2 is not 0.
  const Recorded recorded = run_with_draws(
      scenario_with(R"({"clients": 2, "arrivals": {"kind": "random", "over": 2}, "horizon": 6,
                        "faults": {"first_response_lost": {"every": 2}},
                        "server": {"queue": 3, "discipline": "lifo",
                                   "outages": [{"from": 1, "ticks": 3, "kind": "hang"}]}})",
                    R"({"timeout": 1, "attempts": 2, "delay": {"kind": "fixed", "ticks": 1}})"),
      [](const Draw& d) { return d.client == 0 ? 1 : 0; });
  EXPECT_EQ(
      lines_of(recorded.result["attempts"]),
      (Lines{"0 1 1 accepted 0 - applied acknowledged - -", "1 0 1 accepted 5 - duplicate late 2 3",
             "3 0 2 accepted 4 - applied lost 4 -"}));
}

// ---------------------------------------------------------------------- delays, hints, deadlines

// Like refused_ticks, with a policy that may have any members.
Ticks refused_ticks_with(const std::string& policy, const std::string& server = "{}",
                         int horizon = 12) {
  ordered_json scenario = scenario_with(R"({"server": {"capacity": 0}})", policy);
  scenario["horizon"] = horizon;
  scenario["server"].merge_patch(ordered_json::parse(server));
  return column(run(scenario)["results"][0]["attempts"], "tick");
}

// The intervals of the draws for the delays of a client that is always refused.
std::vector<std::pair<std::int64_t, std::int64_t>> delay_intervals(const std::string& policy) {
  std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
  const Recorded recorded = run_with_draws(
      scenario_with(R"({"server": {"capacity": 0}, "horizon": 1000000})", policy), highest);
  for (const Draw& d : recorded.draws) {
    EXPECT_EQ(d.purpose, 0U);
    EXPECT_EQ(d.index, intervals.size() + 1);
    intervals.emplace_back(d.lo, d.hi);
  }
  return intervals;
}
using Intervals = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST(ReferenceModelDelays, ScaledJitter) {
  // ceil(2.5) and floor(15)
  EXPECT_EQ(delay_intervals(R"({"attempts": 2, "delay": {"kind": "fixed", "ticks": 10},
                                "jitter": {"kind": "scaled", "from": 0.25, "to": 1.5}})"),
            (Intervals{{3, 15}}));
  // max(1, 0) and 6
  EXPECT_EQ(delay_intervals(R"({"attempts": 2, "delay": {"kind": "fixed", "ticks": 3},
                                "jitter": {"kind": "scaled", "from": 0, "to": 2}})"),
            (Intervals{{1, 6}}));
  // lo = ceil(1.5) = 2 and hi = max(2, floor(1.5)): no draw; and 1 in place of 0.
  EXPECT_EQ(refused_ticks_with(R"({"delay": {"kind": "fixed", "ticks": 3},
                                   "jitter": {"kind": "scaled", "from": 0.5, "to": 0.5}})"),
            (Ticks{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(refused_ticks_with(R"({"delay": {"kind": "fixed", "ticks": 3},
                                   "jitter": {"kind": "scaled", "from": 0, "to": 0}})",
                               "{}", 3),
            (Ticks{0, 1, 2}));
}

TEST(ReferenceModelDelays, ListEntriesMayBePairs) {
  const std::string list = R"({"attempts": 5, "delay": {"kind": "list", "ticks": [[2, 5], 4, [3, 3],
                               [1, 9]]}})";
  const Recorded recorded =
      run_with_draws(scenario_with(R"({"server": {"capacity": 0}, "horizon": 40})", list), highest);
  // 5, 4, 3, 9: attempts at 0, 5, 9, 12, 21, the last.
  EXPECT_EQ(recorded.draws, (Draws{{2, 5, 0, 1, 0}, {1, 9, 0, 4, 0}}));
  EXPECT_EQ(column(recorded.result["attempts"], "tick"), (Ticks{0, 5, 9, 12, 21}));
  // The last entry goes on.
  EXPECT_EQ(
      run_with_draws(
          scenario_with(R"({"server": {"capacity": 0}, "horizon": 40})",
                        R"({"attempts": 4, "delay": {"kind": "list", "ticks": [1, [2, 8]]}})"),
          highest)
          .draws,
      (Draws{{2, 8, 0, 2, 0}, {2, 8, 0, 3, 0}}));
}

TEST(ReferenceModelDelays, MaxDelayCutsTheDelay) {
  EXPECT_EQ(refused_ticks_with(R"({"delay": {"kind": "list", "ticks": [2, 7]}, "max_delay": 3})"),
            (Ticks{0, 2, 5, 8, 11}));
  // The interval itself is not cut.
  EXPECT_EQ(delay_intervals(R"({"attempts": 2, "delay": {"kind": "fixed", "ticks": 9},
                                "jitter": {"kind": "full"}, "max_delay": 3})"),
            (Intervals{{1, 9}}));
  // The previous value of decorrelated is the one before the cut: 12, then min(20, 36).
  EXPECT_EQ(delay_intervals(R"({"attempts": 4, "delay": {"kind": "decorrelated", "base": 4,
                                "cap": 20}, "max_delay": 5})"),
            (Intervals{{4, 12}, {4, 36}, {4, 60}}));
}

TEST(ReferenceModelHints, ChangeTheDelay) {
  const std::string hint = R"({"retry_after": 5})";
  EXPECT_EQ(refused_ticks_with("{}", hint), (Ticks{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(refused_ticks_with(R"({"on_retry_after": "ignore"})", hint),
            (Ticks{0, 2, 4, 6, 8, 10}));
  // max(2, 5), max(7, 5)
  EXPECT_EQ(refused_ticks_with(R"({"on_retry_after": "at_least",
                                   "delay": {"kind": "list", "ticks": [2, 7]}})",
                               hint, 13),
            (Ticks{0, 5, 12}));
  EXPECT_EQ(refused_ticks_with(R"({"on_retry_after": "replace",
                                   "delay": {"kind": "list", "ticks": [2, 7]}})",
                               hint),
            (Ticks{0, 5, 10}));
  // max_delay comes before the hint.
  EXPECT_EQ(refused_ticks_with(R"({"on_retry_after": "at_least", "max_delay": 3})", hint),
            (Ticks{0, 5, 10}));
  EXPECT_EQ(refused_ticks_with(R"({"on_retry_after": "replace", "max_delay": 3})", hint),
            (Ticks{0, 5, 10}));
  // A server without one.
  EXPECT_EQ(refused_ticks_with(R"({"on_retry_after": "replace"})"), (Ticks{0, 2, 4, 6, 8, 10}));
}

TEST(ReferenceModelHints, ComeWithUnavailableButNotWithATimeout) {
  // Unavailable in 0: the hint of 3. Lost in 3: the delay of 2. Overloaded in 5: the hint.
  const Recorded recorded =
      run_with_draws(scenario_with(R"({"faults": {"request_loss": 0.5}, "server": {"capacity": 0,
                        "retry_after": 3, "outages": [{"from": 0, "ticks": 1}]}})",
                                   R"({"on_retry_after": "replace", "attempts": 4})"),
                     [](const Draw& d) { return d.index == 2 ? 0 : 999999; });
  EXPECT_EQ(lines_of(recorded.result["attempts"]),
            (Lines{"0 0 1 unavailable - - none none 0 3", "3 0 2 request_lost - - none none 3 5",
                   "5 0 3 overloaded - - none none 5 8", "8 0 4 overloaded - - none none 8 -"}));
}

// Attempt 1 is unavailable in tick 0, attempts 2 and 3 are lost on their way.
Draws draws_of_delays_after_a_hint(const std::string& on_retry_after) {
  const Recorded recorded = run_with_draws(
      scenario_with(R"({"horizon": 5000, "faults": {"request_loss": 0.5}, "server": {
                        "retry_after": 3, "outages": [{"from": 0, "ticks": 1}]}})",
                    R"({"attempts": 3, "delay": {"kind": "decorrelated", "base": 50, "cap": 1000},
                        "on_retry_after": ")" +
                        on_retry_after + "\"}"),
      [](const Draw& d) { return d.purpose == 0 || d.index == 1 ? d.hi : 0; });
  Draws of_delays;
  for (const Draw& d : recorded.draws) {
    if (d.purpose == 0) {
      of_delays.push_back(d);
    }
  }
  return of_delays;
}

TEST(ReferenceModelHints, WhereTheyReplaceTheDelayNoDrawIsMade) {
  // The first draw is that after attempt 2, still with p = base.
  EXPECT_EQ(draws_of_delays_after_a_hint("replace"), (Draws{{50, 150, 0, 2, 0}}));
  EXPECT_EQ(draws_of_delays_after_a_hint("at_least"),
            (Draws{{50, 150, 0, 1, 0}, {50, 450, 0, 2, 0}}));
}

TEST(ReferenceModelDeadline, StopsRetriesThatWouldBeDueLater) {
  // Arrival 1, retries due in 3, 5, 7: 5 - 1 = 4 and 7 - 1 = 6.
  const auto result_with_deadline = [](int deadline) {
    return result_with(R"({"server": {"capacity": 0}, "arrivals": {"at": 1}})",
                       R"({"deadline": )" + std::to_string(deadline) + "}");
  };
  EXPECT_EQ(lines_of(result_with_deadline(4)["attempts"]),
            (Lines{"1 0 1 overloaded - - none none 1 3", "3 0 2 overloaded - - none none 3 5",
                   "5 0 3 overloaded - - none none 5 -"}));
  const ordered_json result = result_with_deadline(3);
  EXPECT_EQ(column(result["attempts"], "tick"), (Ticks{1, 3}));
  EXPECT_EQ(result["clients"][0]["state"], "deadline_exceeded");
  EXPECT_EQ(result["clients"][0]["next_tick"], nullptr);
  EXPECT_EQ(result["summary"]["deadline_exceeded"], 1);
  EXPECT_EQ(result["summary"]["exhausted"], 0);
  EXPECT_EQ(column(result_with_deadline(0)["attempts"], "tick"), (Ticks{1}));
}

TEST(ReferenceModelDeadline, GoesByTheTickOfTheFailureAndTheHint) {
  // Lost in 0, failed in 4: 4 + 2 - 0 = 6.
  const std::string slow = R"({"faults": {"request_loss": 1}})";
  EXPECT_EQ(result_with(slow, R"({"timeout": 4, "deadline": 6})")["attempts"][0]["next_tick"], 6);
  EXPECT_EQ(result_with(slow, R"({"timeout": 4, "deadline": 5})")["attempts"][0]["next_tick"],
            nullptr);
  EXPECT_EQ(refused_ticks_with(R"({"on_retry_after": "at_least", "deadline": 6})",
                               R"({"retry_after": 7})"),
            (Ticks{0}));
}

TEST(ReferenceModelDeadline, ComesAfterTheAttemptBudget) {
  EXPECT_EQ(result_with(R"({"server": {"capacity": 0}})",
                        R"({"attempts": 1, "deadline": 0})")["clients"][0]["state"],
            "exhausted");
}

TEST(ReferenceModelDeadline, TheDrawOfTheDelayIsMadeAllTheSame) {
  const auto draws = [](const std::string& more) {
    return delay_intervals(
        R"({"delay": {"kind": "fixed", "ticks": 9}, "jitter": {"kind": "full"}, )" + more + "}");
  };
  EXPECT_EQ(draws(R"("deadline": 0)"), (Intervals{{1, 9}}));
  EXPECT_EQ(draws(R"("budget": {"kind": "concurrent", "fraction": 0, "minimum": 0})"),
            (Intervals{{1, 9}}));
  EXPECT_EQ(draws(R"("attempts": 1)"), Intervals());
}

// -------------------------------------------------------------------------------- retry budgets

// A result of clients that share one host; the server refuses everything unless `changes` says
// otherwise. The delay is 1 tick.
ordered_json budget_result(const std::string& budget, const std::string& changes = "{}",
                           const std::string& policy_changes = "{}") {
  ordered_json scenario = scenario_with(R"({"clients_per_host": 100, "server": {"capacity": 0}})",
                                        R"({"delay": {"kind": "fixed", "ticks": 1}})");
  scenario.merge_patch(ordered_json::parse(changes));
  scenario["policies"][0]["budget"] = ordered_json::parse(budget);
  scenario["policies"][0].merge_patch(ordered_json::parse(policy_changes));
  return result_of(scenario);
}

TEST(ReferenceModelTokens, PayForRetries) {
  // 1.5, 1, 0.5, 0: three retries.
  const ordered_json result =
      budget_result(R"({"kind": "tokens", "capacity": 10, "initial": 1.5, "retry_cost": 0.5})");
  EXPECT_EQ(column(result["attempts"], "tick"), (Ticks{0, 1, 2, 3}));
  EXPECT_EQ(result["attempts"][3]["next_tick"], nullptr);
  EXPECT_EQ(result["clients"][0]["state"], "budget_denied");
  EXPECT_EQ(result["summary"]["budget_denied"], 1);
  // They start at the capacity.
  EXPECT_EQ(
      column(budget_result(R"({"kind": "tokens", "capacity": 2, "retry_cost": 1})")["attempts"],
             "tick"),
      (Ticks{0, 1, 2}));
  // Without a cost nothing is ever denied.
  EXPECT_EQ(budget_result(R"({"kind": "tokens", "capacity": 0})")["summary"]["attempts"], 10);
}

TEST(ReferenceModelTokens, AreHeldExactly) {
  // Three times 0.333333 leaves 0.000001 of 1, too little for a fourth.
  EXPECT_EQ(
      budget_result(
          R"({"kind": "tokens", "capacity": 1, "retry_cost": 0.333333})")["summary"]["attempts"],
      4);
  // And 3 * 0.333334 > 1.
  EXPECT_EQ(
      budget_result(
          R"({"kind": "tokens", "capacity": 1, "retry_cost": 0.333334})")["summary"]["attempts"],
      3);
}

TEST(ReferenceModelTokens, AreRefilledInEachTickAfterTick0) {
  const std::string refilled = R"({"kind": "tokens", "capacity": 9, "initial": 0,
                                   "tick_refill": 0.4, "retry_cost": 1})";
  EXPECT_EQ(column(budget_result(refilled)["attempts"], "tick"), (Ticks{0}));
  // From tick 3 on with a delay of 2: 1.2 - 1 = 0.2; 0.2 + 0.8 - 1 = 0; 0.8 is too little.
  EXPECT_EQ(column(budget_result(refilled, R"({"arrivals": {"at": 3}})",
                                 R"({"delay": {"ticks": 2}})")["attempts"],
                   "tick"),
            (Ticks{3, 5, 7}));
  // Not beyond the capacity: 1 in tick 9, 0.3 in tick 10.
  EXPECT_EQ(column(budget_result(R"({"kind": "tokens", "capacity": 1, "tick_refill": 0.3,
                                     "initial": 0, "retry_cost": 1})",
                                 R"({"arrivals": {"at": 9}, "horizon": 20})")["attempts"],
                   "tick"),
            (Ticks{9, 10}));
}

TEST(ReferenceModelTokens, AreDepositedForFirstAttempts) {
  // Two deposits in tick 0, though both attempts are refused: one retry each, and no more.
  const ordered_json result = budget_result(
      R"({"kind": "tokens", "capacity": 9, "initial": 0, "attempt_deposit": 1, "retry_cost": 1})",
      R"({"clients": 2})");
  EXPECT_EQ(column(result["clients"], "attempts"), (Ticks{2, 2}));
  EXPECT_EQ(result["summary"]["budget_denied"], 2);
}

TEST(ReferenceModelTokens, AreOfAHostAndAskedForInTheOrderOfClients) {
  const std::string one = R"({"kind": "tokens", "capacity": 1, "retry_cost": 1})";
  // Client 0 takes the token, and has none for a second retry.
  EXPECT_EQ(column(budget_result(one, R"({"clients": 3})")["clients"], "attempts"),
            (Ticks{2, 1, 1}));
  // Hosts {0, 1} and {2}.
  EXPECT_EQ(
      column(budget_result(one, R"({"clients": 3, "clients_per_host": 2})")["clients"], "attempts"),
      (Ticks{2, 1, 2}));
}

TEST(ReferenceModelTokens, AreDepositedForAcknowledgements) {
  // Client 0 is acknowledged in tick 0 (phase 4), which pays for client 1's retry (phase 5) of tick
  // 1. A refund is not for attempt 1: it changes nothing.
  for (const std::string refund : {"false", "true"}) {
    const ordered_json result = budget_result(
        R"({"kind": "tokens", "capacity": 9, "initial": 0, "success_deposit": 1, "retry_cost": 1,
            "refund": )" +
            refund + "}",
        R"({"clients": 2, "server": {"capacity": 1}})");
    EXPECT_EQ(column(result["clients"], "acknowledged_tick"), (Ticks{0, 1}));
  }
}

// Client 0 comes in 0, refused, or lost where it hangs; its retry of tick 2 is acknowledged there.
// Client 1 comes in 2 and is overloaded: does it get a retry?
std::string state_of_the_second(const std::string& kind, const std::string& budget) {
  const ordered_json result =
      budget_result(budget,
                    R"({"clients": 2, "arrivals": {"kind": "spread", "over": 4}, "horizon": 4,
          "server": {"capacity": 1, "outages": [{"from": 0, "ticks": 1, "kind": ")" +
                        kind + R"("}]}})",
                    R"({"timeout": 0, "delay": {"ticks": 2}})");
  EXPECT_EQ(result["clients"][0]["acknowledged_tick"], 2);
  return result["clients"][1]["state"];
}

TEST(ReferenceModelTokens, RefundGivesTheCostBack) {
  // 3 tokens are paid for client 0's retry. Back come 3, or else the deposit of 1.
  const std::string budget = R"({"kind": "tokens", "capacity": 3, "retry_cost": 3,
                                 "success_deposit": 1, "refund": )";
  EXPECT_EQ(state_of_the_second("refuse", budget + "true}"), "scheduled");
  EXPECT_EQ(state_of_the_second("refuse", budget + "false}"), "budget_denied");
  // Instead of the deposit, not beside it: 1 comes back where a retry costs 1 and the next 2.
  EXPECT_EQ(state_of_the_second("hang", R"({"kind": "tokens", "capacity": 9, "initial": 1,
                                            "timeout_cost": 1, "retry_cost": 2,
                                            "success_deposit": 9, "refund": true})"),
            "budget_denied");
}

TEST(ReferenceModelTokens, TimeoutsHaveACostOfTheirOwn) {
  // 2 of 3 are paid after the timeout; 1 is left for client 1, who is overloaded.
  const auto budget = [](const std::string& costs) {
    return R"({"kind": "tokens", "capacity": 3, )" + costs + "}";
  };
  EXPECT_EQ(state_of_the_second("hang", budget(R"("timeout_cost": 2, "retry_cost": 1)")),
            "scheduled");
  EXPECT_EQ(state_of_the_second("hang", budget(R"("timeout_cost": 3, "retry_cost": 1)")),
            "budget_denied");
  EXPECT_EQ(state_of_the_second("refuse", budget(R"("timeout_cost": 3, "retry_cost": 1)")),
            "scheduled");
  // The default is retry_cost: 2 and 2 of 3.
  EXPECT_EQ(state_of_the_second("hang", budget(R"("retry_cost": 2)")), "budget_denied");
  // A refund gives that cost back: 3 - 2 + 2 for a retry_cost of 3.
  EXPECT_EQ(
      state_of_the_second("hang", budget(R"("timeout_cost": 2, "retry_cost": 3, "refund": true)")),
      "scheduled");
}

TEST(ReferenceModelTokens, AreTakenForFailures) {
  // 5 - 2 - 2 = 1; then 1 - 2 is 0, too little for another retry.
  EXPECT_EQ(column(budget_result(R"({"kind": "tokens", "capacity": 5, "failure_cost": 2,
                                     "retry_cost": 2})")["attempts"],
                   "tick"),
            (Ticks{0, 1}));
  // Never below 0. Client 0 in tick 0: 1, then 0, too little for its retry. Client 1 in tick 1:
  // 0 + 10 - 9 = 1, enough.
  ordered_json result = budget_result(
      R"({"kind": "tokens", "capacity": 10, "initial": 1, "tick_refill": 10, "failure_cost": 9,
          "retry_cost": 1})",
      R"({"clients": 2, "arrivals": {"kind": "spread", "over": 2}})", R"({"attempts": 2})");
  EXPECT_EQ(column(result["clients"], "state"), (Words{"budget_denied", "exhausted"}));
  // Client 0 in 0: 4 - 1 - 1 = 2. In 1 it fails again, is charged (1 left) and exhausted; client 1
  // is charged too, and has none for a retry.
  result = budget_result(R"({"kind": "tokens", "capacity": 4, "failure_cost": 1, "retry_cost": 1})",
                         R"({"clients": 2, "arrivals": {"kind": "spread", "over": 2}})",
                         R"({"attempts": 2})");
  EXPECT_EQ(column(result["clients"], "state"), (Words{"exhausted", "budget_denied"}));
}

TEST(ReferenceModelTokens, MustExceedTheThreshold) {
  // 2 > 1, 1.5 > 1, but not 1 > 1.
  EXPECT_EQ(column(budget_result(R"({"kind": "tokens", "capacity": 2, "retry_cost": 0.5,
                                     "threshold": 1})")["attempts"],
                   "tick"),
            (Ticks{0, 1, 2}));
  // A threshold of 0 is one: with no token left nothing is permitted, though it costs nothing.
  EXPECT_EQ(
      budget_result(R"({"kind": "tokens", "capacity": 0, "threshold": 0})")["summary"]["attempts"],
      1);
}

TEST(ReferenceModelTokens, AreNotTakenForARetryThatTheDeadlineStops) {
  // Client 0 arrives in 0, client 1 in 1. Of 4 tokens one is taken in 0, two in 1. In 2 client 0's
  // retry would be due 3 ticks after its arrival: it leaves the last token to client 1, whose retry
  // of tick 3 is due 2 after its own.
  const ordered_json result = budget_result(
      R"({"kind": "tokens", "capacity": 4, "retry_cost": 1})",
      R"({"clients": 2, "arrivals": {"kind": "spread", "over": 2}})", R"({"deadline": 2})");
  EXPECT_EQ(column(result["clients"], "state"), (Words{"deadline_exceeded", "deadline_exceeded"}));
  EXPECT_EQ(column(result["clients"], "attempts"), (Ticks{3, 3}));
}

TEST(ReferenceModelConcurrentBudget, LimitsThoseThatRetry) {
  // Fraction 0.5, minimum 1, four clients, delay 10. Tick 0: a = 4, limit 2; clients 0 and 1 are
  // permitted (r = 0, 1), client 2 is not (r = 2), nor client 3 (a = 3, limit max(1, 1)). Tick 10:
  // client 0 has a = 2, limit 1, and r = 1 without itself: denied. Client 1 has a = 1, limit
  // max(0, 1), r = 0: permitted.
  const ordered_json result =
      budget_result(R"({"kind": "concurrent", "fraction": 0.5, "minimum": 1})",
                    R"({"clients": 4, "horizon": 15})", R"({"delay": {"ticks": 10}})");
  EXPECT_EQ(column(result["clients"], "state"),
            (Words{"budget_denied", "scheduled", "budget_denied", "budget_denied"}));
  EXPECT_EQ(column(result["clients"], "attempts"), (Ticks{2, 2, 1, 1}));
}

TEST(ReferenceModelConcurrentBudget, MayPermitNothing) {
  // floor(0.999999 * 1) = 0
  EXPECT_EQ(
      budget_result(
          R"({"kind": "concurrent", "fraction": 0.999999, "minimum": 0})")["summary"]["attempts"],
      1);
  EXPECT_EQ(budget_result(
                R"({"kind": "concurrent", "fraction": 1, "minimum": 0})")["summary"]["attempts"],
            10);
}

TEST(ReferenceModelConcurrentBudget, CountsOnlyClientsThatAreUnderWay) {
  const std::string one_at_a_time = R"({"kind": "concurrent", "fraction": 0, "minimum": 1})";
  // Client 0, who retries, is acknowledged in tick 2 before client 1 asks.
  EXPECT_EQ(state_of_the_second("refuse", one_at_a_time), "scheduled");
  // Client 0 retries until it is exhausted in tick 2. Client 1, who comes in 1, is denied; client
  // 2, who comes in 2, is not.
  const ordered_json result =
      budget_result(one_at_a_time, R"({"clients": 3, "arrivals": {"kind": "spread", "over": 3}})",
                    R"({"attempts": 3})");
  EXPECT_EQ(column(result["clients"], "state"), (Words{"exhausted", "budget_denied", "exhausted"}));
  // A client that has not come yet does not count: a = 1, floor(0.5) = 0.
  EXPECT_EQ(column(budget_result(
                       R"({"kind": "concurrent", "fraction": 0.5, "minimum": 0})",
                       R"({"clients": 2, "arrivals": {"kind": "spread", "over": 2}})")["clients"],
                   "state"),
            (Words{"budget_denied", "budget_denied"}));
}

// ------------------------------------------------------------------------------------- breakers

// Clients that share one host and its breaker; the delay is 1 tick.
ordered_json breaker_result(const std::string& breaker, const std::string& changes,
                            const std::string& policy_changes = "{}") {
  ordered_json scenario =
      scenario_with(R"({"clients_per_host": 100, "horizon": 20})",
                    R"({"delay": {"kind": "fixed", "ticks": 1}, "timeout": 0})");
  scenario.merge_patch(ordered_json::parse(changes));
  scenario["policies"][0]["breaker"] = ordered_json::parse(breaker);
  scenario["policies"][0].merge_patch(ordered_json::parse(policy_changes));
  return result_of(scenario);
}

TEST(ReferenceModelBreaker, OpensProbesAndCloses) {
  // Refused in 0 and 1: open in 2 and 3, and in 4 the probe is acknowledged.
  const std::string breaker = R"({"window": 3, "failures": 2, "open_ticks": 2, "probes": 1})";
  const ordered_json result =
      breaker_result(breaker, R"({"server": {"outages": [{"from": 0, "ticks": 2}]}})");
  EXPECT_EQ(
      lines_of(result["attempts"]),
      (Lines{"0 0 1 unavailable - - none none 0 1", "1 0 2 unavailable - - none none 1 2",
             "2 0 3 short_circuited - - none none 2 3", "3 0 4 short_circuited - - none none 3 4",
             "4 0 5 accepted 4 - applied acknowledged - -"}));
  EXPECT_EQ(result["summary"]["short_circuited"], 2);
  EXPECT_EQ(lines_of(result["load"])[2], "2 1 0 0 0 0 1 0 0 0 0 0");
  // Refused in 4 too: open again in 5 and 6.
  EXPECT_EQ(
      column(breaker_result(breaker,
                            R"({"server": {"outages": [{"from": 0, "ticks": 5}]}})")["attempts"],
             "outcome"),
      (Words{"unavailable", "unavailable", "short_circuited", "short_circuited", "unavailable",
             "short_circuited", "short_circuited", "accepted"}));
}

// One attempt of each of five clients, in the ticks 0 to 4; the server refuses in 0, 2 and 3.
std::vector<ordered_json> outcomes_of_five(const std::string& breaker) {
  return column(breaker_result(breaker,
                               R"({"clients": 5, "arrivals": {"kind": "spread", "over": 5},
                                   "server": {"outages": [{"from": 0, "ticks": 1},
                                                          {"from": 2, "ticks": 2}]}})",
                               R"({"attempts": 1})")["attempts"],
                "outcome");
}

TEST(ReferenceModelBreaker, KeepsTheLastResults) {
  // Of the last two results both are failures after tick 3 for the first time.
  EXPECT_EQ(outcomes_of_five(R"({"window": 2, "failures": 2, "open_ticks": 1, "probes": 1})"),
            (Words{"unavailable", "accepted", "unavailable", "unavailable", "short_circuited"}));
  // Of the last three, two are after tick 2.
  EXPECT_EQ(outcomes_of_five(R"({"window": 3, "failures": 2, "open_ticks": 1, "probes": 1})"),
            (Words{"unavailable", "accepted", "unavailable", "short_circuited", "accepted"}));
}

TEST(ReferenceModelBreaker, IsOfAHost) {
  // Client 0's opens in 0. Client 1 comes in 1, to a breaker that knows of no failure.
  const ordered_json result =
      breaker_result(R"({"window": 1, "failures": 1, "open_ticks": 1, "probes": 1})",
                     R"({"clients": 2, "clients_per_host": 1, "horizon": 2,
          "arrivals": {"kind": "spread", "over": 2}, "server": {"outages": [{"from": 0,
          "ticks": 1}]}})");
  EXPECT_EQ(lines_of(result["attempts"]),
            (Lines{"0 0 1 unavailable - - none none 0 1", "1 0 2 short_circuited - - none none 1 2",
                   "1 1 1 accepted 1 - applied acknowledged - -"}));
}

TEST(ReferenceModelBreaker, FailuresAfterItOpenedInTheSameTickDoNotCount) {
  // Window 4, failures 3, delay 2, capacity 1. Tick 0: four failures, the third opens, the fourth
  // does not count. Tick 2: client 0 is the probe, acknowledged, and it closes. Tick 4: client 1 is
  // acknowledged, 2 and 3 are overloaded: S F F. Tick 6: client 2 acknowledged, 3 overloaded: of F
  // F S F three are failures, it opens. Tick 8: client 3 is the probe.
  const ordered_json result =
      breaker_result(R"({"window": 4, "failures": 3, "open_ticks": 1, "probes": 1})",
                     R"({"clients": 4, "server": {"outages": [{"from": 0, "ticks": 1}]}})",
                     R"({"delay": {"ticks": 2}})");
  EXPECT_EQ(column(result["clients"], "acknowledged_tick"), (Ticks{2, 4, 6, 8}));
  EXPECT_EQ(column(attempts_of(result, 3), "outcome"),
            (Words{"unavailable", "short_circuited", "overloaded", "overloaded", "accepted"}));
}

TEST(ReferenceModelBreaker, FailuresOfAttemptsFromBeforeItOpenedDoNotCount) {
  // Client 0's request of tick 0 is lost, and it waits until 4. Client 1 is refused in 1: open in
  // 2, half-open in 3, where client 1's probe closes it. The timeout of tick 4 opens nothing.
  const ordered_json result =
      breaker_result(R"({"window": 1, "failures": 1, "open_ticks": 1, "probes": 1})",
                     R"({"clients": 2, "arrivals": {"kind": "spread", "over": 2},
          "server": {"outages": [{"from": 0, "ticks": 1, "kind": "hang"},
                                 {"from": 1, "ticks": 1}]}})",
                     R"({"timeout": 4})");
  EXPECT_EQ(lines_of(result["attempts"]),
            (Lines{"0 0 1 request_lost - - none none 4 5", "1 1 1 unavailable - - none none 1 2",
                   "2 1 2 short_circuited - - none none 2 3",
                   "3 1 3 accepted 3 - applied acknowledged - -",
                   "5 0 2 accepted 5 - applied acknowledged - -"}));
}

TEST(ReferenceModelBreaker, SuccessesOfAttemptsFromBeforeItOpenedDoNotCount) {
  // Arrivals 0, 1, 3; service takes 3 ticks. Client 1 is refused in 1: open in 2. In 3 it is the
  // probe, answered in 6, and client 0's attempt of tick 0 is acknowledged, which does not close
  // the breaker: client 2 is short-circuited up to tick 6.
  const ordered_json result =
      breaker_result(R"({"window": 1, "failures": 1, "open_ticks": 1, "probes": 1})",
                     R"({"clients": 3, "arrivals": {"kind": "spread", "over": 5},
          "server": {"service_ticks": 3, "outages": [{"from": 1, "ticks": 1}]}})",
                     R"({"timeout": 9})");
  EXPECT_EQ(column(result["clients"], "acknowledged_tick"), (Ticks{3, 6, 10}));
  EXPECT_EQ(column(attempts_of(result, 1), "outcome"),
            (Words{"unavailable", "short_circuited", "accepted"}));
  EXPECT_EQ(column(attempts_of(result, 2), "tick"), (Ticks{3, 4, 5, 6, 7}));
  EXPECT_EQ(column(attempts_of(result, 2), "outcome"),
            (Words{"short_circuited", "short_circuited", "short_circuited", "short_circuited",
                   "accepted"}));
}

TEST(ReferenceModelBreaker, ClosesWhenAllProbesHaveSucceeded) {
  // All are refused in 0. In 2 clients 0 and 1 are the probes of this period, client 2 is none.
  const auto result_with_capacity = [](int capacity) {
    return breaker_result(R"({"window": 9, "failures": 1, "open_ticks": 1, "probes": 2})",
                          R"({"clients": 3, "server": {"outages": [{"from": 0, "ticks": 1}],
                              "capacity": )" +
                              std::to_string(capacity) + "}}",
                          R"({"delay": {"ticks": 2}})");
  };
  // Capacity 2: both succeed, it closes.
  EXPECT_EQ(column(attempts_of(result_with_capacity(2), 2), "outcome"),
            (Words{"unavailable", "short_circuited", "accepted"}));
  // Capacity 1: client 1's probe fails, it opens again. In 4 clients 1 and 2 are probes, the latter
  // fails. In 6 client 2 is the only probe.
  const ordered_json result = result_with_capacity(1);
  EXPECT_EQ(column(result["clients"], "acknowledged_tick"), (Ticks{2, 4, 6}));
  EXPECT_EQ(column(attempts_of(result, 2), "outcome"),
            (Words{"unavailable", "short_circuited", "overloaded", "accepted"}));
}

TEST(ReferenceModelBreaker, StaysHalfOpenUntilTheProbesAreDecided) {
  // One client after the other. Refused in 0: open in 1. In 2 the probe is lost on its way, and
  // waited on until 5; then it opens again for 6; in 7 there is another.
  const Recorded recorded = [] {
    ordered_json scenario = scenario_with(
        R"({"clients": 2, "clients_per_host": 2, "horizon": 20, "faults": {"request_loss": 0.5},
            "server": {"capacity": 2, "outages": [{"from": 0, "ticks": 1}]}})",
        R"({"timeout": 3, "delay": {"kind": "fixed", "ticks": 1},
            "breaker": {"window": 1, "failures": 1, "open_ticks": 1, "probes": 1}})");
    // Client 0's attempts 1 (tick 0), 2 (tick 1, stopped), 3 (tick 2): the third is lost.
    return run_with_draws(scenario, [](const Draw& d) { return d.index == 3 ? 0 : 999999; });
  }();
  EXPECT_EQ(
      lines_of(attempts_of(recorded.result, 0)),
      (Lines{"0 0 1 unavailable - - none none 0 1", "1 0 2 short_circuited - - none none 1 2",
             "2 0 3 request_lost - - none none 5 6", "6 0 4 short_circuited - - none none 6 7",
             "7 0 5 accepted 7 - applied acknowledged - -"}));
  // Client 1 is stopped in 1 to 7, and goes through in 8.
  EXPECT_EQ(column(attempts_of(recorded.result, 1), "tick"), (Ticks{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(recorded.result["clients"][1]["acknowledged_tick"], 8);
  // A stopped attempt makes no draw: client 0 has three, client 1 two.
  EXPECT_EQ(recorded.draws, (Draws{{0, 999999, 2, 1, 0},
                                   {0, 999999, 2, 1, 1},
                                   {0, 999999, 2, 3, 0},
                                   {0, 999999, 2, 5, 0},
                                   {0, 999999, 2, 9, 1}}));
}

TEST(ReferenceModelBreaker, StoppedAttemptsCountAndAreNotCharged) {
  const std::string changes = R"({"server": {"outages": [{"from": 0, "ticks": 1}]}})";
  const std::string breaker = R"({"window": 1, "failures": 1, "open_ticks": 9, "probes": 1})";
  // 10 - 4 leaves 6 tokens; a second charge would leave 2, which does not exceed 5. The stopped
  // attempts 2 and 3 use up the attempts.
  const ordered_json result =
      breaker_result(breaker, changes,
                     R"({"attempts": 3, "budget": {"kind": "tokens", "capacity": 10,
                         "failure_cost": 4, "threshold": 5}})");
  EXPECT_EQ(lines_of(result["attempts"]),
            (Lines{"0 0 1 unavailable - - none none 0 1", "1 0 2 short_circuited - - none none 1 2",
                   "2 0 3 short_circuited - - none none 2 -"}));
  EXPECT_EQ(result["clients"][0]["state"], "exhausted");
  // A retry after them has its cost: 1.5 pays for one after attempt 1, none after attempt 2.
  EXPECT_EQ(breaker_result(breaker, changes,
                           R"({"budget": {"kind": "tokens", "capacity": 1.5, "retry_cost": 1,
                               "timeout_cost": 0}})")["summary"]["attempts"],
            2);
}

TEST(ReferenceModelBreaker, AStoppedFirstAttemptIsDepositedFor) {
  // Client 0's deposit pays for its attempt 2. Client 1 comes in 1 and is stopped; its deposit is
  // taken for client 0's attempt 3, the lower number.
  const ordered_json result = breaker_result(
      R"({"window": 1, "failures": 1, "open_ticks": 9, "probes": 1})",
      R"({"clients": 2, "horizon": 4, "arrivals": {"kind": "spread", "over": 2},
          "server": {"outages": [{"from": 0, "ticks": 1}]}})",
      R"({"budget": {"kind": "tokens", "capacity": 9, "initial": 0, "attempt_deposit": 1,
          "retry_cost": 1}})");
  EXPECT_EQ(lines_of(attempts_of(result, 1)), (Lines{"1 1 1 short_circuited - - none none 1 -"}));
  EXPECT_EQ(column(result["clients"], "attempts"), (Ticks{3, 1}));
}

// --------------------------------------------------------------------------------- long waits

TEST(ReferenceModelRun, TicksInWhichNothingHappensAreSkipped) {
  // Started when the outage of 2^30 ticks ends; acknowledged in the tick of the timeout.
  EXPECT_EQ(attempt_lines(R"({"horizon": 2147483647, "server": {"queue": 1,
                              "outages": [{"from": 0, "ticks": 1073741824, "kind": "hang"}]}})",
                          R"({"timeout": 1073741824})"),
            (Lines{"0 0 1 accepted 1073741824 - applied acknowledged - -"}));
  // Never started.
  EXPECT_EQ(attempt_lines(R"({"horizon": 2147483647, "server": {"queue": 1, "capacity": 0}})",
                          R"({"timeout": 1073741824, "attempts": 1})"),
            (Lines{"0 0 1 accepted - - none none 1073741824 -"}));
  EXPECT_EQ(attempt_lines(R"({"horizon": 2147483647, "server": {"queue": 1,
                              "outages": [{"from": 0, "ticks": 2147483647, "kind": "hang"}]}})",
                          R"({"timeout": 1073741824, "attempts": 1})"),
            (Lines{"0 0 1 accepted - - none none 1073741824 -"}));
  // The next window begins at 2^30; a service takes 2^30 ticks.
  EXPECT_EQ(column(result_with(R"({"horizon": 2147483647, "clients": 2,
                                   "server": {"queue": 1, "capacity_window": 1073741824}})",
                               R"({"timeout": 1073741824})")["attempts"],
                   "started_tick"),
            (Ticks{0, 1073741824}));
  EXPECT_EQ(column(result_with(R"({"horizon": 2147483647, "clients": 2, "server": {"queue": 1,
                                   "capacity": 9, "concurrency": 1, "service_ticks": 1073741824}})",
                               R"({"timeout": 1073741824, "attempts": 1})")["attempts"],
                   "started_tick"),
            (Ticks{0, 1073741824}));
  // 0.0001 a tick are 100000 tokens after 10^9 ticks.
  EXPECT_EQ(column(result_with(R"({"horizon": 2147483647, "server": {"capacity": 0},
                                   "arrivals": {"at": 1000000000}})",
                               R"({"budget": {"kind": "tokens", "capacity": 1000000000,
                                   "initial": 0, "tick_refill": 0.0001, "retry_cost": 100000}})")
                       ["attempts"],
                   "tick"),
            (Ticks{1000000000, 1000000002}));
}

// ---------------------------------------------------------------- published figures (section 10)

void expect_counts(const ordered_json& summary, const std::array<int, 4>& expected) {
  EXPECT_EQ(summary["attempts"], expected[0]);
  EXPECT_EQ(summary["effects"], expected[1]);
  EXPECT_EQ(summary["duplicate_effects"], expected[2]);
  EXPECT_EQ(summary["acknowledged"], expected[3]);
}

TEST(ReferenceModelPublishedFigures, LostResponses) {
  ordered_json scenario = ordered_json::parse(R"({
    "retrygarden": 1, "clients": 8, "horizon": 80, "seed": 9,
    "server": {"capacity": 3, "outages": [{"from": 0, "ticks": 2}]},
    "faults": {"first_response_lost": {"every": 3}},
    "policies": [
      {"name": "fixed delay", "attempts": 4, "delay": {"kind": "fixed", "ticks": 4}},
      {"name": "bounded jitter", "attempts": 4,
       "delay": {"kind": "exponential", "base": 2, "multiplier": 2, "cap": 16},
       "jitter": {"kind": "full"}}
    ]
  })");
  ordered_json results = run(scenario)["results"];
  expect_counts(results[0]["summary"], {26, 9, 2, 6});
  expect_counts(results[1]["summary"], {26, 10, 2, 7});
  scenario["server"]["deduplication"] = {{"kind", "forever"}};
  results = run(scenario)["results"];
  expect_counts(results[0]["summary"], {26, 7, 0, 6});
  expect_counts(results[1]["summary"], {26, 8, 0, 7});
}

TEST(ReferenceModelPublishedFigures, Horizon) {
  const ordered_json summary = export_document(R"({
    "retrygarden": 1, "clients": 80, "horizon": 80, "seed": 0, "server": {"capacity": 1},
    "policies": [{"name": "p", "attempts": 8, "delay": {"kind": "fixed", "ticks": 20}}]
  })")["results"][0]["summary"];
  EXPECT_EQ(summary["acknowledged"], 4);
  EXPECT_EQ(summary["scheduled"], 76);
  EXPECT_EQ(summary["exhausted"], 0);
}

// ---------------------------------------------------------------------------------- the document

TEST(ReferenceModelDocument, FillsInDefaultsInThePagesOrder) {
  const ordered_json document = export_document(R"({
    "tick": "250us",
    "policies": [
      {"delay": {"cap": 9, "base": 2, "kind": "exponential"}, "attempts": 3,
       "description": "first", "name": "a"},
      {"delay": {"cap": 9, "kind": "decorrelated", "base": 2}, "attempts": 3, "name": "b"},
      {"jitter": {"fraction": 0.050, "kind": "proportional"}, "name": "c", "attempts": 3,
       "delay": {"step": -0, "cap": 9, "kind": "linear", "base": 2}}
    ],
    "arrivals": {}, "faults": {"first_response_lost": {"every": 2}},
    "server": {"capacity": 1}, "seed": 0, "horizon": 5, "clients": 1,
    "description": "", "$schema": "s", "retrygarden": 1
  })");
  EXPECT_EQ(document["retrygarden"], 1);
  EXPECT_EQ(document["scenario"].dump(),
            R"({"retrygarden":1,"$schema":"s","description":"","tick":"250us",)"
            R"("clients":1,"clients_per_host":1,)"
            R"("horizon":5,"seed":0,"arrivals":{"kind":"burst","at":0},)"
            R"("server":{"capacity":1,"capacity_window":1,"service_ticks":0,"queue":0,)"
            R"("discipline":"fifo","drop_abandoned":false,"retry_after":0,"tie_break":"client",)"
            R"("outages":[],"deduplication":{"kind":"none"}},)"
            R"("faults":{"first_response_lost":{"every":2,"offset":0},"response_loss":0,)"
            R"("request_loss":0},)"
            R"("policies":[)"
            R"({"name":"a","description":"first","attempts":3,"timeout":0,)"
            R"("delay":{"kind":"exponential","base":2,"multiplier":2,"cap":9},)"
            R"("jitter":{"kind":"none"},"on_retry_after":"ignore"},)"
            R"({"name":"b","attempts":3,"timeout":0,"delay":{"kind":"decorrelated","base":2,)"
            R"("cap":9},"on_retry_after":"ignore"},)"
            R"({"name":"c","attempts":3,"timeout":0,"delay":{"kind":"linear","base":2,"step":0,)"
            R"("cap":9},"jitter":{"kind":"proportional","fraction":0.05},)"
            R"("on_retry_after":"ignore"}]})");
  std::vector<std::string> members;
  for (const auto& [name, value] : document.items()) {
    members.push_back(name);
  }
  EXPECT_EQ(members,
            (std::vector<std::string>{"retrygarden", "scenario", "assumptions", "results"}));
  ASSERT_EQ(document["assumptions"].size(), 10U);
  EXPECT_EQ(document["assumptions"][3],
            "Where ties are broken by client, the lowest client numbers win capacity within a "
            "tick.");
}

// A scenario with every part that a fault can sit in.
constexpr std::string_view full_text = R"({
  "retrygarden": 1, "$schema": "s", "name": "n", "description": "d",
  "tick": "10ms", "clients": 4, "horizon": 20, "seed": 5,
  "arrivals": {"kind": "burst", "at": 1},
  "server": {"capacity": 2, "outages": [{"from": 3, "ticks": 2}, {"ticks": 1, "from": 0}],
             "deduplication": {"kind": "ttl", "ticks": 6}},
  "faults": {"first_response_lost": {"every": 3, "offset": 1}},
  "policies": [
    {"name": "a", "attempts": 4,
     "delay": {"kind": "exponential", "base": 2, "multiplier": 1.5, "cap": 9},
     "jitter": {"kind": "proportional", "fraction": 0.25}},
    {"description": "e", "name": "b",
     "attempts": 5, "delay": {"kind": "decorrelated", "base": 3, "cap": 8}},
    {"name": "c", "attempts": 6, "delay": {"kind": "list", "ticks": [1, 7]},
     "jitter": {"kind": "equal"}},
    {"name": "d", "attempts": 7, "delay": {"kind": "linear", "base": 1, "step": 0, "cap": 4}}
  ]
})";

// Another one, with the parts that the first one leaves out.
constexpr std::string_view busy_text = R"({
  "retrygarden": 1, "clients": 6, "clients_per_host": 2, "horizon": 30, "seed": 1,
  "server": {"capacity": 2, "capacity_window": 3, "service_ticks": 4, "concurrency": 5, "queue": 6,
             "discipline": "lifo", "drop_abandoned": true, "retry_after": 7, "tie_break": "random",
             "outages": [{"from": 8, "ticks": 9, "kind": "hang", "loses_keys": true},
                         {"from": 10, "ticks": 2}]},
  "faults": {"response_loss": 0.1, "request_loss": 0.02},
  "policies": [
    {"name": "a", "attempts": 3, "timeout": 10, "delay": {"kind": "fixed", "ticks": 11},
     "jitter": {"kind": "scaled", "from": 0.5, "to": 1.25}, "max_delay": 12, "deadline": 13,
     "on_retry_after": "at_least",
     "budget": {"kind": "tokens", "capacity": 14, "initial": 13.5, "tick_refill": 0.25,
                "attempt_deposit": 1.5, "success_deposit": 2.5, "refund": true,
                "failure_cost": 3.5, "retry_cost": 4.5, "timeout_cost": 5.5, "threshold": 6.5},
     "breaker": {"window": 15, "failures": 14, "open_ticks": 16, "probes": 17}},
    {"name": "b", "attempts": 3, "timeout": 0, "delay": {"kind": "list", "ticks": [2, [3, 4]]},
     "budget": {"kind": "concurrent", "fraction": 0.75, "minimum": 18}}
  ]
})";

std::string changed(std::string_view original, std::string_view from, std::string_view to) {
  std::string text(original);
  const std::size_t at = text.find(from);
  if (at == std::string::npos) {
    throw std::logic_error("the text to replace is missing: " + std::string(from));
  }
  return text.replace(at, from.size(), to);
}

std::string with(std::string_view from, std::string_view to) {
  return changed(full_text, from, to);
}

std::string busy_with(std::string_view from, std::string_view to) {
  return changed(busy_text, from, to);
}

TEST(ReferenceModelDocument, WritesEveryMemberInThePagesOrder) {
  EXPECT_EQ(export_document(busy_text)["scenario"].dump(),
            R"({"retrygarden":1,"clients":6,"clients_per_host":2,"horizon":30,"seed":1,)"
            R"("arrivals":{"kind":"burst","at":0},)"
            R"("server":{"capacity":2,"capacity_window":3,"service_ticks":4,"concurrency":5,)"
            R"("queue":6,"discipline":"lifo","drop_abandoned":true,"retry_after":7,)"
            R"("tie_break":"random",)"
            R"("outages":[{"from":8,"ticks":9,"kind":"hang","loses_keys":true},)"
            R"({"from":10,"ticks":2,"kind":"refuse","loses_keys":false}],)"
            R"("deduplication":{"kind":"none"}},)"
            R"("faults":{"response_loss":0.1,"request_loss":0.02},)"
            R"("policies":[)"
            R"({"name":"a","attempts":3,"timeout":10,"delay":{"kind":"fixed","ticks":11},)"
            R"("jitter":{"kind":"scaled","from":0.5,"to":1.25},"max_delay":12,"deadline":13,)"
            R"("on_retry_after":"at_least",)"
            R"("budget":{"kind":"tokens","capacity":14,"initial":13.5,"tick_refill":0.25,)"
            R"("attempt_deposit":1.5,"success_deposit":2.5,"refund":true,"failure_cost":3.5,)"
            R"("retry_cost":4.5,"timeout_cost":5.5,"threshold":6.5},)"
            R"("breaker":{"window":15,"failures":14,"open_ticks":16,"probes":17}},)"
            R"({"name":"b","attempts":3,"timeout":0,"delay":{"kind":"list","ticks":[2,[3,4]]},)"
            R"("on_retry_after":"ignore",)"
            R"("budget":{"kind":"concurrent","fraction":0.75,"minimum":18}}]})");
}

TEST(ReferenceModelDocument, FillsInTheDefaultsOfTokens) {
  EXPECT_EQ(
      run(scenario_with(
          "{}", R"({"budget": {"capacity": 2.5, "kind": "tokens", "retry_cost": 4}})"))["scenario"]
                                                                                       ["policies"]
                                                                                       [0]["budget"]
                                                                                           .dump(),
      R"({"kind":"tokens","capacity":2.5,"initial":2.5,"tick_refill":0,"attempt_deposit":0,)"
      R"("success_deposit":0,"refund":false,"failure_cost":0,"retry_cost":4,"timeout_cost":4})");
}

TEST(ReferenceModelDocument, TheTimeoutIsRequiredWhereClientsMayWait) {
  const auto is_valid = [](const std::string& server) {
    const ordered_json without = scenario_with(R"({"server": )" + server + "}");
    const ordered_json zero = scenario_with(R"({"server": )" + server + "}", R"({"timeout": 0})");
    EXPECT_NO_THROW(run(zero));
    try {
      run(without);
      return true;
    } catch (const InvalidScenario& fault) {
      EXPECT_STREQ(fault.what(), "\"/policies/0/timeout\": the member is required");
      return false;
    }
  };
  EXPECT_TRUE(is_valid(R"({"service_ticks": 0, "queue": 0})"));
  EXPECT_TRUE(is_valid(R"({"outages": [{"from": 0, "ticks": 1, "kind": "crash"}]})"));
  EXPECT_FALSE(is_valid(R"({"service_ticks": 1})"));
  EXPECT_FALSE(is_valid(R"({"queue": 1})"));
  EXPECT_FALSE(is_valid(
      R"({"outages": [{"from": 0, "ticks": 1}, {"from": 99, "ticks": 1, "kind": "hang"}]})"));
}

TEST(ReferenceModelDocument, ReadingTheExportedScenarioBackGivesTheSameExport) {
  for (const std::string_view text : {full_text, busy_text}) {
    const ordered_json document = export_document(text);
    EXPECT_EQ(export_document(document["scenario"].dump()).dump(), document.dump());
  }
}

TEST(ReferenceModelDocument, KeepsTheTickAsGiven) {
  // No unit is turned into another: 60000ms stays beside 60s and 1min.
  for (const std::string tick : {"1ns", "9us", "60000ms", "60s", "1min", "100000h", "999999h"}) {
    const ordered_json document = export_document(with(R"("10ms")", "\"" + tick + "\""));
    EXPECT_EQ(document["scenario"]["tick"], tick);
  }
  // Escapes are resolved before the text is judged.
  EXPECT_EQ(export_document(with("10ms", R"(\u0031\u0030m\u0073)"))["scenario"]["tick"], "10ms");
}

TEST(ReferenceModelDocument, KeepsEveryDescriptionOfAPolicy) {
  const auto kept = [](std::string_view description) {
    const ordered_json document =
        export_document(with(R"("description": "e")", description))["scenario"]["policies"];
    return document[1].dump();
  };
  const std::string rest =
      R"("attempts":5,"timeout":0,"delay":{"kind":"decorrelated","base":3,"cap":8},)"
      R"("on_retry_after":"ignore"})";
  EXPECT_EQ(kept(R"("description": "e")"), R"({"name":"b","description":"e",)" + rest);
  EXPECT_EQ(kept(R"("description": "")"), R"({"name":"b","description":"",)" + rest);
  EXPECT_EQ(kept(R"("description": " \u00fc\n")"),
            "{\"name\":\"b\",\"description\":\" \xC3\xBC\\n\"," + rest);
  // The same words may stand in several policies, and there need be none.
  EXPECT_NO_THROW(
      export_document(with(R"("attempts": 4,)", R"("attempts": 4, "description": "e",)")));
  EXPECT_EQ(export_document(with(R"("description": "e", )", ""))["scenario"]["policies"][1].dump(),
            R"({"name":"b",)" + rest);
}

TEST(ReferenceModelDocument, TheTickAndDescriptionsDoNotChangeARun) {
  const ordered_json results = export_document(full_text)["results"];
  for (const std::string& text :
       {with(R"("tick": "10ms", )", ""), with(R"("10ms")", R"("3h")"),
        with(R"("description": "e", )", ""), with(R"("e")", R"("another one")")}) {
    EXPECT_EQ(export_document(text)["results"], results) << text;
  }
}

TEST(ReferenceModelDocument, WritesFractionsShort) {
  const auto written = [](std::string_view multiplier) {
    const ordered_json document = export_document(with("1.5", multiplier));
    return document["scenario"]["policies"][0]["delay"]["multiplier"].dump();
  };
  EXPECT_EQ(written("1.500000"), "1.5");
  EXPECT_EQ(written("2.0"), "2");
  EXPECT_EQ(written("1"), "1");
  EXPECT_EQ(written("1.01"), "1.01");
  EXPECT_EQ(written("999.999999"), "999.999999");
  EXPECT_EQ(written("1000.0"), "1000");
  const ordered_json zero = export_document(with("0.25", "-0.0"));
  EXPECT_EQ(zero["scenario"]["policies"][0]["jitter"]["fraction"].dump(), "0");
}

TEST(ReferenceModelDocument, AcceptsTheEndsOfTheRanges) {
  EXPECT_NO_THROW(export_document(with("\"seed\": 5", "\"seed\": 9007199254740991")));
  EXPECT_NO_THROW(export_document(with("\"seed\": 5", "\"seed\": -0")));
  EXPECT_NO_THROW(export_document(with("\"horizon\": 20", "\"horizon\": 2147483647")));
  EXPECT_NO_THROW(export_document(with("\"at\": 1", "\"at\": 19")));
  EXPECT_NO_THROW(export_document(with("\"capacity\": 2", "\"capacity\": 4294967295")));
  EXPECT_NO_THROW(export_document(with("\"every\": 3", "\"every\": 4294967295")));
  EXPECT_NO_THROW(export_document(with("\"attempts\": 4", "\"attempts\": 4294967295")));
  EXPECT_NO_THROW(export_document(with("\"cap\": 8", "\"cap\": 1073741824")));
  EXPECT_NO_THROW(export_document(with("\"cap\": 8", "\"cap\": 3")));
  EXPECT_NO_THROW(export_document("\xEF\xBB\xBF" + std::string(full_text)));
  EXPECT_NO_THROW(export_document(with("\"name\": \"n\"", "\"name\": \"\"")));
  EXPECT_EQ(export_document(with(R"({"first_response_lost": {"every": 3, "offset": 1}})",
                                 "{}"))["scenario"]["faults"]
                .dump(),
            R"({"response_loss":0,"request_loss":0})");
  const std::vector<std::pair<std::string_view, std::string_view>> changes = {
      {R"("clients_per_host": 2)", R"("clients_per_host": 4294967295)"},
      {R"("capacity_window": 3)", R"("capacity_window": 2147483647)"},
      {R"("service_ticks": 4)", R"("service_ticks": 1073741824)"},
      {R"("concurrency": 5)", R"("concurrency": 4294967295)"},
      {R"("queue": 6)", R"("queue": 4294967295)"},
      {R"("retry_after": 7)", R"("retry_after": 1073741824)"},
      {R"("response_loss": 0.1)", R"("response_loss": 1)"},
      {R"("request_loss": 0.02)", R"("request_loss": 1.000000)"},
      {R"("timeout": 10)", R"("timeout": 1073741824)"},
      {R"("max_delay": 12)", R"("max_delay": 1073741824)"},
      {R"("max_delay": 12)", R"("max_delay": 1)"},
      {R"("deadline": 13)", R"("deadline": 2147483647)"},
      {R"("deadline": 13)", R"("deadline": 0)"},
      {R"("from": 0.5, "to": 1.25)", R"("from": 0, "to": 0)"},
      {R"("from": 0.5, "to": 1.25)", R"("from": 2, "to": 2)"},
      {"[3, 4]", "[1, 1073741824]"},
      {"[3, 4]", "[4, 4]"},
      {R"("capacity": 14)", R"("capacity": 1000000000)"},
      {R"("initial": 13.5)", R"("initial": 14)"},
      {R"("threshold": 6.5)", R"("threshold": 1000000000)"},
      {R"("window": 15, "failures": 14)", R"("window": 1, "failures": 1)"},
      {R"("window": 15, "failures": 14)", R"("window": 1000000, "failures": 1000000)"},
      {R"("open_ticks": 16, "probes": 17)", R"("open_ticks": 1073741824, "probes": 1000000)"},
      {R"("fraction": 0.75, "minimum": 18)", R"("fraction": 1, "minimum": 4294967295)"},
  };
  for (const auto& [from, to] : changes) {
    EXPECT_NO_THROW(export_document(busy_with(from, to))) << to;
  }
}

// ---------------------------------------------------------------------------------- invalid texts

TEST(ReferenceModelInvalidScenario, RefusesWhatIsNotAJsonText) {
  const std::vector<std::string> texts = {
      "",
      " ",
      "{",
      std::string(full_text) + "x",
      std::string(full_text) + std::string(1, '\0'),
      std::string(full_text).insert(1, 1, '\0'),
      "\xEF\xBB" + std::string(full_text),
      "\xEF\xBB\xBF\xEF\xBB\xBF" + std::string(full_text),
      with("\"clients\": 4", "\"clients\": 04"),
      with("\"clients\": 4", "\"clients\": +4"),
      with("\"clients\": 4,", "\"clients\": 4, // four\n"),
      with("\"multiplier\": 1.5", "\"multiplier\": 1."),
      with("\"multiplier\": 1.5", "\"multiplier\": .5"),
      with("[1, 7]", "[1, 7,]"),
      with("\"d\"", "\"\xFF\""),
      with("\"d\"", "\"\xED\xA0\x80\""),
  };
  for (const std::string& text : texts) {
    EXPECT_THROW(export_document(text), InvalidScenario) << text;
  }
}

TEST(ReferenceModelInvalidScenario, RefusesNumbersBeyondEveryType) {
  for (const std::string& number : {std::string("1e999"), std::string(400, '9')}) {
    EXPECT_THROW(export_document(with("\"clients\": 4", "\"clients\": " + number)),
                 InvalidScenario);
    EXPECT_THROW(export_document(with("1.5", number)), InvalidScenario);
  }
}

TEST(ReferenceModelInvalidScenario, LimitsNesting) {
  // The root is the first level; a member that is refused anyway shows which check came first.
  const auto fault_of = [](std::size_t lists) {
    const std::string nested = std::string(lists, '[') + std::string(lists, ']');
    try {
      export_document(with("\"description\": \"d\"", "\"description\": " + nested));
    } catch (const InvalidScenario& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  EXPECT_EQ(fault_of(31), "\"/description\": must be a string");
  EXPECT_EQ(fault_of(32), "objects and lists are nested more than 32 deep");
  EXPECT_EQ(fault_of(100000), "objects and lists are nested more than 32 deep");
}

// A change that makes a text invalid, and the place that the message names.
struct Case {
  std::string_view from;
  std::string_view to;
  std::string_view place;
};

void expect_faults(std::string_view original, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const std::string text = changed(original, c.from, c.to);
    try {
      export_document(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InvalidScenario& fault) {
      EXPECT_EQ(std::string(fault.what()).substr(0, c.place.size() + 3),
                "\"" + std::string(c.place) + "\":")
          << fault.what();
    }
  }
}

TEST(ReferenceModelInvalidScenario, NamesThePlaceOfTheFault) {
  const std::vector<Case> cases = {
      // unknown, duplicate and missing members
      {R"("seed": 5)", R"("seed": 5, "sede": 5)", "/sede"},
      {R"("seed": 5)", R"("seed": 5, "a/b~c": 5)", "/a~1b~0c"},
      {R"("seed": 5)", R"("seed": 5, "seed": 5)", "/seed"},
      {R"("seed": 5)", R"("seed": 5, "s\u0065ed": 5)", "/seed"},
      {R"("tick": "10ms")", R"("tick": "10ms", "tick": "10ms")", "/tick"},
      {R"("description": "e")", R"("description": "e", "description": "e")",
       "/policies/1/description"},
      {R"("description": "e")", R"("tick": "10ms")", "/policies/1/tick"},
      {R"("description": "e")", R"("$schema": "s")", "/policies/1/$schema"},
      {R"("capacity": 2)", R"("capacity": 2, "tick": "10ms")", "/server/tick"},
      {R"("seed": 5,)", "", "/seed"},
      {R"("retrygarden": 1, )", "", "/retrygarden"},
      {R"("clients": 4, )", "", "/clients"},
      {R"("horizon": 20, )", "", "/horizon"},
      {R"("capacity": 2, )", "", "/server/capacity"},
      {R"("from": 3, )", "", "/server/outages/0/from"},
      {R"(, "ticks": 2)", "", "/server/outages/0/ticks"},
      {R"(, "ticks": 6)", "", "/server/deduplication/ticks"},
      {R"("kind": "ttl", )", "", "/server/deduplication/kind"},
      {R"("every": 3, )", "", "/faults/first_response_lost/every"},
      {R"("name": "a", )", "", "/policies/0/name"},
      {R"("attempts": 5, )", "", "/policies/1/attempts"},
      {R"("kind": "equal")", "", "/policies/2/jitter/kind"},
      {R"("kind": "linear", )", "", "/policies/3/delay/kind"},
      {R"(, "fraction": 0.25)", "", "/policies/0/jitter/fraction"},
      {R"(, "step": 0)", "", "/policies/3/delay/step"},
      {R"(, "cap": 9)", "", "/policies/0/delay/cap"},
      {R"({"kind": "equal"})", R"({"kind": "equal", "kind": "equal"})", "/policies/2/jitter/kind"},
      // members of another kind, unknown kinds
      {R"("kind": "burst")", R"("kind": "spread", "over": 3)", "/arrivals/at"},
      {R"("kind": "burst", "at": 1)", R"("over": 3)", "/arrivals/over"},
      {R"("kind": "burst", "at": 1)", R"("kind": "spread")", "/arrivals/over"},
      {R"("kind": "burst")", R"("kind": "flood")", "/arrivals/kind"},
      {R"("kind": "ttl")", R"("kind": "none")", "/server/deduplication/ticks"},
      {R"("kind": "ttl")", R"("kind": "forever")", "/server/deduplication/ticks"},
      {R"("kind": "ttl")", R"("kind": "TTL")", "/server/deduplication/kind"},
      {R"("kind": "equal")", R"("kind": "full", "fraction": 1)", "/policies/2/jitter/fraction"},
      {R"("kind": "equal")", R"("kind": "half")", "/policies/2/jitter/kind"},
      {R"("kind": "decorrelated")", R"("kind": "fixed")", "/policies/1/delay/base"},
      {R"("kind": "linear")", R"("kind": "quadratic")", "/policies/3/delay/kind"},
      // wrong types
      {R"("$schema": "s")", R"("$schema": null)", "/$schema"},
      {R"("name": "n")", R"("name": 1)", "/name"},
      {R"("description": "d")", R"("description": ["d"])", "/description"},
      {R"("10ms")", "null", "/tick"},
      {R"("10ms")", R"(["10ms"])", "/tick"},
      {R"("10ms")", R"({"ms": 10})", "/tick"},
      {R"("description": "e")", R"("description": null)", "/policies/1/description"},
      {R"("description": "e")", R"("description": 5)", "/policies/1/description"},
      {R"("description": "e")", R"("description": ["e"])", "/policies/1/description"},
      {R"("clients": 4)", R"("clients": "4")", "/clients"},
      {R"("clients": 4)", R"("clients": true)", "/clients"},
      {R"({"kind": "burst", "at": 1})", "null", "/arrivals"},
      {R"({"first_response_lost": {"every": 3, "offset": 1}})", "null", "/faults"},
      {R"({"every": 3, "offset": 1})", "null", "/faults/first_response_lost"},
      {R"([{"from": 3, "ticks": 2}, {"ticks": 1, "from": 0}])", "{}", "/server/outages"},
      {R"({"from": 3, "ticks": 2})", "3", "/server/outages/0"},
      {R"({"kind": "equal"})", "null", "/policies/2/jitter"},
      {R"({"kind": "equal"})", R"("equal")", "/policies/2/jitter"},
      {R"({"kind": "equal"})", R"({"kind": 1})", "/policies/2/jitter/kind"},
      {"[1, 7]", "1", "/policies/2/delay/ticks"},
      {"1.5", R"("1.5")", "/policies/0/delay/multiplier"},
      // the text of numbers
      {R"("clients": 4)", R"("clients": 4.0)", "/clients"},
      {R"("clients": 4)", R"("clients": 4e0)", "/clients"},
      {R"("clients": 4)", R"("clients": 4E0)", "/clients"},
      {R"("retrygarden": 1)", R"("retrygarden": 1.0)", "/retrygarden"},
      {"1.5", "1.5000000", "/policies/0/delay/multiplier"},
      {"1.5", "15e-1", "/policies/0/delay/multiplier"},
      {"0.25", "0.0000001", "/policies/0/jitter/fraction"},
      {"0.25", "25e-2", "/policies/0/jitter/fraction"},
      // ranges
      {R"("retrygarden": 1)", R"("retrygarden": 2)", "/retrygarden"},
      {R"("retrygarden": 1)", R"("retrygarden": 0)", "/retrygarden"},
      {R"("clients": 4)", R"("clients": 0)", "/clients"},
      {R"("clients": 4)", R"("clients": -0)", "/clients"},
      {R"("clients": 4)", R"("clients": -4)", "/clients"},
      {R"("clients": 4)", R"("clients": 4294967296)", "/clients"},
      {R"("clients": 4)", R"("clients": 18446744073709551620)", "/clients"},
      {R"("clients": 4)", R"("clients": 4E+0)", "/clients"},
      {R"("clients": 4)", R"("clients": 40e-1)", "/clients"},
      {R"("horizon": 20)", R"("horizon": 0)", "/horizon"},
      {R"("horizon": 20)", R"("horizon": 2147483648)", "/horizon"},
      {R"("seed": 5)", R"("seed": -1)", "/seed"},
      {R"("seed": 5)", R"("seed": 9007199254740992)", "/seed"},
      {R"("at": 1)", R"("at": -1)", "/arrivals/at"},
      {R"("at": 1)", R"("at": 20)", "/arrivals/at"},
      {R"("kind": "burst", "at": 1)", R"("kind": "spread", "over": 0)", "/arrivals/over"},
      {R"("kind": "burst", "at": 1)", R"("kind": "random", "over": 21)", "/arrivals/over"},
      {R"("capacity": 2)", R"("capacity": -1)", "/server/capacity"},
      {R"("capacity": 2)", R"("capacity": 4294967296)", "/server/capacity"},
      {R"("from": 3)", R"("from": -1)", "/server/outages/0/from"},
      {R"("from": 3)", R"("from": 2147483648)", "/server/outages/0/from"},
      {R"("ticks": 2)", R"("ticks": 0)", "/server/outages/0/ticks"},
      {R"("ticks": 2)", R"("ticks": 2147483648)", "/server/outages/0/ticks"},
      {R"("ticks": 6)", R"("ticks": 0)", "/server/deduplication/ticks"},
      {R"("ticks": 6)", R"("ticks": 2147483648)", "/server/deduplication/ticks"},
      {R"("every": 3)", R"("every": 0)", "/faults/first_response_lost/every"},
      {R"("every": 3)", R"("every": 4294967296)", "/faults/first_response_lost/every"},
      {R"("offset": 1)", R"("offset": 3)", "/faults/first_response_lost/offset"},
      {R"("offset": 1)", R"("offset": -1)", "/faults/first_response_lost/offset"},
      {R"("attempts": 4)", R"("attempts": 0)", "/policies/0/attempts"},
      {R"("attempts": 4)", R"("attempts": 4294967296)", "/policies/0/attempts"},
      {R"("base": 3)", R"("base": 0)", "/policies/1/delay/base"},
      {R"("cap": 8)", R"("cap": 1073741825)", "/policies/1/delay/cap"},
      {R"("cap": 8)", R"("cap": 2)", "/policies/1/delay/cap"},
      {R"("cap": 9)", R"("cap": 1)", "/policies/0/delay/cap"},
      {R"("base": 1, "step": 0)", R"("base": 5, "step": 0)", "/policies/3/delay/cap"},
      {R"("step": 0)", R"("step": -1)", "/policies/3/delay/step"},
      {R"("step": 0)", R"("step": 1073741825)", "/policies/3/delay/step"},
      {"[1, 7]", "[1, 0]", "/policies/2/delay/ticks/1"},
      {"[1, 7]", "[1073741825]", "/policies/2/delay/ticks/0"},
      {"[1, 7]", "[]", "/policies/2/delay/ticks"},
      {"1.5", "0.999999", "/policies/0/delay/multiplier"},
      {"1.5", "1.009999", "/policies/0/delay/multiplier"},
      {"1.5", "1000.000001", "/policies/0/delay/multiplier"},
      {"1.5", "-2", "/policies/0/delay/multiplier"},
      {"0.25", "1.000001", "/policies/0/jitter/fraction"},
      {"0.25", "-0.000001", "/policies/0/jitter/fraction"},
      // policies
      {R"("name": "a")", R"("name": "")", "/policies/0/name"},
      {R"("name": "b")", R"("name": "a")", "/policies/1/name"},
      {R"("name": "b")", R"("name": "\u0061")", "/policies/1/name"},
      {R"("base": 3, "cap": 8})", R"("base": 3, "cap": 8}, "jitter": {"kind": "none"})",
       "/policies/1/jitter"},
  };
  expect_faults(full_text, cases);
}

TEST(ReferenceModelInvalidScenario, RefusesTicksThatAreNoDuration) {
  const auto fault_of = [](std::string_view tick) {
    try {
      export_document(with(R"("10ms")", tick));
    } catch (const InvalidScenario& fault) {
      return std::string(fault.what());
    }
    return std::string("accepted");
  };
  const std::string number = "\"/tick\": must begin with one to six digits, the first not 0";
  const std::string unit =
      "\"/tick\": must end with a unit right after its digits: ns, us, ms, s, min or h";
  const std::vector<std::pair<std::string_view, std::string>> faults = {
      // nothing, or no digit first
      {R"("")", number},
      {R"("ms")", number},
      {R"(" ")", number},
      {R"(" 10ms")", number},
      {R"("+10ms")", number},
      {R"("-10ms")", number},
      {R"(".5s")", number},
      {R"("\u0661s")", number},  // ARABIC-INDIC DIGIT ONE
      // a leading zero
      {R"("0")", number},
      {R"("0ms")", number},
      {R"("010ms")", number},
      {R"("000001s")", number},
      // seven digits and more
      {R"("1000000ns")", number},
      {R"("1000000")", number},
      {R"("99999999999999999999999999h")", number},
      // no unit
      {R"("1")", unit},
      {R"("999999")", unit},
      // an unknown one
      {R"("10m")", unit},
      {R"("10MS")", unit},
      {R"("10sec")", unit},
      {R"("10mins")", unit},
      {R"("10n")", unit},
      {R"("10d")", unit},
      {R"("10\u00b5s")", unit},  // MICRO SIGN
      // a space, or more than one number and one unit
      {R"("10 ms")", unit},
      {R"("10ms ")", unit},
      {R"("1 0ms")", unit},
      {R"("10ms\n")", unit},
      {R"("10ms\u0000")", unit},
      {R"("1.5s")", unit},
      {R"("1e3s")", unit},
      {R"("1'000s")", unit},
      {R"("1h30min")", unit},
      {R"("10mss")", unit},
      // no text
      {"10", "\"/tick\": must be a string"},
      {"true", "\"/tick\": must be a string"},
  };
  for (const auto& [tick, fault] : faults) {
    EXPECT_EQ(fault_of(tick), fault) << tick;
  }
}

TEST(ReferenceModelInvalidScenario, NamesThePlaceOfTheFaultInABusyScenario) {
  const std::vector<Case> cases = {
      // unknown and missing members
      {R"("kind": "hang",)", R"("kind": "hang", "at": 1,)", "/server/outages/0/at"},
      {R"("response_loss")", R"("loss")", "/faults/loss"},
      {R"("max_delay": 12)", R"("max_delays": 12)", "/policies/0/max_delays"},
      {R"("timeout": 10, )", "", "/policies/0/timeout"},
      {R"("from": 0.5, )", "", "/policies/0/jitter/from"},
      {R"(, "to": 1.25)", "", "/policies/0/jitter/to"},
      {R"("kind": "tokens", )", "", "/policies/0/budget/kind"},
      {R"("capacity": 14, )", "", "/policies/0/budget/capacity"},
      {R"("refund": true)", R"("minimum": 1)", "/policies/0/budget/minimum"},
      {R"("window": 15, )", "", "/policies/0/breaker/window"},
      {R"("failures": 14, )", "", "/policies/0/breaker/failures"},
      {R"("open_ticks": 16, )", "", "/policies/0/breaker/open_ticks"},
      {R"(, "probes": 17)", "", "/policies/0/breaker/probes"},
      {R"("probes": 17)", R"("probes": 17, "kind": "closed")", "/policies/0/breaker/kind"},
      {R"("fraction": 0.75, )", "", "/policies/1/budget/fraction"},
      {R"(, "minimum": 18)", "", "/policies/1/budget/minimum"},
      {R"("minimum": 18)", R"("minimum": 18, "capacity": 1)", "/policies/1/budget/capacity"},
      // words and booleans
      {R"("lifo")", R"("LIFO")", "/server/discipline"},
      {R"("lifo")", "1", "/server/discipline"},
      {R"("random")", R"("host")", "/server/tie_break"},
      {R"("hang")", R"("slow")", "/server/outages/0/kind"},
      {R"("hang")", "null", "/server/outages/0/kind"},
      {R"("at_least")", R"("at_most")", "/policies/0/on_retry_after"},
      {R"("tokens")", R"("token")", "/policies/0/budget/kind"},
      {R"("drop_abandoned": true)", R"("drop_abandoned": 1)", "/server/drop_abandoned"},
      {R"("loses_keys": true)", R"("loses_keys": "true")", "/server/outages/0/loses_keys"},
      {R"("refund": true)", R"("refund": null)", "/policies/0/budget/refund"},
      // wrong types
      {R"("concurrency": 5)", R"("concurrency": null)", "/server/concurrency"},
      {R"({"kind": "concurrent", "fraction": 0.75, "minimum": 18})", "null", "/policies/1/budget"},
      {R"({"window": 15, "failures": 14, "open_ticks": 16, "probes": 17})", "[]",
       "/policies/0/breaker"},
      {R"("fraction": 0.75)", R"("fraction": "0.75")", "/policies/1/budget/fraction"},
      {R"("minimum": 18)", R"("minimum": 18.0)", "/policies/1/budget/minimum"},
      // ranges
      {R"("clients_per_host": 2)", R"("clients_per_host": 0)", "/clients_per_host"},
      {R"("clients_per_host": 2)", R"("clients_per_host": 4294967296)", "/clients_per_host"},
      {R"("capacity_window": 3)", R"("capacity_window": 0)", "/server/capacity_window"},
      {R"("capacity_window": 3)", R"("capacity_window": 2147483648)", "/server/capacity_window"},
      {R"("service_ticks": 4)", R"("service_ticks": -1)", "/server/service_ticks"},
      {R"("service_ticks": 4)", R"("service_ticks": 1073741825)", "/server/service_ticks"},
      {R"("concurrency": 5)", R"("concurrency": 0)", "/server/concurrency"},
      {R"("concurrency": 5)", R"("concurrency": 4294967296)", "/server/concurrency"},
      {R"("queue": 6)", R"("queue": -1)", "/server/queue"},
      {R"("queue": 6)", R"("queue": 4294967296)", "/server/queue"},
      {R"("retry_after": 7)", R"("retry_after": -1)", "/server/retry_after"},
      {R"("retry_after": 7)", R"("retry_after": 1073741825)", "/server/retry_after"},
      {R"("response_loss": 0.1)", R"("response_loss": 1.000001)", "/faults/response_loss"},
      {R"("request_loss": 0.02)", R"("request_loss": -0.000001)", "/faults/request_loss"},
      {R"("timeout": 10)", R"("timeout": -1)", "/policies/0/timeout"},
      {R"("timeout": 10)", R"("timeout": 1073741825)", "/policies/0/timeout"},
      {R"("max_delay": 12)", R"("max_delay": 0)", "/policies/0/max_delay"},
      {R"("max_delay": 12)", R"("max_delay": 1073741825)", "/policies/0/max_delay"},
      {R"("deadline": 13)", R"("deadline": -1)", "/policies/0/deadline"},
      {R"("deadline": 13)", R"("deadline": 2147483648)", "/policies/0/deadline"},
      {R"("from": 0.5)", R"("from": -0.5)", "/policies/0/jitter/from"},
      {R"("from": 0.5)", R"("from": 1.250001)", "/policies/0/jitter/to"},
      {R"("to": 1.25)", R"("to": 2.000001)", "/policies/0/jitter/to"},
      {R"("from": 0.5)", R"("from": 2.5)", "/policies/0/jitter/from"},
      {R"("capacity": 14)", R"("capacity": -1)", "/policies/0/budget/capacity"},
      {R"("capacity": 14)", R"("capacity": 1000000000.000001)", "/policies/0/budget/capacity"},
      {R"("initial": 13.5)", R"("initial": 14.000001)", "/policies/0/budget/initial"},
      {R"("initial": 13.5)", R"("initial": -1)", "/policies/0/budget/initial"},
      {"0.25", "-0.25", "/policies/0/budget/tick_refill"},
      {R"("attempt_deposit": 1.5)", R"("attempt_deposit": -1)",
       "/policies/0/budget/attempt_deposit"},
      {R"("success_deposit": 2.5)", R"("success_deposit": 1000000001)",
       "/policies/0/budget/success_deposit"},
      {R"("failure_cost": 3.5)", R"("failure_cost": -1)", "/policies/0/budget/failure_cost"},
      {R"("retry_cost": 4.5)", R"("retry_cost": -1)", "/policies/0/budget/retry_cost"},
      {R"("timeout_cost": 5.5)", R"("timeout_cost": -1)", "/policies/0/budget/timeout_cost"},
      {R"("threshold": 6.5)", R"("threshold": -1)", "/policies/0/budget/threshold"},
      {R"("fraction": 0.75)", R"("fraction": 1.000001)", "/policies/1/budget/fraction"},
      {R"("minimum": 18)", R"("minimum": -1)", "/policies/1/budget/minimum"},
      {R"("minimum": 18)", R"("minimum": 4294967296)", "/policies/1/budget/minimum"},
      {R"("window": 15)", R"("window": 1000001)", "/policies/0/breaker/window"},
      {R"("failures": 14)", R"("failures": 0)", "/policies/0/breaker/failures"},
      {R"("failures": 14)", R"("failures": 16)", "/policies/0/breaker/failures"},
      {R"("open_ticks": 16)", R"("open_ticks": 0)", "/policies/0/breaker/open_ticks"},
      {R"("open_ticks": 16)", R"("open_ticks": 1073741825)", "/policies/0/breaker/open_ticks"},
      {R"("probes": 17)", R"("probes": 0)", "/policies/0/breaker/probes"},
      {R"("probes": 17)", R"("probes": 1000001)", "/policies/0/breaker/probes"},
      // pairs
      {"[3, 4]", "[4, 3]", "/policies/1/delay/ticks/1/1"},
      {"[3, 4]", "[0, 4]", "/policies/1/delay/ticks/1/0"},
      {"[3, 4]", "[3, 1073741825]", "/policies/1/delay/ticks/1/1"},
      {"[3, 4]", "[3]", "/policies/1/delay/ticks/1"},
      {"[3, 4]", "[3, 4, 5]", "/policies/1/delay/ticks/1"},
      {"[3, 4]", "[]", "/policies/1/delay/ticks/1"},
      {"[3, 4]", "[[3], 4]", "/policies/1/delay/ticks/1/0"},
      {"[2, [3, 4]]}", R"([2, [3, 4]]}, "jitter": {"kind": "none"})", "/policies/1/jitter"},
  };
  expect_faults(busy_text, cases);
}

TEST(ReferenceModelInvalidScenario, RefusesNoneAndTooManyPolicies) {
  ordered_json scenario = plain_scenario();
  const ordered_json policy = scenario["policies"][0];
  scenario["policies"] = ordered_json::array();
  EXPECT_THROW(run(scenario), InvalidScenario);
  for (int i = 0; i < 64; ++i) {
    scenario["policies"].push_back(policy);
    scenario["policies"].back()["name"] = std::to_string(i);
  }
  EXPECT_NO_THROW(run(scenario));
  scenario["policies"].push_back(policy);
  EXPECT_THROW(run(scenario), InvalidScenario);
}

TEST(ReferenceModelInvalidScenario, RefusesOtherRoots) {
  for (const std::string_view text : {"null", "[]", "1", "\"s\"", "{}"}) {
    EXPECT_THROW(export_document(text), InvalidScenario) << text;
  }
}

}  // namespace
