// Runs with every default, worked out by hand from docs/model.md, sections 3 to 8. Attempts are
// decided in their tick here; event_loop_*_test.cpp have the rest.
#include "retrygarden/event_loop.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

// Three clients, one place a tick, down in tick 0, two attempts, a delay of 2, horizon 3.
//   tick 0: all unavailable, next at 2.
//   tick 2: client 0 is accepted; 1 and 2 are overloaded with their last attempt.
TEST(EventLoop, UnavailableThenOverloadedThenExhausted) {
  Scenario example = scenario(3, 3, 1, 2, FixedDelay{2});
  example.server.outages = {{0, 1}};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 unavailable, failed 0, next 2", "t0 c1#1 unavailable, failed 0, next 2",
                   "t0 c2#1 unavailable, failed 0, next 2",
                   "t2 c0#2 accepted, started 2, applied, acknowledged",
                   "t2 c1#2 overloaded, failed 2", "t2 c2#2 overloaded, failed 2"}));
  EXPECT_EQ(load_of(example), (Lines{"t0 attempts 3, unavailable 3",
                                     "t2 attempts 3, accepted 1, overloaded 2, started 1, effects "
                                     "1, acknowledged 1"}));
  EXPECT_EQ(summary_of(example), (Summary{.clients = 3,
                                          .attempts = 6,
                                          .accepted = 1,
                                          .overloaded = 2,
                                          .unavailable = 3,
                                          .started = 1,
                                          .effects = 1,
                                          .acknowledged = 1,
                                          .exhausted = 2,
                                          .peak_load = {0, 3},
                                          .last_acknowledged_tick = 2,
                                          .time_to_acknowledge = {2, 2, 2, 2}}));
  EXPECT_EQ(run_clients(make_plan(example, 0)),
            (std::vector<ClientRecord>{{0, 0, ClientState::kAcknowledged, 2, 1, 2, {}},
                                       {1, 0, ClientState::kExhausted, 2, 0, {}, {}},
                                       {2, 0, ClientState::kExhausted, 2, 0, {}, {}}}));
}

// A next attempt at the horizon, or later, is scheduled; one tick earlier it is made.
TEST(EventLoop, ScheduledIsNeitherExhaustedNorAcknowledged) {
  for (const std::uint32_t horizon : {4U, 5U}) {
    const Scenario example = scenario(1, horizon, 0, 9, FixedDelay{5});
    EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 overloaded, failed 0, next 5"});
    EXPECT_EQ(summary_of(example).scheduled, 1U);
    EXPECT_EQ(summary_of(example).exhausted, 0U);
    EXPECT_EQ(clients_of(example), Lines{"c0 scheduled, attempts 1, next 5"});
  }
  EXPECT_EQ(attempts_of(scenario(1, 6, 0, 9, FixedDelay{5})).size(), 2U);
}

TEST(EventLoop, AnExhaustedClientHasNoNextTick) {
  const Scenario example = scenario(1, 5, 0, 1, FixedDelay{9});
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 overloaded, failed 0"});
  EXPECT_EQ(clients_of(example), Lines{"c0 exhausted, attempts 1"});
  EXPECT_EQ(summary_of(example).scheduled, 0U);
}

// Clients 1 and 3 lose the response to their first accepted attempt; client 3's is its second
// attempt. Waits are 0, 0, 2 and 4.
TEST(EventLoop, TheFirstStartedRequestLosesItsResponseOnce) {
  Scenario example = scenario(4, 20, 3, 5, FixedDelay{2});
  example.faults.first_response_lost = {2, 1};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                   "t0 c1#1 accepted, started 0, applied, lost, failed 0, next 2",
                   "t0 c2#1 accepted, started 0, applied, acknowledged",
                   "t0 c3#1 overloaded, failed 0, next 2",
                   "t2 c1#2 accepted, started 2, duplicate, acknowledged",
                   "t2 c3#2 accepted, started 2, applied, lost, failed 2, next 4",
                   "t4 c3#3 accepted, started 4, duplicate, acknowledged"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 4, attempts 7, accepted 6, overloaded 1, started 6, effects 6, "
            "duplicate_effects 2, lost_responses 2, timeouts 2, acknowledged 4, peak at 0, of 4, "
            "last_acknowledged 4, p50 0, p90 4, p99 4, max 4");
}

TEST(EventLoop, ALostResponseToTheLastAttemptLeavesTheClientAppliedAndExhausted) {
  Scenario example = scenario(1, 20, 1, 1, FixedDelay{2});
  example.faults.first_response_lost = {1, 0};
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 accepted, started 0, applied, lost, failed 0"});
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 1, attempts 1, accepted 1, started 1, effects 1, lost_responses 1, timeouts "
            "1, exhausted 1, applied_unacknowledged 1, peak at 0, of 1");
}

// Client mod every = offset: 2 and 5 of six.
TEST(EventLoop, ResponsesAreLostByClientNumber) {
  Scenario example = scenario(6, 1, 6, 1, FixedDelay{1});
  example.faults.first_response_lost = {3, 2};
  EXPECT_EQ(clients_of(example), (Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 0",
                                        "c1 acknowledged, attempts 1, effects 1, acknowledged 0",
                                        "c2 exhausted, attempts 1, effects 1",
                                        "c3 acknowledged, attempts 1, effects 1, acknowledged 0",
                                        "c4 acknowledged, attempts 1, effects 1, acknowledged 0",
                                        "c5 exhausted, attempts 1, effects 1"}));
}

// The key is stored in tick 0 and live while t - 0 < ticks.
TEST(EventLoop, DeduplicationSuppressesWhileTheKeyIsLive) {
  Scenario example = scenario(1, 20, 1, 5, FixedDelay{4});
  example.faults.first_response_lost = {1, 0};
  const auto second = [&](Deduplication deduplication) {
    example.server.deduplication = deduplication;
    return attempts_of(example).at(1);
  };
  EXPECT_EQ(second(NoDeduplication{}), "t4 c0#2 accepted, started 4, duplicate, acknowledged");
  EXPECT_EQ(second(DeduplicationForever{}),
            "t4 c0#2 accepted, started 4, suppressed, acknowledged");
  EXPECT_EQ(second(DeduplicationTtl{4}), "t4 c0#2 accepted, started 4, duplicate, acknowledged");
  EXPECT_EQ(second(DeduplicationTtl{5}), "t4 c0#2 accepted, started 4, suppressed, acknowledged");
}

TEST(EventLoop, ASuppressedEffectIsAcknowledgedAndCounted) {
  Scenario example = scenario(1, 20, 1, 5, FixedDelay{4});
  example.faults.first_response_lost = {1, 0};
  example.server.deduplication = DeduplicationForever{};
  EXPECT_EQ(load_of(example), (Lines{"t0 attempts 1, accepted 1, started 1, effects 1",
                                     "t4 attempts 1, accepted 1, started 1, acknowledged 1"}));
  EXPECT_EQ(summary_of(example).effects, 1U);
  EXPECT_EQ(summary_of(example).suppressed_effects, 1U);
  EXPECT_EQ(summary_of(example).duplicate_effects, 0U);
  EXPECT_EQ(clients_of(example), Lines{"c0 acknowledged, attempts 2, effects 1, acknowledged 4"});
}

// Windows 3-4, 5 (adjacent), 4-6 (overlapping) and 8: down in 3 … 6 and 8. One client, every tick.
TEST(EventLoop, OutagesOverlapInAnyOrder) {
  Scenario example = scenario(1, 10, 0, 99, FixedDelay{1});
  example.server.outages = {{8, 1}, {5, 1}, {3, 2}, {4, 3}};
  std::vector<Tick> down;
  run(make_plan(example, 0), {.tick_load = {},
                              .attempt =
                                  [&](const Attempt& attempt) {
                                    if (attempt.outcome == Outcome::kUnavailable) {
                                      down.push_back(attempt.tick);
                                    }
                                  },
                              .client_end = {}});
  EXPECT_EQ(down, (std::vector<Tick>{3, 4, 5, 6, 8}));
}

TEST(EventLoop, AnOutageMayReachFarBeyondTheHorizon) {
  Scenario example = scenario(1, 3, 1, 99, FixedDelay{1});
  example.server.outages = {{1, 2147483647}, {2147483647, 2147483647}};
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 accepted, started 0, applied, acknowledged"});
  example.server.outages = {{0, 2147483647}};
  EXPECT_EQ(summary_of(example).unavailable, 3U);
}

// With nothing in the queue or in service a crash refuses like any other outage.
TEST(EventLoop, ACrashOfAServerWithoutWorkRefuses) {
  Scenario example = scenario(1, 9, 1, 9, FixedDelay{2});
  example.server.outages = {{.from = 0, .ticks = 3, .kind = OutageKind::kCrash}};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 unavailable, failed 0, next 2", "t2 c0#2 unavailable, failed 2, next 4",
                   "t4 c0#3 accepted, started 4, applied, acknowledged"}));
}

// floor(i·7/3) for clients 0, 1, 2.
TEST(EventLoop, SpreadArrivalsRoundDown) {
  Scenario example = scenario(3, 7, 1, 1, FixedDelay{1});
  example.arrivals = SpreadArrivals{7};
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t2 c1#1 accepted, started 2, applied, acknowledged",
                                         "t4 c2#1 accepted, started 4, applied, acknowledged"}));
  EXPECT_EQ(summary_of(example).time_to_acknowledge, (TimeToAcknowledge{0, 0, 0, 0}));
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 0",
                   "c1 acknowledged, arrival 2, attempts 1, effects 1, acknowledged 2",
                   "c2 acknowledged, arrival 4, attempts 1, effects 1, acknowledged 4"}));
}

TEST(EventLoop, ABurstArrivesAtItsTick) {
  Scenario example = scenario(2, 7, 5, 1, FixedDelay{1});
  example.arrivals = BurstArrivals{6};
  EXPECT_EQ(load_of(example),
            Lines{"t6 attempts 2, accepted 2, started 2, effects 2, acknowledged 2"});
}

TEST(EventLoop, ACapacityOfTheAttemptsOfATickTakesThemAll) {
  EXPECT_EQ(load_of(scenario(4, 1, 4, 1, FixedDelay{1})),
            Lines{"t0 attempts 4, accepted 4, started 4, effects 4, acknowledged 4"});
  EXPECT_EQ(load_of(scenario(4, 1, 3, 1, FixedDelay{1})),
            Lines{"t0 attempts 4, accepted 3, overloaded 1, started 3, effects 3, acknowledged 3"});
}

// Arrivals at 0, 3 and 6; delays of 3, then 1; down in 0 and 3 … 5. Client 0 is due at 3, 4, 5 and
// 6, client 1 at 6, where client 2 arrives, whose arrival was known first.
TEST(EventLoop, TheLowestClientsWinWhateverTheOrderInWhichAttemptsBecameDue) {
  Scenario example = scenario(3, 9, 1, 9, ListDelay{{3U, 1U}});
  example.arrivals = SpreadArrivals{9};
  example.server.outages = {{0, 1}, {3, 3}};
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 1, unavailable 1", "t3 attempts 2, unavailable 2",
                   "t4 attempts 1, unavailable 1", "t5 attempts 1, unavailable 1",
                   "t6 attempts 3, accepted 1, overloaded 2, started 1, effects 1, acknowledged 1",
                   "t7 attempts 1, accepted 1, started 1, effects 1, acknowledged 1"}));
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 acknowledged, attempts 5, effects 1, acknowledged 6",
                   "c1 acknowledged, arrival 3, attempts 3, effects 1, acknowledged 7",
                   "c2 scheduled, arrival 6, attempts 1, next 9"}));
}

// Clients arrive while the server is down, forty a tick, and come back at random. Nobody sorts the
// attempts of a tick when nobody looks at them; the same clients are to win.
TEST(EventLoop, TheSameHappensWhetherOrNotAttemptsAreLookedAt) {
  Scenario example = scenario(4000, 400, 10, 6, FixedDelay{200});
  example.arrivals = SpreadArrivals{100};
  example.server.outages = {{0, 150}};
  example.policies[0].jitter = FullJitter{};
  const Plan plan = make_plan(example, 0);
  Lines seen;
  const Summary summary =
      run(plan, {.tick_load = [&](const TickLoad& load) { seen.push_back(line_of(load)); },
                 .attempt = [](const Attempt&) {},
                 .client_end = {}});
  EXPECT_GT(summary.overloaded, 1000U);
  EXPECT_EQ(load_of(example), seen);
  EXPECT_EQ(summary_of(example), summary);
}

TEST(EventLoop, PeakLoadIsTheEarliestOfEqualTicks) {
  const Scenario example = scenario(2, 10, 0, 3, FixedDelay{4});
  EXPECT_EQ(summary_of(example).peak_load, (PeakLoad{0, 2}));
}

TEST(EventLoop, DelaysReachTheLastTickThereIs) {
  EXPECT_EQ(attempts_of(scenario(1, 2147483647, 0, 3, FixedDelay{1U << 30})),
            (Lines{"t0 c0#1 overloaded, failed 0, next 1073741824",
                   "t1073741824 c0#2 overloaded, failed 1073741824, next 2147483648"}));
}

// With the largest interval, 1 … 2^31, from the last tick of the longest horizon. Worked out from
// the page in another language: of the first 300,000 clients, seed 0 gives 15197 the longest delay,
// 2147476748.
TEST(EventLoop, TheNextTickMayBeNearTwoToThe32) {
  Scenario example = scenario(15198, 2147483647, 0, 3, FixedDelay{1U << 30});
  example.arrivals = BurstArrivals{2147483646};
  example.policies[0].jitter = ProportionalJitter{Fraction::from_millionths(Fraction::kOne)};
  EXPECT_EQ(attempts_of(example).at(15197),
            "t2147483646 c15197#1 overloaded, failed 2147483646, next 4294960394");
}

TEST(EventLoop, MaxDelayCutsDelays) {
  Scenario example = scenario(1, 3, 0, 9, FixedDelay{7});
  example.policies[0].max_delay = 7;
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 overloaded, failed 0, next 7"});
  example.policies[0].max_delay = 6;
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 overloaded, failed 0, next 6"});
}

TEST(EventLoop, TellsOfEachClientThatReachesATerminalState) {
  Scenario example = scenario(3, 3, 1, 2, FixedDelay{2});
  EXPECT_EQ(ends_of(example),
            (Lines{"t0 c0 acknowledged", "t2 c1 acknowledged", "t2 c2 exhausted"}));
}

TEST(EventLoop, ObserversMayEndARun) {
  struct Enough : std::exception {};
  const Plan plan = make_plan(scenario(5, 10, 0, 9, FixedDelay{1}), 0);
  int seen = 0;
  EXPECT_THROW(run(plan, {.tick_load = {},
                          .attempt =
                              [&](const Attempt&) {
                                if (++seen == 3) {
                                  throw Enough();
                                }
                              },
                          .client_end = {}}),
               Enough);
  EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace retrygarden::test
