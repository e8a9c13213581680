// Runs of many clients, spread in several ways over shards and threads: in each way the sum of what
// the attempts say one by one.
#include "short_ticks.h"

#include <gtest/gtest.h>

#include <tuple>

#include "support/documents.h"
#include "support/runs.h"
#include "support/thread_peers.h"

namespace retrygarden::test {
namespace {

// Enough for several blocks of a slot, several clients in a bin, and several threads in a tick.
constexpr std::uint32_t kClients = 60'000;

struct Totals {
  Summary summary;
  std::vector<TickLoad> loads;

  bool operator==(const Totals&) const = default;
};

Totals counted(const Plan& plan, const Workers& workers) {
  Totals result;
  result.summary = run(
      plan, {.tick_load = [&](const TickLoad& load) { result.loads.push_back(load); }}, workers);
  return result;
}

// The same from the records of attempts, each of which is decided by itself.
Totals added_up(const Plan& plan, const Workers& workers) {
  Totals result;
  std::tuple<Tick, Client> last{0, 0};
  const auto add = [&](const Attempt& attempt) {
    EXPECT_TRUE(result.loads.empty() || last < std::tuple(attempt.tick, attempt.client));
    last = {attempt.tick, attempt.client};
    if (result.loads.empty() || result.loads.back().tick != attempt.tick) {
      result.loads.push_back({.tick = attempt.tick});
    }
    TickLoad& load = result.loads.back();
    ++load.attempts;
    load.accepted += attempt.outcome == Outcome::kAccepted ? 1 : 0;
    load.overloaded += attempt.outcome == Outcome::kOverloaded ? 1 : 0;
    load.unavailable += attempt.outcome == Outcome::kUnavailable ? 1 : 0;
    load.started += attempt.started_tick ? 1 : 0;
    const bool has_effect =
        attempt.effect == Effect::kApplied || attempt.effect == Effect::kDuplicate;
    load.effects += has_effect ? 1 : 0;
    load.acknowledged += attempt.response == Response::kAcknowledged ? 1 : 0;
  };
  result.summary = run(plan, {.attempt = add}, workers);
  return result;
}

std::vector<Scenario> examples() {
  // Ranges, cut by capacity, and the clients among them that lose a response.
  Scenario fixed = scenario(kClients, 80, kClients * 3 / 8, 4, FixedDelay{4});
  fixed.server.outages = {{.from = 0, .ticks = 2}};
  fixed.faults.first_response_lost = {3, 1};
  Scenario jitter = fixed;
  jitter.policies[0].delay = ExponentialDelay{.base = 2, .cap = 16};
  jitter.policies[0].jitter = FullJitter{};
  Scenario suppressed = jitter;
  suppressed.server.deduplication = DeduplicationTtl{3};
  suppressed.arrivals = SpreadArrivals{7};
  Scenario everybody = fixed;
  everybody.faults.first_response_lost = {1, 0};
  everybody.server.deduplication = DeduplicationForever{};
  Scenario random = jitter;
  random.arrivals = RandomArrivals{20};
  random.server.capacity = 1'000;
  random.policies[0].attempts = 30;
  Scenario decorrelated = scenario(kClients, 900, 500, 9, DecorrelatedDelay{3, 300});
  decorrelated.policies[0].max_delay = 270;
  Scenario hosts = jitter;
  hosts.arrivals = SpreadArrivals{11};
  hosts.clients_per_host = 700;
  Scenario long_waits = scenario(kClients, 400'000, 20'000, 9, FixedDelay{100'000});
  long_waits.arrivals = SpreadArrivals{5};
  long_waits.policies[0].delay = ListDelay{{70'000U, Interval{40'000, 90'000}}};
  Scenario trickle = scenario(kClients, 70'000, 1, 3, FixedDelay{10'000});
  trickle.arrivals = SpreadArrivals{50'000};
  Scenario wide = scenario(kClients, 2147483647, 0, 3, ListDelay{{{Interval{1, 1U << 30}}}});
  return {fixed,        jitter, suppressed, everybody, random,
          decorrelated, hosts,  long_waits, trickle,   wide};
}

TEST(ShortTicks, DoNotDependOnShardsThreadsOrWhoLooks) {
  for (const Scenario& example : examples()) {
    const Plan plan = make_plan(example, 0);
    ASSERT_FALSE(plan.needs_phases());
    const Totals expected = added_up(plan, {});
    EXPECT_GE(expected.summary.attempts, kClients);
    for (const Workers& workers :
         {Workers{}, Workers{1, 7'000}, Workers{2, 1'000}, Workers{3, 9'999}}) {
      EXPECT_EQ(counted(plan, workers), expected);
      EXPECT_EQ(added_up(plan, workers), expected);
    }
  }
}

TEST(ShortTicks, DoNotDependOnProcesses) {
  for (const Scenario& example : examples()) {
    const Plan plan = make_plan(example, 0);
    const Totals expected = added_up(plan, {});
    if (expected.loads.size() > 1'000) {
      continue;  // threads that play processes meet slowly, and they do in each tick
    }
    for (const std::uint32_t processes : {1U, 2U, 3U, 4U}) {
      for_each_of_team(processes, [&](Peers& peers) {
        const Workers workers{.clients_per_shard = 10'000, .peers = &peers};
        const Totals by_count = counted(plan, workers);
        const Totals by_records = added_up(plan, workers);
        EXPECT_EQ(by_count.summary, expected.summary);
        EXPECT_EQ(by_records.summary, expected.summary);
        EXPECT_EQ(by_count.loads, peers.is_first() ? expected.loads : std::vector<TickLoad>{});
        EXPECT_EQ(by_records.loads, peers.is_first() ? expected.loads : std::vector<TickLoad>{});
      });
    }
  }
}

// Some of the processes have no client at all.
TEST(ShortTicks, MayHaveMoreProcessesThanClients) {
  Scenario example = scenario(2, 30, 1, 3, ListDelay{{{Interval{1, 5}}}});
  example.faults.first_response_lost = {2, 0};
  EXPECT_EQ(export_text_of_team(example, 4), export_text(example));
}

TEST(ShortTicks, HaveShardsOfAtLeastSoManyClientsAndNotTooMany) {
  const auto shards = [](std::uint64_t clients, std::uint32_t clients_per_shard) {
    return ShortTicks<SeededDraws, false>::shard_count(clients,
                                                       {.clients_per_shard = clients_per_shard});
  };
  EXPECT_EQ(shards(0, 1), 0U);
  EXPECT_EQ(shards(1, 1), 1U);
  EXPECT_EQ(shards(10, 5), 2U);
  EXPECT_EQ(shards(11, 5), 3U);
  EXPECT_EQ(shards(256, 1), 256U);
  EXPECT_EQ(shards(4294967295, 1), 256U);
  EXPECT_EQ(shards(4294967295, 4294967295), 1U);
}

}  // namespace
}  // namespace retrygarden::test
