// Simulation against closed formulas. Seeds are fixed, so each test always passes or always fails;
// its false-alarm probability is over the choice of the seed.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "retrygarden/event_loop.h"
#include "statistical/bounds.h"

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

Fraction fraction(double value) {
  return Fraction::from_millionths(static_cast<std::uint64_t>(std::llround(value * 1e6)));
}

// n operations, one a tick, on a server with a place for each; requests and responses are lost.
Scenario lossy(std::uint32_t clients, double request_loss, double response_loss,
               std::uint32_t attempts) {
  Scenario scenario;
  scenario.clients = clients;
  scenario.horizon = clients + 1000;
  scenario.seed = 5;
  scenario.arrivals = SpreadArrivals{clients};
  scenario.server.capacity = clients;
  scenario.faults.request_loss = fraction(request_loss);
  scenario.faults.response_loss = fraction(response_loss);
  scenario.policies = {{.name = "p", .attempts = attempts, .delay = FixedDelay{1}}};
  return scenario;
}

double share(std::uint64_t count, std::uint32_t clients) {
  return static_cast<double>(count) / clients;
}

// Requests lost with probability p: an operation succeeds unless all its attempts are lost, and
// there is a k-th one with probability p^(k-1).
TEST(ClosedForms, LostRequestsAreRepeatedUntilOneArrives) {
  constexpr std::uint32_t kClients = 200'000;
  struct Case {
    double p;
    std::uint32_t attempts;
  };
  for (const Case& c : {Case{0.05, 2}, Case{0.3, 4}, Case{0.5, 1}, Case{0.5, 7}, Case{0.9, 30}}) {
    const Summary summary = run(make_plan(lossy(kClients, c.p, 0, c.attempts), 0));
    const RetriedOperation operation{c.p, static_cast<int>(c.attempts)};
    EXPECT_NEAR(share(summary.acknowledged, kClients), operation.success(),
                bernstein(kClients, operation.success_variance(), 1))
        << "p " << c.p << ", " << c.attempts << " attempts";
    EXPECT_NEAR(share(summary.attempts, kClients), operation.attempts(),
                bernstein(kClients, operation.attempts_variance(), c.attempts))
        << "p " << c.p << ", " << c.attempts << " attempts";
  }
}

// Requests lost with probability p, responses with q. An attempt brings no acknowledgement with
// probability s.
struct LossyOperation {
  double p, q;
  int budget;

  double s() const { return 1 - (1 - p) * (1 - q); }

  double effects() const { return (1 - p) * (1 - std::pow(s(), budget)) / (1 - s()); }

  // Of n attempts without acknowledgement, each had its effect with probability e.
  double effects_variance() const {
    const double e = (1 - p) * q / s();
    const auto square = [e](int n, int more) {
      const double mean = n * e + more;
      return n * e * (1 - e) + mean * mean;
    };
    double result = std::pow(s(), budget) * square(budget, 0);
    for (int n = 0; n < budget; ++n) {
      result += std::pow(s(), n) * (1 - s()) * square(n, 1);
    }
    return result - effects() * effects();
  }

  // No attempt was acknowledged, but not all of their requests were lost.
  double applied_unacknowledged() const { return std::pow(s(), budget) - std::pow(p, budget); }

  double applied() const { return 1 - std::pow(p, budget); }
};

class LossBothWays : public testing::TestWithParam<LossyOperation> {
 protected:
  static constexpr std::uint32_t kClients = 200'000;

  Scenario scenario() const {
    return lossy(kClients, GetParam().p, GetParam().q,
                 static_cast<std::uint32_t>(GetParam().budget));
  }

  static void expect_probability(std::uint64_t count, double probability) {
    EXPECT_NEAR(share(count, kClients), probability,
                bernstein(kClients, probability * (1 - probability), 1));
  }
};

TEST_P(LossBothWays, EffectsOfAnOperation) {
  const Summary summary = run(make_plan(scenario(), 0));
  EXPECT_NEAR(share(summary.effects, kClients), GetParam().effects(),
              bernstein(kClients, GetParam().effects_variance(), GetParam().budget));
  expect_probability(summary.applied_unacknowledged, GetParam().applied_unacknowledged());
}

// An operation then has one effect, if any.
TEST_P(LossBothWays, EffectsOfAnOperationWithDeduplication) {
  Scenario deduplicated = scenario();
  deduplicated.server.deduplication = DeduplicationForever{};
  const Summary summary = run(make_plan(deduplicated, 0));
  EXPECT_EQ(summary.duplicate_effects, 0U);
  expect_probability(summary.effects, GetParam().applied());
  expect_probability(summary.applied_unacknowledged, GetParam().applied_unacknowledged());
}

// Losses do not ask how long a request takes, if its client waits long enough.
TEST_P(LossBothWays, EffectsOfAnOperationThatTakesTime) {
  Scenario slow = scenario();
  slow.server.service_ticks = 3;
  slow.policies.front().timeout = 5;
  const Summary summary = run(make_plan(slow, 0));
  EXPECT_EQ(summary.late_responses, 0U);
  EXPECT_NEAR(share(summary.effects, kClients), GetParam().effects(),
              bernstein(kClients, GetParam().effects_variance(), GetParam().budget));
  expect_probability(summary.applied_unacknowledged, GetParam().applied_unacknowledged());
}

INSTANTIATE_TEST_SUITE_P(ClosedForms, LossBothWays,
                         testing::Values(LossyOperation{0.2, 0.1, 3}, LossyOperation{0.5, 0.5, 5},
                                         LossyOperation{0.01, 0.3, 2}, LossyOperation{0.3, 0.9, 1},
                                         LossyOperation{0.6, 0.7, 12}),
                         [](const auto& test) {
                           return std::to_string(test.param.budget) + "_attempts";
                         });

// One host whose bucket gets f tokens an operation, of which a retry costs one.
Scenario with_tokens(double p, double f, double capacity, double initial) {
  Scenario scenario = lossy(200'000, p, 0, 4);
  scenario.clients_per_host = scenario.clients;
  scenario.policies.front().budget = TokenBudget{.capacity = fraction(capacity),
                                                 .initial = fraction(initial),
                                                 .attempt_deposit = fraction(f),
                                                 .retry_cost = fraction(1),
                                                 .timeout_cost = fraction(1)};
  return scenario;
}

// Where operations want more than f retries on average, the bucket is drained as fast as it is
// filled: no more retries than tokens, and few tokens are ever left. The walk of the tokens goes
// down, so it ends 100 above its lowest point with probability e^(-100·r) at most (Cramér), r the
// root of E[e^(r·(f - retries wanted))] = 1, which is 0.9 at least here.
TEST(ClosedForms, TokensLimitTheLoadInTheLongRun) {
  struct Case {
    double p, f;
  };
  for (const Case& c : {Case{0.1, 0.05}, Case{0.3, 0.1}, Case{0.5, 0.1}, Case{0.5, 0.5}}) {
    const Scenario scenario = with_tokens(c.p, c.f, 1000, 0);
    const Summary summary = run(make_plan(scenario, 0));
    const double limit = scenario.clients * (1 + c.f);
    EXPECT_LE(static_cast<double>(summary.attempts), limit + 0.5);
    EXPECT_GE(static_cast<double>(summary.attempts), limit - 100);
    EXPECT_GT(summary.budget_denied, 0U);
  }
}

// Where they want fewer, the bucket stays full enough, and the load is that without one. It is
// emptied at an operation with probability e^(-1000·r) at most (Cramér), r the root of
// E[e^(r·(retries wanted - f))] = 1, which is 0.2 at least here.
TEST(ClosedForms, TokensAreNotMissedWhereTheyComeFaster) {
  struct Case {
    double p, f;
  };
  for (const Case& c : {Case{0.05, 0.1}, Case{0.1, 0.2}, Case{0.5, 1}}) {
    Scenario scenario = with_tokens(c.p, c.f, 1000, 1000);
    const Summary summary = run(make_plan(scenario, 0));
    const RetriedOperation operation{c.p, 4};
    EXPECT_EQ(summary.budget_denied, 0U);
    EXPECT_NEAR(share(summary.attempts, scenario.clients), operation.attempts(),
                bernstein(scenario.clients, operation.attempts_variance(), 3));
    scenario.policies.front().budget.reset();
    EXPECT_EQ(run(make_plan(scenario, 0)), summary);
  }
}

}  // namespace
}  // namespace retrygarden::test
