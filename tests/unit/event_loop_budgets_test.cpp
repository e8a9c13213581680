// Runs with retry budgets, worked out by hand from docs/model.md, sections 4 and 11: when they are
// charged, and asked. retry_budgets_test.cpp has the budgets by themselves.
#include <gtest/gtest.h>

#include "retrygarden/event_loop.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

// A retry costs one token, whatever it comes after.
TokenBudget tokens(std::string_view initial) {
  TokenBudget budget;
  budget.capacity = fraction("1000");
  budget.initial = fraction(initial);
  budget.retry_cost = fraction("1");
  budget.timeout_cost = fraction("1");
  return budget;
}

// All clients on one host, retries a tick later.
Scenario one_host(std::uint32_t clients, std::uint32_t capacity, std::uint32_t attempts,
                  Budget budget) {
  Scenario example = scenario(clients, 99, capacity, attempts, FixedDelay{1});
  example.clients_per_host = clients;
  example.policies[0].budget = std::move(budget);
  return example;
}

TEST(EventLoopBudgets, AClientWithoutPermissionStops) {
  const Scenario example = one_host(3, 0, 2, tokens("2"));
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 overloaded, failed 0, next 1", "t0 c1#1 overloaded, failed 0, next 1",
                   "t0 c2#1 overloaded, failed 0", "t1 c0#2 overloaded, failed 1",
                   "t1 c1#2 overloaded, failed 1"}));
  EXPECT_EQ(clients_of(example), (Lines{"c0 exhausted, attempts 2", "c1 exhausted, attempts 2",
                                        "c2 budget_denied, attempts 1"}));
  EXPECT_EQ(ends_of(example), (Lines{"t0 c2 budget_denied", "t1 c0 exhausted", "t1 c1 exhausted"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 3, attempts 5, overloaded 5, exhausted 2, budget_denied 1, peak at 0, of 3");
}

// Client by client: 3 tokens, less the failure, less the retry; 1, less the failure, and no retry.
TEST(EventLoopBudgets, AFailureIsChargedBeforeItsRetryIsPermitted) {
  TokenBudget budget = tokens("3");
  budget.failure_cost = fraction("1");
  EXPECT_EQ(clients_of(one_host(3, 0, 2, budget)),
            (Lines{"c0 exhausted, attempts 2", "c1 budget_denied, attempts 1",
                   "c2 budget_denied, attempts 1"}));
}

// Arrivals at 0 and 1. Of 4 tokens, client 0's failure and retry leave 2; in tick 1 its last
// failure, which has no retry, leaves 1, and client 1's failure none.
TEST(EventLoopBudgets, FailuresOfClientsThatStopAreChargedToo) {
  TokenBudget budget = tokens("4");
  budget.failure_cost = fraction("1");
  Scenario example = one_host(2, 0, 2, budget);
  example.arrivals = SpreadArrivals{2};
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 exhausted, attempts 2", "c1 budget_denied, arrival 1, attempts 1"}));
  example.policies[0].attempts = 9;
  example.policies[0].delay = ListDelay{{1U, 5U}};
  example.policies[0].deadline = 3;
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 deadline_exceeded, attempts 2", "c1 budget_denied, arrival 1, attempts 1"}));
}

// In tick 3 neither the deadline nor the empty bucket allows client 0 a retry.
TEST(EventLoopBudgets, TheDeadlineGoesBeforeTheBudgetAndTakesNothing) {
  Scenario example = one_host(2, 0, 9, tokens("2"));
  example.arrivals = SpreadArrivals{4};  // 0 and 2
  example.policies[0].delay = FixedDelay{3};
  example.policies[0].deadline = 5;
  EXPECT_EQ(clients_of(example), (Lines{"c0 deadline_exceeded, attempts 2",
                                        "c1 deadline_exceeded, arrival 2, attempts 2"}));
  example.arrivals = SpreadArrivals{8};  // 0 and 4: the token left at 3 is client 1's
  EXPECT_EQ(clients_of(example), (Lines{"c0 deadline_exceeded, attempts 2",
                                        "c1 deadline_exceeded, arrival 4, attempts 2"}));
  example.policies[0].budget = tokens("1");
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 deadline_exceeded, attempts 2", "c1 budget_denied, arrival 4, attempts 1"}));
}

// The server hangs: each attempt fails by timeout, and its retry costs 2 of 5 tokens.
TEST(EventLoopBudgets, ARetryAfterATimeoutCostsTimeoutCost) {
  TokenBudget budget = tokens("5");
  budget.timeout_cost = fraction("2");
  Scenario example = one_host(1, 9, 9, budget);
  example.server.outages = {{.from = 0, .ticks = 99, .kind = OutageKind::kHang}};
  EXPECT_EQ(clients_of(example), Lines{"c0 budget_denied, attempts 3"});
  // 1 a retry when the server refuses.
  example.server.outages[0].kind = OutageKind::kRefuse;
  EXPECT_EQ(clients_of(example), Lines{"c0 budget_denied, attempts 6"});
  // A response that is lost is a timeout, too; attempt 2 is answered.
  example.server.outages.clear();
  example.faults.first_response_lost = {1, 0};
  EXPECT_EQ(clients_of(example), Lines{"c0 acknowledged, attempts 2, effects 2, acknowledged 1"});
  budget.initial = fraction("1");
  example.policies[0].budget = budget;
  EXPECT_EQ(clients_of(example), Lines{"c0 budget_denied, attempts 1, effects 1"});
}

// Of 5 tokens the failure of tick 0 takes 2 and its retry 1. Attempts 2 and 3 are stopped by the
// breaker; their retries take 1 each, and attempt 4 has none.
TEST(EventLoopBudgets, AShortCircuitedAttemptIsNotChargedAndItsRetryCostsRetryCost) {
  TokenBudget budget = tokens("5");
  budget.failure_cost = fraction("2");
  budget.timeout_cost = fraction("100");
  Scenario example = one_host(1, 0, 9, budget);
  example.policies[0].breaker = {.window = 1, .failures = 1, .open_ticks = 50, .probes = 1};
  EXPECT_EQ(
      attempts_of(example),
      (Lines{"t0 c0#1 overloaded, failed 0, next 1", "t1 c0#2 short_circuited, failed 1, next 2",
             "t2 c0#3 short_circuited, failed 2, next 3", "t3 c0#4 short_circuited, failed 3"}));
  EXPECT_EQ(summary_of(example).budget_denied, 1U);
}

// Half a token from each first attempt of tick 0, so that client 0 may retry in that very tick;
// attempt 2 brings nothing.
TEST(EventLoopBudgets, FirstAttemptsDepositBeforeAnyRetryOfTheirTick) {
  TokenBudget budget = tokens("0");
  budget.attempt_deposit = fraction("0.5");
  EXPECT_EQ(clients_of(one_host(2, 0, 9, budget)),
            (Lines{"c0 budget_denied, attempts 2", "c1 budget_denied, attempts 1"}));
}

// The breaker opens at 0, and stops client 1, which arrives at 1; its deposit is made all the same.
TEST(EventLoopBudgets, AShortCircuitedFirstAttemptDeposits) {
  TokenBudget budget = tokens("0");
  budget.attempt_deposit = fraction("0.5");
  Scenario example = one_host(2, 0, 2, budget);
  example.arrivals = SpreadArrivals{2};
  example.policies[0].breaker = {.window = 1, .failures = 1, .open_ticks = 50, .probes = 1};
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 budget_denied, attempts 1", "c1 exhausted, arrival 1, attempts 2"}));
}

// Client 0 is answered in tick 0, or 2 ticks later.
TEST(EventLoopBudgets, AnAcknowledgementDepositsBeforeAnyRetryOfItsTick) {
  TokenBudget budget = tokens("0");
  budget.success_deposit = fraction("1");
  Scenario example = one_host(2, 1, 2, budget);
  EXPECT_EQ(clients_of(example), (Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 0",
                                        "c1 acknowledged, attempts 2, effects 1, acknowledged 1"}));
  example.server.service_ticks = 2;
  example.policies[0].timeout = 9;
  EXPECT_EQ(clients_of(example), (Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 2",
                                        "c1 budget_denied, attempts 1"}));
}

// Client 0 is refused at 0, and answered at 1; client 1 arrives at 2, when the server refuses
// again. The only token is given back, or it is not.
TEST(EventLoopBudgets, AnAcknowledgedRetryGivesItsCostBack) {
  TokenBudget budget = tokens("1");
  Scenario example = one_host(2, 1, 9, budget);
  example.arrivals = SpreadArrivals{4};
  example.server.outages = {{0, 1}, {2, 1}};
  const std::string first = "c0 acknowledged, attempts 2, effects 1, acknowledged 1";
  EXPECT_EQ(clients_of(example), (Lines{first, "c1 budget_denied, arrival 2, attempts 1"}));
  budget.refund = true;
  example.policies[0].budget = budget;
  EXPECT_EQ(clients_of(example),
            (Lines{first, "c1 acknowledged, arrival 2, attempts 2, effects 1, acknowledged 3"}));
}

// A quarter of a token each tick after tick 0 makes one by tick 4.
TEST(EventLoopBudgets, TokensAreRefilledInTicksWithoutAttempts) {
  TokenBudget budget = tokens("0");
  budget.tick_refill = fraction("0.25");
  Scenario example = one_host(1, 0, 9, budget);
  example.arrivals = BurstArrivals{4};
  EXPECT_EQ(clients_of(example), Lines{"c0 budget_denied, arrival 4, attempts 2"});
  example.arrivals = BurstArrivals{3};
  EXPECT_EQ(clients_of(example), Lines{"c0 budget_denied, arrival 3, attempts 1"});
}

// Hosts of clients 0 and 1, 2 and 3, and 4, with a token each.
TEST(EventLoopBudgets, EachHostHasItsOwnTokens) {
  Scenario example = one_host(5, 0, 2, tokens("1"));
  example.clients_per_host = 2;
  EXPECT_EQ(clients_of(example), (Lines{"c0 exhausted, attempts 2", "c1 budget_denied, attempts 1",
                                        "c2 exhausted, attempts 2", "c3 budget_denied, attempts 1",
                                        "c4 exhausted, attempts 2"}));
}

// A budget of half the clients under way. Client 0 asks with 4 of them, and 1 with 4; 2 finds two
// retrying, and 3 as well. Where two are answered first, one of the two that are left may retry.
TEST(EventLoopBudgets, ConcurrentRetriesAreAShareOfTheClientsUnderWay) {
  Scenario example = one_host(4, 0, 2, ConcurrentBudget{fraction("0.5"), 0});
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 exhausted, attempts 2", "c1 exhausted, attempts 2",
                   "c2 budget_denied, attempts 1", "c3 budget_denied, attempts 1"}));
  example.server.capacity = 2;
  EXPECT_EQ(clients_of(example), (Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 0",
                                        "c1 acknowledged, attempts 1, effects 1, acknowledged 0",
                                        "c2 acknowledged, attempts 2, effects 1, acknowledged 1",
                                        "c3 budget_denied, attempts 1"}));
}

// One retry at a time, and a client a tick. Client 0 retries from 0 to its end in tick 2, where
// client 2 comes after it and may retry; client 1 did not find it ended.
TEST(EventLoopBudgets, ConcurrentRetriesEndWithTheirClients) {
  Scenario example = one_host(3, 0, 3, ConcurrentBudget{Fraction(), 1});
  example.arrivals = SpreadArrivals{3};
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 exhausted, attempts 3", "c1 budget_denied, arrival 1, attempts 1",
                   "c2 exhausted, arrival 2, attempts 3"}));
  // The same when client 0 is acknowledged in 2, in the phase before.
  example.server.capacity = 1;
  example.server.outages = {{0, 2}};
  example.arrivals = SpreadArrivals{3};
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 acknowledged, attempts 3, effects 1, acknowledged 2",
                   "c1 budget_denied, arrival 1, attempts 1",
                   "c2 acknowledged, arrival 2, attempts 2, effects 1, acknowledged 3"}));
}

}  // namespace
}  // namespace retrygarden::test
