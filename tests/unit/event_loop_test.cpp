// Runs worked out by hand from docs/model.md, sections 3 to 8.
#include "retrygarden/event_loop.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "retrygarden/export.h"

namespace retrygarden {
namespace {

Scenario scenario(std::uint32_t clients, std::uint32_t horizon, std::uint32_t capacity,
                  std::uint32_t attempts, Delay delay) {
  Scenario result;
  result.clients = clients;
  result.horizon = horizon;
  result.server.capacity = capacity;
  result.policies = {{.name = "policy", .attempts = attempts, .delay = std::move(delay)}};
  return result;
}

std::vector<Attempt> attempts_of(const Scenario& scenario) {
  std::vector<Attempt> attempts;
  run(make_plan(scenario, 0),
      {.attempt = [&](const Attempt& attempt) { attempts.push_back(attempt); }});
  return attempts;
}

std::vector<TickLoad> load_of(const Scenario& scenario) {
  std::vector<TickLoad> load;
  run(make_plan(scenario, 0), {.tick_load = [&](const TickLoad& tick) { load.push_back(tick); }});
  return load;
}

Summary summary_of(const Scenario& scenario) {
  return run(make_plan(scenario, 0));
}

Attempt acknowledged(Tick tick, Client client, std::uint32_t attempt, Effect effect) {
  return {.tick = tick,
          .client = client,
          .attempt = attempt,
          .outcome = Outcome::kAccepted,
          .started_tick = tick,
          .effect = effect,
          .response = Response::kAcknowledged};
}

Attempt lost(Tick tick, Client client, std::uint32_t attempt, std::optional<Tick> next) {
  return {.tick = tick,
          .client = client,
          .attempt = attempt,
          .outcome = Outcome::kAccepted,
          .started_tick = tick,
          .effect = Effect::kApplied,
          .response = Response::kLost,
          .failed_tick = tick,
          .next_tick = next};
}

Attempt refused(Tick tick, Client client, std::uint32_t attempt, Outcome outcome,
                std::optional<Tick> next) {
  return {.tick = tick,
          .client = client,
          .attempt = attempt,
          .outcome = outcome,
          .failed_tick = tick,
          .next_tick = next};
}

// Three clients, one place a tick, down in tick 0, two attempts, a delay of 2, horizon 3.
//   tick 0: all unavailable, next at 2.
//   tick 2: client 0 is accepted; 1 and 2 are overloaded with their last attempt.
TEST(EventLoop, UnavailableThenOverloadedThenExhausted) {
  Scenario example = scenario(3, 3, 1, 2, FixedDelay{2});
  example.server.outages = {{0, 1}};
  EXPECT_EQ(
      attempts_of(example),
      (std::vector<Attempt>{
          refused(0, 0, 1, Outcome::kUnavailable, 2), refused(0, 1, 1, Outcome::kUnavailable, 2),
          refused(0, 2, 1, Outcome::kUnavailable, 2), acknowledged(2, 0, 2, Effect::kApplied),
          refused(2, 1, 2, Outcome::kOverloaded, std::nullopt),
          refused(2, 2, 2, Outcome::kOverloaded, std::nullopt)}));
  EXPECT_EQ(load_of(example),
            (std::vector<TickLoad>{{0, 3, 0, 0, 3, 0, 0}, {2, 3, 1, 2, 0, 1, 1}}));
  EXPECT_EQ(summary_of(example), (Summary{.clients = 3,
                                          .attempts = 6,
                                          .accepted = 1,
                                          .overloaded = 2,
                                          .unavailable = 3,
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
    EXPECT_EQ(attempts_of(example),
              (std::vector<Attempt>{refused(0, 0, 1, Outcome::kOverloaded, 5)}));
    EXPECT_EQ(summary_of(example).scheduled, 1U);
    EXPECT_EQ(summary_of(example).exhausted, 0U);
    EXPECT_EQ(run_clients(make_plan(example, 0)),
              (std::vector<ClientRecord>{{0, 0, ClientState::kScheduled, 1, 0, {}, 5}}));
  }
  EXPECT_EQ(attempts_of(scenario(1, 6, 0, 9, FixedDelay{5})).size(), 2U);
}

TEST(EventLoop, AnExhaustedClientHasNoNextTick) {
  const Scenario example = scenario(1, 5, 0, 1, FixedDelay{9});
  EXPECT_EQ(attempts_of(example),
            (std::vector<Attempt>{refused(0, 0, 1, Outcome::kOverloaded, std::nullopt)}));
  EXPECT_EQ(summary_of(example).scheduled, 0U);
}

// Clients 1 and 3 lose the response to their first accepted attempt; client 3's is its second
// attempt.
TEST(EventLoop, TheFirstStartedRequestLosesItsResponseOnce) {
  Scenario example = scenario(4, 20, 3, 5, FixedDelay{2});
  example.first_response_lost = {2, 1};
  EXPECT_EQ(attempts_of(example),
            (std::vector<Attempt>{acknowledged(0, 0, 1, Effect::kApplied), lost(0, 1, 1, 2),
                                  acknowledged(0, 2, 1, Effect::kApplied),
                                  refused(0, 3, 1, Outcome::kOverloaded, 2),
                                  acknowledged(2, 1, 2, Effect::kDuplicate), lost(2, 3, 2, 4),
                                  acknowledged(4, 3, 3, Effect::kDuplicate)}));
  const Summary summary = summary_of(example);
  EXPECT_EQ(summary.effects, 6U);
  EXPECT_EQ(summary.duplicate_effects, 2U);
  EXPECT_EQ(summary.suppressed_effects, 0U);
  EXPECT_EQ(summary.lost_responses, 2U);
  EXPECT_EQ(summary.applied_unacknowledged, 0U);
  EXPECT_EQ(summary.time_to_acknowledge, (TimeToAcknowledge{0, 4, 4, 4}));  // 0, 0, 2, 4
}

TEST(EventLoop, ALostResponseToTheLastAttemptLeavesTheClientAppliedAndExhausted) {
  Scenario example = scenario(1, 20, 1, 1, FixedDelay{2});
  example.first_response_lost = {1, 0};
  EXPECT_EQ(attempts_of(example), (std::vector<Attempt>{lost(0, 0, 1, std::nullopt)}));
  const Summary summary = summary_of(example);
  EXPECT_EQ(summary.exhausted, 1U);
  EXPECT_EQ(summary.applied_unacknowledged, 1U);
  EXPECT_EQ(summary.time_to_acknowledge, TimeToAcknowledge{});
  EXPECT_EQ(summary.last_acknowledged_tick, std::nullopt);
}

// The key is stored in tick 0 and live while t - 0 < ticks.
TEST(EventLoop, DeduplicationSuppressesWhileTheKeyIsLive) {
  Scenario example = scenario(1, 20, 1, 5, FixedDelay{4});
  example.first_response_lost = {1, 0};
  const auto second_effect = [&](Deduplication deduplication) {
    example.server.deduplication = deduplication;
    return attempts_of(example).at(1).effect;
  };
  EXPECT_EQ(second_effect(NoDeduplication{}), Effect::kDuplicate);
  EXPECT_EQ(second_effect(DeduplicationForever{}), Effect::kSuppressed);
  EXPECT_EQ(second_effect(DeduplicationTtl{4}), Effect::kDuplicate);
  EXPECT_EQ(second_effect(DeduplicationTtl{5}), Effect::kSuppressed);
}

TEST(EventLoop, ASuppressedEffectIsAcknowledgedAndCounted) {
  Scenario example = scenario(1, 20, 1, 5, FixedDelay{4});
  example.first_response_lost = {1, 0};
  example.server.deduplication = DeduplicationForever{};
  EXPECT_EQ(attempts_of(example),
            (std::vector<Attempt>{lost(0, 0, 1, 4), acknowledged(4, 0, 2, Effect::kSuppressed)}));
  EXPECT_EQ(load_of(example),
            (std::vector<TickLoad>{{0, 1, 1, 0, 0, 1, 0}, {4, 1, 1, 0, 0, 0, 1}}));
  EXPECT_EQ(summary_of(example).effects, 1U);
  EXPECT_EQ(summary_of(example).suppressed_effects, 1U);
  EXPECT_EQ(summary_of(example).duplicate_effects, 0U);
}

// Windows 3-4, 5 (adjacent), 4-6 (overlapping) and 8: down in 3 … 6 and 8. One client, every tick.
TEST(EventLoop, OutagesOverlapInAnyOrder) {
  Scenario example = scenario(1, 10, 0, 99, FixedDelay{1});
  example.server.outages = {{8, 1}, {5, 1}, {3, 2}, {4, 3}};
  std::vector<Tick> down;
  for (const Attempt& attempt : attempts_of(example)) {
    if (attempt.outcome == Outcome::kUnavailable) {
      down.push_back(attempt.tick);
    }
  }
  EXPECT_EQ(down, (std::vector<Tick>{3, 4, 5, 6, 8}));
}

TEST(EventLoop, AnOutageMayReachFarBeyondTheHorizon) {
  Scenario example = scenario(1, 3, 1, 99, FixedDelay{1});
  example.server.outages = {{1, 2147483647}, {2147483647, 2147483647}};
  EXPECT_EQ(attempts_of(example), (std::vector<Attempt>{acknowledged(0, 0, 1, Effect::kApplied)}));
  example.server.outages = {{0, 2147483647}};
  EXPECT_EQ(summary_of(example).unavailable, 3U);
}

// floor(i·7/3) for clients 0, 1, 2.
TEST(EventLoop, SpreadArrivalsRoundDown) {
  Scenario example = scenario(3, 7, 1, 1, FixedDelay{1});
  example.arrivals = SpreadArrivals{7};
  EXPECT_EQ(attempts_of(example), (std::vector<Attempt>{acknowledged(0, 0, 1, Effect::kApplied),
                                                        acknowledged(2, 1, 1, Effect::kApplied),
                                                        acknowledged(4, 2, 1, Effect::kApplied)}));
  EXPECT_EQ(summary_of(example).time_to_acknowledge, (TimeToAcknowledge{0, 0, 0, 0}));
}

TEST(EventLoop, SpreadArrivalsOfTheLargestNumbersDoNotOverflow) {
  Scenario example = scenario(4294967295, 2147483647, 1, 1, FixedDelay{1});
  example.arrivals = SpreadArrivals{2147483647};
  const Plan plan = make_plan(example, 0);
  EXPECT_EQ(arrival_tick(plan, 0), 0U);
  EXPECT_EQ(arrival_tick(plan, 4294967294), 2147483646U);  // floor(T - T/n)
}

TEST(EventLoop, ABurstArrivesAtItsTick) {
  Scenario example = scenario(2, 7, 5, 1, FixedDelay{1});
  example.arrivals = BurstArrivals{6};
  EXPECT_EQ(load_of(example), (std::vector<TickLoad>{{6, 2, 2, 0, 0, 2, 2}}));
}

TEST(EventLoop, PeakLoadIsTheEarliestOfEqualTicks) {
  const Scenario example = scenario(2, 10, 0, 3, FixedDelay{4});
  EXPECT_EQ(summary_of(example).peak_load, (PeakLoad{0, 2}));
}

TEST(EventLoop, DelaysReachTheLastTickThereIs) {
  Scenario example = scenario(1, 2147483647, 0, 3, FixedDelay{1U << 30});
  EXPECT_EQ(attempts_of(example),
            (std::vector<Attempt>{refused(0, 0, 1, Outcome::kOverloaded, 1073741824),
                                  refused(1073741824, 0, 2, Outcome::kOverloaded, 2147483648)}));
}

// With the largest interval, 1 … 2^31, from the last tick of the longest horizon. Worked out from
// the page in another language: of the first 300,000 clients, seed 0 gives 15197 the longest delay,
// 2147476748.
TEST(EventLoop, TheNextTickMayBeNearTwoToThe32) {
  Scenario example = scenario(15198, 2147483647, 0, 3, FixedDelay{1U << 30});
  example.arrivals = BurstArrivals{2147483646};
  example.policies[0].jitter = ProportionalJitter{Fraction::from_millionths(Fraction::kOne)};
  EXPECT_EQ(attempts_of(example).at(15197).next_tick, 2147483646U + 2147476748U);
}

TEST(EventLoop, ObserversMayEndARun) {
  struct Enough : std::exception {};
  const Plan plan = make_plan(scenario(5, 10, 0, 9, FixedDelay{1}), 0);
  int seen = 0;
  EXPECT_THROW(run(plan, {.attempt =
                              [&](const Attempt&) {
                                if (++seen == 3)
                                  throw Enough();
                              }}),
               Enough);
  EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace retrygarden
