// The breakers of hosts by themselves: docs/model.md, section 12.
#include "circuit_breakers.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

constexpr Tick kLastTick = 2147483646;

Hosts hosts_of(const Plan& plan) {
  return {plan, {0, plan.clients}};
}

Plan plan_with(std::optional<Breaker> breaker, std::uint32_t clients = 9,
               std::uint32_t clients_per_host = 9) {
  Scenario example = scenario(clients, 9, 0, 9, FixedDelay{1});
  example.clients_per_host = clients_per_host;
  example.policies[0].breaker = breaker;
  return make_plan(example, 0);
}

// One host with a breaker, and its clients' attempts and results.
struct Host {
  explicit Host(Breaker breaker) : plan(plan_with(breaker)), breakers(plan, hosts_of(plan)) {}

  bool sends(Tick tick, Client client) { return breakers.lets_through(tick, client); }
  void succeeds(Tick tick, Client client) {
    EXPECT_TRUE(sends(tick, client)) << tick;
    breakers.succeeded(client);
  }
  void fails(Tick tick, Client client) {
    EXPECT_TRUE(sends(tick, client)) << tick;
    breakers.failed(tick, client);
  }
  // Results of client 0 in the ticks from `tick` on: S and F.
  void results(Tick tick, std::string_view results) {
    for (const char result : results) {
      result == 'F' ? fails(tick, 0) : succeeds(tick, 0);
      ++tick;
    }
  }

  Plan plan;
  CircuitBreakers breakers;
};

TEST(CircuitBreakers, WithoutThemEverythingIsLetThrough) {
  const Plan plan = plan_with(std::nullopt);
  CircuitBreakers breakers(plan, hosts_of(plan));
  for (Tick tick = 0; tick < 9; ++tick) {
    EXPECT_TRUE(breakers.lets_through(tick, 0));
    breakers.failed(tick, 0);
    breakers.succeeded(0);
  }
  EXPECT_EQ(CircuitBreakers::bytes(plan, hosts_of(plan)), 0U);
}

// After these results, in ticks 0, 1, …, one a tick.
bool is_open_after(std::uint32_t window, std::uint32_t failures, std::string_view results) {
  Host host({.window = window, .failures = failures, .open_ticks = 5, .probes = 1});
  host.results(0, results);
  return !host.sends(static_cast<Tick>(results.size()), 0);
}

TEST(CircuitBreakers, OpenWhenThereAreEnoughFailuresAmongTheLastResults) {
  EXPECT_TRUE(is_open_after(1, 1, "F"));
  EXPECT_TRUE(is_open_after(1, 1, "SF"));
  EXPECT_FALSE(is_open_after(1, 1, "SSS"));
  EXPECT_FALSE(is_open_after(3, 2, "F"));
  EXPECT_TRUE(is_open_after(3, 2, "FF"));
  EXPECT_TRUE(is_open_after(3, 2, "FSF"));
  EXPECT_FALSE(is_open_after(3, 2, "FSSF"));
  EXPECT_FALSE(is_open_after(3, 2, "FSSFSSF"));
  EXPECT_TRUE(is_open_after(3, 2, "FSSFSF"));
  EXPECT_FALSE(is_open_after(3, 3, "FFSFF"));
  EXPECT_TRUE(is_open_after(3, 3, "FFSFFF"));
  EXPECT_FALSE(is_open_after(4, 3, "FFSSFSFSFSS"));  // two of any four
  EXPECT_TRUE(is_open_after(4, 3, "FFSSFSFSFF"));    // FSFF
}

TEST(CircuitBreakers, HoldTheLargestWindow) {
  constexpr std::uint32_t kMost = 1'000'000;
  Host host({.window = kMost, .failures = 2, .open_ticks = 1, .probes = 1});
  host.fails(0, 0);
  host.results(1, std::string(kMost - 1, 'S'));
  EXPECT_TRUE(host.sends(kMost, 1));
  host.succeeds(kMost, 0);  // the first failure is forgotten
  host.fails(kMost, 0);
  EXPECT_TRUE(host.sends(kMost + 1, 0));
  host.fails(kMost + 1, 0);
  EXPECT_FALSE(host.sends(kMost + 2, 0));
}

// Opened in tick 4 for 3 ticks: 5, 6 and 7.
TEST(CircuitBreakers, LetNothingThroughWhileTheyAreOpen) {
  Host host({.window = 1, .failures = 1, .open_ticks = 3, .probes = 1});
  host.fails(4, 0);
  EXPECT_FALSE(host.sends(5, 1));
  EXPECT_FALSE(host.sends(7, 2));
  EXPECT_TRUE(host.sends(8, 3));
}

// Nothing is sent between ticks 7 and 50, where the half-open breaker finds its first probes.
TEST(CircuitBreakers, LetSomeProbesThroughWhenTheyAreHalfOpen) {
  Host host({.window = 1, .failures = 1, .open_ticks = 3, .probes = 2});
  host.fails(4, 0);
  EXPECT_TRUE(host.sends(50, 1));
  EXPECT_TRUE(host.sends(50, 2));
  EXPECT_FALSE(host.sends(50, 3));
  EXPECT_FALSE(host.sends(51, 4));
  host.breakers.succeeded(1);
  EXPECT_FALSE(host.sends(52, 5));
}

TEST(CircuitBreakers, OpenAgainWhenAProbeFails) {
  Host host({.window = 9, .failures = 2, .open_ticks = 3, .probes = 2});
  host.results(0, "FF");          // opens in 1
  EXPECT_TRUE(host.sends(5, 1));  // half-open
  EXPECT_TRUE(host.sends(5, 2));
  host.breakers.succeeded(1);
  host.breakers.failed(6, 2);  // opens in 6
  EXPECT_FALSE(host.sends(7, 0));
  EXPECT_FALSE(host.sends(9, 0));
  // Both probes are to succeed anew.
  host.succeeds(10, 0);
  host.succeeds(10, 1);
  EXPECT_TRUE(host.sends(10, 2));
  EXPECT_TRUE(host.sends(10, 3));
}

TEST(CircuitBreakers, CloseWhenAllProbesSucceeded) {
  Host host({.window = 3, .failures = 2, .open_ticks = 1, .probes = 2});
  host.results(0, "FF");
  host.succeeds(3, 0);
  EXPECT_TRUE(host.sends(3, 1));
  EXPECT_FALSE(host.sends(3, 2));
  host.breakers.succeeded(1);
  EXPECT_TRUE(host.sends(3, 2));
  EXPECT_TRUE(host.sends(4, 3));
}

// Closed at 3, it takes two failures again, among the last three results.
TEST(CircuitBreakers, StartWithoutResultsWhenTheyClose) {
  Host host({.window = 3, .failures = 2, .open_ticks = 1, .probes = 1});
  host.results(0, "SFF");
  host.succeeds(4, 0);
  host.results(5, "FSSF");
  host.results(9, "F");
  EXPECT_FALSE(host.sends(10, 0));
}

TEST(CircuitBreakers, MayOpenAndCloseManyTimes) {
  Host host({.window = 2, .failures = 2, .open_ticks = 1, .probes = 1});
  for (Tick tick = 0; tick < 100; tick += 5) {
    host.results(tick, "SFF");
    EXPECT_FALSE(host.sends(tick + 3, 0));
    host.succeeds(tick + 4, 0);
  }
}

// Sent in 0, 2 and 3; the breaker opens in 2 for one tick.
TEST(CircuitBreakers, DoNotCountResultsOfAttemptsMadeBeforeTheyOpened) {
  Host host({.window = 1, .failures = 1, .open_ticks = 1, .probes = 1});
  EXPECT_TRUE(host.sends(0, 1));
  EXPECT_TRUE(host.sends(0, 2));
  EXPECT_TRUE(host.sends(2, 3));
  host.fails(2, 0);  // opens
  host.breakers.failed(3, 1);
  EXPECT_TRUE(host.sends(4, 4));  // half-open, since the failure in 3 did not open it again
  host.breakers.succeeded(2);     // not of a probe
  EXPECT_FALSE(host.sends(4, 5));
  host.breakers.succeeded(3);  // made in the very tick
  EXPECT_FALSE(host.sends(4, 5));
  host.breakers.failed(4, 3);
  host.breakers.succeeded(4);
  EXPECT_TRUE(host.sends(4, 5));  // closed by its probe
}

TEST(CircuitBreakers, DoNotCountOldResultsWhenTheyHaveClosedEither) {
  Host host({.window = 1, .failures = 1, .open_ticks = 1, .probes = 1});
  EXPECT_TRUE(host.sends(0, 1));
  EXPECT_TRUE(host.sends(2, 2));
  host.fails(2, 0);     // opens
  host.succeeds(4, 0);  // closes
  host.breakers.failed(5, 1);
  EXPECT_TRUE(host.sends(6, 3));
  host.breakers.failed(6, 2);
  EXPECT_TRUE(host.sends(7, 3));
  host.breakers.failed(7, 3);
  EXPECT_FALSE(host.sends(8, 3));
}

// All three were sent in 0 and fail in 4: the second opens the breaker, the third is not counted.
TEST(CircuitBreakers, OpenOnceATick) {
  Host host({.window = 3, .failures = 2, .open_ticks = 1, .probes = 1});
  for (const Client client : {0U, 1U, 2U}) {
    EXPECT_TRUE(host.sends(0, client));
  }
  for (const Client client : {0U, 1U, 2U}) {
    host.breakers.failed(4, client);
  }
  EXPECT_FALSE(host.sends(5, 0));
  host.succeeds(6, 0);
  host.fails(7, 0);  // one failure, and not two
  EXPECT_TRUE(host.sends(8, 0));
}

// Probes of ticks 3 and 4 fail in 5 and 6; the second belongs to the period that ended in 5.
TEST(CircuitBreakers, DoNotCountAProbeOfAPeriodThatEnded) {
  Host host({.window = 1, .failures = 1, .open_ticks = 1, .probes = 2});
  host.fails(1, 0);
  EXPECT_TRUE(host.sends(3, 1));
  EXPECT_TRUE(host.sends(4, 2));
  host.breakers.failed(5, 1);
  host.breakers.failed(6, 2);
  EXPECT_TRUE(host.sends(7, 3));
}

TEST(CircuitBreakers, StayOpenForAsLongAsTheyMay) {
  Host host({.window = 1, .failures = 1, .open_ticks = 1U << 30, .probes = 1'000'000});
  host.fails(5, 0);
  EXPECT_FALSE(host.sends(5 + (1U << 30), 0));
  EXPECT_TRUE(host.sends(6 + (1U << 30), 0));
  for (int i = 1; i < 1'000'000; ++i) {
    EXPECT_TRUE(host.sends(kLastTick, 0));
  }
  EXPECT_FALSE(host.sends(kLastTick, 0));
  Host late({.window = 1, .failures = 1, .open_ticks = 1U << 30, .probes = 1});
  late.fails(kLastTick - 1, 0);
  EXPECT_FALSE(late.sends(kLastTick, 0));
}

// Hosts of clients 0 and 1, 2 and 3, and 4.
TEST(CircuitBreakers, EachHostHasItsOwn) {
  const Plan plan =
      plan_with(Breaker{.window = 1, .failures = 1, .open_ticks = 9, .probes = 1}, 5, 2);
  CircuitBreakers breakers(plan, hosts_of(plan));
  const auto stopped = [&](Tick tick) {
    std::vector<Client> clients;
    for (Client client = 0; client < 5; ++client) {
      if (!breakers.lets_through(tick, client)) {
        clients.push_back(client);
      }
    }
    return clients;
  };
  EXPECT_EQ(stopped(2), std::vector<Client>{});
  breakers.failed(2, 3);
  EXPECT_EQ(stopped(3), (std::vector<Client>{2, 3}));
  breakers.failed(3, 4);
  breakers.succeeded(0);
  EXPECT_EQ(stopped(4), (std::vector<Client>{2, 3, 4}));
}

// For each host what is known of it, 64 bytes, and a bit for each result; for each client a tick.
TEST(CircuitBreakers, CountTheirBytes) {
  const Breaker breaker{.window = 80, .failures = 1, .open_ticks = 1, .probes = 1};
  const Plan plan = plan_with(breaker, 49, 5);
  EXPECT_EQ(CircuitBreakers::bytes(plan, hosts_of(plan)), 10U * (64 + 10) + 49 * 4);
  EXPECT_EQ(CircuitBreakers::bytes(plan, Hosts(plan, {10, 20})), 2U * (64 + 10) + 10 * 4);
}

}  // namespace
}  // namespace retrygarden::test
