// Polly 8. Vectors: App-vNext/Polly test/Polly.Core.Tests/Retry/RetryHelperTests.cs; the numbers of
// the jittered growth are worked out in double precision from the formula of
// src/Polly.Core/Retry/RetryHelper.cs.
#include "import/polly_jitter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/imports.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

using import_from::Decimal;

std::string options(std::string_view members) {
  return fmt::format(R"({{"Retry": {{{}}}}})", members);
}

Policy policy_with(std::string_view members, Nanoseconds tick = kMillisecond) {
  return imported_policy("polly", options(members), tick);
}

TEST(ImportPolly, HasItsDefaults) {
  const Policy policy = policy_with(R"("UseJitter": false)");
  EXPECT_EQ(policy.name, "Retry");
  EXPECT_EQ(policy.attempts, 4U);
  EXPECT_EQ(greatest_delays(policy, 3), (std::vector<std::uint32_t>{2000, 2000, 2000}));
}

// r = 0, …, 1: .75 … 1.25 of the delay.
TEST(ImportPolly, ConstantAndLinearDelaysHaveAQuarterOfJitter) {
  const Policy constant =
      policy_with(R"("MaxRetryAttempts": 3, "Delay": "00:00:01", "UseJitter": true)");
  EXPECT_EQ(delays(constant).after(1), (Interval{750, 1250}));
  EXPECT_EQ(delays(constant).after(3), (Interval{750, 1250}));
  const Policy linear = policy_with(
      R"("MaxRetryAttempts": 3, "Delay": "00:00:01", "BackoffType": "Linear", "UseJitter": true)");
  EXPECT_EQ(delays(linear).after(3), (Interval{2250, 3750}));
}

TEST(ImportPolly, DelaysWithoutJitter) {
  const Policy linear = policy_with(R"("Delay": "00:00:01", "BackoffType": "Linear")");
  EXPECT_EQ(greatest_delays(linear, 3), (std::vector<std::uint32_t>{1000, 2000, 3000}));
  const Policy exponential = policy_with(R"("Delay": "00:00:01", "BackoffType": "Exponential")");
  EXPECT_EQ(greatest_delays(exponential, 3), (std::vector<std::uint32_t>{1000, 2000, 4000}));
}

// Base 10 s, at most 1 s: 1 s after the third attempt, whatever the type.
TEST(ImportPolly, MaxDelayCutsAllTypes) {
  for (const std::string_view type : {"Constant", "Linear", "Exponential"}) {
    for (const std::string_view jitter : {"false", "true"}) {
      const Policy policy = policy_with(fmt::format(
          R"("Delay": "00:00:10", "MaxDelay": "00:00:01", "BackoffType": "{}", "UseJitter": {})",
          type, jitter));
      if (jitter == "false") {
        EXPECT_EQ(greatest_delays(policy, 3), (std::vector<std::uint32_t>{1000, 1000, 1000}));
      } else {
        EXPECT_EQ(policy.max_delay, 1000U) << type;
      }
    }
  }
}

struct GrowthVector {
  double r;
  std::vector<double> delays;  // with r again and again, in units of the base
};
const GrowthVector kGrowth[] = {{0,
                                 {0.0, 1.377182257251167, 1.4600673010513163, 2.8658498622586546,
                                  5.717806862171057, 11.430272441144234}},
                                {.25,
                                 {0.646923706433634, 1.0135699862048595, 1.720438287080192,
                                  3.404509883035892, 6.798370008595447, 13.592377963120333}},
                                {.5,
                                 {0.8974049355791999, 1.093003547381679, 2.0357479626216333,
                                  4.0459794227837556, 8.083631609820253, 16.16366281231535}},
                                {.75,
                                 {1.1283602416280074, 1.2501322119656924, 2.414000608392433,
                                  4.809442735260895, 9.61226396637218, 19.221528867149825}}};

TEST(ImportPolly, GrowsAsRetryHelperDoes) {
  for (const auto& [r, expected] : kGrowth) {
    Decimal previous = 0;
    for (unsigned retry = 0; retry < expected.size(); ++retry) {
      const Decimal next = import_from::polly_growth(Decimal(retry) + Decimal(r));
      const Decimal delay = (next - previous) / Decimal("1.4");
      EXPECT_NEAR(delay.convert_to<double>(), expected[retry], 1e-12 * (1 + expected[retry]));
      EXPECT_LE(delay, import_from::polly_supremum(retry));
      previous = next;
    }
  }
}

// r = 0 for the second retry gives what r near 1 gives for the first; r = .999999 and 0 in turn
// give 1.377181202 and 4.325913197 for the first and the third.
TEST(ImportPolly, JitteredDelaysAreExactToTheTick) {
  const auto ticks = [](Nanoseconds tick) {
    return greatest_delays(policy_with(R"("MaxRetryAttempts": 3, "Delay": "00:00:01",
      "BackoffType": "Exponential", "UseJitter": true)",
                                       tick),
                           3);
  };
  EXPECT_EQ(ticks(kMillisecond)[0], 1377U);
  EXPECT_EQ(ticks(kMillisecond)[2], 4325U);
  EXPECT_EQ(ticks(kMillisecond / 1000)[0], 1'377'182U);
  EXPECT_EQ(ticks(kSecond), (std::vector<std::uint32_t>{1, 2, 4}));
}

TEST(ImportPolly, RetriesWithoutNumberKeepTheirBounds) {
  const Policy policy = policy_with(R"("MaxRetryAttempts": 2147483647, "Delay": "00:00:02",
    "MaxDelay": "00:00:30", "BackoffType": "Exponential", "UseJitter": true)");
  EXPECT_EQ(policy.attempts, 2'147'483'648U);
  EXPECT_EQ(policy.max_delay, 30'000U);
  for (const std::uint32_t attempt : {31U, 1023U, 1024U, 1025U, 1026U, 2'147'483'647U}) {
    const Interval interval = delays(policy).after(attempt);
    EXPECT_EQ(interval.lo, 1U);
    EXPECT_EQ(interval.hi, 1U << 30);
  }
}

TEST(ImportPolly, NoDelayBecomesOneTick) {
  const Imported all = imported(
      "polly", options(R"("Delay": "00:00:00", "BackoffType": "Exponential", "UseJitter": true)"));
  EXPECT_EQ(greatest_delays(all.policies.at(0), 2), (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(losses_of(all),
            (std::vector<std::string>{"Retry: a delay of 0 becomes 1 tick of 1 ms"}));
}

TEST(ImportPolly, ReadsWhatStandsBesideARetry) {
  const Imported all = imported("polly", R"({"Logging": {}, "Shop": {"retry": {"backoffType":
    "Constant", "ShouldRetryAfterHeader": true}, "AttemptTimeout": {"Timeout": "00:00:10"},
    "TotalRequestTimeout": {"Timeout": "00:01"}, "CircuitBreaker": {"FailureRatio": 0.25,
    "MinimumThroughput": 10, "BreakDuration": "00:00:05"}}, "Other": {"MaxRetryAttempts": 1}})");
  ASSERT_EQ(all.policies.size(), 2U);
  const Policy& shop = all.policies[0];
  EXPECT_EQ(shop.name, "Shop:retry");
  EXPECT_EQ(shop.timeout, 10'000U);
  EXPECT_EQ(shop.deadline, 60'000U);
  EXPECT_EQ(shop.on_retry_after, OnRetryAfter::kReplace);
  ASSERT_TRUE(shop.breaker);
  EXPECT_EQ(shop.breaker->window, 10U);
  EXPECT_EQ(shop.breaker->failures, 3U);
  EXPECT_EQ(shop.breaker->open_ticks, 5000U);
  EXPECT_EQ(shop.breaker->probes, 1U);
  EXPECT_EQ(all.policies[1].name, "Other");
  EXPECT_FALSE(all.policies[1].breaker);
  EXPECT_EQ(losses_of(all),
            (std::vector<std::string>{
                "Shop:retry: TotalRequestTimeout ends no attempt under way, it only stops retries",
                "Shop:retry: the breaker judges the last 10 results, not those of the last 30 s",
                "what is not read: Logging"}));
}

TEST(ImportPolly, SaysWhereAFaultIs) {
  EXPECT_EQ(faults_of("polly", options(R"("MaxRetryAttempts": 0)")),
            "line 1, column 32: expected an integer from 1 to 2147483647, found 0");
  EXPECT_EQ(faults_of("polly", options(R"("UseJitter": 1)")),
            "line 1, column 25: expected true or false, found 1");
  EXPECT_EQ(faults_of("polly", options(R"("UseJitter": true, "Delay": "2s")")),
            "line 1, column 40: expected a time span such as \"00:00:02\", found \"2s\"");
  EXPECT_EQ(faults_of("polly", options(R"("BackoffType": "Fibonacci")")),
            "line 1, column 27: expected Constant, Linear or Exponential, found \"Fibonacci\"");
  EXPECT_EQ(faults_of("polly", R"({"Logging": {}})"),
            "line 1, column 1: expected an object with MaxRetryAttempts, BackoffType or UseJitter, "
            "found none");
}

}  // namespace
}  // namespace retrygarden::test
