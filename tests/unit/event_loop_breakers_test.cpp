// Runs with circuit breakers, worked out by hand from docs/model.md, sections 4 and 12.
// circuit_breakers_test.cpp has the breakers by themselves.
#include <gtest/gtest.h>

#include "retrygarden/event_loop.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

// All clients on one host, retries a tick later.
Scenario one_host(std::uint32_t clients, std::uint32_t capacity, std::uint32_t attempts,
                  Breaker breaker) {
  Scenario example = scenario(clients, 99, capacity, attempts, FixedDelay{1});
  example.clients_per_host = clients;
  example.policies[0].breaker = breaker;
  return example;
}

// A server that is always full.
//   t0: three failures; the second opens the breaker, the third is not counted.
//   t1, t2: it is open.     t3: client 0 is let through as a probe, and fails like all others.
TEST(EventLoopBreakers, OpenStopAttemptsAndTryAgain) {
  const Scenario example =
      one_host(3, 0, 4, {.window = 2, .failures = 2, .open_ticks = 2, .probes = 1});
  EXPECT_EQ(
      attempts_of(example),
      (Lines{
          "t0 c0#1 overloaded, failed 0, next 1", "t0 c1#1 overloaded, failed 0, next 1",
          "t0 c2#1 overloaded, failed 0, next 1", "t1 c0#2 short_circuited, failed 1, next 2",
          "t1 c1#2 short_circuited, failed 1, next 2", "t1 c2#2 short_circuited, failed 1, next 2",
          "t2 c0#3 short_circuited, failed 2, next 3", "t2 c1#3 short_circuited, failed 2, next 3",
          "t2 c2#3 short_circuited, failed 2, next 3", "t3 c0#4 overloaded, failed 3",
          "t3 c1#4 short_circuited, failed 3", "t3 c2#4 short_circuited, failed 3"}));
  EXPECT_EQ(load_of(example), (Lines{"t0 attempts 3, overloaded 3",
                                     "t1 attempts 3, "
                                     "short_circuited 3",
                                     "t2 attempts 3, short_circuited 3",
                                     "t3 attempts 3, overloaded 1, short_circuited 2"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 3, attempts 12, overloaded 4, short_circuited 8, exhausted 3, "
            "peak at 0, of 3");
}

// The server refuses in 0 … 3. Client 0's probe of tick 2 opens the breaker again; that of tick 4
// is answered, and closes it in phase 4, when client 1 was stopped already.
TEST(EventLoopBreakers, CloseWhenTheProbesAreAcknowledged) {
  Scenario example = one_host(2, 9, 9, {.window = 1, .failures = 1, .open_ticks = 1, .probes = 1});
  example.server.outages = {{0, 4}};
  EXPECT_EQ(
      attempts_of(example),
      (Lines{
          "t0 c0#1 unavailable, failed 0, next 1", "t0 c1#1 unavailable, failed 0, next 1",
          "t1 c0#2 short_circuited, failed 1, next 2", "t1 c1#2 short_circuited, failed 1, next 2",
          "t2 c0#3 unavailable, failed 2, next 3", "t2 c1#3 short_circuited, failed 2, next 3",
          "t3 c0#4 short_circuited, failed 3, next 4", "t3 c1#4 short_circuited, failed 3, next 4",
          "t4 c0#5 accepted, started 4, applied, acknowledged",
          "t4 c1#5 short_circuited, failed 4, next 5",
          "t5 c1#6 accepted, started 5, applied, acknowledged"}));
}

// Down in tick 0, then a place a tick. The results are two failures, then, in tick 1, the success
// of client 0 and the failure of client 1: never three failures in a row.
TEST(EventLoopBreakers, AcknowledgementsComeBeforeTheFailuresOfTheirTick) {
  Scenario example = one_host(2, 1, 3, {.window = 3, .failures = 3, .open_ticks = 9, .probes = 1});
  example.server.outages = {{0, 1}};
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 2, unavailable 2",
                   "t1 attempts 2, accepted 1, overloaded 1, started 1, effects 1, acknowledged 1",
                   "t2 attempts 1, accepted 1, started 1, effects 1, acknowledged 1"}));
  example.server.outages[0].ticks = 2;  // F F F
  EXPECT_EQ(load_of(example).at(2), "t2 attempts 2, short_circuited 2");
}

// All requests are lost, and time out after 3 ticks. The breaker opens at 3; client 0's probe of
// tick 5 is lost as well, and client 1 is stopped while nothing is known of it.
TEST(EventLoopBreakers, AProbeIsAProbeWhateverBecomesOfItsRequest) {
  Scenario example = one_host(2, 9, 3, {.window = 1, .failures = 1, .open_ticks = 1, .probes = 1});
  example.policies[0].timeout = 3;
  example.faults.request_loss = fraction("1");
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 request_lost, failed 3, next 4",
                   "t0 c1#1 request_lost, failed 3, "
                   "next 4",
                   "t4 c0#2 short_circuited, failed 4, next 5",
                   "t4 c1#2 short_circuited, failed 4, next 5", "t5 c0#3 request_lost, failed 8",
                   "t5 c1#3 short_circuited, failed 5"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 2, attempts 6, lost_requests 3, short_circuited 3, timeouts 3, exhausted 2");
}

// Arrivals at 0 and 1; the only attempt of client 0 opens the breaker.
TEST(EventLoopBreakers, TheFailureOfAClientThatStopsIsReported) {
  Scenario example = one_host(2, 0, 1, {.window = 1, .failures = 1, .open_ticks = 9, .probes = 1});
  example.arrivals = SpreadArrivals{2};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 overloaded, failed 0", "t1 c1#1 short_circuited, failed 1"}));
}

// The hint of the refusal is 7 ticks; whom the breaker stops is told nothing.
TEST(EventLoopBreakers, AShortCircuitedAttemptHasNoHint) {
  for (const OnRetryAfter on_retry_after : {OnRetryAfter::kAtLeast, OnRetryAfter::kReplace}) {
    Scenario example =
        one_host(1, 0, 3, {.window = 1, .failures = 1, .open_ticks = 50, .probes = 1});
    example.server.retry_after = 7;
    example.policies[0].on_retry_after = on_retry_after;
    EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 overloaded, failed 0, next 7",
                                           "t7 c0#2 short_circuited, failed 7, next 8",
                                           "t8 c0#3 short_circuited, failed 8"}));
  }
}

// Nor is it a result: the breaker of one failure in one result would open anew each tick, and never
// let the probe of tick 3 through.
TEST(EventLoopBreakers, AShortCircuitedAttemptIsNoResult) {
  const Scenario example =
      one_host(1, 0, 4, {.window = 1, .failures = 1, .open_ticks = 2, .probes = 1});
  EXPECT_EQ(load_of(example).at(3), "t3 attempts 1, overloaded 1");
}

// Service takes 4 ticks, clients wait for 1: the late response of tick 4 is no success.
TEST(EventLoopBreakers, ALateResponseIsNoResult) {
  Scenario example = one_host(1, 9, 3, {.window = 1, .failures = 1, .open_ticks = 1, .probes = 1});
  example.server.service_ticks = 4;
  example.policies[0].timeout = 1;
  example.policies[0].delay = FixedDelay{2};
  // Opens at 1; half-open from 3, where attempt 2 is the probe. It fails at 4.
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, late, failed 1, next 3",
                   "t3 c0#2 accepted, started 3, duplicate, late, failed 4, next 6",
                   "t6 c0#3 accepted, started 6, duplicate, late, failed 7"}));
  example.policies[0].delay = FixedDelay{1};
  // Attempt 2 is stopped in 2; attempt 3 of tick 3 fails in 4.
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, late, failed 1, next 2",
                   "t2 c0#2 short_circuited, failed 2, next 3",
                   "t3 c0#3 accepted, started 3, duplicate, late, failed 4"}));
}

// With seed 7 the words of the second attempts put client 2 first; see event_loop_random_test.cpp.
TEST(EventLoopBreakers, TheFirstAttemptsByTheTieBreakAreTheProbes) {
  Scenario example = one_host(6, 0, 2, {.window = 1, .failures = 1, .open_ticks = 1, .probes = 1});
  example.seed = 7;
  example.server.tie_break = TieBreak::kRandom;
  example.policies[0].delay = FixedDelay{2};
  std::vector<Client> probes;
  run(make_plan(example, 0),
      {.tick_load = {},
       .attempt =
           [&](const Attempt& attempt) {
             if (attempt.attempt == 2 && attempt.outcome == Outcome::kOverloaded) {
               probes.push_back(attempt.client);
             }
           },
       .client_end = {}});
  EXPECT_EQ(probes, std::vector<Client>{2});
}

// Hosts of clients 0 and 1, 2 and 3, and 4. With a place for client 0 alone, its breaker has one
// failure of two results, that of clients 2 and 3 two of two, that of client 4 one of one.
TEST(EventLoopBreakers, EachHostHasItsOwn) {
  Scenario example = one_host(5, 1, 2, {.window = 2, .failures = 2, .open_ticks = 9, .probes = 1});
  example.clients_per_host = 2;
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                   "t0 c1#1 overloaded, failed 0, next 1", "t0 c2#1 overloaded, failed 0, next 1",
                   "t0 c3#1 overloaded, failed 0, next 1", "t0 c4#1 overloaded, failed 0, next 1",
                   "t1 c1#2 accepted, started 1, applied, acknowledged",
                   "t1 c2#2 short_circuited, failed 1", "t1 c3#2 short_circuited, failed 1",
                   "t1 c4#2 overloaded, failed 1"}));
}

}  // namespace
}  // namespace retrygarden::test
