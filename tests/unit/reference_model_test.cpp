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
      "effects": 1, "duplicate_effects": 0, "suppressed_effects": 1, "lost_responses": 1,
      "acknowledged": 1, "exhausted": 2, "scheduled": 0, "applied_unacknowledged": 0,
      "peak_load": {"tick": 0, "requests": 3}, "last_acknowledged_tick": 4,
      "time_to_acknowledge": {"p50": 4, "p90": 4, "p99": 4, "max": 4}
    },
    "load": [
      {"tick": 0, "attempts": 3, "accepted": 0, "overloaded": 0, "unavailable": 3,
       "effects": 0, "acknowledged": 0},
      {"tick": 2, "attempts": 3, "accepted": 1, "overloaded": 2, "unavailable": 0,
       "effects": 1, "acknowledged": 0},
      {"tick": 4, "attempts": 3, "accepted": 1, "overloaded": 2, "unavailable": 0,
       "effects": 0, "acknowledged": 1}
    ],
    "attempts": [
      {"tick": 0, "client": 0, "attempt": 1, "outcome": "unavailable", "started_tick": null,
       "effect": "none", "response": "none", "failed_tick": 0, "next_tick": 2},
      {"tick": 0, "client": 1, "attempt": 1, "outcome": "unavailable", "started_tick": null,
       "effect": "none", "response": "none", "failed_tick": 0, "next_tick": 2},
      {"tick": 0, "client": 2, "attempt": 1, "outcome": "unavailable", "started_tick": null,
       "effect": "none", "response": "none", "failed_tick": 0, "next_tick": 2},
      {"tick": 2, "client": 0, "attempt": 2, "outcome": "accepted", "started_tick": 2,
       "effect": "applied", "response": "lost", "failed_tick": 2, "next_tick": 4},
      {"tick": 2, "client": 1, "attempt": 2, "outcome": "overloaded", "started_tick": null,
       "effect": "none", "response": "none", "failed_tick": 2, "next_tick": 4},
      {"tick": 2, "client": 2, "attempt": 2, "outcome": "overloaded", "started_tick": null,
       "effect": "none", "response": "none", "failed_tick": 2, "next_tick": 4},
      {"tick": 4, "client": 0, "attempt": 3, "outcome": "accepted", "started_tick": 4,
       "effect": "suppressed", "response": "acknowledged", "failed_tick": null, "next_tick": null},
      {"tick": 4, "client": 1, "attempt": 3, "outcome": "overloaded", "started_tick": null,
       "effect": "none", "response": "none", "failed_tick": 4, "next_tick": null},
      {"tick": 4, "client": 2, "attempt": 3, "outcome": "overloaded", "started_tick": null,
       "effect": "none", "response": "none", "failed_tick": 4, "next_tick": null}
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
    "policies": [
      {"delay": {"cap": 9, "base": 2, "kind": "exponential"}, "attempts": 3, "name": "a"},
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
            R"({"retrygarden":1,"$schema":"s","description":"","clients":1,"horizon":5,"seed":0,)"
            R"("arrivals":{"kind":"burst","at":0},)"
            R"("server":{"capacity":1,"outages":[],"deduplication":{"kind":"none"}},)"
            R"("faults":{"first_response_lost":{"every":2,"offset":0}},)"
            R"("policies":[)"
            R"({"name":"a","attempts":3,"delay":{"kind":"exponential","base":2,"multiplier":2,)"
            R"("cap":9},"jitter":{"kind":"none"}},)"
            R"({"name":"b","attempts":3,"delay":{"kind":"decorrelated","base":2,"cap":9}},)"
            R"({"name":"c","attempts":3,"delay":{"kind":"linear","base":2,"step":0,"cap":9},)"
            R"("jitter":{"kind":"proportional","fraction":0.05}}]})");
  std::vector<std::string> members;
  for (const auto& [name, value] : document.items()) {
    members.push_back(name);
  }
  EXPECT_EQ(members,
            (std::vector<std::string>{"retrygarden", "scenario", "assumptions", "results"}));
  ASSERT_EQ(document["assumptions"].size(), 8U);
  EXPECT_EQ(document["assumptions"][2],
            "Within a tick the clients with the lowest numbers win capacity.");
}

// A scenario with every part that a fault can sit in.
constexpr std::string_view full_text = R"({
  "retrygarden": 1, "$schema": "s", "name": "n", "description": "d",
  "clients": 4, "horizon": 20, "seed": 5,
  "arrivals": {"kind": "burst", "at": 1},
  "server": {"capacity": 2, "outages": [{"from": 3, "ticks": 2}, {"ticks": 1, "from": 0}],
             "deduplication": {"kind": "ttl", "ticks": 6}},
  "faults": {"first_response_lost": {"every": 3, "offset": 1}},
  "policies": [
    {"name": "a", "attempts": 4,
     "delay": {"kind": "exponential", "base": 2, "multiplier": 1.5, "cap": 9},
     "jitter": {"kind": "proportional", "fraction": 0.25}},
    {"name": "b", "attempts": 5, "delay": {"kind": "decorrelated", "base": 3, "cap": 8}},
    {"name": "c", "attempts": 6, "delay": {"kind": "list", "ticks": [1, 7]},
     "jitter": {"kind": "equal"}},
    {"name": "d", "attempts": 7, "delay": {"kind": "linear", "base": 1, "step": 0, "cap": 4}}
  ]
})";

std::string with(std::string_view from, std::string_view to) {
  std::string text(full_text);
  const std::size_t at = text.find(from);
  if (at == std::string::npos) {
    throw std::logic_error("the text to replace is missing: " + std::string(from));
  }
  return text.replace(at, from.size(), to);
}

TEST(ReferenceModelDocument, ReadingTheExportedScenarioBackGivesTheSameExport) {
  const ordered_json document = export_document(full_text);
  EXPECT_EQ(export_document(document["scenario"].dump()).dump(), document.dump());
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
  EXPECT_FALSE(export_document(
                   with(R"({"first_response_lost": {"every": 3, "offset": 1}})", "{}"))["scenario"]
                   .contains("faults"));
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

TEST(ReferenceModelInvalidScenario, NamesThePlaceOfTheFault) {
  struct Case {
    std::string_view from;
    std::string_view to;
    std::string_view place;
  };
  const std::vector<Case> cases = {
      // unknown, duplicate and missing members
      {R"("seed": 5)", R"("seed": 5, "sede": 5)", "/sede"},
      {R"("seed": 5)", R"("seed": 5, "a/b~c": 5)", "/a~1b~0c"},
      {R"("seed": 5)", R"("seed": 5, "seed": 5)", "/seed"},
      {R"("seed": 5)", R"("seed": 5, "s\u0065ed": 5)", "/seed"},
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
  for (const Case& c : cases) {
    const std::string text = with(c.from, c.to);
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
