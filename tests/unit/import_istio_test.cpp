// Istio's VirtualServices and DestinationRules as policies.
#include "import/istio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace retrygarden::import_from {
namespace {

Imported imported(const std::string& text) {
  auto result = read_istio(text, kMillisecond);
  EXPECT_TRUE(result.has_value()) << (result ? "" : to_string(result.error().at(0)));
  return result ? *result : Imported{};
}

std::string first_fault(const std::string& text) {
  const auto result = read_istio(text, kMillisecond);
  return result ? "none" : to_string(result.error().at(0));
}

bool loses(const Imported& imported, std::string_view what) {
  return std::any_of(imported.losses.begin(), imported.losses.end(),
                     [&](const Loss& loss) { return loss.what.find(what) != std::string::npos; });
}

// A VirtualService v with one route to r.
std::string service(const std::string& route) {
  return "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: v}\nspec:\n"
         "  http:\n  - route: [{destination: {host: r, subset: s}}]\n" +
         route;
}

// A DestinationRule for r.
std::string rule(const std::string& spec) {
  return "---\napiVersion: networking.istio.io/v1beta1\nkind: DestinationRule\nmetadata: {name: "
         "d}\n"
         "spec:\n  host: r.default.svc.cluster.local\n" +
         spec;
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

TEST(ImportIstio, AttemptsAreRetries) {
  const Imported result = imported(
      service("    timeout: 3s\n    retries: {attempts: 3, perTryTimeout: 2s, retryOn: 5xx}\n"));
  ASSERT_EQ(result.policies.size(), 1U);
  const Policy& policy = result.policies[0];
  EXPECT_EQ(policy.name, "v http 1");
  EXPECT_EQ(policy.attempts, 4U);
  EXPECT_EQ(policy.timeout, 2000U);
  EXPECT_EQ(policy.deadline, 3000U);
  EXPECT_EQ(intervals(policy), (Intervals{{1, 24}, {1, 49}, {1, 99}}));
  EXPECT_FALSE(policy.budget.has_value());
}

TEST(ImportIstio, BackoffIsTheBaseOfEnvoys) {
  const Imported result =
      imported(service("    retries: {attempts: 6, backoff: 2s, retryOn: gateway-error}\n"));
  EXPECT_EQ(intervals(result.policies[0]),
            (Intervals{{1, 1999}, {1, 3999}, {1, 7999}, {1, 15999}, {1, 19999}}));
  EXPECT_EQ(result.policies[0].timeout, 0U);
  EXPECT_EQ(result.policies[0].deadline, std::nullopt);
  ASSERT_EQ(result.losses.size(), 1U);
  EXPECT_EQ(result.losses[0], (Loss{"v http 1", "a delay of 0 becomes one tick"}));
}

TEST(ImportIstio, NoAttemptsAreNoRetries) {
  EXPECT_EQ(imported(service("    retries: {attempts: 0}\n")).policies[0].attempts, 1U);
  const Imported result = imported(service("    retries: {perTryTimeout: 1s}\n"));
  EXPECT_EQ(result.policies[0].attempts, 1U);
  EXPECT_TRUE(loses(result, "retries without attempts are none"));
}

TEST(ImportIstio, DestinationRulesLimitRetries) {
  const std::string route = service("    retries: {attempts: 1, retryOn: 5xx}\n");
  const auto budget = [&](const std::string& spec) {
    return imported(route + rule(spec)).policies.at(0).budget;
  };
  const std::string pool = "  trafficPolicy: {connectionPool: {http: {maxRetries: 9}}}\n";
  EXPECT_EQ(std::get<ConcurrentBudget>(*budget(pool)).minimum, 9U);
  EXPECT_EQ(std::get<ConcurrentBudget>(*budget(pool)).fraction, Fraction());
  EXPECT_FALSE(budget("  trafficPolicy: {connectionPool: {http: {maxRetries: 0}}}\n").has_value());
  EXPECT_FALSE(budget("  trafficPolicy: {}\n").has_value());
  const std::string subsets =
      "  subsets:\n  - {name: t, trafficPolicy: {connectionPool: {http: {maxRetries: 5}}}}\n"
      "  - {name: s, trafficPolicy: {connectionPool: {http: {maxRetries: 6}}}}\n";
  EXPECT_EQ(std::get<ConcurrentBudget>(*budget(pool + subsets)).minimum, 6U);
  const auto share = std::get<ConcurrentBudget>(
      *budget("  trafficPolicy: {retryBudget: {percent: 12.5, minRetryConcurrency: 7}}\n"));
  EXPECT_EQ(share.fraction.millionths(), 125'000U);
  EXPECT_EQ(share.minimum, 7U);
  const auto defaults = std::get<ConcurrentBudget>(*budget("  trafficPolicy: {retryBudget: {}}\n"));
  EXPECT_EQ(defaults.fraction.millionths(), 200'000U);
  EXPECT_EQ(defaults.minimum, 3U);
}

TEST(ImportIstio, ALoneDestinationRuleHasDefaultRetries) {
  const Imported result =
      imported(rule("  trafficPolicy: {connectionPool: {http: {maxRetries: 9}}}\n"));
  ASSERT_EQ(result.policies.size(), 1U);
  EXPECT_EQ(result.policies[0].name, "d");
  EXPECT_EQ(result.policies[0].attempts, 3U);
  EXPECT_EQ(std::get<ConcurrentBudget>(*result.policies[0].budget).minimum, 9U);
  EXPECT_TRUE(loses(result, "Istio's default of 2"));
  EXPECT_TRUE(loses(result, "connect-failure,refused-stream,unavailable,cancelled"));
}

TEST(ImportIstio, WhatIsNotReadIsToldOf) {
  const Imported result = imported(
      service("    retries: {attempts: 1, retryRemoteLocalities: true}\n  - name: plain\n") +
      rule("  trafficPolicy:\n    outlierDetection: {}\n    connectionPool: {http: "
           "{http2MaxRequests: 5}}\n"));
  EXPECT_TRUE(loses(result, "what is not read of retries: retryRemoteLocalities"));
  EXPECT_TRUE(loses(result, "v plain has no retries and is left out"));
  EXPECT_TRUE(loses(result, "outlierDetection"));
  EXPECT_TRUE(loses(result, "connectionPool.http: http2MaxRequests"));
  EXPECT_TRUE(loses(result, "connect-failure"));
}

TEST(ImportIstio, ListsHoldObjects) {
  EXPECT_EQ(imported("apiVersion: v1\nkind: List\nitems:\n"
                     "- apiVersion: networking.istio.io/v1\n  kind: VirtualService\n"
                     "  spec: {http: [{name: a, retries: {attempts: 2}}]}\n")
                .policies.at(0)
                .name,
            "VirtualService a");
}

TEST(ImportIstio, BadFilesAreToldOfWithTheirPlace) {
  EXPECT_EQ(first_fault("retry:\n  a: 1\n"),
            "line 1, column 1: expected an object of Kubernetes, with apiVersion and kind, found a "
            "mapping");
  EXPECT_EQ(first_fault("apiVersion: v1\nkind: Service\n"),
            "line 1, column 1: expected a VirtualService with retries, or a DestinationRule, found "
            "neither");
  EXPECT_EQ(first_fault("apiVersion: networking.istio.io/v1\nkind: VirtualService\n"),
            "line 1, column 1: expected the member spec, found none");
  EXPECT_EQ(first_fault(service("    retries: {attempts: many}\n")),
            "line 7, column 25: expected an integer from 0 to 2147483647, found \"many\"");
  EXPECT_EQ(first_fault(service("    retries: {attempts: 1, perTryTimeout: 2}\n")),
            "line 7, column 43: expected a duration such as 25ms, found \"2\"");
  EXPECT_EQ(first_fault(service("    retries: {attempts: 1, backoff: 0.0000001s}\n")),
            "line 7, column 37: expected a duration of 1ms or more, found \"0.0000001s\"");
  EXPECT_EQ(first_fault(service("    retries: {attempts: 1, backoff: -1s}\n")),
            "line 7, column 37: expected a duration such as 25ms, found \"-1s\"");
  EXPECT_EQ(first_fault(service("    retries: {attempts: 1, attempts: 2}\n")),
            "line 7, column 28: expected each key once in its mapping, found \"attempts\" again, "
            "which stands in line 7 already");
}

}  // namespace
}  // namespace retrygarden::import_from
