// The budgets of hosts by themselves: docs/model.md, section 11.
#include "retry_budgets.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

constexpr Tick kLastTick = 2147483646;

Hosts hosts_of(const Plan& plan) {
  return {plan, {0, plan.clients}};
}

// Clients share hosts in fives, unless it is said otherwise.
Plan plan_with(std::optional<Budget> budget, std::uint32_t clients = 5,
               std::uint32_t clients_per_host = 5) {
  Scenario example = scenario(clients, 9, 0, 9, FixedDelay{1});
  example.clients_per_host = clients_per_host;
  example.policies[0].budget = std::move(budget);
  return make_plan(example, 0);
}

// A retry costs one token.
TokenBudget tokens(std::string_view capacity, std::string_view initial) {
  TokenBudget budget;
  budget.capacity = fraction(capacity);
  budget.initial = fraction(initial);
  budget.retry_cost = fraction("1");
  budget.timeout_cost = fraction("1");
  return budget;
}

// How many retries are permitted before one is not.
int retries(RetryBudgets& budgets, Tick tick = 0, Client client = 0) {
  int permitted = 0;
  while (permitted < 50 && budgets.permits_retry(tick, client, false)) {
    ++permitted;
  }
  return permitted;
}

int retries_after(const TokenBudget& budget, Tick tick,
                  const std::function<void(RetryBudgets&)>& events) {
  const Plan plan = plan_with(budget);
  RetryBudgets budgets(plan, hosts_of(plan));
  events(budgets);
  return retries(budgets, tick);
}

std::uint64_t bytes(const Plan& plan) {
  return RetryBudgets::bytes(plan, hosts_of(plan));
}

TEST(RetryBudgets, WithoutOneEveryRetryIsPermitted) {
  const Plan plan = plan_with(std::nullopt);
  RetryBudgets budgets(plan, hosts_of(plan));
  budgets.first_attempt(0, 0);
  budgets.failed(0, 0);
  EXPECT_TRUE(budgets.permits_retry(0, 0, false));
  EXPECT_TRUE(budgets.permits_retry(0, 0, true));
  budgets.acknowledged(1, 0, 2);
  budgets.stopped(0);
  EXPECT_EQ(bytes(plan), 0U);
}

TEST(TokenBudgets, StartWithTheInitialTokens) {
  EXPECT_EQ(retries_after(tokens("9", "0"), 0, [](auto&) {}), 0);
  EXPECT_EQ(retries_after(tokens("9", "3"), 0, [](auto&) {}), 3);
  EXPECT_EQ(retries_after(tokens("9", "9"), 0, [](auto&) {}), 9);
}

// The last millionth is what was missing, and nothing was taken for the retry that was denied.
TEST(TokenBudgets, PermitARetryThatThereAreTokensFor) {
  TokenBudget budget = tokens("9", "0.999999");
  budget.success_deposit = fraction("0.000001");
  const Plan plan = plan_with(budget);
  RetryBudgets budgets(plan, hosts_of(plan));
  EXPECT_FALSE(budgets.permits_retry(0, 0, false));
  budgets.acknowledged(0, 1, 1);
  EXPECT_TRUE(budgets.permits_retry(0, 0, false));
  budgets.acknowledged(0, 1, 1);
  EXPECT_FALSE(budgets.permits_retry(0, 0, false));
}

TEST(TokenBudgets, ARetryAfterATimeoutHasItsOwnCost) {
  TokenBudget budget = tokens("9", "4");
  budget.timeout_cost = fraction("3");
  const Plan plan = plan_with(budget);
  RetryBudgets budgets(plan, hosts_of(plan));
  EXPECT_TRUE(budgets.permits_retry(0, 0, true));
  EXPECT_FALSE(budgets.permits_retry(0, 0, true));
  EXPECT_EQ(retries(budgets), 1);
}

TEST(TokenBudgets, ARetryMayCostNothing) {
  TokenBudget budget = tokens("0", "0");
  budget.retry_cost = {};
  EXPECT_EQ(retries_after(budget, 0, [](auto&) {}), 50);
  budget.threshold = Fraction();
  EXPECT_EQ(retries_after(budget, 0, [](auto&) {}), 0);
}

// Of 5 tokens two can be taken while there are more than 3, and three while there are more than
// 2.999999.
TEST(TokenBudgets, PermitNoRetryAtTheThresholdOrBelow) {
  TokenBudget budget = tokens("9", "5");
  budget.threshold = fraction("3");
  EXPECT_EQ(retries_after(budget, 0, [](auto&) {}), 2);
  budget.threshold = fraction("2.999999");
  EXPECT_EQ(retries_after(budget, 0, [](auto&) {}), 3);
  budget.threshold = fraction("5");
  EXPECT_EQ(retries_after(budget, 0, [](auto&) {}), 0);
  budget.threshold = fraction("0.1");  // the cost must be there too
  budget.initial = fraction("0.5");
  EXPECT_EQ(retries_after(budget, 0, [](auto&) {}), 0);
}

TEST(TokenBudgets, AFailureTakesItsCostAsFarAsThereIs) {
  TokenBudget budget = tokens("9", "5");
  budget.failure_cost = fraction("2");
  const auto fail = [](RetryBudgets& budgets) { budgets.failed(0, 0); };
  EXPECT_EQ(retries_after(budget, 0, fail), 3);
  EXPECT_EQ(retries_after(budget, 0, [&](auto& budgets) { fail(budgets), fail(budgets); }), 1);
  // From 1 to 0, and from there one up.
  budget.attempt_deposit = fraction("1");
  EXPECT_EQ(retries_after(budget, 0,
                          [&](auto& budgets) {
                            fail(budgets), fail(budgets), fail(budgets);
                            budgets.first_attempt(0, 0);
                          }),
            1);
}

TEST(TokenBudgets, FirstAttemptsAndAcknowledgementsDeposit) {
  TokenBudget budget = tokens("9", "1");
  budget.attempt_deposit = fraction("2");
  budget.success_deposit = fraction("3");
  EXPECT_EQ(retries_after(budget, 0, [](auto& budgets) { budgets.first_attempt(0, 0); }), 3);
  EXPECT_EQ(retries_after(budget, 0, [](auto& budgets) { budgets.acknowledged(0, 0, 1); }), 4);
  EXPECT_EQ(retries_after(budget, 0, [](auto& budgets) { budgets.acknowledged(0, 0, 2); }), 4);
  EXPECT_EQ(retries_after(budget, 0, [](auto& budgets) { budgets.stopped(0); }), 1);
}

TEST(TokenBudgets, WhatIsAddedBeyondTheCapacityIsLost) {
  TokenBudget budget = tokens("9", "7");
  budget.attempt_deposit = fraction("2");
  EXPECT_EQ(retries_after(budget, 0, [](auto& budgets) { budgets.first_attempt(0, 0); }), 9);
  budget.attempt_deposit = fraction("2.5");
  budget.failure_cost = fraction("1");
  EXPECT_EQ(retries_after(budget, 0,
                          [](auto& budgets) {
                            budgets.first_attempt(0, 0);
                            budgets.failed(0, 0);
                          }),
            8);
}

TEST(TokenBudgets, ARefundIsWhatWasPaidLast) {
  TokenBudget budget = tokens("20", "10");
  budget.timeout_cost = fraction("3");
  budget.success_deposit = fraction("5");
  budget.refund = true;
  const auto left = [&](std::vector<bool> paid, std::uint32_t attempt) {
    return retries_after(budget, 0, [&](RetryBudgets& budgets) {
      for (const bool after_timeout : paid) {
        EXPECT_TRUE(budgets.permits_retry(0, 0, after_timeout));
      }
      budgets.acknowledged(0, 0, attempt);
    });
  };
  EXPECT_EQ(left({}, 1), 15);            // no retry: the deposit
  EXPECT_EQ(left({false}, 2), 10);       // 10 - 1 + 1
  EXPECT_EQ(left({true}, 2), 10);        // 10 - 3 + 3
  EXPECT_EQ(left({true, false}, 3), 7);  // 10 - 3 - 1 + 1
  EXPECT_EQ(left({false, true}, 3), 9);  // 10 - 1 - 3 + 3
}

TEST(TokenBudgets, ARefundIsThatOfTheClient) {
  TokenBudget budget = tokens("20", "10");
  budget.timeout_cost = fraction("3");
  budget.refund = true;
  const Plan plan = plan_with(budget);
  RetryBudgets budgets(plan, hosts_of(plan));
  EXPECT_TRUE(budgets.permits_retry(0, 3, true));
  EXPECT_TRUE(budgets.permits_retry(0, 4, false));
  budgets.acknowledged(0, 4, 2);
  EXPECT_EQ(retries(budgets), 7);
  budgets.acknowledged(0, 3, 2);
  EXPECT_EQ(retries(budgets), 3);
}

TEST(TokenBudgets, ARefundStaysWithinTheCapacity) {
  TokenBudget budget = tokens("5", "5");
  budget.refund = true;
  budget.attempt_deposit = fraction("1");
  EXPECT_EQ(retries_after(budget, 0,
                          [](auto& budgets) {
                            EXPECT_TRUE(budgets.permits_retry(0, 0, false));
                            budgets.first_attempt(0, 1);
                            budgets.acknowledged(0, 0, 2);
                          }),
            5);
}

TEST(TokenBudgets, AreRefilledInEachTickAfterTickZero) {
  TokenBudget budget = tokens("9", "0");
  budget.tick_refill = fraction("0.5");
  EXPECT_EQ(retries_after(budget, 0, [](auto&) {}), 0);
  EXPECT_EQ(retries_after(budget, 1, [](auto&) {}), 0);
  EXPECT_EQ(retries_after(budget, 2, [](auto&) {}), 1);
  EXPECT_EQ(retries_after(budget, 5, [](auto&) {}), 2);
  EXPECT_EQ(retries_after(budget, 18, [](auto&) {}), 9);
  EXPECT_EQ(retries_after(budget, 20, [](auto&) {}), 9);
}

// Three tokens are missing: 1.5 a tick fill them in 2 ticks exactly, 2 a tick lose what is beyond.
TEST(TokenBudgets, ARefillStopsAtTheCapacity) {
  TokenBudget budget = tokens("3", "0");
  budget.tick_refill = fraction("1.5");
  EXPECT_EQ(retries_after(budget, 1, [](auto&) {}), 1);
  EXPECT_EQ(retries_after(budget, 2, [](auto&) {}), 3);
  EXPECT_EQ(retries_after(budget, 3, [](auto&) {}), 3);
  budget.tick_refill = fraction("2");
  EXPECT_EQ(retries_after(budget, 1, [](auto&) {}), 2);
  EXPECT_EQ(retries_after(budget, 2, [](auto&) {}), 3);
}

// Every event of a tick comes after its refill, and none is refilled twice: 2 tokens at tick 4 are
// 1 after a retry, and 2 again at 5.
TEST(TokenBudgets, ARefillComesOnceATickAndBeforeAnythingElse) {
  TokenBudget budget = tokens("2", "2");
  budget.tick_refill = fraction("1");
  budget.failure_cost = fraction("2");
  const Plan plan = plan_with(budget);
  RetryBudgets budgets(plan, hosts_of(plan));
  EXPECT_TRUE(budgets.permits_retry(4, 0, false));
  EXPECT_TRUE(budgets.permits_retry(4, 0, false));
  EXPECT_FALSE(budgets.permits_retry(4, 0, false));
  budgets.failed(5, 0);  // the one token of tick 5
  EXPECT_FALSE(budgets.permits_retry(5, 0, false));
  EXPECT_EQ(retries(budgets, 6), 1);
  EXPECT_EQ(retries(budgets, 9), 2);
}

// What a deposit finds at the capacity is lost, though the bucket was used last when it was empty.
TEST(TokenBudgets, ADepositComesAfterTheRefill) {
  TokenBudget budget = tokens("2", "0");
  budget.tick_refill = fraction("1");
  budget.attempt_deposit = fraction("1");
  EXPECT_EQ(retries_after(budget, 7, [](auto& budgets) { budgets.first_attempt(6, 0); }), 2);
  EXPECT_EQ(retries_after(budget, 1, [](auto& budgets) { budgets.first_attempt(1, 0); }), 2);
  EXPECT_EQ(retries_after(budget, 0, [](auto& budgets) { budgets.first_attempt(0, 0); }), 1);
}

// 0.000001 · 2147483646 = 2147.483646 tokens after the longest run, and all that fits at once.
TEST(TokenBudgets, RefillsOverTheLongestRunAreExact) {
  TokenBudget budget = tokens("1000000000", "0");
  budget.tick_refill = fraction("0.000001");
  budget.retry_cost = fraction("2147.483646");
  EXPECT_EQ(retries_after(budget, kLastTick, [](auto&) {}), 1);
  EXPECT_EQ(retries_after(budget, kLastTick - 1, [](auto&) {}), 0);
  budget.tick_refill = fraction("1000000000");
  budget.retry_cost = fraction("1000000000");
  EXPECT_EQ(retries_after(budget, kLastTick, [](auto&) {}), 1);
  budget.attempt_deposit = fraction("1000000000");
  EXPECT_EQ(
      retries_after(budget, kLastTick, [](auto& budgets) { budgets.first_attempt(kLastTick, 0); }),
      1);
}

// Hosts of clients 0 and 1, 2 and 3, and 4.
TEST(TokenBudgets, EachHostHasItsOwn) {
  TokenBudget budget = tokens("1", "1");
  budget.success_deposit = fraction("1");
  const Plan plan = plan_with(budget, 5, 2);
  RetryBudgets budgets(plan, hosts_of(plan));
  EXPECT_EQ(retries(budgets, 0, 0), 1);
  EXPECT_EQ(retries(budgets, 0, 1), 0);
  EXPECT_EQ(retries(budgets, 0, 2), 1);
  EXPECT_EQ(retries(budgets, 0, 3), 0);
  EXPECT_EQ(retries(budgets, 0, 4), 1);
  budgets.acknowledged(0, 3, 1);
  EXPECT_EQ(retries(budgets, 0, 4), 0);
  EXPECT_EQ(retries(budgets, 0, 2), 1);
}

// 16 bytes a bucket; a bit for each client where costs are given back.
TEST(TokenBudgets, CountTheirBytes) {
  TokenBudget budget = tokens("1", "1");
  EXPECT_EQ(bytes(plan_with(budget, 49, 5)), 10U * 16);
  budget.refund = true;
  EXPECT_EQ(bytes(plan_with(budget, 49, 5)), 10U * 16 + 6);
}

// Budgets of concurrent retries, of one host with so many clients under way.
struct Concurrent {
  Concurrent(std::string_view share, std::uint32_t minimum, std::uint32_t clients_under_way)
      : plan(plan_with(ConcurrentBudget{fraction(share), minimum}, 100, 100)),
        budgets(plan, hosts_of(plan)) {
    for (Client client = 0; client < clients_under_way; ++client) {
      budgets.first_attempt(0, client);
    }
  }
  bool permits(Client client) { return budgets.permits_retry(0, client, false); }

  Plan plan;
  RetryBudgets budgets;
};

// How many of them may retry at the same time.
int concurrent_retries(std::string_view share, std::uint32_t minimum,
                       std::uint32_t clients_under_way) {
  Concurrent host(share, minimum, clients_under_way);
  int permitted = 0;
  for (Client client = 0; client < clients_under_way; ++client) {
    permitted += host.permits(client) ? 1 : 0;
  }
  return permitted;
}

TEST(ConcurrentBudgets, PermitAShareOfTheClientsUnderWay) {
  EXPECT_EQ(concurrent_retries("0.5", 0, 1), 0);
  EXPECT_EQ(concurrent_retries("0.5", 0, 2), 1);
  EXPECT_EQ(concurrent_retries("0.5", 0, 3), 1);
  EXPECT_EQ(concurrent_retries("0.5", 0, 4), 2);
  EXPECT_EQ(concurrent_retries("0", 0, 100), 0);
  EXPECT_EQ(concurrent_retries("1", 0, 100), 100);
  EXPECT_EQ(concurrent_retries("0.009999", 0, 100), 0);
  EXPECT_EQ(concurrent_retries("0.01", 0, 100), 1);
}

TEST(ConcurrentBudgets, PermitAMinimum) {
  EXPECT_EQ(concurrent_retries("0", 3, 100), 3);
  EXPECT_EQ(concurrent_retries("0.5", 3, 4), 3);
  EXPECT_EQ(concurrent_retries("0.5", 3, 10), 5);
  EXPECT_EQ(concurrent_retries("0", 4294967295, 100), 100);
}

TEST(ConcurrentBudgets, AClientThatRetriesStandsNotInItsOwnWay) {
  Concurrent host("0", 1, 3);
  EXPECT_TRUE(host.permits(0));
  EXPECT_FALSE(host.permits(1));
  EXPECT_TRUE(host.permits(0));
  EXPECT_TRUE(host.permits(0));
  EXPECT_FALSE(host.permits(2));
}

TEST(ConcurrentBudgets, AClientThatStopsMakesRoom) {
  Concurrent host("0", 1, 3);
  EXPECT_TRUE(host.permits(0));
  host.budgets.stopped(0);
  EXPECT_TRUE(host.permits(1));
  EXPECT_FALSE(host.permits(2));
  host.budgets.acknowledged(0, 1, 2);
  EXPECT_TRUE(host.permits(2));
}

// Of 4 clients two may retry; of the 3 that are left, one.
TEST(ConcurrentBudgets, AClientThatStopsIsNotUnderWay) {
  Concurrent host("0.5", 0, 4);
  host.budgets.acknowledged(0, 3, 1);
  EXPECT_TRUE(host.permits(0));
  EXPECT_FALSE(host.permits(1));
  host.budgets.first_attempt(0, 4);
  EXPECT_TRUE(host.permits(1));
  host.budgets.stopped(2);
  EXPECT_FALSE(host.permits(1));  // client 0 retries, and 1 of 3 may
}

TEST(ConcurrentBudgets, FailuresAndTimeoutsAreNotCharged) {
  Concurrent host("0", 1, 2);
  host.budgets.failed(0, 0);
  host.budgets.failed(0, 1);
  EXPECT_TRUE(host.budgets.permits_retry(0, 0, true));
  EXPECT_FALSE(host.budgets.permits_retry(0, 1, true));
}

TEST(ConcurrentBudgets, EachHostHasItsOwn) {
  const Plan plan = plan_with(ConcurrentBudget{fraction("0.5"), 0}, 5, 2);
  RetryBudgets budgets(plan, hosts_of(plan));
  for (Client client = 0; client < 5; ++client) {
    budgets.first_attempt(0, client);
  }
  std::vector<bool> permitted;
  for (Client client = 0; client < 5; ++client) {
    permitted.push_back(budgets.permits_retry(0, client, false));
  }
  EXPECT_EQ(permitted, (std::vector<bool>{true, false, true, false, false}));
}

// Two counts a host, and a bit for each client.
TEST(ConcurrentBudgets, CountTheirBytes) {
  EXPECT_EQ(bytes(plan_with(ConcurrentBudget{}, 49, 5)), 10U * 8 + 6);
}

// Hosts 2 and 3 of four, of which each has two clients.
TEST(RetryBudgets, MayBeThoseOfSomeHosts) {
  const Plan plan = plan_with(tokens("9", "3"), 8, 2);
  RetryBudgets budgets(plan, Hosts(plan, {4, 8}));
  EXPECT_EQ(retries(budgets, 0, 4), 3);
  EXPECT_EQ(retries(budgets, 0, 5), 0);
  EXPECT_EQ(retries(budgets, 0, 7), 3);
  EXPECT_EQ(RetryBudgets::bytes(plan, Hosts(plan, {4, 8})), 2U * 16);
}

}  // namespace
}  // namespace retrygarden::test
