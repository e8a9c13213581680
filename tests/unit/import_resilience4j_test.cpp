// resilience4j's retries and circuit breakers as policies. Expected waits are worked out by hand
// from IntervalFunction.java, whose multiplication cuts off after each step.
#include "import/resilience4j.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "retrygarden/plan.h"

namespace retrygarden::import_from {
namespace {

Imported imported(const std::string& text, Nanoseconds tick = kMillisecond) {
  auto result = read_resilience4j(text, tick);
  EXPECT_TRUE(result.has_value()) << (result ? "" : to_string(result.error().at(0)));
  return result ? *result : Imported{};
}

std::string first_fault(const std::string& text) {
  const auto result = read_resilience4j(text, kMillisecond);
  return result ? "none" : to_string(result.error().at(0));
}

bool loses(const Imported& imported, std::string_view what) {
  return std::any_of(imported.losses.begin(), imported.losses.end(),
                     [&](const Loss& loss) { return loss.what.find(what) != std::string::npos; });
}

std::string retry(const std::string& settings) {
  return "resilience4j.retry.instances.a: {" + settings + "}\n";
}

Policy retry_policy(const std::string& settings) {
  return imported(retry(settings)).policies.at(0);
}

std::string breaker(const std::string& settings) {
  return "resilience4j.circuitbreaker.instances.a: {" + settings + "}\n";
}

using Delays = std::vector<Interval>;

// The delays after the first attempts.
Delays delays(const Policy& policy, std::uint32_t count) {
  const DelayTable table(policy.delay, policy.jitter, policy.attempts);
  Delays result;
  for (std::uint32_t attempt = 1; attempt <= count; ++attempt) {
    result.push_back(table.after(attempt));
  }
  return result;
}

TEST(ImportResilience4j, DefaultsAreThreeAttemptsHalfASecondApart) {
  const Policy policy = retry_policy("");
  EXPECT_EQ(policy.name, "a");
  EXPECT_EQ(policy.attempts, 3U);
  EXPECT_EQ(std::get<FixedDelay>(policy.delay).ticks, 500U);
  EXPECT_EQ(policy.timeout, 0U);
  EXPECT_FALSE(policy.breaker.has_value());
  EXPECT_TRUE(imported(retry("")).losses.empty());
}

TEST(ImportResilience4j, NamesAreWrittenInManyWays) {
  for (const std::string text :
       {"resilience4j:\n  retry:\n    instances:\n      a:\n        max-attempts: 7\n",
        "resilience4j.retry:\n  instances:\n    a.maxAttempts: 7\n",
        "RESILIENCE4J:\n  Retry.backends:\n    a: {MAX_ATTEMPTS: \"7\"}\n",
        "resilience4j.retry.instances.[a].max_attempts: 7\n"}) {
    EXPECT_EQ(imported(text).policies.at(0).attempts, 7U) << text;
    EXPECT_EQ(imported(text).policies.at(0).name, "a") << text;
  }
  EXPECT_EQ(imported("resilience4j.retry.instances: {b-1: {}, b1: {}}\n").policies.size(), 2U);
}

TEST(ImportResilience4j, DurationsAreSprings) {
  for (const auto& [text, ticks] :
       std::vector<std::pair<std::string, std::uint32_t>>{{"250", 250},
                                                          {"250ms", 250},
                                                          {"2s", 2000},
                                                          {"1m", 60'000},
                                                          {"1h", 3'600'000},
                                                          {"1d", 86'400'000},
                                                          {"PT0.5S", 500},
                                                          {"PT1M30S", 90'000},
                                                          {"1500us", 1}}) {
    EXPECT_EQ(std::get<FixedDelay>(retry_policy("waitDuration: " + text).delay).ticks, ticks)
        << text;
  }
  for (const std::string text :
       {"-1s", "0.5s", "1e400s", "1s500ms", "PT5MS", "PT", "PT0", "P1D", "1 s", "1w", "s"}) {
    EXPECT_EQ(
        first_fault(retry("waitDuration: " + text)),
        "line 1, column 48: expected a duration such as 500ms or PT0.5S, found \"" + text + "\"");
  }
}

TEST(ImportResilience4j, WaitsWithoutCutsAreALaw) {
  const Policy policy = retry_policy(
      "maxAttempts: 9, waitDuration: 500ms, enableExponentialBackoff: true, "
      "exponentialBackoffMultiplier: 2, exponentialMaxWaitDuration: 10s");
  const auto law = std::get<ExponentialDelay>(policy.delay);
  EXPECT_EQ(law.base, 500U);
  EXPECT_EQ(law.multiplier.to_string(), "2");
  EXPECT_EQ(law.cap, 10'000U);
  // 500, 750, 1125: nothing is cut off in two steps.
  const Policy short_one = retry_policy("waitDuration: 500ms, enableExponentialBackoff: true");
  EXPECT_EQ(std::get<ExponentialDelay>(short_one.delay).multiplier.to_string(), "1.5");
  EXPECT_EQ(delays(short_one, 2), (Delays{{500, 500}, {750, 750}}));
}

TEST(ImportResilience4j, EachStepCutsOff) {
  // 500 · 1.5: 750, 1125, 1687(.5), 2530(.5), 3795, 5692(.5); an exact power gives 2531 for the
  // fifth.
  const Policy policy =
      retry_policy("maxAttempts: 8, waitDuration: 500ms, enableExponentialBackoff: true");
  EXPECT_TRUE(std::holds_alternative<ListDelay>(policy.delay));
  EXPECT_EQ(delays(policy, 7), (Delays{{500, 500},
                                       {750, 750},
                                       {1125, 1125},
                                       {1687, 1687},
                                       {2530, 2530},
                                       {3795, 3795},
                                       {5692, 5692}}));
  // As doubles 100 · 1.15 is a little less than 115.
  EXPECT_EQ(delays(retry_policy("waitDuration: 100, enableExponentialBackoff: true, "
                                "exponentialBackoffMultiplier: 1.15"),
                   2),
            (Delays{{100, 100}, {114, 114}}));
  // 1 · 1.5 is 1 for ever.
  EXPECT_EQ(delays(retry_policy("maxAttempts: 100, waitDuration: 1, "
                                "enableExponentialBackoff: true"),
                   99)
                .back(),
            (Interval{1, 1}));
}

TEST(ImportResilience4j, OverflowsAreCut) {
  const std::string common =
      "maxAttempts: 2147483647, waitDuration: 50ms, enableExponentialBackoff: true, ";
  const Policy policy =
      retry_policy(common + "exponentialBackoffMultiplier: 2, exponentialMaxWaitDuration: 500ms");
  const DelayTable table(policy.delay, policy.jitter, policy.attempts);
  for (const std::uint32_t attempt : {31U, 63U, 64U, 70U, 2'147'483'646U}) {
    EXPECT_EQ(table.after(attempt), (Interval{500, 500}));
  }
  const Policy huge = retry_policy(
      common + "exponentialBackoffMultiplier: 1e308, exponentialMaxWaitDuration: 500ms");
  EXPECT_EQ(delays(huge, 3), (Delays{{50, 50}, {500, 500}, {500, 500}}));
  const Imported endless = imported(retry(common + "exponentialBackoffMultiplier: 1e308"));
  EXPECT_EQ(delays(endless.policies.at(0), 2), (Delays{{50, 50}, {1U << 30, 1U << 30}}));
  EXPECT_TRUE(loses(endless, "cut"));
  const Imported slow = imported(retry(common + "exponentialBackoffMultiplier: 1.02"));
  EXPECT_TRUE(loses(slow, "delays change up to the one after attempt 512, and no longer"));
  EXPECT_TRUE(loses(imported(retry("waitDuration: 99999999999999999999d")), "cut"));
}

TEST(ImportResilience4j, RandomWaitsAreIntervals) {
  // 500 ∓ 250, both ends included.
  EXPECT_EQ(delays(retry_policy("waitDuration: 500ms, enableRandomizedWait: true"), 2),
            (Delays{{250, 750}, {250, 750}}));
  EXPECT_EQ(delays(retry_policy("waitDuration: 100ms, enableRandomizedWait: true, "
                                "randomizedWaitFactor: 0.1"),
                   1),
            (Delays{{90, 110}}));
  // 501 ∓ 250.5: from 250.5 up to less than 752.5.
  const Imported uneven = imported(retry("waitDuration: 501ms, enableRandomizedWait: true"));
  EXPECT_EQ(delays(uneven.policies.at(0), 1), (Delays{{250, 752}}));
  EXPECT_TRUE(loses(uneven, "the first and the last millisecond"));
  // 1 ∓ 0.5: from 1, which is the least, up to less than 2.5.
  EXPECT_EQ(delays(retry_policy("waitDuration: 1ms, enableRandomizedWait: true"), 1),
            (Delays{{1, 2}}));
}

TEST(ImportResilience4j, RandomExponentialWaitsAreCutAfterTheDraw) {
  const Policy policy = retry_policy(
      "maxAttempts: 6, waitDuration: 100ms, enableExponentialBackoff: true, "
      "enableRandomizedWait: true, exponentialBackoffMultiplier: 2, randomizedWaitFactor: 0.5, "
      "exponentialMaxWaitDuration: 400ms");
  EXPECT_EQ(policy.max_delay, 400U);
  EXPECT_EQ(delays(policy, 5),
            (Delays{{50, 150}, {100, 300}, {200, 600}, {400, 1200}, {400, 1200}}));
}

TEST(ImportResilience4j, TheLongestWaitNeedsTheOthers) {
  const Imported without_multiplier = imported(
      retry("waitDuration: 500ms, enableExponentialBackoff: true, exponentialMaxWaitDuration: 1s, "
            "maxAttempts: 5"));
  EXPECT_EQ(delays(without_multiplier.policies.at(0), 4).back(), (Interval{1687, 1687}));
  EXPECT_TRUE(loses(without_multiplier, "exponentialMaxWaitDuration has no effect"));
  const Imported without_wait = imported(retry("enableExponentialBackoff: true"));
  EXPECT_EQ(std::get<FixedDelay>(without_wait.policies.at(0).delay).ticks, 500U);
  EXPECT_TRUE(loses(without_wait, "has no effect there without waitDuration"));
}

TEST(ImportResilience4j, InstancesBuildOnConfigs) {
  const Imported result = imported(R"(
resilience4j.retry:
  configs:
    default: {maxAttempts: 4, waitDuration: 100ms}
    slow: {waitDuration: 1s, enableRandomizedWait: true, randomizedWaitFactor: 0.1}
  instances:
    a: {baseConfig: slow}
    b: {baseConfig: slow, waitDuration: 2s}
    c:
    d: {waitDuration: 7ms}
)");
  ASSERT_EQ(result.policies.size(), 4U);
  EXPECT_EQ(result.policies[0].attempts, 4U);
  EXPECT_EQ(delays(result.policies[0], 1), (Delays{{900, 1100}}));
  // Of slow's waits their kind is taken over, the factor is not.
  EXPECT_EQ(delays(result.policies[1], 1), (Delays{{1000, 3000}}));
  EXPECT_EQ(delays(result.policies[2], 1), (Delays{{100, 100}}));
  EXPECT_EQ(delays(result.policies[3], 1), (Delays{{7, 7}}));
}

TEST(ImportResilience4j, ConfigsStandForInstances) {
  const Imported result = imported("resilience4j.retry.configs.default.maxAttempts: 4\n");
  ASSERT_EQ(result.policies.size(), 1U);
  EXPECT_EQ(result.policies[0].name, "default");
  EXPECT_EQ(result.policies[0].attempts, 4U);
}

TEST(ImportResilience4j, LaterDocumentsReplaceEarlierOnes) {
  const Imported result = imported(
      "resilience4j.retry.instances.a.maxAttempts: 4\n---\n"
      "resilience4j: {retry: {instances: {a: {max-attempts: 5}}}}\n---\n"
      "spring.config.activate.on-profile: test\n"
      "resilience4j.retry.instances.a.maxAttempts: 6\n");
  EXPECT_EQ(result.policies.at(0).attempts, 5U);
  EXPECT_TRUE(loses(result, "the document in line 5 is for a profile"));
}

TEST(ImportResilience4j, BreakersKeepTheirWindow) {
  const Imported result = imported(
      breaker("slidingWindowSize: 20, minimumNumberOfCalls: 10, failureRateThreshold: 33.3, "
              "waitDurationInOpenState: 30s, permittedNumberOfCallsInHalfOpenState: 3") +
      "resilience4j.timelimiter.instances.a.timeoutDuration: 2s\n");
  ASSERT_EQ(result.policies.size(), 1U);
  EXPECT_EQ(result.policies[0].attempts, 1U);
  EXPECT_EQ(result.policies[0].timeout, 2000U);
  const Breaker& b = *result.policies[0].breaker;
  EXPECT_EQ(b.window, 20U);
  EXPECT_EQ(b.failures, 7U);  // 6 of 20 are 30 %
  EXPECT_EQ(b.open_ticks, 30'000U);
  EXPECT_EQ(b.probes, 3U);
  EXPECT_TRUE(loses(result, "by its rate"));
  EXPECT_TRUE(loses(result, "half-open"));
  const Breaker defaults = *imported(breaker("")).policies.at(0).breaker;
  EXPECT_EQ(defaults.window, 100U);
  EXPECT_EQ(defaults.failures, 50U);
  EXPECT_EQ(defaults.open_ticks, 60'000U);
  EXPECT_EQ(defaults.probes, 10U);
}

// FixedSizeSlidingWindowMetricsTest: in a window of 4, one failure and three successes are 25 %,
// and 0 % after the fourth success.
TEST(ImportResilience4j, AWindowOfFourOpensAtItsRate) {
  const auto failures = [](const std::string& rate) {
    return imported(breaker("slidingWindowSize: 4, failureRateThreshold: " + rate))
        .policies.at(0)
        .breaker->failures;
  };
  EXPECT_EQ(failures("25"), 1U);
  EXPECT_EQ(failures("25.001"), 2U);
  EXPECT_EQ(failures("50"), 2U);
  EXPECT_EQ(failures("100"), 4U);
  EXPECT_EQ(failures("0.001"), 1U);
}

TEST(ImportResilience4j, BreakersThatOpenAlikeLoseNothing) {
  EXPECT_TRUE(imported(breaker("slidingWindowSize: 5, failureRateThreshold: 100, "
                               "permittedNumberOfCallsInHalfOpenState: 1"))
                  .losses.empty());
  // 4 of 4 and 4 of 5 are 80 % or more, 3 of 4 are not.
  EXPECT_TRUE(
      imported(breaker("slidingWindowSize: 5, minimumNumberOfCalls: 4, "
                       "failureRateThreshold: 80, permittedNumberOfCallsInHalfOpenState: 1"))
          .losses.empty());
  EXPECT_EQ(imported(breaker("slidingWindowSize: 5, minimumNumberOfCalls: 4, "
                             "failureRateThreshold: 75, permittedNumberOfCallsInHalfOpenState: 1"))
                .losses.size(),
            1U);
}

TEST(ImportResilience4j, BreakersBuildOnConfigs) {
  const Imported result = imported(R"(
resilience4j.circuitbreaker:
  configs:
    default: {slidingWindowSize: 10, failureRateThreshold: 60}
    shared: {slidingWindowSize: 20}
  instances:
    a: {}
    b: {baseConfig: shared}
    c: {slidingWindowType: TIME_BASED}
resilience4j.retry.instances.a.maxAttempts: 2
)");
  ASSERT_EQ(result.policies.size(), 3U);
  EXPECT_EQ(result.policies[0].name, "a");
  EXPECT_EQ(result.policies[0].attempts, 2U);
  EXPECT_EQ(result.policies[0].breaker->window, 10U);
  EXPECT_EQ(result.policies[0].breaker->failures, 6U);
  // A named config does not build on the default one.
  EXPECT_EQ(result.policies[1].breaker->window, 20U);
  EXPECT_EQ(result.policies[1].breaker->failures, 10U);
  EXPECT_FALSE(result.policies[2].breaker.has_value());
  EXPECT_TRUE(loses(result, "over a window of time is left out"));
}

TEST(ImportResilience4j, WhatIsNotReadIsToldOf) {
  const Imported result = imported(retry("retryExceptions: [java.io.IOException]") +
                                   "resilience4j.retry.retryAspectOrder: 4\n"
                                   "resilience4j.bulkhead.instances.a.maxConcurrentCalls: 4\n");
  EXPECT_TRUE(loses(result, "what is not read: retryExceptions"));
  EXPECT_TRUE(loses(result, "what is not read: retryAspectOrder"));
  EXPECT_TRUE(loses(result, "what is not read: bulkhead"));
}

TEST(ImportResilience4j, BadFilesAreToldOfWithTheirPlace) {
  EXPECT_EQ(first_fault("server: {port: 80}\n"),
            "line 1, column 1: expected instances or configs of resilience4j.retry or "
            "resilience4j.circuitbreaker, found neither");
  EXPECT_EQ(first_fault("- a\n"), "line 1, column 1: expected a mapping, found a list");
  EXPECT_EQ(first_fault("resilience4j: 4\n"), "line 1, column 15: expected a mapping, found \"4\"");
  EXPECT_EQ(first_fault("resilience4j.retry.instances: {'': {}}\n"),
            "line 1, column 32: expected a name, found an empty one");
  EXPECT_EQ(first_fault(retry("maxAttempts: 0")),
            "line 1, column 47: expected an integer from 1 to 2147483647, found \"0\"");
  EXPECT_EQ(first_fault(retry("maxAttempts: [2]")),
            "line 1, column 47: expected an integer from 1 to 2147483647, found a list");
  EXPECT_EQ(first_fault(retry("enableRandomizedWait: maybe")),
            "line 1, column 56: expected true or false, found \"maybe\"");
  EXPECT_EQ(first_fault(retry("randomizedWaitFactor: NaN")),
            "line 1, column 56: expected a number from 0 to 1, found \"NaN\"");
  EXPECT_EQ(first_fault(retry("randomizedWaitFactor: 1")),
            "line 1, column 56: expected a number below 1, found \"1\"");
  EXPECT_EQ(first_fault(retry("waitDuration: 0, enableExponentialBackoff: true")),
            "line 1, column 1: expected waitDuration of 1ms or more, found less");
  EXPECT_EQ(first_fault(retry("baseConfig: none")),
            "line 1, column 1: expected a baseConfig that is one of configs, found \"none\"");
  EXPECT_EQ(first_fault("resilience4j.retry.configs:\n  a: {baseConfig: b}\n"
                        "  b: {baseConfig: a}\n"),
            "line 3, column 3: expected a baseConfig that does not build on itself, found \"a\"");
  EXPECT_EQ(
      first_fault(retry("maxAttempts: 2, maxAttempts: 3")),
      "line 1, column 50: expected each key once in its mapping, found \"maxAttempts\" again, "
      "which stands in line 1 already");
  std::string deep;
  for (int i = 0; i < 10'000; ++i) {
    deep += "a.";
  }
  EXPECT_NE(first_fault("resilience4j." + deep + "a: 1\n"), "none");
}

}  // namespace
}  // namespace retrygarden::import_from
