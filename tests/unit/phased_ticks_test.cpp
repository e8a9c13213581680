// Runs of many clients whose ticks have phases, spread in several ways over shards, threads and
// processes: in each way what one shard gives, and the sum of what the attempts say one by one.
#include "phased_ticks.h"

#include <gtest/gtest.h>

#include "support/documents.h"
#include "support/runs.h"
#include "support/thread_peers.h"

namespace retrygarden::test {
namespace {

// Enough for several threads in a tick.
constexpr std::uint32_t kClients = 40'000;

struct Outcomes {
  Summary summary;
  std::vector<TickLoad> loads;
  std::vector<Attempt> attempts;

  bool operator==(const Outcomes&) const = default;
};

Outcomes counted(const Plan& plan, const Workers& workers) {
  Outcomes result;
  result.summary = run(
      plan, {.tick_load = [&](const TickLoad& load) { result.loads.push_back(load); }}, workers);
  return result;
}

Outcomes recorded(const Plan& plan, const Workers& workers) {
  Outcomes result;
  const Observers observers{
      .tick_load = [&](const TickLoad& load) { result.loads.push_back(load); },
      .attempt = [&](const Attempt& attempt) { result.attempts.push_back(attempt); }};
  result.summary = run(plan, observers, workers);
  return result;
}

Outcomes without_attempts(Outcomes run) {
  run.attempts.clear();
  return run;
}

// A queue that fills up, a hang, timeouts, and server work for clients that have gone.
Scenario storm() {
  Scenario storm =
      scenario(kClients, 120, kClients / 20, 6, ExponentialDelay{.base = 2, .cap = 16});
  storm.arrivals = SpreadArrivals{40};
  storm.server.service_ticks = 2;
  storm.server.concurrency = kClients / 8;
  storm.server.queue = kClients / 2;
  storm.server.outages = {{.from = 10, .ticks = 8, .kind = OutageKind::kHang}};
  storm.policies[0].timeout = 5;
  storm.policies[0].jitter = FullJitter{};
  return storm;
}

std::vector<Scenario> examples() {
  Scenario lifo = storm();
  lifo.server.discipline = Discipline::kLifo;
  lifo.server.drop_abandoned = true;
  lifo.server.capacity_window = 3;
  Scenario dropping = storm();
  dropping.server.drop_abandoned = true;
  Scenario crash = storm();
  crash.server.outages.push_back(
      {.from = 30, .ticks = 4, .kind = OutageKind::kCrash, .loses_keys = true});
  crash.server.deduplication = DeduplicationForever{};
  crash.faults.response_loss = fraction("0.2");
  Scenario hosts = storm();
  hosts.clients_per_host = 700;
  hosts.faults.request_loss = fraction("0.1");
  hosts.policies[0].breaker = Breaker{.window = 50, .failures = 25, .open_ticks = 4, .probes = 3};
  TokenBudget tokens;
  tokens.capacity = tokens.initial = fraction("60");
  tokens.success_deposit = fraction("0.1");
  tokens.refund = true;
  tokens.retry_cost = tokens.timeout_cost = fraction("1");
  hosts.policies[0].budget = tokens;
  Scenario refused = storm();
  refused.server.queue = 0;
  refused.server.retry_after = 9;
  refused.server.outages[0].kind = OutageKind::kRefuse;
  refused.policies[0].on_retry_after = OnRetryAfter::kAtLeast;
  refused.policies[0].deadline = 50;
  refused.clients_per_host = 1000;
  refused.policies[0].budget = ConcurrentBudget{fraction("0.2"), 3};
  Scenario ties = storm();
  ties.server.tie_break = TieBreak::kRandom;
  Scenario decorrelated = storm();
  decorrelated.policies[0].delay = DecorrelatedDelay{2, 30};
  decorrelated.policies[0].jitter = NoJitter{};
  return {storm(), lifo, dropping, crash, hosts, refused, ties, decorrelated};
}

TEST(PhasedTicks, DoNotDependOnShardsOrThreads) {
  for (const Scenario& example : examples()) {
    const Plan plan = make_plan(example, 0);
    ASSERT_TRUE(plan.needs_phases());
    const Outcomes expected = recorded(plan, {});
    EXPECT_GT(expected.attempts.size(), kClients);
    EXPECT_EQ(expected.summary.attempts, expected.attempts.size());
    EXPECT_EQ(counted(plan, {}), without_attempts(expected));
    for (const Workers& workers : {Workers{2, 1'000}, Workers{2, 30'000}, Workers{3, 9'999}}) {
      EXPECT_EQ(recorded(plan, workers), expected);
      EXPECT_EQ(counted(plan, workers), without_attempts(expected));
    }
  }
}

TEST(PhasedTicks, DoNotDependOnProcesses) {
  for (const Scenario& example : examples()) {
    const Plan plan = make_plan(example, 0);
    if (!plan.can_be_shared()) {
      continue;
    }
    const Outcomes expected = recorded(plan, {});
    for (const std::uint32_t processes : {1U, 2U, 3U, 4U}) {
      for_each_of_team(processes, [&](Peers& peers) {
        const Workers workers{.threads = 2, .clients_per_shard = 6'000, .peers = &peers};
        const Outcomes by_records = recorded(plan, workers);
        const Outcomes by_count = counted(plan, workers);
        if (peers.is_first()) {
          EXPECT_EQ(by_records, expected);
          EXPECT_EQ(by_count, without_attempts(expected));
        } else {
          EXPECT_EQ(by_records, (Outcomes{expected.summary, {}, {}}));
          EXPECT_EQ(by_count, (Outcomes{expected.summary, {}, {}}));
        }
      });
    }
  }
}

// Some of the processes have no client at all.
TEST(PhasedTicks, MayHaveMoreProcessesThanHosts) {
  Scenario example = scenario(6, 30, 1, 3, ListDelay{{{Interval{1, 5}}}});
  example.clients_per_host = 4;
  example.server.queue = 2;
  example.policies[0].timeout = 2;
  example.policies[0].budget = ConcurrentBudget{fraction("0.5"), 1};
  EXPECT_EQ(export_text_of_team(example, 4), export_text(example));
}

TEST(PhasedTicks, HaveShardsOfWholeHostsWhereTheyShareSomething) {
  const auto shards = [](const Scenario& example, std::uint32_t clients_per_shard,
                         unsigned threads = 8) {
    return PhasedTicks<SeededDraws, false>::shard_count(
        make_plan(example, 0), example.clients,
        {.threads = threads, .clients_per_shard = clients_per_shard});
  };
  Scenario example = scenario(100, 9, 0, 1, FixedDelay{1});
  example.clients_per_host = 30;
  EXPECT_EQ(shards(example, 10), 10U);
  EXPECT_EQ(shards(example, 10, 3), 6U);
  EXPECT_EQ(shards(example, 10, 1), 1U);
  example.policies[0].budget = ConcurrentBudget{};
  EXPECT_EQ(shards(example, 10), 4U);
  EXPECT_EQ(shards(example, 50), 2U);
  example.policies[0].budget.reset();
  example.policies[0].breaker = Breaker{};
  EXPECT_EQ(shards(example, 10), 4U);
  example.policies[0].breaker.reset();
  example.server.tie_break = TieBreak::kRandom;
  EXPECT_EQ(shards(example, 10), 1U);
}

}  // namespace
}  // namespace retrygarden::test
