// Envoy's routes and clusters as policies. Bounds and limits are those of Envoy's own tests
// (test/common/common/backoff_strategy_test.cc, test/common/router/retry_state_impl_test.cc) and of
// its documentation.
#include "import/envoy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace retrygarden::import_from {
namespace {

Imported imported(std::string_view text, Nanoseconds tick = kMillisecond) {
  auto result = read_envoy(text, tick);
  EXPECT_TRUE(result.has_value()) << (result ? "" : to_string(result.error().at(0)));
  return result ? *result : Imported{};
}

std::string first_fault(std::string_view text) {
  const auto result = read_envoy(text, kMillisecond);
  return result ? "none" : to_string(result.error().at(0));
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> intervals(const Policy& policy) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  for (const auto& entry : std::get<ListDelay>(policy.delay).ticks) {
    const auto& interval = std::get<Interval>(entry);
    result.emplace_back(interval.lo, interval.hi);
  }
  return result;
}

using Intervals = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

bool loses(const Imported& imported, std::string_view what) {
  return std::any_of(imported.losses.begin(), imported.losses.end(),
                     [&](const Loss& loss) { return loss.what.find(what) != std::string::npos; });
}

std::string backoff(std::string_view base, std::string_view longest, int retries) {
  return "retry_policy: {retry_on: 5xx, num_retries: " + std::to_string(retries) +
         ", retry_back_off: {base_interval: " + std::string(base) +
         (longest.empty() ? "" : ", max_interval: " + std::string(longest)) + "}}";
}

TEST(ImportEnvoy, DefaultsAreOneRetryOf25To250Milliseconds) {
  const Imported result = imported("retry_policy: {retry_on: 5xx}");
  ASSERT_EQ(result.policies.size(), 1U);
  const Policy& policy = result.policies[0];
  EXPECT_EQ(policy.name, "route");
  EXPECT_EQ(policy.attempts, 2U);
  EXPECT_EQ(intervals(policy), (Intervals{{1, 24}}));
  EXPECT_EQ(policy.timeout, 15'000U);
  EXPECT_EQ(policy.deadline, 15'000U);
  const auto budget = std::get<ConcurrentBudget>(*policy.budget);
  EXPECT_EQ(budget.minimum, 3U);
  EXPECT_EQ(budget.fraction, Fraction());
  EXPECT_TRUE(loses(result, "Envoy's default of 3 retries at once"));
  EXPECT_TRUE(loses(result, "a delay of 0 becomes one tick"));
}

TEST(ImportEnvoy, BoundsAreThoseOfTheSource) {
  EXPECT_EQ(intervals(imported(backoff("0.025s", "0.25s", 6)).policies[0]),
            (Intervals{{1, 24}, {1, 49}, {1, 99}, {1, 199}, {1, 249}}));
  EXPECT_EQ(intervals(imported(backoff("0.025s", "", 6)).policies[0]),
            (Intervals{{1, 24}, {1, 49}, {1, 99}, {1, 199}, {1, 249}}));
  EXPECT_EQ(intervals(imported(backoff("0.005s", "0.1s", 7)).policies[0]),
            (Intervals{{1, 4}, {1, 9}, {1, 19}, {1, 39}, {1, 79}, {1, 99}}));
  EXPECT_EQ(intervals(imported(backoff("0.025s", "0.03s", 2)).policies[0]),
            (Intervals{{1, 24}, {1, 29}}));
  // Doubling 50 would exceed no maximum of 101, yet it is not below half of it.
  EXPECT_EQ(intervals(imported(backoff("0.05s", "0.101s", 2)).policies[0]),
            (Intervals{{1, 49}, {1, 100}}));
}

TEST(ImportEnvoy, ManyRetriesOverflowNothing) {
  const Imported result = imported(backoff("0.05s", "0.5s", 2'147'483'647));
  EXPECT_EQ(result.policies[0].attempts, 2'147'483'648U);
  EXPECT_EQ(intervals(result.policies[0]),
            (Intervals{{1, 49}, {1, 99}, {1, 199}, {1, 399}, {1, 499}}));
  const Imported longest = imported(backoff("0.001s", "315576000000s", 100));
  EXPECT_EQ(intervals(longest.policies[0]).size(), 32U);
  EXPECT_EQ(intervals(longest.policies[0]).back(), (std::pair{1U, 1U << 30}));
  EXPECT_TRUE(loses(longest, "cut"));
  const Imported most = imported("retry_policy: {retry_on: 5xx, num_retries: 4294967295}");
  EXPECT_EQ(most.policies[0].attempts, 4'294'967'295U);
  EXPECT_TRUE(loses(most, "4294967295 retries are 4294967294 here"));
}

TEST(ImportEnvoy, OtherTicksAreToldOf) {
  EXPECT_EQ(intervals(imported(backoff("0.025s", "", 2), 10 * kMillisecond).policies[0]),
            (Intervals{{1, 2}, {1, 4}}));
  const Imported fine = imported(backoff("0.025s", "", 1), 100 * kMicrosecond);
  EXPECT_EQ(intervals(fine.policies[0]), (Intervals{{1, 249}}));
  EXPECT_TRUE(loses(fine, "delays are whole milliseconds there"));
}

TEST(ImportEnvoy, IntervalsAreWholeMilliseconds) {
  const Imported result = imported(backoff("0.0255s", "0.030999999s", 2));
  EXPECT_EQ(intervals(result.policies[0]), (Intervals{{1, 24}, {1, 29}}));
  EXPECT_TRUE(loses(result, "base_interval of 25.5 ms counts as 25 ms"));
  const Imported tiny = imported(backoff("0.0000001s", "", 2));
  EXPECT_EQ(intervals(tiny.policies[0]), (Intervals{{1, 1}, {1, 1}}));
  EXPECT_TRUE(loses(tiny, "base_interval of 100 ns counts as 1 ms"));
}

TEST(ImportEnvoy, RoutesAreFoundInAWholeConfiguration) {
  const Imported result = imported(R"(
static_resources:
  listeners:
    - filter_chains:
        - filters:
            - typed_config:
                route_config:
                  virtual_hosts:
                    - name: shop
                      domains: ["*"]
                      retry_policy: {retry_on: 5xx, num_retries: 2}
                      routes:
                        - match: {prefix: /a}
                          route: {cluster: a, timeout: 3s}
                        - match: {path: /b}
                          route:
                            cluster: b
                            timeout: 0s
                            priority: HIGH
                            retryPolicy: {retryOn: reset, numRetries: "4", perTryTimeout: 0.5s}
                        - name: third
                          route: {cluster: a, retry_policy: {retry_on: 5xx, num_retries: 0}}
                        - redirect: {path_redirect: /}
                    - name: other
                      domains: [x]
                      routes:
                        - route: {cluster: a}
  clusters:
    - name: a
      connect_timeout: 1s
      circuit_breakers: {thresholds: [{max_retries: 7}, {priority: HIGH, max_retries: 8}]}
    - name: b
      connect_timeout: 1s
      circuit_breakers: {thresholds: [{max_retries: 7}, {priority: HIGH, max_retries: 8}]}
)");
  ASSERT_EQ(result.policies.size(), 3U);
  const Policy& a = result.policies[0];
  EXPECT_EQ(a.name, "shop /a");
  EXPECT_EQ(a.attempts, 3U);
  EXPECT_EQ(a.timeout, 3000U);
  EXPECT_EQ(a.deadline, 3000U);
  EXPECT_EQ(std::get<ConcurrentBudget>(*a.budget).minimum, 7U);
  const Policy& b = result.policies[1];
  EXPECT_EQ(b.name, "shop /b");
  EXPECT_EQ(b.attempts, 5U);
  EXPECT_EQ(b.timeout, 500U);
  EXPECT_EQ(b.deadline, std::nullopt);
  EXPECT_EQ(std::get<ConcurrentBudget>(*b.budget).minimum, 8U);
  EXPECT_TRUE(loses(result, "reset is retried there, every failure here"));
  const Policy& third = result.policies[2];
  EXPECT_EQ(third.name, "third");
  EXPECT_EQ(third.attempts, 1U);
}

TEST(ImportEnvoy, TheTimeoutOfTheRouteEndsATry) {
  const Imported result =
      imported("retry_policy: {retry_on: 5xx, per_try_timeout: 20s}\ntimeout: 4s");
  EXPECT_EQ(result.policies[0].timeout, 4000U);
  EXPECT_EQ(result.policies[0].deadline, 4000U);
}

TEST(ImportEnvoy, PartsAreReadToo) {
  EXPECT_EQ(imported("- match: {prefix: /a}\n  route: {retry_policy: {retry_on: 5xx}}\n")
                .policies[0]
                .name,
            "/a");
  EXPECT_EQ(imported("num_retries: 5\nretry_on: 5xx\n").policies[0].attempts, 6U);
  EXPECT_EQ(
      imported("a: &p {retry_on: 5xx, num_retries: 5}\nroutes:\n- route: {retry_policy: *p}\n")
          .policies[0]
          .attempts,
      6U);
  EXPECT_TRUE(loses(imported("num_retries: 5\n"), "without retry_on"));
}

// max(trunc(percent · active), minimum): what the budget of docs/model.md, section 11, makes of it.
std::uint64_t limit(const ConcurrentBudget& budget, std::uint64_t active) {
  return std::max<std::uint64_t>(budget.fraction.millionths() * active / Fraction::kOne,
                                 budget.minimum);
}

ConcurrentBudget budget_of(std::string_view retry_budget) {
  const Imported result = imported(
      "retry_policy: {retry_on: 5xx}\ncluster: c\n---\n"
      "- name: c\n  circuit_breakers: {thresholds: [{max_retries: 9, "
      "retry_budget: {" +
      std::string(retry_budget) + "}}]}\n");
  return std::get<ConcurrentBudget>(*result.policies.at(0).budget);
}

TEST(ImportEnvoy, BudgetsLimitRetriesByActiveRequests) {
  const auto percent_20 = budget_of("budget_percent: {value: 20.0}, min_retry_concurrency: 3");
  EXPECT_EQ(limit(percent_20, 0), 3U);
  EXPECT_EQ(limit(percent_20, 2), 3U);
  EXPECT_EQ(limit(percent_20, 25), 5U);
  EXPECT_EQ(limit(budget_of("budget_percent: {value: 25}"), 100), 25U);
  EXPECT_EQ(limit(budget_of("min_retry_concurrency: 5"), 0), 5U);
  EXPECT_EQ(limit(budget_of(""), 100), 20U);
  EXPECT_EQ(budget_of("budget_percent: {value: 33.3333}").fraction.millionths(), 333'333U);
  EXPECT_EQ(budget_of("budget_percent: {}").fraction.millionths(), 0U);
}

TEST(ImportEnvoy, WhatIsNotReadIsToldOf) {
  const Imported result = imported(
      "retry_policy: {retry_on: 5xx, retriable_status_codes: [409], rate_limited_retry_back_off: "
      "{reset_headers: [{name: Retry-After}]}}\nhedge_policy: {hedge_on_per_try_timeout: true}\n"
      "cluster: c\n---\nname: c\ncircuit_breakers: {thresholds: [{max_requests: 4}]}\n"
      "outlier_detection: {}\n");
  EXPECT_EQ(result.policies[0].on_retry_after, OnRetryAfter::kReplace);
  for (const std::string_view what :
       {"of retry_policy: retriable_status_codes", "rate_limited_retry_back_off", "hedge_policy",
        "thresholds: max_requests", "outlier_detection"}) {
    EXPECT_TRUE(loses(result, what)) << what;
  }
  EXPECT_TRUE(loses(imported("http_uri: {retry_policy: {num_retries: 3}}\nroutes:\n- route: "
                             "{retry_policy: {retry_on: 5xx}}\n"),
                    "the retry_policy in line 1 is not one of a route"));
}

TEST(ImportEnvoy, BadFilesAreToldOfWithTheirPlace) {
  EXPECT_EQ(first_fault("kind: VirtualService\n"),
            "line 1, column 1: expected a route or virtual host with a retry_policy, found none");
  EXPECT_EQ(first_fault(""),
            "line 1, column 1: expected a route or virtual host with a retry_policy, found none");
  EXPECT_EQ(first_fault("routes:\n- route:\n    retry_policy: [1]\n"),
            "line 3, column 19: expected a mapping, found a list");
  EXPECT_EQ(first_fault("num_retries: -1\n"),
            "line 1, column 14: expected an integer from 0 to 4294967295, found \"-1\"");
  EXPECT_EQ(first_fault("num_retries: {}\n"),
            "line 1, column 14: expected an integer from 0 to 4294967295, found a mapping");
  EXPECT_EQ(first_fault("num_retries: 2\nretry_back_off:\n  max_interval: 1s\n"),
            "line 3, column 3: expected the member base_interval, found none");
  EXPECT_EQ(first_fault(backoff("1s", "0.5s", 2)),
            "line 1, column 97: expected a duration that is not below base_interval, found "
            "\"0.5s\"");
  for (const std::string_view duration :
       {"-1s", "1e400s", "315576000001s", "25ms", "0.0000000001s", "1", "0s", "s"}) {
    EXPECT_NE(first_fault(backoff(duration, "", 2)), "none") << duration;
  }
  EXPECT_EQ(first_fault(backoff("9223372037s", "", 2)), "none");
  EXPECT_EQ(first_fault("num_retries: 2\nretry_on: 5xx\nnum_retries: 3\n"),
            "line 3, column 1: expected each key once in its mapping, found \"num_retries\" again, "
            "which stands in line 1 already");
  EXPECT_EQ(first_fault("routes:\n- route: {retry_policy: {num_retries: 2"),
            "line 2, column 1: expected well-formed YAML, found end of map flow not found");
}

}  // namespace
}  // namespace retrygarden::import_from
