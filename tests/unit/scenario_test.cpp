// Reading, validating and writing scenarios: docs/model.md, sections 2, 3, 6 and 9.
#include "retrygarden/scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace retrygarden {
namespace {

using nlohmann::ordered_json;
using Pointer = ordered_json::json_pointer;

ordered_json plain() {
  return ordered_json::parse(R"({
    "retrygarden": 1, "clients": 8, "horizon": 80, "seed": 9,
    "arrivals": {"kind": "spread", "over": 5},
    "server": {"capacity": 3, "outages": [{"from": 0, "ticks": 2}],
               "deduplication": {"kind": "ttl", "ticks": 7}},
    "faults": {"first_response_lost": {"every": 3, "offset": 2}},
    "policies": [
      {"name": "a", "attempts": 4, "delay": {"kind": "fixed", "ticks": 4}, "jitter": {"kind": "full"}},
      {"name": "b", "attempts": 4,
       "delay": {"kind": "exponential", "base": 2, "multiplier": 1.5, "cap": 16},
       "jitter": {"kind": "proportional", "fraction": 0.25}},
      {"name": "c", "attempts": 4, "delay": {"kind": "linear", "base": 2, "step": 3, "cap": 16}},
      {"name": "d", "attempts": 4, "delay": {"kind": "list", "ticks": [1, 2]}},
      {"name": "e", "attempts": 4, "delay": {"kind": "decorrelated", "base": 2, "cap": 16}}]
  })");
}

std::vector<std::string> fault_places(const ordered_json& json) {
  const auto scenario = read_scenario(json.dump());
  std::vector<std::string> places;
  if (!scenario) {
    for (const Fault& fault : scenario.error()) {
      places.push_back(fault.pointer);
    }
  }
  return places;
}

std::vector<std::string> places_with(const std::string& pointer, const ordered_json& value) {
  ordered_json json = plain();
  json[Pointer(pointer)] = value;
  return fault_places(json);
}

using Places = std::vector<std::string>;

TEST(Scenario, IsReadWithEveryMember) {
  const auto scenario = read_scenario(plain().dump());
  ASSERT_TRUE(scenario) << to_string(scenario.error().front());
  EXPECT_EQ(scenario->clients, 8U);
  EXPECT_EQ(scenario->horizon, 80U);
  EXPECT_EQ(scenario->seed, 9U);
  EXPECT_EQ(std::get<SpreadArrivals>(scenario->arrivals).over_ticks, 5U);
  EXPECT_EQ(scenario->server.capacity, 3U);
  ASSERT_EQ(scenario->server.outages.size(), 1U);
  EXPECT_EQ(scenario->server.outages[0].from, 0U);
  EXPECT_EQ(scenario->server.outages[0].ticks, 2U);
  EXPECT_EQ(std::get<DeduplicationTtl>(scenario->server.deduplication).ticks, 7U);
  EXPECT_EQ(scenario->first_response_lost->every, 3U);
  EXPECT_EQ(scenario->first_response_lost->offset, 2U);
  ASSERT_EQ(scenario->policies.size(), 5U);
  EXPECT_EQ(scenario->policies[0].name, "a");
  EXPECT_EQ(scenario->policies[0].attempts, 4U);
  EXPECT_EQ(std::get<FixedDelay>(scenario->policies[0].delay).ticks, 4U);
  EXPECT_TRUE(std::holds_alternative<FullJitter>(scenario->policies[0].jitter));
  const auto exponential = std::get<ExponentialDelay>(scenario->policies[1].delay);
  EXPECT_EQ(exponential.base, 2U);
  EXPECT_EQ(exponential.multiplier.millionths(), 1'500'000U);
  EXPECT_EQ(exponential.cap, 16U);
  EXPECT_EQ(std::get<ProportionalJitter>(scenario->policies[1].jitter).fraction.millionths(),
            250'000U);
  const auto linear = std::get<LinearDelay>(scenario->policies[2].delay);
  EXPECT_EQ(linear.base, 2U);
  EXPECT_EQ(linear.step, 3U);
  EXPECT_EQ(linear.cap, 16U);
  EXPECT_TRUE(std::holds_alternative<NoJitter>(scenario->policies[2].jitter));
  EXPECT_EQ(std::get<ListDelay>(scenario->policies[3].delay).ticks,
            (std::vector<std::uint32_t>{1, 2}));
  const auto decorrelated = std::get<DecorrelatedDelay>(scenario->policies[4].delay);
  EXPECT_EQ(decorrelated.base, 2U);
  EXPECT_EQ(decorrelated.cap, 16U);
}

// The whole text, by hand: defaults filled in, members in the order of the page, nothing that was
// absent.
TEST(Scenario, IsWrittenWithDefaultsFilledIn) {
  const auto scenario = read_scenario(R"({
    "policies": [{"delay": {"cap": 9, "base": 1, "kind": "exponential"}, "attempts": 2, "name": "p"},
                 {"name": "q", "attempts": 1, "delay": {"kind": "decorrelated", "cap": 9, "base": 1}}],
    "server": {"capacity": 0}, "seed": 0, "horizon": 1, "clients": 1, "description": "", "retrygarden": 1})");
  ASSERT_TRUE(scenario);
  EXPECT_EQ(write_scenario(*scenario), R"({
  "retrygarden": 1,
  "description": "",
  "clients": 1,
  "horizon": 1,
  "seed": 0,
  "arrivals": {"kind": "burst", "at": 0},
  "server": {
    "capacity": 0,
    "outages": [],
    "deduplication": {"kind": "none"}
  },
  "policies": [
    {
      "name": "p",
      "attempts": 2,
      "delay": {"kind": "exponential", "base": 1, "multiplier": 2, "cap": 9},
      "jitter": {"kind": "none"}
    },
    {
      "name": "q",
      "attempts": 1,
      "delay": {"kind": "decorrelated", "base": 1, "cap": 9}
    }
  ]
})");
}

TEST(Scenario, WritesWhatItReads) {
  const auto scenario = read_scenario(plain().dump());
  const std::string text = write_scenario(*scenario);
  // plain() leaves out one default: the jitter of policies c and d.
  ordered_json expected = plain();
  expected["policies"][2]["jitter"] = {{"kind", "none"}};
  expected["policies"][3]["jitter"] = {{"kind", "none"}};
  EXPECT_EQ(ordered_json::parse(text).dump(2), expected.dump(2));
  EXPECT_EQ(write_scenario(*read_scenario(text)), text);
}

TEST(Scenario, FillsInTheOffsetAndTheTickOfABurst) {
  ordered_json json = plain();
  json["faults"]["first_response_lost"] = {{"every", 2}};
  json["arrivals"] = {{"kind", "burst"}};
  const auto scenario = read_scenario(json.dump());
  EXPECT_EQ(scenario->first_response_lost->offset, 0U);
  EXPECT_EQ(std::get<BurstArrivals>(scenario->arrivals).at, 0U);
}

TEST(Scenario, TakesObjectsWithoutMembersForAbsentOnes) {
  ordered_json json = plain();
  json["faults"] = ordered_json::object();
  json["arrivals"] = ordered_json::object();
  const auto written = ordered_json::parse(write_scenario(*read_scenario(json.dump())));
  EXPECT_FALSE(written.contains("faults"));
  EXPECT_EQ(written["arrivals"].dump(), R"({"kind":"burst","at":0})");
}

TEST(Scenario, KeepsNamesAsGiven) {
  ordered_json json = plain();
  json["name"] = "quotes \" and \\, Grüße, \n, \u0001";
  json["$schema"] = "scenario.schema.json";
  const auto scenario = read_scenario(json.dump());
  EXPECT_EQ(scenario->name, json["name"].get<std::string>());
  EXPECT_EQ(scenario->schema, "scenario.schema.json");
  EXPECT_EQ(ordered_json::parse(write_scenario(*scenario))["name"], json["name"]);
}

struct IntegerMember {
  std::string pointer;
  std::uint64_t min;
  std::uint64_t max;
};

class IntegerRange : public testing::TestWithParam<IntegerMember> {};

TEST_P(IntegerRange, HoldsBothEndsAndNothingBeyond) {
  const auto& [pointer, min, max] = GetParam();
  EXPECT_EQ(places_with(pointer, min), Places{});
  EXPECT_EQ(places_with(pointer, max), Places{});
  EXPECT_EQ(places_with(pointer, max + 1), Places{pointer});
  if (min == 0) {
    EXPECT_EQ(places_with(pointer, -1), Places{pointer});
  } else {
    EXPECT_EQ(places_with(pointer, min - 1), Places{pointer});
  }
}

TEST_P(IntegerRange, RefusesOtherTypes) {
  const std::string& pointer = GetParam().pointer;
  for (const ordered_json& value :
       {ordered_json(nullptr), ordered_json(true), ordered_json("1"), ordered_json::array({1}),
        ordered_json::object(), ordered_json(1.5), ordered_json(1.0)}) {
    EXPECT_EQ(places_with(pointer, value), Places{pointer}) << value.dump();
  }
}

constexpr std::uint64_t kMaxTicks = 2147483647;
constexpr std::uint64_t kMaxCount = 4294967295;
constexpr std::uint64_t kMaxDelay = 1073741824;

// plain() has horizon 80, `every` 3, `over` 5, and bases of 2 ticks.
INSTANTIATE_TEST_SUITE_P(Members, IntegerRange,
                         testing::Values(IntegerMember{"/retrygarden", 1, 1},
                                         IntegerMember{"/clients", 1, kMaxCount},
                                         IntegerMember{"/seed", 0, 9007199254740991},
                                         IntegerMember{"/arrivals/over", 1, 80},
                                         IntegerMember{"/server/capacity", 0, kMaxCount},
                                         IntegerMember{"/server/outages/0/from", 0, kMaxTicks},
                                         IntegerMember{"/server/outages/0/ticks", 1, kMaxTicks},
                                         IntegerMember{"/server/deduplication/ticks", 1, kMaxTicks},
                                         IntegerMember{"/faults/first_response_lost/offset", 0, 2},
                                         IntegerMember{"/policies/0/attempts", 1, kMaxCount},
                                         IntegerMember{"/policies/0/delay/ticks", 1, kMaxDelay},
                                         IntegerMember{"/policies/1/delay/cap", 2, kMaxDelay},
                                         IntegerMember{"/policies/2/delay/step", 0, kMaxDelay},
                                         IntegerMember{"/policies/2/delay/cap", 2, kMaxDelay},
                                         IntegerMember{"/policies/3/delay/ticks/1", 1, kMaxDelay},
                                         IntegerMember{"/policies/4/delay/cap", 2, kMaxDelay}),
                         [](const auto& test) {
                           std::string name = test.param.pointer.substr(1);
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

TEST(Scenario, BoundsOfOneMemberMayDependOnAnother) {
  EXPECT_EQ(places_with("/horizon", 5), Places{});
  EXPECT_EQ(places_with("/horizon", 4), Places{"/arrivals/over"});
  EXPECT_EQ(places_with("/horizon", kMaxTicks), Places{});
  EXPECT_EQ(places_with("/faults/first_response_lost/every", 3), Places{});
  EXPECT_EQ(places_with("/faults/first_response_lost/every", 2),
            Places{"/faults/first_response_lost/offset"});
  EXPECT_EQ(places_with("/faults/first_response_lost/every", kMaxCount), Places{});
  for (const std::string policy : {"/policies/1", "/policies/2", "/policies/4"}) {
    EXPECT_EQ(places_with(policy + "/delay/base", 16), Places{}) << policy;
    EXPECT_EQ(places_with(policy + "/delay/base", 17), Places{policy + "/delay/cap"}) << policy;
  }
  EXPECT_EQ(places_with("/arrivals", {{"kind", "burst"}, {"at", 79}}), Places{});
  EXPECT_EQ(places_with("/arrivals", {{"kind", "burst"}, {"at", 80}}), Places{"/arrivals/at"});
}

// A fault is reported where it is, not where it would make others look wrong.
TEST(Scenario, AWrongMemberDoesNotMakeOthersWrong) {
  EXPECT_EQ(places_with("/horizon", 0), Places{"/horizon"});
  EXPECT_EQ(places_with("/horizon", kMaxTicks + 1), Places{"/horizon"});
  EXPECT_EQ(places_with("/faults/first_response_lost/every", 0),
            Places{"/faults/first_response_lost/every"});
  EXPECT_EQ(places_with("/policies/0/delay/kind", "sometimes"), Places{"/policies/0/delay/kind"});
  EXPECT_EQ(places_with("/policies/0/jitter/kind", 3), Places{"/policies/0/jitter/kind"});
  EXPECT_EQ(places_with("/arrivals/kind", "never"), Places{"/arrivals/kind"});
  EXPECT_EQ(places_with("/server/deduplication/kind", nullptr),
            Places{"/server/deduplication/kind"});
}

TEST(Scenario, FractionsHaveTheirRanges) {
  const std::string multiplier = "/policies/1/delay/multiplier";
  for (const ordered_json& good :
       {ordered_json(1), ordered_json(1.01), ordered_json(1000), ordered_json(1.000000)}) {
    EXPECT_EQ(places_with(multiplier, good), Places{}) << good.dump();
  }
  for (const ordered_json& bad :
       {ordered_json(0), ordered_json(1.009999), ordered_json(1000.000001), ordered_json(1001),
        ordered_json("2"), ordered_json(1e300)}) {
    EXPECT_EQ(places_with(multiplier, bad), Places{multiplier}) << bad.dump();
  }
  const std::string fraction = "/policies/1/jitter/fraction";
  for (const ordered_json& good : {ordered_json(0), ordered_json(0.999999), ordered_json(1)}) {
    EXPECT_EQ(places_with(fraction, good), Places{}) << good.dump();
  }
  for (const ordered_json& bad :
       {ordered_json(-0.5), ordered_json(1.000001), ordered_json(0.1234567)}) {
    EXPECT_EQ(places_with(fraction, bad), Places{fraction}) << bad.dump();
  }
}

TEST(Scenario, MissingMembersAreNamed) {
  for (const std::string pointer : {"/retrygarden",
                                    "/clients",
                                    "/horizon",
                                    "/seed",
                                    "/server",
                                    "/policies",
                                    "/server/capacity",
                                    "/arrivals/over",
                                    "/server/outages/0/from",
                                    "/server/outages/0/ticks",
                                    "/server/deduplication/kind",
                                    "/server/deduplication/ticks",
                                    "/faults/first_response_lost/every",
                                    "/policies/0/name",
                                    "/policies/0/attempts",
                                    "/policies/0/delay",
                                    "/policies/0/delay/kind",
                                    "/policies/0/delay/ticks",
                                    "/policies/0/jitter/kind",
                                    "/policies/1/delay/base",
                                    "/policies/1/delay/cap",
                                    "/policies/1/jitter/fraction",
                                    "/policies/2/delay/base",
                                    "/policies/2/delay/step",
                                    "/policies/2/delay/cap",
                                    "/policies/3/delay/ticks",
                                    "/policies/4/delay/base",
                                    "/policies/4/delay/cap"}) {
    ordered_json json = plain();
    const Pointer place(pointer);
    json[place.parent_pointer()].erase(place.back());
    EXPECT_EQ(fault_places(json), Places{pointer});
  }
}

TEST(Scenario, UnknownMembersAreNamed) {
  for (const std::string object :
       {"", "/arrivals", "/server", "/server/outages/0", "/server/deduplication", "/faults",
        "/faults/first_response_lost", "/policies/0", "/policies/0/delay", "/policies/0/jitter"}) {
    EXPECT_EQ(places_with(object + "/surprise", 1), Places{object + "/surprise"});
  }
  EXPECT_EQ(places_with("/arrivals/at", 1), Places{"/arrivals/at"});  // belongs to a burst
  EXPECT_EQ(places_with("/policies/0/jitter/fraction", 1), Places{"/policies/0/jitter/fraction"});
}

TEST(Scenario, ObjectsListsAndStringsAreWhatTheyShouldBe) {
  for (const std::string pointer :
       {"/arrivals", "/server", "/server/outages", "/server/outages/0", "/server/deduplication",
        "/faults", "/faults/first_response_lost", "/policies", "/policies/0", "/policies/0/delay",
        "/policies/0/jitter", "/policies/0/name", "/policies/3/delay/ticks", "/name",
        "/description", "/$schema"}) {
    EXPECT_EQ(places_with(pointer, 3), Places{pointer});
  }
  EXPECT_EQ(fault_places(3), Places{""});
}

TEST(Scenario, PoliciesAreOneToSixtyFourWithDistinctNames) {
  ordered_json json = plain();
  const ordered_json policy = json["policies"][0];
  json["policies"] = ordered_json::array();
  EXPECT_EQ(fault_places(json), Places{"/policies"});
  for (int i = 0; i < 64; ++i) {
    json["policies"].push_back(policy);
    json["policies"].back()["name"] = std::to_string(i);
  }
  EXPECT_EQ(fault_places(json), Places{});
  json["policies"].push_back(policy);
  EXPECT_EQ(fault_places(json), Places{"/policies"});
  EXPECT_EQ(places_with("/policies/3/name", "b"), Places{"/policies/3/name"});
  EXPECT_EQ(places_with("/policies/3/name", ""), Places{"/policies/3/name"});
}

TEST(Scenario, ListsOfDelaysAreNotEmptyAndHaveNoJitterOfDecorrelatedOnes) {
  EXPECT_EQ(places_with("/policies/3/delay/ticks", ordered_json::array()),
            Places{"/policies/3/delay/ticks"});
  EXPECT_EQ(places_with("/policies/4/jitter", {{"kind", "none"}}), Places{"/policies/4/jitter"});
}

TEST(Scenario, AllFaultsAreReportedTogether) {
  ordered_json json = plain();
  json["clients"] = 0;
  json["seed"] = "nine";
  json["server"].erase("capacity");
  json["server"]["outages"][0]["ticks"] = 0;
  json["policies"][0]["delay"]["ticks"] = 1.0;
  json["policies"][4]["jitter"] = nullptr;
  json["extra"] = true;
  EXPECT_EQ(fault_places(json),
            (Places{"/clients", "/seed", "/server/capacity", "/server/outages/0/ticks",
                    "/policies/0/delay/ticks", "/policies/4/jitter", "/extra"}));
}

TEST(Scenario, FaultsSayWhatWasExpectedAndWhatWasThere) {
  const auto message = [](const std::string& pointer, const ordered_json& value) {
    ordered_json json = plain();
    json[Pointer(pointer)] = value;
    return to_string(read_scenario(json.dump()).error().front());
  };
  EXPECT_EQ(message("/clients", "eight"),
            "/clients: expected an integer from 1 to 4294967295, found \"eight\"");
  EXPECT_EQ(message("/arrivals/over", 81),
            "/arrivals/over: expected an integer from 1 to 80, the horizon, found 81");
  EXPECT_EQ(message("/arrivals/kind", "never"),
            "/arrivals/kind: expected one of \"burst\", \"spread\", \"random\", found \"never\"");
  EXPECT_EQ(message("/faults/lost", 1),
            "/faults/lost: expected only the members first_response_lost, found a member \"lost\"");
}

TEST(Scenario, ReportsAtMostSoManyFaults) {
  ordered_json json = plain();
  json["policies"][3]["delay"]["ticks"] = std::vector<int>(5000, 0);
  EXPECT_EQ(fault_places(json).size(), kMaxFaults);
}

TEST(Scenario, PutTogetherByHandIsCheckedByReadingWhatItWrites) {
  Scenario scenario;
  scenario.policies = {
      {.name = "p", .attempts = 3, .delay = ExponentialDelay{.base = 2, .cap = 16}}};
  EXPECT_TRUE(read_scenario(write_scenario(scenario)));
  scenario.horizon = 0;
  EXPECT_EQ(read_scenario(write_scenario(scenario)).error().front().pointer, "/horizon");
}

TEST(Scenario, AnExportsScenarioIsReadInItsPlace) {
  const auto document = parse_json(R"({"scenario": {"retrygarden": 1}})");
  const auto scenario = read_scenario(*document->find("scenario"), "/scenario");
  ASSERT_FALSE(scenario);
  EXPECT_EQ(scenario.error().front().pointer, "/scenario/clients");
}

}  // namespace
}  // namespace retrygarden
