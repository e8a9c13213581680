// The members of a scenario one by one: ranges and types, those that are required, those that are
// unknown (docs/model.md, sections 2, 3, 6, 11 and 12).
#include <gtest/gtest.h>

#include "support/scenario_json.h"

namespace retrygarden::test {
namespace {

constexpr std::uint64_t kMaxTicks = 2147483647;
constexpr std::uint64_t kMaxCount = 4294967295;
constexpr std::uint64_t kMaxDelay = 1073741824;
constexpr std::uint64_t kMaxResults = 1'000'000;

struct IntegerMember {
  std::string pointer;
  std::uint64_t min;
  std::uint64_t max;
};

class IntegerRange : public testing::TestWithParam<IntegerMember> {};

TEST_P(IntegerRange, HoldsBothEndsAndNothingBeyond) {
  const auto& [pointer, min, max] = GetParam();
  EXPECT_EQ(places_with(pointer, std::to_string(min)), Places{});
  EXPECT_EQ(places_with(pointer, std::to_string(max)), Places{});
  EXPECT_EQ(places_with(pointer, std::to_string(max + 1)), Places{pointer});
  EXPECT_EQ(places_with(pointer, min == 0 ? "-1" : std::to_string(min - 1)), Places{pointer});
  EXPECT_EQ(places_with(pointer, "18446744073709551617"), Places{pointer});
  EXPECT_EQ(places_with(pointer, "-0"), min == 0 ? Places{} : Places{pointer});
}

TEST_P(IntegerRange, RefusesOtherTypes) {
  const std::string& pointer = GetParam().pointer;
  for (const std::string value : {"null", "true", "\"1\"", "{}", "1.5", "1.0", "1e0", "2E0"}) {
    EXPECT_EQ(places_with(pointer, value), Places{pointer}) << value;
  }
  EXPECT_EQ(places_with(pointer, "[1]").at(0), pointer);  // a pair, in a list of delays
}

// every_member() has horizon 80, `every` 3, `over` 5, bases of 2 ticks, a window of 7.
INSTANTIATE_TEST_SUITE_P(
    Members, IntegerRange,
    testing::Values(IntegerMember{"/retrygarden", 1, 1}, IntegerMember{"/clients", 1, kMaxCount},
                    IntegerMember{"/clients_per_host", 1, kMaxCount},
                    IntegerMember{"/seed", 0, 9007199254740991},
                    IntegerMember{"/arrivals/over", 1, 80},
                    IntegerMember{"/server/capacity", 0, kMaxCount},
                    IntegerMember{"/server/capacity_window", 1, kMaxTicks},
                    IntegerMember{"/server/service_ticks", 0, kMaxDelay},
                    IntegerMember{"/server/concurrency", 1, kMaxCount},
                    IntegerMember{"/server/queue", 0, kMaxCount},
                    IntegerMember{"/server/retry_after", 0, kMaxDelay},
                    IntegerMember{"/server/outages/0/from", 0, kMaxTicks},
                    IntegerMember{"/server/outages/0/ticks", 1, kMaxTicks},
                    IntegerMember{"/server/deduplication/ticks", 1, kMaxTicks},
                    IntegerMember{"/faults/first_response_lost/offset", 0, 2},
                    IntegerMember{"/policies/0/attempts", 1, kMaxCount},
                    IntegerMember{"/policies/0/timeout", 0, kMaxDelay},
                    IntegerMember{"/policies/0/max_delay", 1, kMaxDelay},
                    IntegerMember{"/policies/0/deadline", 0, kMaxTicks},
                    IntegerMember{"/policies/0/breaker/failures", 1, 7},
                    IntegerMember{"/policies/0/breaker/open_ticks", 1, kMaxDelay},
                    IntegerMember{"/policies/0/breaker/probes", 1, kMaxResults},
                    IntegerMember{"/policies/0/delay/ticks", 1, kMaxDelay},
                    IntegerMember{"/policies/1/delay/cap", 2, kMaxDelay},
                    IntegerMember{"/policies/1/budget/minimum", 0, kMaxCount},
                    IntegerMember{"/policies/2/delay/step", 0, kMaxDelay},
                    IntegerMember{"/policies/2/delay/cap", 2, kMaxDelay},
                    IntegerMember{"/policies/3/delay/ticks/1", 1, kMaxDelay},
                    IntegerMember{"/policies/4/delay/cap", 2, kMaxDelay},
                    IntegerMember{"/policies/5/delay/ticks/0", 1, kMaxDelay},
                    IntegerMember{"/policies/5/delay/ticks/1/1", 5, kMaxDelay}),
    [](const auto& test) { return name_of_member(test.param.pointer); });

struct FractionMember {
  std::string pointer;
  std::string min;
  std::string max;
  std::string below;  // by one millionth
  std::string above;
};

class FractionRange : public testing::TestWithParam<FractionMember> {};

TEST_P(FractionRange, HoldsBothEndsAndNothingBeyond) {
  const auto& [pointer, min, max, below, above] = GetParam();
  EXPECT_EQ(places_with(pointer, min), Places{});
  EXPECT_EQ(places_with(pointer, max), Places{});
  EXPECT_EQ(places_with(pointer, max.find('.') == std::string::npos ? max + ".000000" : max),
            Places{});
  EXPECT_EQ(places_with(pointer, below), Places{pointer});
  EXPECT_EQ(places_with(pointer, above), Places{pointer});
  EXPECT_EQ(places_with(pointer, "1000000000000"), Places{pointer});
}

TEST_P(FractionRange, RefusesOtherTypesAndTexts) {
  const std::string& pointer = GetParam().pointer;
  for (const std::string value :
       {"null", "true", "\"1\"", "[1]", "{}", "1.0000000", "0.1234567", "1e0", "1.5e0", "-1"}) {
    EXPECT_EQ(places_with(pointer, value), Places{pointer}) << value;
  }
}

FractionMember tokens(const std::string& name) {
  return {"/policies/0/budget/" + name, "0", "1000000000", "-0.000001", "1000000000.000001"};
}
FractionMember probability(const std::string& pointer) {
  return {pointer, "0", "1", "-0.000001", "1.000001"};
}

// every_member() has 1.5 initial tokens of 10, and jitter from 0.5 to 1.25. The multiplier 1 is
// allowed too; see the test below.
INSTANTIATE_TEST_SUITE_P(
    Members, FractionRange,
    testing::Values(
        probability("/faults/response_loss"), probability("/faults/request_loss"),
        probability("/policies/1/jitter/fraction"), probability("/policies/1/budget/fraction"),
        FractionMember{"/policies/1/delay/multiplier", "1.01", "1000", "1.009999", "1000.000001"},
        FractionMember{"/policies/2/jitter/from", "0", "1.25", "-0.000001", "2.000001"},
        FractionMember{"/policies/2/jitter/to", "0.5", "2", "0.499999", "2.000001"},
        FractionMember{"/policies/0/budget/capacity", "1.5", "1000000000", "-0.000001",
                       "1000000000.000001"},
        FractionMember{"/policies/0/budget/initial", "0", "10", "-0.000001", "10.000001"},
        tokens("tick_refill"), tokens("attempt_deposit"), tokens("success_deposit"),
        tokens("failure_cost"), tokens("retry_cost"), tokens("timeout_cost"), tokens("threshold")),
    [](const auto& test) { return name_of_member(test.param.pointer); });

TEST(ScenarioMembers, AMultiplierMayBeOne) {
  const std::string multiplier = "/policies/1/delay/multiplier";
  EXPECT_EQ(places_with(multiplier, "1"), Places{});
  EXPECT_EQ(places_with(multiplier, "1.000000"), Places{});
  EXPECT_EQ(places_with(multiplier, "1.000001"), Places{multiplier});
  EXPECT_EQ(places_with(multiplier, "0.999999"), Places{multiplier});
  EXPECT_EQ(places_with(multiplier, "0"), Places{multiplier});
}

TEST(ScenarioMembers, MinusZeroIsZero) {
  EXPECT_EQ(read_scenario(text_with("/faults/response_loss", "-0.0"))->faults.response_loss,
            Fraction());
  EXPECT_EQ(read_scenario(text_with("/server/capacity", "-0"))->server.capacity, 0U);
}

struct NameMember {
  std::string pointer;
  std::vector<std::string> names;
};

class Name : public testing::TestWithParam<NameMember> {};

TEST_P(Name, IsOneOfItsNames) {
  const auto& [pointer, names] = GetParam();
  for (const std::string& name : names) {
    EXPECT_EQ(places_with(pointer, '"' + name + '"'), Places{}) << name;
  }
  for (const std::string value :
       {"null", "true", "0", "1", "[]", "{}", "\"\"", "\"FIFO\"", "\"hang \"", "\"surprise\""}) {
    EXPECT_EQ(places_with(pointer, value), Places{pointer}) << value;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Members, Name,
    testing::Values(NameMember{"/server/discipline", {"fifo", "lifo"}},
                    NameMember{"/server/tie_break", {"client", "random"}},
                    NameMember{"/server/outages/0/kind", {"refuse", "hang", "crash"}},
                    NameMember{"/policies/0/on_retry_after", {"ignore", "at_least", "replace"}}),
    [](const auto& test) { return name_of_member(test.param.pointer); });

TEST(ScenarioMembers, NamesHaveTheirMeanings) {
  const auto server = [](const std::string& member, const std::string& name) {
    return read_scenario(text_with("/server/" + member, '"' + name + '"')).value().server;
  };
  EXPECT_EQ(server("discipline", "fifo").discipline, Discipline::kFifo);
  EXPECT_EQ(server("discipline", "lifo").discipline, Discipline::kLifo);
  EXPECT_EQ(server("tie_break", "client").tie_break, TieBreak::kClient);
  EXPECT_EQ(server("tie_break", "random").tie_break, TieBreak::kRandom);
  EXPECT_EQ(server("outages/0/kind", "refuse").outages[0].kind, OutageKind::kRefuse);
  EXPECT_EQ(server("outages/0/kind", "hang").outages[0].kind, OutageKind::kHang);
  EXPECT_EQ(server("outages/0/kind", "crash").outages[0].kind, OutageKind::kCrash);
}

TEST(ScenarioMembers, BooleansAreTrueOrFalse) {
  for (const std::string pointer :
       {"/server/drop_abandoned", "/server/outages/0/loses_keys", "/policies/0/budget/refund"}) {
    EXPECT_EQ(places_with(pointer, "true"), Places{});
    EXPECT_EQ(places_with(pointer, "false"), Places{});
    for (const std::string value : {"null", "0", "1", "\"true\"", "[]", "{}"}) {
      EXPECT_EQ(places_with(pointer, value), Places{pointer}) << value;
    }
  }
}

TEST(ScenarioMembers, ATickHasALength) {
  for (const std::string tick : {"1ns", "20us", "300ms", "4000s", "50000min", "999999h"}) {
    const auto scenario = read_scenario(text_with("/tick", '"' + tick + '"'));
    ASSERT_TRUE(scenario) << tick;
    EXPECT_EQ(scenario->tick, tick);
  }
  for (const std::string tick :
       {"",    "1",   "s",  "0s", "01s", "1000000s", "1.5s", "-1s",       "+1s",       "1 s",
        " 1s", "1s ", "1S", "1m", "1d",  "1sec",     "1e3s", "1s\\u0000", "1\\u0000s", "1s1s"}) {
    EXPECT_EQ(places_with("/tick", '"' + tick + '"'), Places{"/tick"}) << tick;
  }
}

TEST(ScenarioMembers, WhatATicksLengthIsStandsInItsFault) {
  const auto scenario = read_scenario(text_with("/tick", R"("1 minute")"));
  ASSERT_FALSE(scenario);
  EXPECT_EQ(to_string(scenario.error().front()),
            "/tick: expected a duration such as \"10ms\": one to six digits, the first not 0, and "
            "one of ns, us, ms, s, min, h, found \"1 minute\"");
}

TEST(ScenarioMembers, ObjectsListsAndStringsAreWhatTheyShouldBe) {
  for (const std::string pointer : {"/arrivals",
                                    "/server",
                                    "/server/outages",
                                    "/server/outages/0",
                                    "/server/deduplication",
                                    "/faults",
                                    "/faults/first_response_lost",
                                    "/policies",
                                    "/policies/0",
                                    "/policies/0/delay",
                                    "/policies/0/jitter",
                                    "/policies/0/budget",
                                    "/policies/0/breaker",
                                    "/policies/0/name",
                                    "/policies/3/delay/ticks",
                                    "/name",
                                    "/description",
                                    "/tick",
                                    "/policies/0/description",
                                    "/$schema"}) {
    EXPECT_EQ(places_with(pointer, "3"), Places{pointer});
    EXPECT_EQ(places_with(pointer, "null"), Places{pointer});
    EXPECT_EQ(places_with(pointer, "true"), Places{pointer});
  }
  EXPECT_EQ(places_in("3"), Places{""});
  EXPECT_EQ(places_in("[]"), Places{""});
}

class Required : public testing::TestWithParam<std::string> {};

TEST_P(Required, IsNamedWhereItIsMissing) {
  EXPECT_EQ(fault_places(without(every_member(), GetParam())), Places{GetParam()});
}

INSTANTIATE_TEST_SUITE_P(
    Members, Required,
    testing::Values(
        "/retrygarden", "/clients", "/horizon", "/seed", "/server", "/policies", "/server/capacity",
        "/arrivals/over", "/server/outages/0/from", "/server/outages/0/ticks",
        "/server/deduplication/kind", "/server/deduplication/ticks",
        "/faults/first_response_lost/every", "/policies/0/name", "/policies/0/attempts",
        "/policies/0/delay", "/policies/0/delay/kind", "/policies/0/delay/ticks",
        "/policies/0/jitter/kind", "/policies/0/budget/kind", "/policies/0/budget/capacity",
        "/policies/0/breaker/window", "/policies/0/breaker/failures",
        "/policies/0/breaker/open_ticks", "/policies/0/breaker/probes", "/policies/1/delay/base",
        "/policies/1/delay/cap", "/policies/1/jitter/fraction", "/policies/1/budget/fraction",
        "/policies/1/budget/minimum", "/policies/2/delay/base", "/policies/2/delay/step",
        "/policies/2/delay/cap", "/policies/2/jitter/from", "/policies/2/jitter/to",
        "/policies/3/delay/ticks", "/policies/4/delay/base", "/policies/4/delay/cap"),
    [](const auto& test) { return name_of_member(test.param); });

TEST(ScenarioMembers, OthersMayBeAbsent) {
  for (const std::string pointer : {"/$schema",
                                    "/name",
                                    "/description",
                                    "/tick",
                                    "/policies/0/description",
                                    "/clients_per_host",
                                    "/arrivals",
                                    "/server/capacity_window",
                                    "/server/service_ticks",
                                    "/server/concurrency",
                                    "/server/queue",
                                    "/server/discipline",
                                    "/server/drop_abandoned",
                                    "/server/retry_after",
                                    "/server/tie_break",
                                    "/server/outages",
                                    "/server/outages/0/kind",
                                    "/server/outages/0/loses_keys",
                                    "/server/deduplication",
                                    "/faults",
                                    "/faults/first_response_lost",
                                    "/faults/first_response_lost/offset",
                                    "/faults/response_loss",
                                    "/faults/request_loss",
                                    "/policies/0/jitter",
                                    "/policies/0/max_delay",
                                    "/policies/0/deadline",
                                    "/policies/0/on_retry_after",
                                    "/policies/0/budget",
                                    "/policies/0/breaker",
                                    "/policies/0/budget/initial",
                                    "/policies/0/budget/tick_refill",
                                    "/policies/0/budget/attempt_deposit",
                                    "/policies/0/budget/success_deposit",
                                    "/policies/0/budget/refund",
                                    "/policies/0/budget/failure_cost",
                                    "/policies/0/budget/retry_cost",
                                    "/policies/0/budget/timeout_cost",
                                    "/policies/0/budget/threshold",
                                    "/policies/1/delay/multiplier"}) {
    EXPECT_EQ(fault_places(without(every_member(), pointer)), Places{});
  }
}

TEST(ScenarioMembers, UnknownOnesAreNamed) {
  for (const std::string object :
       {"", "/arrivals", "/server", "/server/outages/0", "/server/deduplication", "/faults",
        "/faults/first_response_lost", "/policies/0", "/policies/0/delay", "/policies/0/jitter",
        "/policies/0/budget", "/policies/0/breaker", "/policies/1/delay", "/policies/1/jitter",
        "/policies/1/budget", "/policies/2/delay", "/policies/2/jitter", "/policies/3/delay",
        "/policies/4/delay"}) {
    EXPECT_EQ(places_with(object + "/surprise", "1"), Places{object + "/surprise"});
  }
}

// Each belongs to another kind of its object.
TEST(ScenarioMembers, ThoseOfAnotherKindAreUnknown) {
  for (const std::string pointer :
       {"/arrivals/at", "/policies/0/delay/base", "/policies/0/jitter/fraction",
        "/policies/0/budget/minimum", "/policies/1/budget/capacity", "/policies/1/delay/step",
        "/policies/1/jitter/from", "/policies/2/delay/multiplier", "/policies/3/delay/cap",
        "/policies/4/delay/multiplier"}) {
    EXPECT_EQ(places_with(pointer, "1"), Places{pointer});
  }
  EXPECT_EQ(places_with("/server/deduplication", R"({"kind": "forever", "ticks": 3})"),
            Places{"/server/deduplication/ticks"});
  EXPECT_EQ(places_with("/server/deduplication", R"({"kind": "none", "ticks": 3})"),
            Places{"/server/deduplication/ticks"});
}

}  // namespace
}  // namespace retrygarden::test
