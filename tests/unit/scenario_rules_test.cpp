// How the members of a scenario depend on one another, and what is said of those that do not fit:
// docs/model.md, sections 2, 3, 6, 11 and 12.
#include <gtest/gtest.h>

#include "support/scenario_json.h"

namespace retrygarden::test {
namespace {

TEST(ScenarioRules, BoundsOfOneMemberMayDependOnAnother) {
  EXPECT_EQ(places_with("/horizon", "5"), Places{});
  EXPECT_EQ(places_with("/horizon", "4"), Places{"/arrivals/over"});
  EXPECT_EQ(places_with("/horizon", "2147483647"), Places{});
  EXPECT_EQ(places_with("/faults/first_response_lost/every", "3"), Places{});
  EXPECT_EQ(places_with("/faults/first_response_lost/every", "2"),
            Places{"/faults/first_response_lost/offset"});
  EXPECT_EQ(places_with("/faults/first_response_lost/every", "4294967295"), Places{});
  for (const std::string policy : {"/policies/1", "/policies/2", "/policies/4"}) {
    EXPECT_EQ(places_with(policy + "/delay/base", "16"), Places{}) << policy;
    EXPECT_EQ(places_with(policy + "/delay/base", "17"), Places{policy + "/delay/cap"}) << policy;
  }
  EXPECT_EQ(places_with("/policies/0/breaker/window", "5"), Places{});
  EXPECT_EQ(places_with("/policies/0/breaker/window", "4"), Places{"/policies/0/breaker/failures"});
  EXPECT_EQ(places_with("/policies/0/breaker/window", "1000000"), Places{});
  EXPECT_EQ(places_with("/policies/0/budget/capacity", "1.499999"),
            Places{"/policies/0/budget/initial"});
  EXPECT_EQ(places_with("/policies/2/jitter/from", "1.250001"), Places{"/policies/2/jitter/to"});
  EXPECT_EQ(places_with("/policies/5/delay/ticks/1", "[6, 6]"), Places{});
  EXPECT_EQ(places_with("/policies/5/delay/ticks/1", "[7, 6]"),
            Places{"/policies/5/delay/ticks/1/1"});
}

TEST(ScenarioRules, ArrivalsComeBeforeTheHorizon) {
  EXPECT_EQ(places_with("/arrivals", R"({"kind": "burst", "at": 79})"), Places{});
  EXPECT_EQ(places_with("/arrivals", R"({"kind": "burst", "at": 80})"), Places{"/arrivals/at"});
  EXPECT_EQ(places_with("/arrivals", R"({"kind": "random", "over": 80})"), Places{});
  EXPECT_EQ(places_with("/arrivals", R"({"kind": "random", "over": 81})"),
            Places{"/arrivals/over"});
  EXPECT_EQ(places_with("/arrivals", R"({"kind": "random"})"), Places{"/arrivals/over"});
}

// Without any reason for a timeout.
ordered_json without_timeout() {
  ordered_json json = every_member();
  for (const std::string member : {"service_ticks", "queue", "outages"}) {
    json["server"].erase(member);
  }
  json["policies"] = ordered_json::array({json["policies"][6]});
  json["policies"][0].erase("timeout");
  return json;
}

TEST(ScenarioRules, ATimeoutIsRequiredWhereClientsMayWait) {
  const auto places = [](const std::string& pointer, const ordered_json& value) {
    ordered_json json = without_timeout();
    json[Pointer(pointer)] = value;
    return fault_places(json);
  };
  const auto outage = [](const std::string& kind) {
    return ordered_json::array({{{"from", 500}, {"ticks", 1}, {"kind", kind}}});
  };
  EXPECT_EQ(fault_places(without_timeout()), Places{});
  EXPECT_EQ(places("/server/service_ticks", 0), Places{});
  EXPECT_EQ(places("/server/queue", 0), Places{});
  EXPECT_EQ(places("/server/outages", outage("refuse")), Places{});
  EXPECT_EQ(places("/server/outages", outage("crash")), Places{});
  const Places missing{"/policies/0/timeout"};
  EXPECT_EQ(places("/server/service_ticks", 1), missing);
  EXPECT_EQ(places("/server/queue", 1), missing);
  EXPECT_EQ(places("/server/outages", outage("hang")), missing);
  ordered_json json = every_member();
  json["policies"][2].erase("timeout");
  json["policies"][4].erase("timeout");
  EXPECT_EQ(fault_places(json), (Places{"/policies/2/timeout", "/policies/4/timeout"}));
}

TEST(ScenarioRules, ATimeoutThatIsRequiredMayBeZero) {
  EXPECT_EQ(places_with("/policies/0/timeout", "0"), Places{});
}

// A server that is not there, or wrong in what would make a timeout needed, asks for none.
TEST(ScenarioRules, ATimeoutIsNotRequiredByWhatIsWrong) {
  ordered_json json = without_timeout();
  json["server"]["service_ticks"] = "long";
  EXPECT_EQ(fault_places(json), Places{"/server/service_ticks"});
  json = without_timeout();
  json["server"]["queue"] = -1;
  EXPECT_EQ(fault_places(json), Places{"/server/queue"});
  json = without_timeout();
  json["server"]["outages"] = ordered_json::array({{{"from", 1}, {"ticks", 1}, {"kind", "stop"}}});
  EXPECT_EQ(fault_places(json), Places{"/server/outages/0/kind"});
  json = without_timeout();
  json.erase("server");
  EXPECT_EQ(fault_places(json), Places{"/server"});
}

// A fault is reported where it is, not where it would make others look wrong.
TEST(ScenarioRules, AWrongMemberDoesNotMakeOthersWrong) {
  for (const std::string pointer :
       {"/horizon", "/faults/first_response_lost/every", "/policies/0/breaker/window",
        "/policies/0/budget/capacity", "/policies/1/delay/base", "/policies/2/jitter/from",
        "/policies/5/delay/ticks/1/0", "/policies/5/delay/ticks/1/1"}) {
    for (const std::string value : {"\"x\"", "null", "-1", "99999999999"}) {
      EXPECT_EQ(places_with(pointer, value), Places{pointer}) << value;
    }
  }
  EXPECT_EQ(places_with("/horizon", "0"), Places{"/horizon"});
  EXPECT_EQ(places_with("/policies/0/delay/kind", "\"sometimes\""),
            Places{"/policies/0/delay/kind"});
  EXPECT_EQ(places_with("/policies/0/jitter/kind", "3"), Places{"/policies/0/jitter/kind"});
  EXPECT_EQ(places_with("/policies/0/budget/kind", "\"token\""), Places{"/policies/0/budget/kind"});
  EXPECT_EQ(places_with("/arrivals/kind", "\"never\""), Places{"/arrivals/kind"});
  EXPECT_EQ(places_with("/server/deduplication/kind", "null"),
            Places{"/server/deduplication/kind"});
}

// Where the first bound is wrong, the second is judged by what it may be at most.
TEST(ScenarioRules, BesideAWrongMemberOthersAreJudgedByTheirOwnRange) {
  ordered_json json = every_member();
  json["horizon"] = 0;
  json["arrivals"]["over"] = 2147483647;
  EXPECT_EQ(fault_places(json), Places{"/horizon"});
  json["arrivals"]["over"] = 2147483648;
  EXPECT_EQ(fault_places(json), (Places{"/horizon", "/arrivals/over"}));
  json = every_member();
  json["faults"]["first_response_lost"] = {{"every", 0}, {"offset", 4294967294}};
  EXPECT_EQ(fault_places(json), Places{"/faults/first_response_lost/every"});
  json["faults"]["first_response_lost"]["offset"] = 4294967295;
  EXPECT_EQ(fault_places(json),
            (Places{"/faults/first_response_lost/every", "/faults/first_response_lost/offset"}));
  json = every_member();
  json["policies"][0]["breaker"]["window"] = 0;
  json["policies"][0]["breaker"]["failures"] = 1'000'000;
  EXPECT_EQ(fault_places(json), Places{"/policies/0/breaker/window"});
  json["policies"][0]["breaker"]["failures"] = 1'000'001;
  EXPECT_EQ(fault_places(json),
            (Places{"/policies/0/breaker/window", "/policies/0/breaker/failures"}));
  json = every_member();
  json["policies"][0]["budget"]["capacity"] = -1;
  json["policies"][0]["budget"]["initial"] = 1'000'000'000;
  EXPECT_EQ(fault_places(json), Places{"/policies/0/budget/capacity"});
  json["policies"][0]["budget"]["initial"] = 1'000'000'001;
  EXPECT_EQ(fault_places(json),
            (Places{"/policies/0/budget/capacity", "/policies/0/budget/initial"}));
}

TEST(ScenarioRules, PoliciesAreOneToSixtyFourWithDistinctNames) {
  ordered_json json = every_member();
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
  EXPECT_EQ(places_with("/policies/3/name", "\"b\""), Places{"/policies/3/name"});
  EXPECT_EQ(places_with("/policies/3/name", R"("\u0062")"), Places{"/policies/3/name"});
  EXPECT_EQ(places_with("/policies/3/name", "\"\""), Places{"/policies/3/name"});
  EXPECT_EQ(places_with("/policies/3/name", "\"B\""), Places{});
}

TEST(ScenarioRules, ListsOfDelaysHaveAnEntry) {
  EXPECT_EQ(places_with("/policies/3/delay/ticks", "[]"), Places{"/policies/3/delay/ticks"});
  EXPECT_EQ(places_with("/policies/3/delay/ticks", "[1]"), Places{});
}

TEST(ScenarioRules, APairIsTwoDelaysInOrder) {
  const std::string pair = "/policies/5/delay/ticks/1";
  for (const std::string value : {"[]", "[1]", "[1, 2, 3]", "{}", "\"1\"", "null"}) {
    EXPECT_EQ(places_with(pair, value), Places{pair}) << value;
  }
  EXPECT_EQ(places_with(pair, "[1, 1]"), Places{});
  EXPECT_EQ(places_with(pair, "[1, 1073741824]"), Places{});
  EXPECT_EQ(places_with(pair, "[1073741824, 1073741824]"), Places{});
  EXPECT_EQ(places_with(pair, "[1, 1073741825]"), Places{pair + "/1"});
  EXPECT_EQ(places_with(pair, "[1073741825, 1]"), Places{pair + "/0"});
  EXPECT_EQ(places_with(pair, "[0, 1]"), Places{pair + "/0"});
  EXPECT_EQ(places_with(pair, "[0, 0]"), (Places{pair + "/0", pair + "/1"}));
  EXPECT_EQ(places_with(pair, "[[1, 2], 3]"), Places{pair + "/0"});
  EXPECT_EQ(places_with(pair, "[2, 1]"), Places{pair + "/1"});
}

TEST(ScenarioRules, NoJitterStandsBesideDelaysThatHaveTheirOwn) {
  for (const std::string value :
       {R"({"kind": "none"})", R"({"kind": "full"})", R"({"kind": "surprise"})", "null", "{}"}) {
    EXPECT_EQ(places_with("/policies/4/jitter", value), Places{"/policies/4/jitter"}) << value;
    EXPECT_EQ(places_with("/policies/5/jitter", value), Places{"/policies/5/jitter"}) << value;
  }
  // A pair that is wrong is a pair.
  ordered_json json = every_member();
  json["policies"][3]["delay"]["ticks"] = {1, {2, 1}};
  EXPECT_EQ(fault_places(json), (Places{"/policies/3/delay/ticks/1/1", "/policies/3/jitter"}));
  json["policies"][3]["delay"]["ticks"] = {1, ordered_json::array()};
  EXPECT_EQ(fault_places(json), (Places{"/policies/3/delay/ticks/1", "/policies/3/jitter"}));
}

TEST(ScenarioRules, AllFaultsAreReportedTogether) {
  ordered_json json = every_member();
  json["clients"] = 0;
  json["clients_per_host"] = 0;
  json["seed"] = "nine";
  json["server"].erase("capacity");
  json["server"]["queue"] = true;
  json["server"]["tie_break"] = "dice";
  json["server"]["outages"][0]["ticks"] = 0;
  json["faults"]["request_loss"] = 2;
  json["policies"][0]["delay"]["ticks"] = 1.0;
  json["policies"][0]["deadline"] = -1;
  json["policies"][0]["budget"]["refund"] = 1;
  json["policies"][0]["breaker"]["probes"] = 0;
  json["policies"][4]["jitter"] = nullptr;
  json["extra"] = true;
  EXPECT_EQ(fault_places(json),
            (Places{"/clients", "/clients_per_host", "/seed", "/server/capacity", "/server/queue",
                    "/server/tie_break", "/server/outages/0/ticks", "/faults/request_loss",
                    "/policies/0/delay/ticks", "/policies/0/deadline", "/policies/0/budget/refund",
                    "/policies/0/breaker/probes", "/policies/4/jitter", "/extra"}));
}

TEST(ScenarioRules, ReportsAtMostSoManyFaults) {
  ordered_json json = every_member();
  json["policies"][3]["delay"]["ticks"] = std::vector<int>(kMaxFaults, 0);
  EXPECT_EQ(fault_places(json).size(), kMaxFaults);
  json["policies"][3]["delay"]["ticks"] = std::vector<int>(5000, 0);
  json["policies"][4]["jitter"] = 1;
  const Places places = fault_places(json);
  EXPECT_EQ(places.size(), kMaxFaults);
  EXPECT_EQ(places.back(), "/policies/3/delay/ticks/999");
}

std::string message(const std::string& text) {
  return to_string(read_scenario(text).error().front());
}
std::string message_with(const std::string& pointer, const std::string& value) {
  return message(text_with(pointer, value));
}

TEST(ScenarioRules, FaultsOfIntegersNameTheRangeAndWhatWasThere) {
  EXPECT_EQ(message_with("/clients", "\"eight\""),
            "/clients: expected an integer from 1 to 4294967295, found \"eight\"");
  EXPECT_EQ(message_with("/retrygarden", "2"), "/retrygarden: expected the integer 1, found 2");
  EXPECT_EQ(message_with("/arrivals/over", "81"),
            "/arrivals/over: expected an integer from 1 to 80, the horizon, found 81");
  EXPECT_EQ(message_with("/arrivals", R"({"at": 80})"),
            "/arrivals/at: expected an integer from 0 to 79, below the horizon, found 80");
  EXPECT_EQ(message_with("/faults/first_response_lost/offset", "3"),
            "/faults/first_response_lost/offset: expected an integer from 0 to 2, below `every`, "
            "found 3");
  EXPECT_EQ(message_with("/policies/4/delay/cap", "1"),
            "/policies/4/delay/cap: expected an integer from 2 to 1073741824, not below `base`, "
            "found 1");
  EXPECT_EQ(message_with("/policies/0/breaker/failures", "8"),
            "/policies/0/breaker/failures: expected an integer from 1 to 7, at most `window`, "
            "found 8");
  EXPECT_EQ(message_with("/policies/0/max_delay", "null"),
            "/policies/0/max_delay: expected an integer from 1 to 1073741824, found null");
  EXPECT_EQ(message(without(every_member(), "/policies/1/timeout").dump()),
            "/policies/1/timeout: expected an integer from 0 to 1073741824, since the server takes "
            "time, lets requests wait, or hangs, found nothing");
  EXPECT_EQ(message(without(every_member(), "/clients").dump()),
            "/clients: expected an integer from 1 to 4294967295, found nothing");
}

TEST(ScenarioRules, FaultsOfFractionsNameTheRangeAndWhatWasThere) {
  EXPECT_EQ(message_with("/faults/request_loss", "1.5"),
            "/faults/request_loss: expected a number from 0 to 1, with at most six decimals, found "
            "1.5");
  EXPECT_EQ(message_with("/policies/1/delay/multiplier", "1.001"),
            "/policies/1/delay/multiplier: expected 1, or a number from 1.01 to 1000, with at most "
            "six decimals, found 1.001");
  EXPECT_EQ(
      message_with("/policies/2/jitter/to", "0.25"),
      "/policies/2/jitter/to: expected a number from 0.5 to 2, not below `from`, with at most "
      "six decimals, found 0.25");
  EXPECT_EQ(message_with("/policies/0/budget/initial", "11"),
            "/policies/0/budget/initial: expected a number from 0 to 10, at most `capacity`, with "
            "at most six decimals, found 11");
  EXPECT_EQ(
      message_with("/policies/0/budget/threshold", "1e9"),
      "/policies/0/budget/threshold: expected a number from 0 to 1000000000, with at most six "
      "decimals, found 1e9");
  EXPECT_EQ(
      message(without(every_member(), "/policies/1/budget/fraction").dump()),
      "/policies/1/budget/fraction: expected a number from 0 to 1, with at most six decimals, "
      "found nothing");
}

TEST(ScenarioRules, FaultsOfNamesAndBooleansNameThem) {
  EXPECT_EQ(message_with("/arrivals/kind", "\"never\""),
            "/arrivals/kind: expected one of \"burst\", \"spread\", \"random\", found \"never\"");
  EXPECT_EQ(message_with("/server/outages/1/kind", "7"),
            "/server/outages/1/kind: expected one of \"refuse\", \"hang\", \"crash\", found 7");
  EXPECT_EQ(message_with("/policies/0/on_retry_after", "[]"),
            "/policies/0/on_retry_after: expected one of \"ignore\", \"at_least\", \"replace\", "
            "found an empty list");
  EXPECT_EQ(message(without(every_member(), "/policies/0/budget/kind").dump()),
            "/policies/0/budget/kind: expected one of \"tokens\", \"concurrent\", found nothing");
  EXPECT_EQ(message_with("/server/drop_abandoned", "1"),
            "/server/drop_abandoned: expected true or false, found 1");
}

TEST(ScenarioRules, FaultsOfOtherMembersSayWhatBelongsThere) {
  EXPECT_EQ(message_with("/faults/lost", "1"),
            "/faults/lost: expected only the members first_response_lost, response_loss, "
            "request_loss, found a member \"lost\"");
  EXPECT_EQ(message("3"), "the document: expected an object, found 3");
  EXPECT_EQ(message_with("/name", "1"), "/name: expected a string, found 1");
  EXPECT_EQ(message_with("/server", "[]"), "/server: expected an object, found an empty list");
  EXPECT_EQ(message(without(every_member(), "/server").dump()),
            "/server: expected an object, found nothing");
  EXPECT_EQ(message(without(every_member(), "/policies/0/delay").dump()),
            "/policies/0/delay: expected an object, found nothing");
  EXPECT_EQ(message_with("/server/outages", "{}"),
            "/server/outages: expected a list of outages, found an object");
  EXPECT_EQ(message_with("/policies", "[]"),
            "/policies: expected a list of 1 to 64 policies, found 0 of them");
  EXPECT_EQ(message_with("/policies", "{}"),
            "/policies: expected a list of 1 to 64 policies, found an object");
  EXPECT_EQ(message_with("/policies/0/name", "\"\""),
            "/policies/0/name: expected a string that is not empty, found \"\"");
  EXPECT_EQ(message(without(every_member(), "/policies/0/name").dump()),
            "/policies/0/name: expected a string that is not empty, found nothing");
  EXPECT_EQ(message_with("/policies/1/name", "\"a\""),
            "/policies/1/name: expected a name that no other policy has, found \"a\", as at "
            "/policies/0/name");
}

TEST(ScenarioRules, FaultsOfListsOfDelaysSayWhatBelongsThere) {
  EXPECT_EQ(message_with("/policies/3/delay/ticks", "[]"),
            "/policies/3/delay/ticks: expected a list of at least one delay, found an empty list");
  EXPECT_EQ(message_with("/policies/3/delay/ticks", "3"),
            "/policies/3/delay/ticks: expected a list of at least one delay, found 3");
  EXPECT_EQ(message_with("/policies/3/delay/ticks", "[0]"),
            "/policies/3/delay/ticks/0: expected an integer from 1 to 1073741824, or a pair of "
            "them, found 0");
  EXPECT_EQ(message_with("/policies/5/delay/ticks/1", "[1, 2, 3]"),
            "/policies/5/delay/ticks/1: expected a delay, or a pair of the shortest and the "
            "longest, found a list of 3");
  EXPECT_EQ(message_with("/policies/5/delay/ticks/1", "[1, null]"),
            "/policies/5/delay/ticks/1/1: expected an integer from 1 to 1073741824, found null");
  EXPECT_EQ(message_with("/policies/5/delay/ticks/1", "[3, 2]"),
            "/policies/5/delay/ticks/1/1: expected an integer from 3 to 1073741824, not below the "
            "first of the pair, found 2");
  EXPECT_EQ(message_with("/policies/4/jitter", R"({"kind": "none"})"),
            "/policies/4/jitter: expected no jitter beside decorrelated delays or pairs of delays, "
            "which have their own, found an object");
}

}  // namespace
}  // namespace retrygarden::test
