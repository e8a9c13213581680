// Runs in which requests wait for their start, worked out by hand from docs/model.md, section 4.
#include <gtest/gtest.h>

#include "retrygarden/event_loop.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

// Service takes no time: what waits is answered in the tick of its start.
Scenario with_queue(std::uint32_t clients, std::uint32_t capacity, std::uint32_t queue,
                    std::uint32_t attempts, std::uint32_t delay, std::uint32_t timeout) {
  Scenario example = scenario(clients, 99, capacity, attempts, FixedDelay{delay}, timeout);
  example.server.queue = queue;
  return example;
}

// One starts at once, two wait for the ticks 1 and 2, and there is no place for the fourth.
TEST(EventLoopQueue, RequestsWaitForTheirStart) {
  const Scenario example = with_queue(4, 1, 2, 1, 1, 9);
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t0 c1#1 accepted, started 1, applied, acknowledged",
                                         "t0 c2#1 accepted, started 2, applied, acknowledged",
                                         "t0 c3#1 overloaded, failed 0"}));
  EXPECT_EQ(load_of(example), (Lines{"t0 attempts 4, accepted 3, overloaded 1, started 1, "
                                     "effects 1, acknowledged 1, queued 2",
                                     "t1 started 1, effects 1, acknowledged 1, queued 1",
                                     "t2 started 1, effects 1, acknowledged 1"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 4, attempts 4, accepted 3, overloaded 1, started 3, effects 3, "
            "acknowledged 3, exhausted 1, peak at 0, of 4, last_acknowledged 2, "
            "p50 1, p90 2, p99 2, max 2");
}

TEST(EventLoopQueue, FifoStartsWhatWaitsLongest) {
  const Scenario example = with_queue(4, 1, 9, 1, 1, 9);
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t0 c1#1 accepted, started 1, applied, acknowledged",
                                         "t0 c2#1 accepted, started 2, applied, acknowledged",
                                         "t0 c3#1 accepted, started 3, applied, acknowledged"}));
}

TEST(EventLoopQueue, LifoStartsWhatCameLast) {
  Scenario example = with_queue(4, 1, 9, 1, 1, 9);
  example.server.discipline = Discipline::kLifo;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t0 c1#1 accepted, started 3, applied, acknowledged",
                                         "t0 c2#1 accepted, started 2, applied, acknowledged",
                                         "t0 c3#1 accepted, started 1, applied, acknowledged"}));
}

// Arrivals at 0, 1 and 2; a place at 0 and at 4.
TEST(EventLoopQueue, LifoPrefersLaterArrivals) {
  Scenario example = with_queue(3, 1, 9, 1, 1, 9);
  example.arrivals = SpreadArrivals{3};
  example.server.capacity_window = 4;
  example.server.discipline = Discipline::kLifo;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t1 c1#1 accepted, started 8, applied, acknowledged",
                                         "t2 c2#1 accepted, started 4, applied, acknowledged"}));
  example.server.discipline = Discipline::kFifo;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t1 c1#1 accepted, started 4, applied, acknowledged",
                                         "t2 c2#1 accepted, started 8, applied, acknowledged"}));
}

// The response to client 0 is lost; it comes again at 2.
//   t0: client 0 starts, 1 waits, 2 is overloaded.      t1: 1 starts; 2 takes its place.
//   t2: 2 starts before 0, the lower number, arrives.   t3: 0 starts.
TEST(EventLoopQueue, WhatWaitsStartsBeforeWhatArrives) {
  Scenario example = with_queue(3, 1, 1, 3, 1, 1);
  example.faults.first_response_lost = {3, 0};
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, lost, failed 1, "
                                         "next 2",
                                         "t0 c1#1 accepted, started 1, applied, acknowledged",
                                         "t0 c2#1 overloaded, failed 0, next 1",
                                         "t1 c2#2 accepted, started 2, applied, acknowledged",
                                         "t2 c0#2 accepted, started 3, duplicate, acknowledged"}));
  EXPECT_EQ(load_of(example), (Lines{"t0 attempts 3, accepted 2, overloaded 1, started 1, "
                                     "effects 1, queued 1",
                                     "t1 attempts 1, accepted 1, started 1, effects 1, "
                                     "acknowledged 1, queued 1",
                                     "t2 attempts 1, accepted 1, started 1, effects 1, "
                                     "acknowledged 1, queued 1",
                                     "t3 started 1, effects 1, acknowledged 1"}));
}

// In tick 1 the request that waited and a retry take one of the two places each.
TEST(EventLoopQueue, WhatArrivesStartsAtOnceWhereCapacityIsLeft) {
  const Scenario example = with_queue(4, 2, 1, 3, 1, 9);
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t0 c1#1 accepted, started 0, applied, acknowledged",
                                         "t0 c2#1 accepted, started 1, applied, acknowledged",
                                         "t0 c3#1 overloaded, failed 0, next 1",
                                         "t1 c3#2 accepted, started 1, applied, acknowledged"}));
}

// A place at 0 and at 10; client 1 gives up at 3.
TEST(EventLoopQueue, AnAbandonedRequestIsStartedAllTheSame) {
  Scenario example = with_queue(2, 1, 1, 1, 1, 3);
  example.server.capacity_window = 10;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t0 c1#1 accepted, started 10, applied, late, failed 3"}));
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 2, accepted 2, started 1, effects 1, acknowledged 1, queued 1",
                   "t10 started 1, effects 1"}));
  EXPECT_EQ(ends_of(example), (Lines{"t0 c0 acknowledged", "t3 c1 exhausted"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 2, attempts 2, accepted 2, started 2, effects 2, late_responses 1, "
            "timeouts 1, acknowledged 1, exhausted 1, applied_unacknowledged 1, "
            "peak at 0, of 2, last_acknowledged 0, p50 0, p90 0, p99 0, max 0");
}

TEST(EventLoopQueue, AnAbandonedRequestMayBeDroppedWhenItsTurnComes) {
  Scenario example = with_queue(2, 1, 1, 1, 1, 3);
  example.server.capacity_window = 10;
  example.server.drop_abandoned = true;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t0 c1#1 accepted, dropped 10, failed 3"}));
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 2, accepted 2, started 1, effects 1, acknowledged 1, queued 1",
                   "t10 dropped 1"}));
  EXPECT_EQ(summary_of(example).dropped, 1U);
  EXPECT_EQ(summary_of(example).started, 1U);
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 0",  //
                   "c1 exhausted, attempts 1"}));
}

// In the tick of its timeout a client waits still while the server takes requests from the queue.
TEST(EventLoopQueue, AbandonedIsWhatWasGivenUpInAnEarlierTick) {
  Scenario example = with_queue(2, 1, 1, 1, 1, 10);
  example.server.capacity_window = 10;
  example.server.drop_abandoned = true;
  EXPECT_EQ(attempts_of(example).at(1), "t0 c1#1 accepted, started 10, applied, acknowledged");
  example.policies[0].timeout = 9;
  EXPECT_EQ(attempts_of(example).at(1), "t0 c1#1 accepted, dropped 10, failed 9");
}

// Client 1 gives up at 3 and sends again at 8: in tick 10 its first request is dropped, though it
// waits on the second, and that takes nothing from the capacity that starts the second.
TEST(EventLoopQueue, DroppingTakesNoCapacity) {
  Scenario example = with_queue(2, 1, 2, 2, 5, 3);
  example.server.capacity_window = 10;
  example.server.drop_abandoned = true;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t0 c1#1 accepted, dropped 10, failed 3, next 8",
                                         "t8 c1#2 accepted, started 10, applied, acknowledged"}));
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 2, accepted 2, started 1, effects 1, acknowledged 1, queued 1",
                   "t8 attempts 1, accepted 1, queued 2",
                   "t10 started 1, dropped 1, effects 1, acknowledged 1"}));
}

// As before; both requests start, at 10 and 20.
TEST(EventLoopQueue, AClientMayHaveSeveralRequestsWaiting) {
  Scenario example = with_queue(2, 1, 2, 2, 5, 3);
  example.server.capacity_window = 10;
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                   "t0 c1#1 accepted, started 10, applied, late, failed 3, next 8",
                   "t8 c1#2 accepted, started 20, duplicate, late, failed 11"}));
}

// The first request keeps the only place until 10.
TEST(EventLoopQueue, AnAbandonedRequestKeepsItsPlaceUntilThen) {
  Scenario example = with_queue(2, 1, 1, 2, 5, 3);
  example.server.capacity_window = 10;
  example.server.drop_abandoned = true;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t0 c1#1 accepted, dropped 10, failed 3, next 8",
                                         "t8 c1#2 overloaded, failed 8"}));
}

TEST(EventLoopQueue, DropsSeveralInOneTick) {
  Scenario example = with_queue(4, 1, 9, 1, 5, 3);
  example.server.capacity_window = 10;
  example.server.drop_abandoned = true;
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 4, accepted 4, started 1, effects 1, acknowledged 1, queued 3",
                   "t10 dropped 3"}));
}

TEST(EventLoopQueue, WithoutCapacityNothingEverStarts) {
  const Scenario example = with_queue(3, 0, 2, 2, 50, 4);
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, failed 4, next 54", "t0 c1#1 accepted, failed 4, next 54",
                   "t0 c2#1 overloaded, failed 0, next 50", "t50 c2#2 overloaded, failed 50",
                   "t54 c0#2 overloaded, failed 54", "t54 c1#2 overloaded, failed 54"}));
  EXPECT_EQ(load_of(example), (Lines{"t0 attempts 3, accepted 2, overloaded 1, queued 2",
                                     "t50 attempts 1, overloaded 1, queued 2",
                                     "t54 attempts 2, overloaded 2, queued 2"}));
}

TEST(EventLoopQueue, TakesAnyNumber) {
  Scenario example = with_queue(1000, 1, 4294967295, 1, 1, 2000);
  example.horizon = 1000;
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 1000, attempts 1000, accepted 1000, started 1000, effects 1000, "
            "acknowledged 1000, peak at 0, of 1000, last_acknowledged 999, "
            "p50 499, p90 899, p99 989, max 999");
  EXPECT_EQ(attempts_of(example).at(700), "t0 c700#1 accepted, started 700, applied, acknowledged");
}

// Service of 3 ticks, one at a time: starts at 0, 3 and 6.
TEST(EventLoopQueue, StartsWhenSomethingLeavesService) {
  Scenario example = with_queue(3, 5, 5, 1, 1, 20);
  example.server.service_ticks = 3;
  example.server.concurrency = 1;
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 3, accepted 3, started 1, effects 1, queued 2",
                   "t3 started 1, effects 1, acknowledged 1, queued 1",
                   "t6 started 1, effects 1, acknowledged 1", "t9 acknowledged 1"}));
}

// Both limits at once, with windows 0 … 3, 4 … 7, 8 … 11: service of 3 ticks waits for the windows,
// of 5 for the service at 5 and 10, of 8 for both at 8, of 9 again for the service.
TEST(EventLoopQueue, StartsWhenBothCapacityAndConcurrencyAllowIt) {
  const auto starts = [](std::uint32_t service_ticks) {
    Scenario example = with_queue(3, 1, 5, 1, 1, 50);
    example.server.service_ticks = service_ticks;
    example.server.concurrency = 1;
    example.server.capacity_window = 4;
    std::vector<Tick> ticks;
    run(make_plan(example, 0),
        {.tick_load = {},
         .attempt = [&](const Attempt& attempt) { ticks.push_back(*attempt.started_tick); },
         .client_end = {}});
    return ticks;
  };
  using Ticks = std::vector<Tick>;
  EXPECT_EQ(starts(3), (Ticks{0, 4, 8}));
  EXPECT_EQ(starts(4), (Ticks{0, 4, 8}));
  EXPECT_EQ(starts(5), (Ticks{0, 5, 10}));
  EXPECT_EQ(starts(8), (Ticks{0, 8, 16}));
  EXPECT_EQ(starts(9), (Ticks{0, 9, 18}));
}

// A burst at 3, in the window 0 … 4: the next starts are at 5 and 10.
TEST(EventLoopQueue, StartsAtTheBorderOfTheWindow) {
  Scenario example = with_queue(3, 1, 2, 1, 1, 20);
  example.arrivals = BurstArrivals{3};
  example.server.capacity_window = 5;
  EXPECT_EQ(load_of(example),
            (Lines{"t3 attempts 3, accepted 3, started 1, effects 1, acknowledged 1, queued 2",
                   "t5 started 1, effects 1, acknowledged 1, queued 1",
                   "t10 started 1, effects 1, acknowledged 1"}));
}

// At the horizon client 1 waits on a request that was never started, client 2 on nothing.
TEST(EventLoopQueue, WhatWaitsAtTheHorizonWasNeverStarted) {
  Scenario example = with_queue(3, 1, 1, 2, 50, 20);
  example.server.capacity_window = 9;
  example.horizon = 9;
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t0 c1#1 accepted",  //
                                         "t0 c2#1 overloaded, failed 0, next 50"}));
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 0",
                   "c1 awaiting, attempts 1", "c2 scheduled, attempts 1, next 50"}));
  example.horizon = 10;
  EXPECT_EQ(attempts_of(example).at(1), "t0 c1#1 accepted, started 9, applied, acknowledged");
}

}  // namespace
}  // namespace retrygarden::test
