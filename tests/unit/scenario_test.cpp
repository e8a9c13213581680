// Reading and writing scenarios: docs/model.md, sections 2, 3, 6, 9, 11 and 12.
// scenario_members_test.cpp has the ranges of members, scenario_rules_test.cpp how they depend on
// one another.
#include "retrygarden/scenario.h"

#include <gtest/gtest.h>

#include "support/scenario_json.h"

namespace retrygarden::test {
namespace {

Scenario read(const ordered_json& json) {
  return read_scenario(json.dump()).value();
}

TEST(Scenario, IsReadWithEveryMember) {
  const Scenario scenario = read(every_member());
  EXPECT_EQ(scenario.schema, "s");
  EXPECT_EQ(scenario.name, "n");
  EXPECT_EQ(scenario.description, "d");
  EXPECT_EQ(scenario.tick, "10ms");
  EXPECT_EQ(scenario.clients, 8U);
  EXPECT_EQ(scenario.clients_per_host, 2U);
  EXPECT_EQ(scenario.horizon, 80U);
  EXPECT_EQ(scenario.seed, 9U);
  EXPECT_EQ(std::get<SpreadArrivals>(scenario.arrivals).over_ticks, 5U);
  EXPECT_EQ(scenario.faults.first_response_lost->every, 3U);
  EXPECT_EQ(scenario.faults.first_response_lost->offset, 2U);
  EXPECT_EQ(scenario.faults.response_loss.millionths(), 250'000U);
  EXPECT_EQ(scenario.faults.request_loss.millionths(), 500'000U);
}

TEST(Scenario, IsReadWithItsServer) {
  const Server server = read(every_member()).server;
  EXPECT_EQ(server.capacity, 3U);
  EXPECT_EQ(server.capacity_window, 2U);
  EXPECT_EQ(server.service_ticks, 1U);
  EXPECT_EQ(server.concurrency, 6U);
  EXPECT_EQ(server.queue, 4U);
  EXPECT_EQ(server.discipline, Discipline::kLifo);
  EXPECT_TRUE(server.drop_abandoned);
  EXPECT_EQ(server.retry_after, 5U);
  EXPECT_EQ(server.tie_break, TieBreak::kRandom);
  ASSERT_EQ(server.outages.size(), 2U);
  EXPECT_EQ(server.outages[0].from, 0U);
  EXPECT_EQ(server.outages[0].ticks, 2U);
  EXPECT_EQ(server.outages[0].kind, OutageKind::kHang);
  EXPECT_TRUE(server.outages[0].loses_keys);
  EXPECT_EQ(server.outages[1].from, 7U);
  EXPECT_EQ(server.outages[1].ticks, 3U);
  EXPECT_EQ(server.outages[1].kind, OutageKind::kCrash);
  EXPECT_FALSE(server.outages[1].loses_keys);
  EXPECT_EQ(std::get<DeduplicationTtl>(server.deduplication).ticks, 7U);
}

TEST(Scenario, IsReadWithItsPolicies) {
  const Scenario scenario = read(every_member());
  ASSERT_EQ(scenario.policies.size(), 7U);
  const Policy& policy = scenario.policies[0];
  EXPECT_EQ(policy.name, "a");
  EXPECT_EQ(policy.description, "e");
  EXPECT_EQ(policy.attempts, 4U);
  EXPECT_EQ(policy.timeout, 3U);
  EXPECT_EQ(policy.max_delay, 12U);
  EXPECT_EQ(policy.deadline, 50U);
  EXPECT_EQ(policy.on_retry_after, OnRetryAfter::kAtLeast);
  EXPECT_EQ(scenario.policies[1].on_retry_after, OnRetryAfter::kReplace);
  EXPECT_EQ(scenario.policies[2].on_retry_after, OnRetryAfter::kIgnore);
  EXPECT_EQ(scenario.policies[6].name, "g");
}

TEST(Scenario, IsReadWithItsDelays) {
  const std::vector<Policy> policies = read(every_member()).policies;
  EXPECT_EQ(std::get<FixedDelay>(policies[0].delay).ticks, 4U);
  const auto exponential = std::get<ExponentialDelay>(policies[1].delay);
  EXPECT_EQ(exponential.base, 2U);
  EXPECT_EQ(exponential.multiplier.millionths(), 1'500'000U);
  EXPECT_EQ(exponential.cap, 16U);
  const auto linear = std::get<LinearDelay>(policies[2].delay);
  EXPECT_EQ(linear.base, 2U);
  EXPECT_EQ(linear.step, 3U);
  EXPECT_EQ(linear.cap, 16U);
  using Entries = std::vector<ListDelay::Entry>;
  EXPECT_EQ(std::get<ListDelay>(policies[3].delay).ticks, (Entries{1U, 2U}));
  const auto decorrelated = std::get<DecorrelatedDelay>(policies[4].delay);
  EXPECT_EQ(decorrelated.base, 2U);
  EXPECT_EQ(decorrelated.cap, 16U);
  EXPECT_EQ(std::get<ListDelay>(policies[5].delay).ticks, (Entries{4U, Interval{5, 6}}));
}

TEST(Scenario, IsReadWithItsJitter) {
  const std::vector<Policy> policies = read(every_member()).policies;
  EXPECT_TRUE(std::holds_alternative<FullJitter>(policies[0].jitter));
  EXPECT_EQ(std::get<ProportionalJitter>(policies[1].jitter).fraction.millionths(), 250'000U);
  EXPECT_EQ(std::get<ScaledJitter>(policies[2].jitter).from.millionths(), 500'000U);
  EXPECT_EQ(std::get<ScaledJitter>(policies[2].jitter).to.millionths(), 1'250'000U);
  EXPECT_TRUE(std::holds_alternative<EqualJitter>(policies[3].jitter));
  EXPECT_TRUE(std::holds_alternative<NoJitter>(policies[4].jitter));
  EXPECT_TRUE(std::holds_alternative<NoJitter>(policies[5].jitter));
  EXPECT_TRUE(std::holds_alternative<NoJitter>(policies[6].jitter));
}

TEST(Scenario, IsReadWithItsBudgetsAndBreakers) {
  const std::vector<Policy> policies = read(every_member()).policies;
  const auto tokens = std::get<TokenBudget>(*policies[0].budget);
  EXPECT_EQ(tokens.capacity.millionths(), 10'000'000U);
  EXPECT_EQ(tokens.initial.millionths(), 1'500'000U);
  EXPECT_EQ(tokens.tick_refill.millionths(), 500'000U);
  EXPECT_EQ(tokens.attempt_deposit.millionths(), 250'000U);
  EXPECT_EQ(tokens.success_deposit.millionths(), 750'000U);
  EXPECT_TRUE(tokens.refund);
  EXPECT_EQ(tokens.failure_cost.millionths(), 2'000'000U);
  EXPECT_EQ(tokens.retry_cost.millionths(), 3'000'000U);
  EXPECT_EQ(tokens.timeout_cost.millionths(), 4'000'000U);
  EXPECT_EQ(tokens.threshold->millionths(), 5'000'000U);
  const auto concurrent = std::get<ConcurrentBudget>(*policies[1].budget);
  EXPECT_EQ(concurrent.fraction.millionths(), 125'000U);
  EXPECT_EQ(concurrent.minimum, 6U);
  EXPECT_FALSE(policies[2].budget);
  const Breaker breaker = policies[0].breaker.value();
  EXPECT_EQ(breaker.window, 7U);
  EXPECT_EQ(breaker.failures, 5U);
  EXPECT_EQ(breaker.open_ticks, 9U);
  EXPECT_EQ(breaker.probes, 2U);
  EXPECT_FALSE(policies[1].breaker);
}

// The whole text, by hand: defaults filled in, members in the order of the page, nothing that was
// absent.
TEST(Scenario, IsWrittenWithDefaultsFilledIn) {
  const auto scenario = read_scenario(R"({
    "policies": [{"budget": {"capacity": 2.50, "kind": "tokens"},
                  "delay": {"cap": 9, "base": 1, "kind": "exponential"}, "attempts": 2, "name": "p"},
                 {"name": "q", "attempts": 1, "delay": {"kind": "decorrelated", "cap": 9, "base": 1}}],
    "server": {"capacity": 0, "outages": [{"ticks": 1, "from": 2}]}, "seed": 0, "horizon": 1,
    "clients": 1, "description": "", "retrygarden": 1})");
  ASSERT_TRUE(scenario) << to_string(scenario.error().front());
  EXPECT_EQ(write_scenario(*scenario), R"({
  "retrygarden": 1,
  "description": "",
  "clients": 1,
  "clients_per_host": 1,
  "horizon": 1,
  "seed": 0,
  "arrivals": {"kind": "burst", "at": 0},
  "server": {
    "capacity": 0,
    "capacity_window": 1,
    "service_ticks": 0,
    "queue": 0,
    "discipline": "fifo",
    "drop_abandoned": false,
    "retry_after": 0,
    "tie_break": "client",
    "outages": [{"from": 2, "ticks": 1, "kind": "refuse", "loses_keys": false}],
    "deduplication": {"kind": "none"}
  },
  "faults": {
    "response_loss": 0,
    "request_loss": 0
  },
  "policies": [
    {
      "name": "p",
      "attempts": 2,
      "timeout": 0,
      "delay": {"kind": "exponential", "base": 1, "multiplier": 2, "cap": 9},
      "jitter": {"kind": "none"},
      "on_retry_after": "ignore",
      "budget": {"kind": "tokens", "capacity": 2.5, "initial": 2.5, "tick_refill": 0, "attempt_deposit": 0, "success_deposit": 0, "refund": false, "failure_cost": 0, "retry_cost": 0, "timeout_cost": 0}
    },
    {
      "name": "q",
      "attempts": 1,
      "timeout": 0,
      "delay": {"kind": "decorrelated", "base": 1, "cap": 9},
      "on_retry_after": "ignore"
    }
  ]
})");
}

TEST(Scenario, WritesWhatItReads) {
  const std::string text = write_scenario(read(every_member()));
  EXPECT_EQ(ordered_json::parse(text).dump(2), every_member().dump(2));
  EXPECT_EQ(write_scenario(read_scenario(text).value()), text);
}

// Every kind of a member that every_member() has of another kind.
TEST(Scenario, WritesEveryKind) {
  const auto written = [](const std::string& pointer, const std::string& value) {
    const std::string text = write_scenario(read_scenario(text_with(pointer, value)).value());
    return ordered_json::parse(text)[Pointer(pointer)].dump();
  };
  for (const std::string arrivals :
       {R"({"kind":"burst","at":3})", R"({"kind":"random","over":3})"}) {
    EXPECT_EQ(written("/arrivals", arrivals), arrivals);
  }
  for (const std::string deduplication : {R"({"kind":"none"})", R"({"kind":"forever"})"}) {
    EXPECT_EQ(written("/server/deduplication", deduplication), deduplication);
  }
  for (const std::string kind : {R"("refuse")", R"("hang")", R"("crash")"}) {
    EXPECT_EQ(written("/server/outages/0/kind", kind), kind);
  }
  EXPECT_EQ(written("/server/discipline", R"("fifo")"), R"("fifo")");
  EXPECT_EQ(written("/server/tie_break", R"("client")"), R"("client")");
  EXPECT_EQ(written("/server/drop_abandoned", "false"), "false");
  EXPECT_EQ(written("/policies/0/budget/refund", "false"), "false");
  EXPECT_EQ(written("/server/outages", "[]"), "[]");
  const std::string entries = R"([[1,1],7,[2,1073741824]])";
  EXPECT_EQ(written("/policies/5/delay/ticks", entries), entries);
}

// Indented, but for the first line.
TEST(Scenario, IsWrittenWhereItStands) {
  Scenario scenario;
  scenario.policies = {{.name = "p", .delay = FixedDelay{3}}};
  const std::string text = write_scenario(scenario);
  std::string expected;
  for (const char c : text) {
    expected += c == '\n' ? std::string("\n    ") : std::string(1, c);
  }
  EXPECT_EQ(write_scenario(scenario, 4), expected);
}

// The least that can be said.
TEST(Scenario, FillsInDefaults) {
  const auto scenario = read_scenario(R"({"retrygarden": 1, "clients": 5, "horizon": 9, "seed": 3,
    "server": {"capacity": 2, "outages": [{"from": 1, "ticks": 2}]},
    "faults": {"first_response_lost": {"every": 2}},
    "policies": [{"name": "p", "attempts": 2, "delay": {"kind": "exponential", "base": 1, "cap": 9},
                  "budget": {"kind": "tokens", "capacity": 4, "retry_cost": 3}}]})");
  ASSERT_TRUE(scenario);
  EXPECT_EQ(scenario->schema, std::nullopt);
  EXPECT_EQ(scenario->name, std::nullopt);
  EXPECT_EQ(scenario->description, std::nullopt);
  EXPECT_EQ(scenario->tick, std::nullopt);
  EXPECT_EQ(scenario->clients_per_host, 1U);
  EXPECT_EQ(std::get<BurstArrivals>(scenario->arrivals).at, 0U);
  EXPECT_EQ(scenario->server.capacity_window, 1U);
  EXPECT_EQ(scenario->server.service_ticks, 0U);
  EXPECT_EQ(scenario->server.concurrency, std::nullopt);
  EXPECT_EQ(scenario->server.queue, 0U);
  EXPECT_EQ(scenario->server.discipline, Discipline::kFifo);
  EXPECT_FALSE(scenario->server.drop_abandoned);
  EXPECT_EQ(scenario->server.retry_after, 0U);
  EXPECT_EQ(scenario->server.tie_break, TieBreak::kClient);
  EXPECT_EQ(scenario->server.outages.at(0).kind, OutageKind::kRefuse);
  EXPECT_FALSE(scenario->server.outages.at(0).loses_keys);
  EXPECT_TRUE(std::holds_alternative<NoDeduplication>(scenario->server.deduplication));
  EXPECT_EQ(scenario->faults.first_response_lost->offset, 0U);
  EXPECT_EQ(scenario->faults.response_loss, Fraction());
  EXPECT_EQ(scenario->faults.request_loss, Fraction());
  const Policy& policy = scenario->policies.at(0);
  EXPECT_EQ(policy.description, std::nullopt);
  EXPECT_EQ(policy.timeout, 0U);
  EXPECT_EQ(std::get<ExponentialDelay>(policy.delay).multiplier.millionths(), 2'000'000U);
  EXPECT_TRUE(std::holds_alternative<NoJitter>(policy.jitter));
  EXPECT_EQ(policy.max_delay, std::nullopt);
  EXPECT_EQ(policy.deadline, std::nullopt);
  EXPECT_EQ(policy.on_retry_after, OnRetryAfter::kIgnore);
  EXPECT_FALSE(policy.breaker);
  const auto budget = std::get<TokenBudget>(policy.budget.value());
  EXPECT_EQ(budget.initial, budget.capacity);
  EXPECT_EQ(budget.tick_refill, Fraction());
  EXPECT_EQ(budget.attempt_deposit, Fraction());
  EXPECT_EQ(budget.success_deposit, Fraction());
  EXPECT_FALSE(budget.refund);
  EXPECT_EQ(budget.failure_cost, Fraction());
  EXPECT_EQ(budget.timeout_cost, budget.retry_cost);
  EXPECT_EQ(budget.threshold, std::nullopt);
}

TEST(Scenario, TokensCostNothingByDefault) {
  ordered_json json = every_member();
  json["policies"][0]["budget"] = {{"kind", "tokens"}, {"capacity", 4}};
  const auto budget = std::get<TokenBudget>(*read(json).policies[0].budget);
  EXPECT_EQ(budget.retry_cost, Fraction());
  EXPECT_EQ(budget.timeout_cost, Fraction());
}

TEST(Scenario, FillsInTheTickOfABurst) {
  ordered_json json = every_member();
  json["arrivals"] = {{"kind", "burst"}};
  EXPECT_EQ(std::get<BurstArrivals>(read(json).arrivals).at, 0U);
  json["arrivals"] = {{"at", 7}};
  EXPECT_EQ(std::get<BurstArrivals>(read(json).arrivals).at, 7U);
}

TEST(Scenario, TakesObjectsWithoutMembersForAbsentOnes) {
  ordered_json json = every_member();
  json["faults"] = ordered_json::object();
  json["arrivals"] = ordered_json::object();
  const auto written = ordered_json::parse(write_scenario(read(json)));
  EXPECT_EQ(written["faults"].dump(), R"({"response_loss":0,"request_loss":0})");
  EXPECT_EQ(written["arrivals"].dump(), R"({"kind":"burst","at":0})");
}

TEST(Scenario, KeepsNamesAsGiven) {
  ordered_json json = every_member();
  json["name"] = "quotes \" and \\, Grüße, \n, \u0001";
  json["$schema"] = "scenario.schema.json";
  const Scenario scenario = read(json);
  EXPECT_EQ(scenario.name, json["name"].get<std::string>());
  EXPECT_EQ(scenario.schema, "scenario.schema.json");
  EXPECT_EQ(ordered_json::parse(write_scenario(scenario))["name"], json["name"]);
}

// What a program leaves out has the default of the page, or the least that is allowed.
TEST(Scenario, PutTogetherByHandHasTheDefaultsOfThePage) {
  Scenario scenario;
  scenario.server.outages = {Outage{}};
  scenario.policies = {{.name = "p", .breaker = Breaker{}},
                       {.name = "q", .delay = LinearDelay{}},
                       {.name = "r", .delay = ExponentialDelay{}},
                       {.name = "s", .delay = DecorrelatedDelay{}},
                       {.name = "t", .delay = ListDelay{{Interval{}}}},
                       {.name = "u", .budget = TokenBudget{}},
                       {.name = "v", .budget = ConcurrentBudget{}}};
  EXPECT_EQ(ordered_json::parse(write_scenario(scenario)), ordered_json::parse(R"({
    "retrygarden": 1, "clients": 1, "clients_per_host": 1, "horizon": 1, "seed": 0,
    "arrivals": {"kind": "burst", "at": 0},
    "server": {"capacity": 0, "capacity_window": 1, "service_ticks": 0, "queue": 0,
               "discipline": "fifo", "drop_abandoned": false, "retry_after": 0, "tie_break": "client",
               "outages": [{"from": 0, "ticks": 1, "kind": "refuse", "loses_keys": false}],
               "deduplication": {"kind": "none"}},
    "faults": {"response_loss": 0, "request_loss": 0},
    "policies": [
      {"name": "p", "attempts": 1, "timeout": 0, "delay": {"kind": "fixed", "ticks": 1},
       "jitter": {"kind": "none"}, "on_retry_after": "ignore",
       "breaker": {"window": 1, "failures": 1, "open_ticks": 1, "probes": 1}},
      {"name": "q", "attempts": 1, "timeout": 0, "delay": {"kind": "linear", "base": 1, "step": 0, "cap": 1},
       "jitter": {"kind": "none"}, "on_retry_after": "ignore"},
      {"name": "r", "attempts": 1, "timeout": 0,
       "delay": {"kind": "exponential", "base": 1, "multiplier": 2, "cap": 1},
       "jitter": {"kind": "none"}, "on_retry_after": "ignore"},
      {"name": "s", "attempts": 1, "timeout": 0, "delay": {"kind": "decorrelated", "base": 1, "cap": 1},
       "on_retry_after": "ignore"},
      {"name": "t", "attempts": 1, "timeout": 0, "delay": {"kind": "list", "ticks": [[1, 1]]},
       "on_retry_after": "ignore"},
      {"name": "u", "attempts": 1, "timeout": 0, "delay": {"kind": "fixed", "ticks": 1},
       "jitter": {"kind": "none"}, "on_retry_after": "ignore",
       "budget": {"kind": "tokens", "capacity": 0, "initial": 0, "tick_refill": 0, "attempt_deposit": 0,
                  "success_deposit": 0, "refund": false, "failure_cost": 0, "retry_cost": 0,
                  "timeout_cost": 0}},
      {"name": "v", "attempts": 1, "timeout": 0, "delay": {"kind": "fixed", "ticks": 1},
       "jitter": {"kind": "none"}, "on_retry_after": "ignore",
       "budget": {"kind": "concurrent", "fraction": 0, "minimum": 0}}]
  })"));
  EXPECT_EQ(SpreadArrivals{}.over_ticks, 1U);
  EXPECT_EQ(RandomArrivals{}.over_ticks, 1U);
  EXPECT_EQ(DeduplicationTtl{}.ticks, 1U);
  EXPECT_EQ(FirstResponseLost{}.every, 1U);
  EXPECT_EQ(FirstResponseLost{}.offset, 0U);
}

TEST(Scenario, PutTogetherByHandIsCheckedByReadingWhatItWrites) {
  Scenario scenario;
  scenario.policies = {
      {.name = "p", .attempts = 3, .delay = ExponentialDelay{.base = 2, .cap = 16}}};
  EXPECT_TRUE(read_scenario(write_scenario(scenario)));
  scenario.policies[0].delay = ListDelay{{3U, Interval{1, 2}}};
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

TEST(Scenario, TextThatIsNoJsonIsASyntaxFault) {
  const auto scenario = read_scenario("{");
  ASSERT_FALSE(scenario);
  ASSERT_EQ(scenario.error().size(), 1U);
  EXPECT_TRUE(scenario.error().front().position);
}

TEST(Scenario, HasASchemaOfItsMembers) {
  const auto schema = ordered_json::parse(scenario_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  const ordered_json members = every_member();
  for (const auto& [name, value] : members.items()) {
    EXPECT_TRUE(schema["properties"].contains(name)) << name;
  }
}

}  // namespace
}  // namespace retrygarden::test
