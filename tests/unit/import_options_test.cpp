// Systems that are described by their options: Celery, Kubernetes, Sidekiq, Stripe, Temporal.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/imports.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

using Ticks = std::vector<std::uint32_t>;

Policy celery(std::string_view options, Nanoseconds tick = kSecond) {
  return imported_policy("celery", fmt::format(R"({{"t": {{{}}}}})", options), tick);
}

// celery/celery t/unit/utils/test_time.py: factor 4, the fourth retry: 32; 40·2^8, at most 100:
// 100.
TEST(ImportCelery, BacksOffExponentially) {
  EXPECT_EQ(greatest_delays(celery(R"("retry_backoff": 4, "max_retries": 9)"), 4),
            (Ticks{4, 8, 16, 32}));
  EXPECT_EQ(greatest_delays(
                celery(R"("retry_backoff": 40, "max_retries": 9, "retry_backoff_max": 100)"), 9),
            (Ticks{40, 80, 100, 100, 100, 100, 100, 100, 100}));
  EXPECT_EQ(least_delays(celery(R"("retry_backoff": true)"), 3), (Ticks{1, 1, 1}));
  EXPECT_EQ(least_delays(celery(R"("retry_backoff": true, "retry_jitter": false)"), 3),
            (Ticks{1, 2, 4}));
}

TEST(ImportCelery, HasItsDefaults) {
  const Policy policy = celery(R"("autoretry_for": ["OSError"])");
  EXPECT_EQ(policy.name, "t");
  EXPECT_EQ(policy.attempts, 4U);
  EXPECT_EQ(greatest_delays(policy, 3), (Ticks{180, 180, 180}));
  EXPECT_EQ(celery(R"("max_retries": null)").attempts, ~0U);
  EXPECT_EQ(celery(R"("max_retries": 1, "time_limit": 2.5)", kMillisecond).timeout, 2500U);
}

// int(max(1.0, factor)): before that was mended, a factor below 1 meant 180 s.
TEST(ImportCelery, AFactorBelowOneIsOne) {
  EXPECT_EQ(greatest_delays(celery(R"("retry_backoff": 0.5)"), 3), (Ticks{1, 2, 4}));
  EXPECT_EQ(greatest_delays(celery(R"("retry_backoff": 2.9)"), 3), (Ticks{2, 4, 8}));
  EXPECT_EQ(greatest_delays(celery(R"("retry_backoff": 0)"), 1), (Ticks{180}));
}

TEST(ImportCelery, SaysWhatIsLost) {
  EXPECT_EQ(
      losses_of(imported("celery", R"({"t": {"retry_backoff": true, "rate_limit": "9/s"}})")),
      (std::vector<std::string>{"t: a delay of 0 becomes one tick",
                                "t: delays there are whole seconds, here any whole number of ticks",
                                "t: what is not read: rate_limit"}));
  EXPECT_EQ(faults_of("celery", R"({"t": {"retry_backoff": "yes"}})"),
            "line 1, column 25: expected true or false, found \"yes\"");
  EXPECT_EQ(faults_of("celery", R"({"t": {"retry_backoff": -1}})"),
            "line 1, column 25: expected a number from 0 to 4294967295, found -1");
  EXPECT_EQ(
      faults_of("celery", R"({"t": {}})"),
      "line 1, column 7: expected an option such as max_retries or retry_backoff, found none");
}

Policy sidekiq(std::string_view options, Nanoseconds tick = kSecond) {
  return imported_policy("sidekiq", fmt::format(R"({{"Job": {{{}}}}})", options), tick);
}

// mperham/sidekiq lib/sidekiq/job_retry.rb: count 0: 15 … 24, 1: 16 … 35, 2: 31 … 60, 24:
// 331791 … 332040 seconds.
TEST(ImportSidekiq, DelaysAreCountToTheFourthAndMore) {
  const Policy policy = sidekiq(R"("retry": true)");
  EXPECT_EQ(policy.attempts, 26U);
  EXPECT_EQ(delays(policy).after(1), (Interval{15, 24}));
  EXPECT_EQ(delays(policy).after(2), (Interval{16, 35}));
  EXPECT_EQ(delays(policy).after(3), (Interval{31, 60}));
  EXPECT_EQ(delays(policy).after(25), (Interval{331'791, 332'040}));
  std::uint64_t seconds = 0;
  for (const std::uint32_t least : least_delays(policy, 25)) {
    seconds += least;
  }
  EXPECT_EQ(seconds, 1'763'395U);  // 20.41 days
  EXPECT_EQ(delays(sidekiq(R"("retry": 25)", kMillisecond)).after(1), (Interval{15'000, 24'000}));
}

TEST(ImportSidekiq, TakesNumbersAndNothing) {
  EXPECT_EQ(sidekiq(R"("retry": 3)").attempts, 4U);
  EXPECT_EQ(sidekiq(R"("retry": false)").attempts, 1U);
  EXPECT_EQ(sidekiq(R"("retry": 0)").attempts, 1U);
  EXPECT_EQ(imported_policy("sidekiq", R"({"max_retries": 7, "Job": {"retry": true}})").attempts,
            8U);
  const Policy policy = sidekiq(R"("retry_for": 3600)");
  EXPECT_EQ(policy.attempts, ~0U);
  EXPECT_EQ(policy.deadline, 3600U);
}

TEST(ImportSidekiq, MoreRetriesThanTimeAreCut) {
  const Policy policy = sidekiq(R"("retry": 2147483647)", kMillisecond);
  EXPECT_EQ(policy.attempts, 2'147'483'648U);
  EXPECT_EQ(delays(policy).after(2'147'483'647), (Interval{1U << 30, 1U << 30}));
  EXPECT_EQ(faults_of("sidekiq", R"({"Job": {"queue": "low"}})"),
            "line 1, column 9: expected an option such as retry or retry_for, found none");
  EXPECT_EQ(faults_of("sidekiq", R"({"Job": {"retry": -3}})"),
            "line 1, column 19: expected an integer from 0 to 4294967294, found -3");
}

// stripe-python tests: without jitter .5 1 2 4 5 5 5 seconds, at most 5; half of that at least, but
// no less than .5.
TEST(ImportStripe, DelaysAreHalfToTheWhole) {
  const Policy policy = imported_policy("stripe", R"({"max_network_retries": 7})");
  EXPECT_EQ(policy.attempts, 8U);
  EXPECT_EQ(least_delays(policy, 7), (Ticks{500, 500, 1000, 2000, 2500, 2500, 2500}));
  // r < 1: the upper end is left out.
  EXPECT_EQ(greatest_delays(policy, 7), (Ticks{500, 999, 1999, 3999, 4999, 4999, 4999}));
}

TEST(ImportStripe, KeysLiveForADay) {
  const auto ttl = [](std::string_view text) {
    return std::get<DeduplicationTtl>(*imported("stripe", text, kSecond).deduplication).ticks;
  };
  EXPECT_EQ(ttl(R"({"max_network_retries": 2})"), 86'400U);
  EXPECT_EQ(ttl(R"({"idempotency_key_lifetime": "5m"})"), 300U);
  EXPECT_EQ(imported_policy("stripe", R"({"idempotency_key_lifetime": "5m"})").attempts, 3U);
  EXPECT_EQ(faults_of("stripe", R"({"a": 1})"),
            "line 1, column 1: expected max_network_retries or idempotency_key_lifetime, found "
            "neither");
}

// Defaults of the server: 1 2 4 8 16 32 64 100 100 seconds.
TEST(ImportTemporal, HasTheServersDefaults) {
  const Policy policy = imported_policy("temporal", R"({"maximumAttempts": 0})", kSecond);
  EXPECT_EQ(policy.name, "activity");
  EXPECT_EQ(policy.attempts, ~0U);
  EXPECT_EQ(greatest_delays(policy, 9), (Ticks{1, 2, 4, 8, 16, 32, 64, 100, 100}));
  EXPECT_EQ(least_delays(policy, 9), greatest_delays(policy, 9));
  EXPECT_TRUE(imported("temporal", R"({"maximumAttempts": 0})").losses.empty());
}

TEST(ImportTemporal, ReadsAnActivitysOptions) {
  const Imported all = imported("temporal", R"({"activityId": "5", "activityType": {"name": "Pay"},
    "startToCloseTimeout": "1.5s", "scheduleToCloseTimeout": "60s", "retryPolicy": {
    "initialInterval": "2s", "backoffCoefficient": 1, "maximumAttempts": 1,
    "nonRetryableErrorTypes": ["Refused"]}})");
  const Policy& policy = all.policies.at(0);
  EXPECT_EQ(policy.name, "Pay");
  EXPECT_EQ(policy.attempts, 1U);
  EXPECT_EQ(policy.timeout, 1500U);
  EXPECT_EQ(policy.deadline, 60'000U);
  EXPECT_EQ(losses_of(all),
            (std::vector<std::string>{
                "Pay: nonRetryableErrorTypes is left out: every failure is retried here",
                "Pay: scheduleToCloseTimeout ends no attempt under way, it only stops retries"}));
}

// Attempts 31 to 70 and 2^31 − 1, where a shifted delay would be negative or 0.
TEST(ImportTemporal, LateAttemptsKeepTheCap) {
  const Policy policy = imported_policy("temporal", R"({"initialInterval": "0.05s",
    "maximumInterval": "0.5s", "maximumAttempts": 2147483647})");
  const DelayTable table = delays(policy);
  for (std::uint32_t attempt = 31; attempt <= 70; ++attempt) {
    EXPECT_EQ(table.after(attempt), (Interval{500, 500})) << attempt;
  }
  EXPECT_EQ(table.after(2'147'483'646), (Interval{500, 500}));
  const Policy steep = imported_policy("temporal", R"({"initialInterval": "0.05s",
    "maximumInterval": "0.5s", "backoffCoefficient": 1e308})");
  EXPECT_EQ(greatest_delays(steep, 3), (Ticks{50, 500, 500}));
}

TEST(ImportTemporal, OddDurations) {
  const auto with = [](std::string_view interval) {
    return fmt::format(R"({{"initialInterval": "{}"}})", interval);
  };
  const Imported tiny = imported("temporal", with("0.0000001s"));
  EXPECT_EQ(greatest_delays(tiny.policies.at(0), 3), (Ticks{1, 1, 1}));
  EXPECT_EQ(losses_of(tiny).at(0),
            "activity: a delay of 100 ns becomes 1 tick of 1 ms, and 7 more "
            "are rounded or cut");
  const Imported huge = imported("temporal", with("9223372037s"));
  EXPECT_EQ(greatest_delays(huge.policies.at(0), 1), (Ticks{1U << 30}));
  EXPECT_EQ(losses_of(huge).at(0),
            "activity: a delay of 9223372037 s is cut to 1073741824 ticks of "
            "1 ms");
  for (const std::string_view bad : {"-1s", "1e400s", "s", "1", "1.0000000001s", "315576000001s"}) {
    EXPECT_EQ(
        faults_of("temporal", with(bad)),
        fmt::format("line 1, column 21: expected a duration such as \"1s\", found \"{}\"", bad));
  }
}

TEST(ImportTemporal, RefusesWhatTheServerRefuses) {
  EXPECT_EQ(faults_of("temporal", R"({"backoffCoefficient": 0.5})"),
            "line 1, column 24: expected a number of at least 1, found 0.5");
  EXPECT_EQ(faults_of("temporal", R"({"initialInterval": "9s", "maximumInterval": "8s"})"),
            "line 1, column 46: expected a duration of at least initialInterval, found \"8s\"");
  EXPECT_EQ(faults_of("temporal", R"({"retries": 3})"),
            "line 1, column 1: expected retryPolicy, or members of one such as initialInterval, "
            "found neither");
}

Policy backoff(std::string_view members, Nanoseconds tick = kMillisecond) {
  return imported_policy("kubernetes", fmt::format(R"({{"b": {{{}}}}})", members), tick);
}

// The kubelet: 10 20 40 80 160 300 300 seconds.
TEST(ImportKubernetes, KnowsBackoffsByName) {
  const Policy crash = imported_policy("kubernetes", R"({"c": "CrashLoopBackOff"})", kSecond);
  EXPECT_EQ(crash.name, "c");
  EXPECT_EQ(crash.attempts, ~0U);
  EXPECT_EQ(greatest_delays(crash, 7), (Ticks{10, 20, 40, 80, 160, 300, 300}));
  EXPECT_EQ(least_delays(crash, 7), greatest_delays(crash, 7));
  const Policy items = imported_policy("kubernetes", R"({"c": "DefaultControllerRateLimiter"})");
  EXPECT_EQ(greatest_delays(items, 5), (Ticks{5, 10, 20, 40, 80}));
  EXPECT_EQ(delays(items).after(1000), (Interval{1'000'000, 1'000'000}));
  const Policy conflict = imported_policy("kubernetes", R"({"c": "DefaultBackoff"})");
  EXPECT_EQ(conflict.attempts, 4U);
  EXPECT_EQ(least_delays(conflict, 3), (Ticks{10, 50, 250}));
  EXPECT_EQ(greatest_delays(conflict, 3), (Ticks{11, 55, 275}));
}

TEST(ImportKubernetes, ReadsDurationsOfBothNotations) {
  EXPECT_EQ(greatest_delays(backoff(R"("Duration": 10000000, "Factor": 2, "Steps": 4)"), 3),
            (Ticks{10, 20, 40}));
  EXPECT_EQ(greatest_delays(backoff(R"("duration": "1m0.5s", "steps": 4)"), 3),
            (Ticks{60'500, 60'500, 60'500}));
}

// Duration 1, Factor 2, Steps 3, Cap 3: Step() gives 1 2 3, but after the 2, which brought it to
// Cap, no attempt follows (apimachinery pkg/util/wait).
TEST(ImportKubernetes, CapEndsTheRetries) {
  const Policy policy =
      backoff(R"("Duration": "1s", "Factor": 2, "Steps": 3, "Cap": "3s")", kSecond);
  EXPECT_EQ(policy.attempts, 2U);
  EXPECT_EQ(greatest_delays(policy, 1), (Ticks{1}));
  // A cap that is reached and not exceeded ends nothing.
  EXPECT_EQ(backoff(R"("Duration": "1s", "Factor": 2, "Steps": 3, "Cap": "4s")").attempts, 3U);
  EXPECT_EQ(backoff(R"("Duration": "1s", "Factor": 1e308, "Steps": 9, "Cap": "4s")").attempts, 1U);
  EXPECT_EQ(backoff(R"("Duration": "1s", "Factor": 0.5, "Steps": 9, "Cap": "4s")").attempts, 9U);
}

TEST(ImportKubernetes, MuchJitterBecomesAList) {
  const Policy policy = backoff(R"("Duration": "10ms", "Factor": 2, "Jitter": 2.5, "Steps": 4)");
  EXPECT_EQ(least_delays(policy, 3), (Ticks{10, 20, 40}));
  EXPECT_EQ(greatest_delays(policy, 3), (Ticks{34, 69, 139}));
}

TEST(ImportKubernetes, SaysWhereAFaultIs) {
  EXPECT_EQ(faults_of("kubernetes", R"({"c": "CrashLoop"})"),
            "line 1, column 7: expected a wait.Backoff, or CrashLoopBackOff, DefaultBackoff, "
            "DefaultControllerRateLimiter or DefaultRetry, found \"CrashLoop\"");
  EXPECT_EQ(faults_of("kubernetes", R"({"c": {"Duration": "1 s"}})"),
            "line 1, column 20: expected nanoseconds, or a duration such as \"10ms\", found "
            "\"1 s\"\nline 1, column 7: expected the member Steps, found none");
}

}  // namespace
}  // namespace retrygarden::test
