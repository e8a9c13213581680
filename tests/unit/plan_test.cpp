// What a plan holds: windows of outages, arrivals, and whether its run needs phases
// (docs/model.md, sections 2 to 4). delays_test.cpp has its intervals of delays.
#include "retrygarden/plan.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

constexpr std::uint32_t kLongest = 2147483647;
constexpr ServerState kRefusing = ServerState::kRefusing;
constexpr ServerState kHanging = ServerState::kHanging;

Outage outage(Tick from, std::uint32_t ticks, OutageKind kind = OutageKind::kRefuse) {
  return {.from = from, .ticks = ticks, .kind = kind};
}
Outage hang(Tick from, std::uint32_t ticks) {
  return outage(from, ticks, OutageKind::kHang);
}
Outage crash(Tick from, std::uint32_t ticks) {
  return outage(from, ticks, OutageKind::kCrash);
}

Plan plan_with(std::vector<Outage> outages, std::uint32_t horizon = 100) {
  Scenario example = scenario(1, horizon, 0, 1, FixedDelay{1});
  example.server.outages = std::move(outages);
  return make_plan(example, 0);
}

using Windows = std::vector<OutageWindow>;
using Ticks = std::vector<Tick>;

Windows windows(std::vector<Outage> outages) {
  return plan_with(std::move(outages)).outages;
}

TEST(Plan, TakesWhatTheScenarioAndThePolicySay) {
  Scenario example = scenario(10, 11, 12, 13, FixedDelay{14}, 15);
  example.clients_per_host = 3;
  example.seed = 16;
  example.arrivals = BurstArrivals{2};
  example.server.queue = 17;
  example.faults.request_loss = fraction("0.5");
  example.policies.push_back({.name = "other",
                              .attempts = 18,
                              .timeout = 19,
                              .delay = DecorrelatedDelay{20, 21},
                              .max_delay = 22,
                              .deadline = 23,
                              .on_retry_after = OnRetryAfter::kReplace,
                              .budget = ConcurrentBudget{Fraction(), 24},
                              .breaker = Breaker{.window = 25}});
  const Plan first = make_plan(example, 0);
  EXPECT_EQ(first.clients, 10U);
  EXPECT_EQ(first.clients_per_host, 3U);
  EXPECT_EQ(first.horizon, 11U);
  EXPECT_EQ(first.seed, 16U);
  EXPECT_EQ(std::get<BurstArrivals>(first.arrivals).at, 2U);
  EXPECT_EQ(first.server.capacity, 12U);
  EXPECT_EQ(first.server.queue, 17U);
  EXPECT_EQ(first.faults.request_loss, fraction("0.5"));
  EXPECT_EQ(first.attempts, 13U);
  EXPECT_EQ(first.timeout, 15U);
  EXPECT_EQ(std::get<DelayTable>(first.delay).after(1), (Interval{14, 14}));
  EXPECT_EQ(first.max_delay, 4294967295U);
  EXPECT_EQ(first.deadline, std::nullopt);
  EXPECT_EQ(first.on_retry_after, OnRetryAfter::kIgnore);
  EXPECT_FALSE(first.budget);
  EXPECT_FALSE(first.breaker);
  const Plan second = make_plan(example, 1);
  EXPECT_EQ(second.attempts, 18U);
  EXPECT_EQ(second.timeout, 19U);
  EXPECT_EQ(std::get<DecorrelatedDelay>(second.delay).base, 20U);
  EXPECT_EQ(std::get<DecorrelatedDelay>(second.delay).cap, 21U);
  EXPECT_EQ(second.max_delay, 22U);
  EXPECT_EQ(second.deadline, 23U);
  EXPECT_EQ(second.on_retry_after, OnRetryAfter::kReplace);
  EXPECT_EQ(std::get<ConcurrentBudget>(*second.budget).minimum, 24U);
  EXPECT_EQ(second.breaker->window, 25U);
}

TEST(Plan, OutagesBecomeWindowsThatAreApart) {
  EXPECT_EQ(windows({}), Windows{});
  EXPECT_EQ(windows({outage(3, 2)}), (Windows{{3, 5, kRefusing, 5}}));
  EXPECT_EQ(windows({outage(7, 1), outage(3, 2)}),
            (Windows{{3, 5, kRefusing, 5}, {7, 8, kRefusing, 8}}));
  EXPECT_EQ(windows({outage(0, 1), hang(2, 1)}),
            (Windows{{0, 1, kRefusing, 1}, {2, 3, kHanging, 3}}));
}

TEST(Plan, OutagesThatOverlapOrTouchBecomeOneWindow) {
  EXPECT_EQ(windows({outage(3, 2), outage(5, 2)}), (Windows{{3, 7, kRefusing, 7}}));
  EXPECT_EQ(windows({outage(3, 4), outage(5, 5)}), (Windows{{3, 10, kRefusing, 10}}));
  EXPECT_EQ(windows({outage(3, 9), crash(5, 2)}), (Windows{{3, 12, kRefusing, 12}}));
  EXPECT_EQ(windows({outage(3, 2), outage(3, 2), crash(3, 1)}), (Windows{{3, 5, kRefusing, 5}}));
  EXPECT_EQ(windows({hang(3, 2), hang(5, 1), hang(4, 4)}), (Windows{{3, 8, kHanging, 8}}));
}

// Where the state changes a window ends; all that touch are over together.
TEST(Plan, RefusingGoesBeforeHanging) {
  EXPECT_EQ(windows({outage(3, 2), hang(5, 2)}),
            (Windows{{3, 5, kRefusing, 7}, {5, 7, kHanging, 7}}));
  EXPECT_EQ(windows({hang(3, 6), crash(5, 2)}),
            (Windows{{3, 5, kHanging, 9}, {5, 7, kRefusing, 9}, {7, 9, kHanging, 9}}));
  EXPECT_EQ(windows({hang(3, 2), outage(3, 2)}), (Windows{{3, 5, kRefusing, 5}}));
  EXPECT_EQ(windows({hang(3, 4), outage(3, 2), hang(20, 1)}),
            (Windows{{3, 5, kRefusing, 7}, {5, 7, kHanging, 7}, {20, 21, kHanging, 21}}));
}

TEST(Plan, OutagesMayReachUpToTwoToThe32) {
  EXPECT_EQ(windows({outage(kLongest, kLongest), hang(0, kLongest)}),
            (Windows{{0, kLongest, kHanging, 4294967294U},
                     {kLongest, 4294967294U, kRefusing, 4294967294U}}));
}

TEST(Plan, AWindowCoversNothingAtFirst) {
  EXPECT_EQ(OutageWindow{}, (OutageWindow{0, 0, kRefusing, 0}));
}

TEST(Plan, CrashesAndKeyLossesAreTheFirstTicksOfTheirOutages) {
  Outage loses_keys = outage(40, 9);
  loses_keys.loses_keys = true;
  Outage both = crash(6, 2);
  both.loses_keys = true;
  const Plan plan = plan_with({crash(30, 9), loses_keys, both, outage(1, 1), crash(30, 2), both});
  EXPECT_EQ(plan.crashes, (Ticks{6, 30}));
  EXPECT_EQ(plan.key_losses, (Ticks{6, 40}));
}

TEST(Plan, CrashesAndKeyLossesAtTheHorizonAreLeftOut) {
  Outage both = crash(6, 2);
  both.loses_keys = true;
  EXPECT_EQ(plan_with({both}, 7).crashes, Ticks{6});
  EXPECT_EQ(plan_with({both}, 7).key_losses, Ticks{6});
  EXPECT_EQ(plan_with({both}, 6).crashes, Ticks{});
  EXPECT_EQ(plan_with({both}, 6).key_losses, Ticks{});
}

TEST(Plan, HostsHaveClientsInARow) {
  Scenario example = scenario(7, 9, 0, 1, FixedDelay{1});
  EXPECT_EQ(make_plan(example, 0).hosts(), 7U);
  example.clients_per_host = 3;
  const Plan plan = make_plan(example, 0);
  EXPECT_EQ(plan.hosts(), 3U);
  EXPECT_EQ(plan.host_of(0), 0U);
  EXPECT_EQ(plan.host_of(2), 0U);
  EXPECT_EQ(plan.host_of(3), 1U);
  EXPECT_EQ(plan.host_of(6), 2U);
  example.clients = 6;
  EXPECT_EQ(make_plan(example, 0).hosts(), 2U);
  example.clients = example.clients_per_host = 4294967295;
  EXPECT_EQ(make_plan(example, 0).hosts(), 1U);
  example.clients_per_host = 1;
  EXPECT_EQ(make_plan(example, 0).hosts(), 4294967295U);
}

std::vector<Tick> arrivals(const Scenario& scenario) {
  const Plan plan = make_plan(scenario, 0);
  std::vector<Tick> ticks;
  for (Client client = 0; client < plan.clients; ++client) {
    ticks.push_back(arrival_tick(plan, client));
  }
  return ticks;
}

TEST(Plan, ABurstArrivesInItsTick) {
  Scenario example = scenario(3, 9, 0, 1, FixedDelay{1});
  EXPECT_EQ(arrivals(example), (Ticks{0, 0, 0}));
  example.arrivals = BurstArrivals{8};
  EXPECT_EQ(arrivals(example), (Ticks{8, 8, 8}));
}

// floor(n·T / clients).
TEST(Plan, SpreadArrivalsRoundDown) {
  Scenario example = scenario(4, 9, 0, 1, FixedDelay{1});
  example.arrivals = SpreadArrivals{1};
  EXPECT_EQ(arrivals(example), (Ticks{0, 0, 0, 0}));
  example.arrivals = SpreadArrivals{7};
  EXPECT_EQ(arrivals(example), (Ticks{0, 1, 3, 5}));
  example.arrivals = SpreadArrivals{9};
  EXPECT_EQ(arrivals(example), (Ticks{0, 2, 4, 6}));
}

// One tick a client, so that the ticks are the ranks. Hosts are 0 1 2 | 3 4 5 | 6 7, then
// 0 1 2 3 | 4; sorted by place and host that is 0 3 6 1 4 7 2 5, then 0 4 1 2 3.
TEST(Plan, SpreadArrivalsInterleaveHosts) {
  const auto ranks = [](std::uint32_t clients, std::uint32_t clients_per_host) {
    Scenario example = scenario(clients, clients, 0, 1, FixedDelay{1});
    example.clients_per_host = clients_per_host;
    example.arrivals = SpreadArrivals{clients};
    return arrivals(example);
  };
  EXPECT_EQ(ranks(8, 3), (Ticks{0, 3, 6, 1, 4, 7, 2, 5}));
  EXPECT_EQ(ranks(5, 4), (Ticks{0, 2, 3, 4, 1}));
  EXPECT_EQ(ranks(6, 2), (Ticks{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(ranks(3, 1), (Ticks{0, 1, 2}));
  EXPECT_EQ(ranks(3, 3), (Ticks{0, 1, 2}));
  EXPECT_EQ(ranks(3, 4294967295), (Ticks{0, 1, 2}));
}

TEST(Plan, SpreadArrivalsOfTheLargestNumbersDoNotOverflow) {
  Scenario example = scenario(4294967295, kLongest, 1, 1, FixedDelay{1});
  example.arrivals = SpreadArrivals{kLongest};
  const Plan plan = make_plan(example, 0);
  EXPECT_EQ(arrival_tick(plan, 0), 0U);
  EXPECT_EQ(arrival_tick(plan, 4294967294), 2147483646U);  // floor(T - T/n)
  // Hosts of 2: the last client is the first of the last host, number 2^31 - 1 among the firsts.
  example.clients_per_host = 2;
  EXPECT_EQ(arrival_tick(make_plan(example, 0), 4294967294), 1073741823U);
  EXPECT_EQ(arrival_tick(make_plan(example, 0), 4294967293), 2147483646U);
}

// Draws from [0, 9] with seed 7, purpose 3 and index 0, worked out from the page in another
// language.
TEST(Plan, RandomArrivalsAreDraws) {
  Scenario example = scenario(4, 10, 0, 1, FixedDelay{1});
  example.seed = 7;
  example.arrivals = RandomArrivals{10};
  EXPECT_EQ(arrivals(example), (Ticks{5, 7, 0, 2}));
  example.arrivals = RandomArrivals{1};
  EXPECT_EQ(arrivals(example), (Ticks{0, 0, 0, 0}));
}

// With all that attempts can go through in their tick.
Scenario without_phases() {
  Scenario example = scenario(4, 99, 2, 9, FixedDelay{1});
  example.clients_per_host = 2;
  example.server.concurrency = 1;
  example.server.drop_abandoned = true;
  example.server.discipline = Discipline::kLifo;
  example.server.retry_after = 5;
  example.server.outages = {outage(3, 2), crash(8, 2)};
  example.server.deduplication = DeduplicationTtl{4};
  example.faults.first_response_lost = {2, 0};
  example.policies[0].max_delay = 3;
  return example;
}

TEST(Plan, NeedsNoPhasesWhereAttemptsEndInTheirTick) {
  EXPECT_FALSE(make_plan(scenario(1, 9, 0, 1, FixedDelay{1}), 0).needs_phases());
  EXPECT_FALSE(make_plan(without_phases(), 0).needs_phases());
  Scenario no_hint = without_phases();
  no_hint.server.retry_after = 0;
  no_hint.policies[0].on_retry_after = OnRetryAfter::kReplace;
  EXPECT_FALSE(make_plan(no_hint, 0).needs_phases());
}

// Each of these alone.
TEST(Plan, NeedsPhasesWhereAttemptsDoNotEndInTheirTickOrDependOnOthers) {
  const auto needs = [](const std::function<void(Scenario&, Policy&)>& change) {
    Scenario example = without_phases();
    change(example, example.policies[0]);
    return make_plan(example, 0).needs_phases();
  };
  EXPECT_TRUE(needs([](Scenario& s, Policy&) { s.server.service_ticks = 1; }));
  EXPECT_TRUE(needs([](Scenario& s, Policy&) { s.server.queue = 1; }));
  EXPECT_TRUE(needs([](Scenario& s, Policy&) { s.server.capacity_window = 2; }));
  EXPECT_TRUE(needs([](Scenario& s, Policy&) { s.server.tie_break = TieBreak::kRandom; }));
  EXPECT_TRUE(needs([](Scenario& s, Policy&) { s.server.outages[0].kind = OutageKind::kHang; }));
  EXPECT_TRUE(needs([](Scenario& s, Policy&) { s.server.outages[1].loses_keys = true; }));
  EXPECT_TRUE(needs([](Scenario& s, Policy&) { s.faults.response_loss = fraction("0.000001"); }));
  EXPECT_TRUE(needs([](Scenario& s, Policy&) { s.faults.request_loss = fraction("0.000001"); }));
  EXPECT_TRUE(needs([](Scenario&, Policy& p) { p.timeout = 1; }));
  EXPECT_TRUE(needs([](Scenario&, Policy& p) { p.deadline = 0; }));
  EXPECT_TRUE(needs([](Scenario&, Policy& p) { p.on_retry_after = OnRetryAfter::kAtLeast; }));
  EXPECT_TRUE(needs([](Scenario&, Policy& p) { p.on_retry_after = OnRetryAfter::kReplace; }));
  EXPECT_TRUE(needs([](Scenario&, Policy& p) { p.budget = ConcurrentBudget{}; }));
  EXPECT_TRUE(needs([](Scenario&, Policy& p) { p.budget = TokenBudget{}; }));
  EXPECT_TRUE(needs([](Scenario&, Policy& p) { p.breaker = Breaker{}; }));
}

TEST(Plan, CannotBeSharedWhereTiesAreBrokenByRandomWords) {
  Scenario example = without_phases();
  EXPECT_TRUE(make_plan(example, 0).can_be_shared());
  example.server.tie_break = TieBreak::kRandom;
  EXPECT_FALSE(make_plan(example, 0).can_be_shared());
}

}  // namespace
}  // namespace retrygarden::test
