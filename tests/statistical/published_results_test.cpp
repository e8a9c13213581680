// Published figures (docs/published-results.md), from the scenarios in golden/scenarios/published.
// Where draws matter the seeds are fixed, so each test always passes or always fails; its
// false-alarm probability is over the choice of the seeds, and of the publisher's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "retrygarden/event_loop.h"
#include "statistical/bounds.h"
#include "support/documents.h"

namespace retrygarden::test {
namespace {

constexpr int kSeeds = 100;

// A published figure is one run's: it lies further than this many standard deviations from the mean
// of the seeds with probability 2·10^-4 at most, if it is normally distributed.
constexpr double kDeviations = 4;

Scenario published(const std::string& name) {
  return scenario_of(file_text(GOLDEN_DIR "/scenarios/published/" + name + ".json"));
}

Summary run_policy(const Scenario& scenario, const std::string& name) {
  const auto policy = std::find_if(scenario.policies.begin(), scenario.policies.end(),
                                   [&](const Policy& p) { return p.name == name; });
  if (policy == scenario.policies.end()) {
    ADD_FAILURE() << "no policy " << name;
    return {};
  }
  return run(make_plan(scenario, static_cast<std::size_t>(policy - scenario.policies.begin())));
}

// The figures of runs that differ in their seeds.
class Sample {
 public:
  void add(double figure) { figures_.push_back(figure); }

  double mean() const {
    double sum = 0;
    for (const double figure : figures_) {
      sum += figure;
    }
    return sum / static_cast<double>(figures_.size());
  }

  double standard_deviation() const {
    const double center = mean();
    double sum = 0;
    for (const double figure : figures_) {
      sum += (figure - center) * (figure - center);
    }
    return std::sqrt(sum / static_cast<double>(figures_.size() - 1));
  }

 private:
  std::vector<double> figures_;
};

// Table B: a thousand clients against 200 requests a second, down for ten seconds.
constexpr auto kOutage = "outage-of-ten-seconds";

TEST(OutageOfTenSeconds, IsExactWithoutJitter) {
  const Summary summary = run_policy(published(kOutage), "exponential");
  EXPECT_EQ(summary.attempts, 10'000U);
  EXPECT_EQ(summary.acknowledged, 1000U);
  EXPECT_EQ(summary.last_acknowledged_tick, 52'700U);
}

struct JitteredFigures {
  std::string policy;
  double attempts;             // published
  double p99;                  // published, in ticks
  std::uint64_t our_attempts;  // of seed 1
  std::uint32_t our_p99;       // of seed 1, in tenths of a second
};

class OutageOfTenSecondsWithJitter : public testing::TestWithParam<JitteredFigures> {};

TEST_P(OutageOfTenSecondsWithJitter, HasTheFiguresOfSeedOne) {
  Scenario scenario = published(kOutage);
  scenario.seed = 1;
  const Summary summary = run_policy(scenario, GetParam().policy);
  EXPECT_EQ(summary.attempts, GetParam().our_attempts);
  EXPECT_EQ(summary.acknowledged, 1000U);
  ASSERT_TRUE(summary.time_to_acknowledge.p99.has_value());
  EXPECT_EQ((*summary.time_to_acknowledge.p99 + 50) / 100, GetParam().our_p99);
}

// The means of the seeds lie within 3 %: that bound is more than 15 standard deviations of a mean
// away. And the published figures are as far from the mean as those of a seed are.
TEST_P(OutageOfTenSecondsWithJitter, IsLikeThePublishedRun) {
  Scenario scenario = published(kOutage);
  Sample attempts;
  Sample p99;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    scenario.seed = static_cast<std::uint64_t>(seed);
    const Summary summary = run_policy(scenario, GetParam().policy);
    ASSERT_EQ(summary.acknowledged, 1000U) << "seed " << seed;
    attempts.add(static_cast<double>(summary.attempts));
    p99.add(static_cast<double>(*summary.time_to_acknowledge.p99));
  }
  EXPECT_NEAR(attempts.mean(), GetParam().attempts, 0.03 * GetParam().attempts);
  EXPECT_NEAR(p99.mean(), GetParam().p99, 0.03 * GetParam().p99);
  EXPECT_NEAR(attempts.mean(), GetParam().attempts, kDeviations * attempts.standard_deviation());
  EXPECT_NEAR(p99.mean(), GetParam().p99, kDeviations * p99.standard_deviation());
}

INSTANTIATE_TEST_SUITE_P(
    TableB, OutageOfTenSecondsWithJitter,
    testing::Values(JitteredFigures{"exponential, full jitter", 9468, 19'065, 9439, 189},
                    JitteredFigures{"decorrelated", 11'695, 20'643, 11'498, 210}),
    [](const auto& test) {
      return std::string(test.param.policy == "decorrelated" ? "decorrelated" : "full_jitter");
    });

// Table C: a server that fails each attempt with probability p.
struct FailingServerFigures {
  std::string scenario;
  double p;
  double three_success, three_load;  // published: successes as a share, attempts an operation
  double adaptive_success, adaptive_load;
};

// Published with two digits of a percentage, and with four.
constexpr double kSuccessRounding = 0.00005;
constexpr double kLoadRounding = 0.00005;

// What the post ran: a hundred hosts.
constexpr double kPublishedOperations = 200'000;
constexpr std::uint32_t kOperationsOfHost = 2000;

class FailingServer : public testing::TestWithParam<FailingServerFigures> {
 protected:
  struct Samples {
    Sample success, load;
    std::uint64_t operations = 0;
  };

  // Over the seeds, with a tenth of the hosts to save time.
  Samples samples(const std::string& policy) const {
    Scenario scenario = published(GetParam().scenario);
    EXPECT_EQ(scenario.clients, kPublishedOperations);
    EXPECT_EQ(scenario.clients_per_host, kOperationsOfHost);
    scenario.clients = kHosts * kOperationsOfHost;
    Samples samples;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      scenario.seed = static_cast<std::uint64_t>(seed);
      const Summary summary = run_policy(scenario, policy);
      const double clients = scenario.clients;
      EXPECT_EQ(summary.overloaded, 0U);
      EXPECT_EQ(summary.awaiting + summary.scheduled, 0U);
      samples.success.add(static_cast<double>(summary.acknowledged) / clients);
      samples.load.add(static_cast<double>(summary.attempts) / clients);
      samples.operations += summary.clients;
    }
    return samples;
  }

  // Hosts do not touch one another, so the variance of a mean goes down with their number.
  static double deviation_of_all_hosts(const Sample& sample) {
    return sample.standard_deviation() *
           std::sqrt(kHosts * kOperationsOfHost / kPublishedOperations);
  }

  RetriedOperation closed_form() const { return {GetParam().p, 4}; }

  static constexpr std::uint32_t kHosts = 10;
};

TEST_P(FailingServer, ThreeRetriesHaveTheirClosedForm) {
  const Samples three = samples("three retries");
  EXPECT_NEAR(three.success.mean(), closed_form().success(),
              bernstein(three.operations, closed_form().success_variance(), 1));
  EXPECT_NEAR(three.load.mean(), closed_form().attempts(),
              bernstein(three.operations, closed_form().attempts_variance(), 3));
  // The post's too: 200,000 operations have these binomial deviations.
  EXPECT_NEAR(GetParam().three_success, three.success.mean(),
              kDeviations * std::sqrt(closed_form().success_variance() / kPublishedOperations) +
                  kSuccessRounding);
  EXPECT_NEAR(GetParam().three_load, three.load.mean(),
              kDeviations * std::sqrt(closed_form().attempts_variance() / kPublishedOperations) +
                  kLoadRounding);
}

// There is no closed form, so deviations are those of the seeds. A host's budget is spent in whole
// tokens, and the post's hosts have 2,000 operations only on average: that may be one retry a host.
TEST_P(FailingServer, AdaptiveRetriesAreLikeThePublishedRun) {
  const Samples adaptive = samples("adaptive");
  EXPECT_NEAR(GetParam().adaptive_success, adaptive.success.mean(),
              kDeviations * deviation_of_all_hosts(adaptive.success) + kSuccessRounding);
  EXPECT_NEAR(GetParam().adaptive_load, adaptive.load.mean(),
              kDeviations * deviation_of_all_hosts(adaptive.load) + kLoadRounding +
                  1.0 / kOperationsOfHost);
}

// What the documentation has readers run. Attempts succeed with probability 1 - p each, so the
// successes of n operations have a variance of p·(1-p)·attempts about (1-p)·attempts.
TEST_P(FailingServer, ScenarioOfTheDocumentation) {
  const Scenario scenario = published(GetParam().scenario);
  for (const char* policy : {"three retries", "adaptive"}) {
    const Summary summary = run_policy(scenario, policy);
    const double attempts = static_cast<double>(summary.attempts);
    EXPECT_NEAR(static_cast<double>(summary.acknowledged), (1 - GetParam().p) * attempts,
                kDeviations * std::sqrt(GetParam().p * (1 - GetParam().p) * attempts));
  }
}

INSTANTIATE_TEST_SUITE_P(
    TableC, FailingServer,
    testing::Values(FailingServerFigures{"failing-server-05", 0.05, 1.0000, 1.0527, 0.9998, 1.0525},
                    FailingServerFigures{"failing-server-10", 0.1, 0.9999, 1.1105, 0.9843, 1.0935},
                    FailingServerFigures{"failing-server-30", 0.3, 0.9917, 1.4178, 0.7712, 1.1020},
                    FailingServerFigures{"failing-server-50", 0.5, 0.9371, 1.8777, 0.5527, 1.1021}),
    [](const auto& test) {
      return "p_" + test.param.scenario.substr(test.param.scenario.size() - 2);
    });

// Table D: a failure that outlives its cause. Exact, with seed 1.
struct MetastableFigures {
  std::string title, scenario, policy;
  std::uint64_t acknowledged, attempts;
};

class Metastable : public testing::TestWithParam<MetastableFigures> {};

TEST_P(Metastable, HasThePublishedFigures) {
  const Scenario scenario = published(GetParam().scenario);
  ASSERT_EQ(scenario.seed, 1U);
  const Summary summary = run_policy(scenario, GetParam().policy);
  EXPECT_EQ(summary.clients, 4000U);
  EXPECT_EQ(summary.acknowledged, GetParam().acknowledged);
  EXPECT_EQ(summary.attempts, GetParam().attempts);
}

INSTANTIATE_TEST_SUITE_P(
    TableD, Metastable,
    testing::Values(
        MetastableFigures{"no_retries", "retry-storm-no-retries", "no retries", 3210, 4000},
        MetastableFigures{"retries", "retry-storm", "four attempts", 400, 14800},
        MetastableFigures{"budget", "retry-storm-budget", "retry budget", 2810, 4100},
        MetastableFigures{"breaker", "retry-storm-breaker", "circuit breaker", 3350, 7171},
        MetastableFigures{"drop_abandoned", "retry-storm-drop-abandoned", "four attempts", 4000,
                          4604},
        MetastableFigures{"lifo", "retry-storm-lifo", "four attempts", 3941, 5765}),
    [](const auto& test) { return test.param.title; });

// The load is four fifths of the capacity, and nothing is acknowledged once the outage has begun;
// without retries the server recovers.
TEST(MetastableFailure, OutlivesItsCause) {
  const Scenario scenario = published("retry-storm");
  ASSERT_EQ(scenario.server.outages.size(), 1U);
  const Tick outage = scenario.server.outages.front().from;
  EXPECT_LT(run_policy(scenario, "four attempts").last_acknowledged_tick, outage);
  EXPECT_EQ(run_policy(published("retry-storm-no-retries"), "no retries").last_acknowledged_tick,
            999U);
}

}  // namespace
}  // namespace retrygarden::test
