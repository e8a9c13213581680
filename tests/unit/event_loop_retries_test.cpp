// When clients send again, worked out by hand from docs/model.md, sections 4 and 6: delays, the
// server's hint, deadlines.
#include <gtest/gtest.h>

#include "retrygarden/event_loop.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

// When the client's first retry is due, after a failure at 0 and with a fixed delay of 4 ticks.
std::uint32_t retry_at(std::uint32_t hint, OnRetryAfter on_retry_after,
                       std::optional<std::uint32_t> max_delay = {}, bool is_down = false) {
  Scenario example = scenario(1, 99, 0, 2, FixedDelay{4});
  example.server.retry_after = hint;
  if (is_down) {
    example.server.outages = {{0, 1}};
  }
  example.policies[0].on_retry_after = on_retry_after;
  example.policies[0].max_delay = max_delay;
  std::vector<Attempt> attempts;
  run(make_plan(example, 0),
      {.tick_load = {},
       .attempt = [&](const Attempt& attempt) { attempts.push_back(attempt); },
       .client_end = {}});
  EXPECT_EQ(attempts.at(0).outcome, is_down ? Outcome::kUnavailable : Outcome::kOverloaded);
  EXPECT_EQ(attempts.at(1).tick, attempts.at(0).next_tick);
  return attempts.at(1).tick;
}

TEST(EventLoopRetries, TheHintIsIgnoredTakenAtLeastOrTakenInPlaceOfTheDelay) {
  for (const bool is_down : {false, true}) {
    EXPECT_EQ(retry_at(2, OnRetryAfter::kIgnore, {}, is_down), 4U);
    EXPECT_EQ(retry_at(7, OnRetryAfter::kIgnore, {}, is_down), 4U);
    EXPECT_EQ(retry_at(2, OnRetryAfter::kAtLeast, {}, is_down), 4U);
    EXPECT_EQ(retry_at(7, OnRetryAfter::kAtLeast, {}, is_down), 7U);
    EXPECT_EQ(retry_at(2, OnRetryAfter::kReplace, {}, is_down), 2U);
    EXPECT_EQ(retry_at(7, OnRetryAfter::kReplace, {}, is_down), 7U);
  }
}

TEST(EventLoopRetries, AHintOfZeroIsNone) {
  EXPECT_EQ(retry_at(0, OnRetryAfter::kAtLeast), 4U);
  EXPECT_EQ(retry_at(0, OnRetryAfter::kReplace), 4U);
  EXPECT_EQ(retry_at(1, OnRetryAfter::kReplace), 1U);
}

TEST(EventLoopRetries, MaxDelayCutsTheDelayAndNotTheHint) {
  EXPECT_EQ(retry_at(7, OnRetryAfter::kIgnore, 3), 3U);
  EXPECT_EQ(retry_at(2, OnRetryAfter::kAtLeast, 3), 3U);
  EXPECT_EQ(retry_at(7, OnRetryAfter::kAtLeast, 3), 7U);
  EXPECT_EQ(retry_at(7, OnRetryAfter::kReplace, 3), 7U);
}

TEST(EventLoopRetries, AHintMayBeTwoToThe30Ticks) {
  Scenario example = scenario(1, 2147483647, 0, 2, FixedDelay{4});
  example.server.retry_after = 1U << 30;
  example.policies[0].on_retry_after = OnRetryAfter::kReplace;
  example.arrivals = BurstArrivals{2147483646};
  EXPECT_EQ(clients_of(example),
            Lines{"c0 scheduled, arrival 2147483646, attempts 1, next 3221225470"});
}

// Nobody told the client anything: the response is lost, or its request.
TEST(EventLoopRetries, AfterATimeoutThereIsNoHint) {
  for (const OnRetryAfter on_retry_after : {OnRetryAfter::kAtLeast, OnRetryAfter::kReplace}) {
    Scenario example = scenario(2, 99, 9, 2, FixedDelay{4});
    example.server.retry_after = 7;
    example.policies[0].on_retry_after = on_retry_after;
    example.faults.first_response_lost = {1, 0};
    EXPECT_EQ(attempts_of(example).at(1),
              "t0 c1#1 accepted, started 0, applied, lost, failed 0, next 4");
    example.faults.request_loss = fraction("1");
    EXPECT_EQ(attempts_of(example).at(1), "t0 c1#1 request_lost, failed 0, next 4");
  }
}

// Decorrelated delays from [2, 3p], at most 100, of client 0 with seed 94. Worked out from the page
// in another language: index 1 gives 6 of [2, 6]; index 2 gives 4 of [2, 18], 3 of [2, 12] and 2 of
// [2, 6]; index 3 gives 12 of [2, 12].
Scenario decorrelated() {
  Scenario example = scenario(1, 99, 0, 4, DecorrelatedDelay{2, 100});
  example.seed = 94;
  return example;
}

TEST(EventLoopRetries, DecorrelatedDelaysGrowFromTheOneBefore) {
  EXPECT_EQ(attempts_of(decorrelated()),
            (Lines{"t0 c0#1 overloaded, failed 0, next 6", "t6 c0#2 overloaded, failed 6, next 10",
                   "t10 c0#3 overloaded, failed 10, next 22", "t22 c0#4 overloaded, failed 22"}));
}

TEST(EventLoopRetries, TheDelayBeforeIsNotTheOneThatMaxDelayCut) {
  Scenario example = decorrelated();
  example.policies[0].max_delay = 5;
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 overloaded, failed 0, next 5", "t5 c0#2 overloaded, failed 5, next 9",
                   "t9 c0#3 overloaded, failed 9, next 14", "t14 c0#4 overloaded, failed 14"}));
}

// Refused at 0, with a hint of 50 ticks; then the server hangs, so that there is no hint.
TEST(EventLoopRetries, TheDelayBeforeIsNeverTheHint) {
  Scenario example = decorrelated();
  example.policies[0].attempts = 3;
  example.server.retry_after = 50;
  example.server.outages = {{.from = 1, .ticks = 98, .kind = OutageKind::kHang}};
  example.policies[0].on_retry_after = OnRetryAfter::kAtLeast;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 overloaded, failed 0, next 50",
                                         "t50 c0#2 request_lost, failed 50, next 54",
                                         "t54 c0#3 request_lost, failed 54"}));
  // No draw was made, and the delay before is still the base.
  example.policies[0].on_retry_after = OnRetryAfter::kReplace;
  EXPECT_EQ(attempts_of(example).at(1), "t50 c0#2 request_lost, failed 50, next 52");
}

// Arrival at 3, retries due at 7, 11, 15, …: 4, 8 and 12 ticks after the arrival.
TEST(EventLoopRetries, ADeadlineStopsRetriesThatWouldBeDueAfterIt) {
  Scenario example = scenario(1, 99, 0, 9, FixedDelay{4});
  example.arrivals = BurstArrivals{3};
  example.policies[0].deadline = 8;
  EXPECT_EQ(attempts_of(example),
            (Lines{"t3 c0#1 overloaded, failed 3, next 7", "t7 c0#2 overloaded, failed 7, next 11",
                   "t11 c0#3 overloaded, failed 11"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 1, attempts 3, overloaded 3, deadline_exceeded 1, peak at 3, of 1");
  EXPECT_EQ(clients_of(example), Lines{"c0 deadline_exceeded, arrival 3, attempts 3"});
  EXPECT_EQ(ends_of(example), Lines{"t11 c0 deadline_exceeded"});
  example.policies[0].deadline = 7;
  EXPECT_EQ(attempts_of(example).size(), 2U);
  example.policies[0].deadline = 0;
  EXPECT_EQ(attempts_of(example), Lines{"t3 c0#1 overloaded, failed 3"});
}

TEST(EventLoopRetries, ADeadlineIsHeldAgainstTheDelayAsCutAndHinted) {
  Scenario example = scenario(1, 99, 0, 2, FixedDelay{4});
  example.policies[0].deadline = 3;
  EXPECT_EQ(summary_of(example).deadline_exceeded, 1U);
  example.policies[0].max_delay = 3;
  EXPECT_EQ(summary_of(example).exhausted, 1U);
  example.server.retry_after = 4;
  example.policies[0].on_retry_after = OnRetryAfter::kAtLeast;
  EXPECT_EQ(summary_of(example).deadline_exceeded, 1U);
}

TEST(EventLoopRetries, AClientWithoutAttemptsLeftIsExhaustedWhateverItsDeadline) {
  Scenario example = scenario(1, 99, 0, 1, FixedDelay{4});
  example.policies[0].deadline = 0;
  EXPECT_EQ(clients_of(example), Lines{"c0 exhausted, attempts 1"});
}

// Service lasts until 9; the deadline is at 3.
TEST(EventLoopRetries, ADeadlineDoesNotEndAnAttemptUnderWay) {
  Scenario example = scenario(1, 99, 1, 2, FixedDelay{4}, 20);
  example.server.service_ticks = 9;
  example.policies[0].deadline = 3;
  EXPECT_EQ(clients_of(example), Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 9"});
}

// In tick 2^30 the next retry would be due at 2^31, one more than the longest deadline.
TEST(EventLoopRetries, TheLongestDeadlineIsExact) {
  Scenario example = scenario(1, 2147483647, 0, 9, FixedDelay{1U << 30});
  EXPECT_EQ(clients_of(example), Lines{"c0 scheduled, attempts 2, next 2147483648"});
  example.policies[0].deadline = 2147483647;
  EXPECT_EQ(clients_of(example), Lines{"c0 deadline_exceeded, attempts 2"});
  example.policies[0].delay = ListDelay{{1U << 30, (1U << 30) - 1}};
  EXPECT_EQ(clients_of(example), Lines{"c0 scheduled, attempts 2, next 2147483647"});
}

// A retry that is due after the horizon is stopped by the deadline all the same.
TEST(EventLoopRetries, ADeadlineCountsBeyondTheHorizon) {
  Scenario example = scenario(1, 3, 0, 9, FixedDelay{8});
  example.policies[0].deadline = 8;
  EXPECT_EQ(clients_of(example), Lines{"c0 scheduled, attempts 1, next 8"});
  example.policies[0].deadline = 7;
  EXPECT_EQ(clients_of(example), Lines{"c0 deadline_exceeded, attempts 1"});
}

// Each entry is its own interval; the draws are those of one entry, [3, 3], and of [1, 2].
TEST(EventLoopRetries, AListMayGiveIntervals) {
  Scenario example = scenario(100, 4, 0, 3, ListDelay{{Interval{3, 3}, Interval{1, 2}}});
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 100, overloaded 100", "t3 attempts 100, overloaded 100"}));
  for (const ClientRecord& client : run_clients(make_plan(example, 0))) {
    EXPECT_TRUE(client.next_tick == 4U || client.next_tick == 5U);
  }
}

}  // namespace
}  // namespace retrygarden::test
