// Simulation against closed formulas. Seeds are fixed, so each test always passes or always fails;
// its false-alarm probability is over the choice of the seed.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "retrygarden/event_loop.h"

namespace retrygarden::test {
namespace {

// n clients that nobody ever serves.
Scenario refused(std::uint32_t clients, std::uint32_t horizon, std::uint32_t attempts, Delay delay,
                 Jitter jitter = NoJitter{}) {
  Scenario scenario;
  scenario.clients = clients;
  scenario.horizon = horizon;
  scenario.policies = {
      {.name = "p", .attempts = attempts, .delay = std::move(delay), .jitter = jitter}};
  return scenario;
}

template <class Visit>
void for_each_delay(const Scenario& scenario, Visit visit) {
  run(make_plan(scenario, 0), {.attempt = [&](const Attempt& attempt) {
        if (attempt.next_tick) {
          visit(attempt, *attempt.next_tick - attempt.tick);
        }
      }});
}

// Hoeffding: the frequency of an event in n independent trials is off by more than this with
// probability below 10^-10.
double tolerance(std::uint64_t trials) {
  return std::sqrt(std::log(2e10) / (2.0 * static_cast<double>(trials)));
}

// The interval after a delay at the cap c holds 3c - b + 1 values, of which those from c on become
// c: 2c + 1.
TEST(ClosedForms, DecorrelatedDelaysStayAtTheirCap) {
  struct Case {
    std::uint32_t base, cap;
  };
  for (const Case& law : {Case{1, 4}, Case{3, 20}, Case{10, 11}, Case{1, 1000}}) {
    const std::uint32_t base = law.base;
    const std::uint32_t cap = law.cap;
    std::map<Client, std::uint32_t> previous;
    std::uint64_t at_cap = 0;
    std::uint64_t stayed = 0;
    for_each_delay(refused(5000, 2147483647, 60, DecorrelatedDelay{base, cap}),
                   [&](const Attempt& attempt, std::uint32_t delay) {
                     std::uint32_t& before = previous[attempt.client];
                     at_cap += before == cap;
                     stayed += before == cap && delay == cap;
                     before = delay;
                   });
    ASSERT_GE(at_cap, 20'000U);
    EXPECT_NEAR(static_cast<double>(stayed) / static_cast<double>(at_cap),
                (2.0 * cap + 1) / (3.0 * cap - base + 1), tolerance(at_cap))
        << "base " << base << ", cap " << cap;
  }
}

// Without jitter, every attempt of a client that is refused falls on a partial sum of the delays.
TEST(ClosedForms, RefusedAttemptsFallOnPartialSumsOfTheDelays) {
  // base 3, doubled up to 40: 3, 6, 12, 24, 40, 40, …
  const std::vector<Tick> doubling = {0, 3, 9, 21, 45, 85, 125, 165, 205};
  // 5, 9, 13, 17, 20, 20, …
  const std::vector<Tick> linear = {0, 5, 14, 27, 44, 64, 84, 104, 124, 144, 164, 184, 204};
  const auto ticks_of = [](const Delay& delay) {
    Scenario scenario = refused(1, 210, 4294967295U, delay);
    scenario.server.capacity = 1;
    scenario.server.outages = {{0, 210}};
    std::vector<Tick> ticks;
    run(make_plan(scenario, 0), {.attempt = [&](const Attempt& a) {
          EXPECT_EQ(a.outcome, Outcome::kUnavailable);
          ticks.push_back(a.tick);
        }});
    return ticks;
  };
  EXPECT_EQ(ticks_of(ExponentialDelay{3, Fraction::from_millionths(2'000'000), 40}), doubling);
  EXPECT_EQ(ticks_of(LinearDelay{5, 4, 20}), linear);
}

// Each value of an interval comes as often as any other, and draws of different attempts do not
// depend on each other: all pairs of two delays of 1 … 6 come equally often.
TEST(ClosedForms, JitteredDelaysAreUniformAndIndependent) {
  constexpr std::uint32_t kClients = 200'000;
  std::map<Client, std::uint32_t> first;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pairs;
  for_each_delay(refused(kClients, 100, 3, FixedDelay{6}, FullJitter{}),
                 [&](const Attempt& attempt, std::uint32_t delay) {
                   if (attempt.attempt == 1) {
                     first[attempt.client] = delay;
                   } else {
                     ++pairs[{first[attempt.client], delay}];
                   }
                 });
  ASSERT_EQ(pairs.size(), 36U);
  for (const auto& [pair, count] : pairs) {
    EXPECT_NEAR(static_cast<double>(count) / kClients, 1.0 / 36, tolerance(kClients));
  }
}

}  // namespace
}  // namespace retrygarden::test
