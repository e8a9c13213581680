// Runs in which the server takes time, worked out by hand from docs/model.md, section 4: service
// time, timeouts, concurrency and windows of capacity.
#include <gtest/gtest.h>

#include "retrygarden/event_loop.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

// One client, one place a tick, service that takes `ticks`.
Scenario one_client(std::uint32_t ticks, std::uint32_t timeout, std::uint32_t attempts,
                    std::uint32_t horizon = 99) {
  Scenario example = scenario(1, horizon, 1, attempts, FixedDelay{2}, timeout);
  example.server.service_ticks = ticks;
  return example;
}

// Started at 0, so due at 3; the timeout of 3 comes later in tick 3, in phase 5.
TEST(EventLoopService, AResponseInTheTickOfTheTimeoutIsInTime) {
  const Scenario example = one_client(3, 3, 2);
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 accepted, started 0, applied, acknowledged"});
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 1, accepted 1, started 1, effects 1", "t3 acknowledged 1"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 1, attempts 1, accepted 1, started 1, effects 1, acknowledged 1, "
            "peak at 0, of 1, last_acknowledged 3, p50 3, p90 3, p99 3, max 3");
  EXPECT_EQ(ends_of(example), Lines{"t3 c0 acknowledged"});
  EXPECT_EQ(clients_of(example), Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 3"});
}

// Given up at 2, so next at 4; the responses at 3 and 7 find nobody. Attempt 2 fails at 6.
TEST(EventLoopService, AResponseAfterTheTimeoutIsLate) {
  const Scenario example = one_client(3, 2, 2);
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, late, failed 2, next 4",
                   "t4 c0#2 accepted, started 4, duplicate, late, failed 6"}));
  EXPECT_EQ(load_of(example), (Lines{"t0 attempts 1, accepted 1, started 1, effects 1",
                                     "t4 attempts 1, accepted 1, started 1, effects 1"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 1, attempts 2, accepted 2, started 2, effects 2, duplicate_effects 1, "
            "late_responses 2, timeouts 2, exhausted 1, applied_unacknowledged 1, "
            "peak at 0, of 1");
  EXPECT_EQ(ends_of(example), Lines{"t6 c0 exhausted"});
}

// Given up at 1, again at 3; the response at 3 is to attempt 1, while the client waits on attempt
// 2, sent at 3.
TEST(EventLoopService, AResponseIsForItsVeryAttempt) {
  EXPECT_EQ(attempts_of(one_client(3, 1, 2)),
            (Lines{"t0 c0#1 accepted, started 0, applied, late, failed 1, next 3",
                   "t3 c0#2 accepted, started 3, duplicate, late, failed 4"}));
}

// Attempt 2, sent at 4, is waited on until 6, where the response to attempt 1 arrives; at 10 its
// own response comes too late for attempt 2, and too early for attempt 3, sent at 8.
TEST(EventLoopService, ALateResponseDoesNotEndTheWaitOnALaterAttempt) {
  EXPECT_EQ(attempts_of(one_client(6, 2, 3)),
            (Lines{"t0 c0#1 accepted, started 0, applied, late, failed 2, next 4",
                   "t4 c0#2 accepted, started 4, duplicate, late, failed 6, next 8",
                   "t8 c0#3 accepted, started 8, duplicate, late, failed 10"}));
}

TEST(EventLoopService, AResponseDueAtTheHorizonIsStillUnderWay) {
  const Scenario at_horizon = one_client(3, 9, 1, 3);
  EXPECT_EQ(attempts_of(at_horizon), Lines{"t0 c0#1 accepted, started 0, applied"});
  EXPECT_EQ(clients_of(at_horizon), Lines{"c0 awaiting, attempts 1, effects 1"});
  EXPECT_EQ(ends_of(at_horizon), Lines{});
  EXPECT_EQ(line_of(summary_of(at_horizon)),
            "clients 1, attempts 1, accepted 1, started 1, effects 1, awaiting 1, "
            "applied_unacknowledged 1, peak at 0, of 1");
  EXPECT_EQ(clients_of(one_client(3, 9, 1, 4)),
            Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 3"});
}

TEST(EventLoopService, ATimeoutAtTheHorizonDoesNotCome) {
  EXPECT_EQ(clients_of(one_client(9, 3, 1, 3)), Lines{"c0 awaiting, attempts 1, effects 1"});
  EXPECT_EQ(clients_of(one_client(9, 3, 1, 4)), Lines{"c0 exhausted, attempts 1, effects 1"});
}

// At 5 the client is scheduled, since 2; at 7 it waits on its second attempt.
TEST(EventLoopService, AClientIsScheduledBetweenItsAttemptsAndAwaitingOnThem) {
  Scenario example = one_client(99, 2, 9, 6);
  example.policies[0].delay = FixedDelay{5};
  EXPECT_EQ(clients_of(example), Lines{"c0 scheduled, attempts 1, effects 1, next 7"});
  EXPECT_EQ(summary_of(example).scheduled, 1U);
  EXPECT_EQ(summary_of(example).awaiting, 0U);
  example.horizon = 8;
  EXPECT_EQ(clients_of(example), Lines{"c0 awaiting, attempts 2, effects 2"});
  EXPECT_EQ(summary_of(example).scheduled, 0U);
  EXPECT_EQ(summary_of(example).awaiting, 1U);
}

// The response of tick 0 is lost: the client waits 5 ticks. Attempt 2 is answered at 10.
TEST(EventLoopService, AfterALostResponseTheClientWaitsForItsTimeout) {
  Scenario example = one_client(3, 5, 2);
  example.faults.first_response_lost = {1, 0};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, lost, failed 5, next 7",
                   "t7 c0#2 accepted, started 7, duplicate, acknowledged"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 1, attempts 2, accepted 2, started 2, effects 2, duplicate_effects 1, "
            "lost_responses 1, timeouts 1, acknowledged 1, peak at 0, of 1, "
            "last_acknowledged 10, p50 10, p90 10, p99 10, max 10");
}

TEST(EventLoopService, ALostResponseIsLostFromTheStartOfItsRequest) {
  Scenario example = one_client(3, 5, 2, 1);
  example.faults.first_response_lost = {1, 0};
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 accepted, started 0, applied, lost"});
  EXPECT_EQ(clients_of(example), Lines{"c0 awaiting, attempts 1, effects 1"});
  EXPECT_EQ(summary_of(example).lost_responses, 1U);
}

// With service and timeout of 0 ticks, and a place to wait that nobody needs.
TEST(EventLoopService, ServiceOfNoTicksIsAnsweredInItsTick) {
  Scenario example = one_client(0, 0, 2);
  example.server.queue = 1;
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 accepted, started 0, applied, acknowledged"});
  example.faults.first_response_lost = {1, 0};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, lost, failed 0, next 2",
                   "t2 c0#2 accepted, started 2, duplicate, acknowledged"}));
}

TEST(EventLoopService, ATimeoutOfNoTicksComesBeforeALongerService) {
  EXPECT_EQ(attempts_of(one_client(1, 0, 2)),
            (Lines{"t0 c0#1 accepted, started 0, applied, late, failed 0, next 2",
                   "t2 c0#2 accepted, started 2, duplicate, late, failed 2"}));
}

// 2^30 ticks of service, and a client that waits as long, once from tick 0, once from the last.
TEST(EventLoopService, LastsUpToTwoToThe30Ticks) {
  Scenario example = one_client(1U << 30, 1U << 30, 2, 2147483647);
  EXPECT_EQ(clients_of(example),
            Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 1073741824"});
  example.policies[0].timeout = (1U << 30) - 1;
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, late, failed 1073741823, next 1073741825",
                   "t1073741825 c0#2 accepted, started 1073741825, duplicate"}));
  example.arrivals = BurstArrivals{2147483646};
  EXPECT_EQ(clients_of(example), Lines{"c0 awaiting, arrival 2147483646, attempts 1, effects 1"});
}

// Service of 2 ticks: started at 0, a request is in service in 0 and 1, and no more in 2.
//   t0: client 0 starts; t1: nobody can; t2: client 1 starts; t3: client 2's fourth attempt fails.
TEST(EventLoopService, ConcurrencyLimitsWhatIsInService) {
  Scenario example = scenario(3, 20, 3, 4, FixedDelay{1}, 9);
  example.server.service_ticks = 2;
  example.server.concurrency = 1;
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                   "t0 c1#1 overloaded, failed 0, next 1", "t0 c2#1 overloaded, failed 0, next 1",
                   "t1 c1#2 overloaded, failed 1, next 2", "t1 c2#2 overloaded, failed 1, next 2",
                   "t2 c1#3 accepted, started 2, applied, acknowledged",
                   "t2 c2#3 overloaded, failed 2, next 3", "t3 c2#4 overloaded, failed 3"}));
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 3, accepted 1, overloaded 2, started 1, effects 1",
                   "t1 attempts 2, overloaded 2",
                   "t2 attempts 2, accepted 1, overloaded 1, started 1, effects 1, acknowledged 1",
                   "t3 attempts 1, overloaded 1", "t4 acknowledged 1"}));
}

// Two in service: client 0 of tick 0 and client 1 of tick 1. The third finds a place at 2, when
// service takes 2 ticks, and none when it takes 3.
TEST(EventLoopService, ConcurrencyCountsRequestsOfAllTicks) {
  Scenario example = scenario(3, 3, 9, 1, FixedDelay{1}, 9);
  example.arrivals = SpreadArrivals{3};
  example.server.concurrency = 2;
  example.server.service_ticks = 2;
  EXPECT_EQ(summary_of(example).accepted, 3U);
  example.server.service_ticks = 3;
  EXPECT_EQ(summary_of(example).accepted, 2U);
  EXPECT_EQ(summary_of(example).overloaded, 1U);
  example.server.concurrency.reset();
  EXPECT_EQ(summary_of(example).accepted, 3U);
}

TEST(EventLoopService, ConcurrencyNeverLimitsServiceOfNoTicks) {
  Scenario example = scenario(5, 1, 5, 1, FixedDelay{1});
  example.server.concurrency = 1;
  EXPECT_EQ(summary_of(example).acknowledged, 5U);
  example.policies[0].timeout = 3;  // goes through the phases one by one
  EXPECT_EQ(summary_of(example).acknowledged, 5U);
}

// Windows of 3 ticks, 2 requests each, and a client a tick: the third of each window is refused.
TEST(EventLoopService, CapacityIsThatOfAWindow) {
  Scenario example = scenario(7, 7, 2, 1, FixedDelay{1});
  example.arrivals = SpreadArrivals{7};
  example.server.capacity_window = 3;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t1 c1#1 accepted, started 1, applied, acknowledged",
                                         "t2 c2#1 overloaded, failed 2",  //
                                         "t3 c3#1 accepted, started 3, applied, acknowledged",
                                         "t4 c4#1 accepted, started 4, applied, acknowledged",
                                         "t5 c5#1 overloaded, failed 5",  //
                                         "t6 c6#1 accepted, started 6, applied, acknowledged"}));
}

// The window 0 … 2 ends with tick 2, so that ticks 2 and 3 take a capacity each.
TEST(EventLoopService, AtTheBorderOfWindowsBothCapacitiesCanBeUsed) {
  Scenario example = scenario(5, 9, 2, 3, FixedDelay{1});
  example.arrivals = BurstArrivals{2};
  example.server.capacity_window = 3;
  EXPECT_EQ(load_of(example),
            (Lines{"t2 attempts 5, accepted 2, overloaded 3, started 2, effects 2, acknowledged 2",
                   "t3 attempts 3, accepted 2, overloaded 1, started 2, effects 2, acknowledged 2",
                   "t4 attempts 1, overloaded 1"}));
}

// No tick has a record between the attempts at 0 and 8; the windows that pass are counted all the
// same.
TEST(EventLoopService, WindowsThatPassWithoutWorkStartAnew) {
  Scenario example = scenario(3, 20, 1, 3, FixedDelay{8});
  example.server.capacity_window = 3;
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 3, accepted 1, overloaded 2, started 1, effects 1, acknowledged 1",
                   "t8 attempts 2, accepted 1, overloaded 1, started 1, effects 1, acknowledged 1",
                   "t16 attempts 1, accepted 1, started 1, effects 1, acknowledged 1"}));
}

TEST(EventLoopService, AWindowMayBeAsLongAsTheLongestRun) {
  Scenario example = scenario(3, 2147483647, 2, 2, FixedDelay{1U << 30});
  example.arrivals = SpreadArrivals{3};
  example.server.capacity_window = 2147483647;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t1 c1#1 accepted, started 1, applied, acknowledged",
                                         "t2 c2#1 overloaded, failed 2, next 1073741826",
                                         "t1073741826 c2#2 overloaded, failed 1073741826"}));
}

}  // namespace
}  // namespace retrygarden::test
