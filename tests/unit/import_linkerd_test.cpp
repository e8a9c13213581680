// Linkerd's ServiceProfiles and annotations as policies. The budgets' figures are those of tower's
// tests (tower/tests/retry and src/retry/budget/tps_budget.rs), put through the engine's budget.
#include "import/linkerd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace retrygarden::import_from {
namespace {

Imported imported(const std::string& text, Nanoseconds tick = kMillisecond) {
  auto result = read_linkerd(text, tick);
  EXPECT_TRUE(result.has_value()) << (result ? "" : to_string(result.error().at(0)));
  return result ? *result : Imported{};
}

std::string first_fault(const std::string& text) {
  const auto result = read_linkerd(text, kMillisecond);
  return result ? "none" : to_string(result.error().at(0));
}

bool loses(const Imported& imported, std::string_view what) {
  return std::any_of(imported.losses.begin(), imported.losses.end(),
                     [&](const Loss& loss) { return loss.what.find(what) != std::string::npos; });
}

std::string profile(const std::string& spec) {
  return "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: books}\nspec:\n"
         "  routes: [{name: GET /, isRetryable: true}]\n" +
         spec;
}

std::string budget_text(const std::string& ratio, const std::string& minimum,
                        const std::string& ttl) {
  return profile("  retryBudget: {retryRatio: " + ratio + ", minRetriesPerSecond: " + minimum +
                 ", ttl: " + ttl + "}\n");
}

TokenBudget budget(const std::string& ratio, const std::string& minimum, const std::string& ttl) {
  return std::get<TokenBudget>(*imported(budget_text(ratio, minimum, ttl)).policies.at(0).budget);
}

Fraction whole(std::uint64_t number) {
  return Fraction::from_millionths(number * Fraction::kOne);
}

TEST(ImportLinkerd, ProfilesHaveRetriesWithoutDelay) {
  const Imported result = imported(profile(""));
  ASSERT_EQ(result.policies.size(), 1U);
  const Policy& policy = result.policies[0];
  EXPECT_EQ(policy.name, "GET /");
  EXPECT_EQ(policy.attempts, 4'294'967'295U);
  EXPECT_EQ(std::get<FixedDelay>(policy.delay).ticks, 1U);
  EXPECT_EQ(policy.timeout, 0U);
  EXPECT_EQ(policy.deadline, std::nullopt);
  // A ratio of 0.2, 10 retries a second, 10 s.
  const auto tokens = std::get<TokenBudget>(*policy.budget);
  EXPECT_EQ(tokens.retry_cost, whole(5));
  EXPECT_EQ(tokens.timeout_cost, whole(5));
  EXPECT_EQ(tokens.success_deposit, whole(1));
  EXPECT_EQ(tokens.attempt_deposit, Fraction());
  EXPECT_EQ(tokens.initial, whole(500));
  EXPECT_EQ(tokens.capacity, whole(500));
  EXPECT_EQ(tokens.tick_refill.millionths(), 50'000U);
  EXPECT_TRUE(loses(result, "a delay of 0 becomes 1 tick"));
  EXPECT_TRUE(loses(result, "expires after 10 s there"));
  EXPECT_TRUE(loses(result, "the reserve fills up evenly"));
}

TEST(ImportLinkerd, WithdrawalsAreWholeTokens) {
  // The effective ratios of tower-rs/tower issue 857.
  for (const auto& [ratio, cost] : std::vector<std::pair<std::string, std::uint64_t>>{
           {"0.1", 10}, {"0.3", 3}, {"0.4", 2}, {"0.5", 2}, {"0.6", 1}, {"0.99", 1}, {"1", 1}}) {
    EXPECT_EQ(budget(ratio, "1", "1s").retry_cost, whole(cost)) << ratio;
    EXPECT_EQ(budget(ratio, "1", "1s").success_deposit, whole(1)) << ratio;
  }
  EXPECT_EQ(budget("2", "1", "1s").retry_cost, whole(500));
  EXPECT_EQ(budget("2", "1", "1s").success_deposit, whole(1000));
  EXPECT_EQ(budget("600", "1", "1s").retry_cost, whole(1));  // as a ratio of 1000
}

TEST(ImportLinkerd, ReservesAreThoseOfTower) {
  // (1 s, 0, 1.0): nothing without a success.
  EXPECT_EQ(budget("1.0", "0", "1s").initial, whole(0));
  EXPECT_EQ(budget("1.0", "0", "1s").capacity, whole(1));
  // (1 s, 5, 1.0): five retries.
  EXPECT_EQ(budget("1.0", "5", "1s").initial, whole(5));
  EXPECT_EQ(budget("1.0", "5", "1s").retry_cost, whole(1));
  // (1 s, 0, 0.5): two successes for one retry.
  EXPECT_EQ(budget("0.5", "0", "1s").capacity, whole(2));
  EXPECT_EQ(budget("0.5", "0", "1s").retry_cost, whole(2));
  // Whole seconds count.
  EXPECT_EQ(budget("1.0", "5", "1900ms").initial, whole(5));
  // Nothing but the reserve.
  EXPECT_EQ(budget("0", "3", "2s").retry_cost, whole(1));
  EXPECT_EQ(budget("0", "3", "2s").success_deposit, whole(0));
  EXPECT_EQ(budget("0", "3", "2s").initial, whole(6));
}

TEST(ImportLinkerd, LargeAmountsAreCut) {
  const Imported result = imported(budget_text("0.000001", "2147483647", "1m"));
  const auto tokens = std::get<TokenBudget>(*result.policies.at(0).budget);
  EXPECT_EQ(tokens.retry_cost, whole(1'000'000));
  EXPECT_EQ(tokens.capacity, whole(1'000'000'000));
  EXPECT_EQ(tokens.tick_refill, whole(1'000'000'000));
  EXPECT_TRUE(loses(result, "tokens of the budget are cut to 1000000000"));
}

TEST(ImportLinkerd, RoutesWithoutANameAreCalledRoute) {
  const Imported result = imported(
      "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nspec:\n"
      "  routes: [{isRetryable: true}, {name: \"\", isRetryable: true}]\n");
  EXPECT_EQ(result.policies.at(0).name, "route");
  EXPECT_EQ(result.policies.at(1).name, "route (2)");
}

TEST(ImportLinkerd, TimeoutsHoldForAllAttempts) {
  const Imported result = imported(
      "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: books}\nspec:\n"
      "  routes:\n  - {name: a, isRetryable: true, timeout: 300ms}\n"
      "  - {name: b, isRetryable: false}\n  - {name: c, isRetryable: true}\n");
  ASSERT_EQ(result.policies.size(), 2U);
  EXPECT_EQ(result.policies[0].timeout, 300U);
  EXPECT_EQ(result.policies[0].deadline, 300U);
  EXPECT_EQ(result.policies[1].name, "c");
  EXPECT_TRUE(loses(result, "retryBudget of books is shared"));
}

std::string annotated(const std::string& annotations) {
  return "apiVersion: v1\nkind: Service\nmetadata:\n  name: authors\n  annotations:\n    "
         "retry.linkerd.io/http: 5xx\n" +
         annotations;
}

TEST(ImportLinkerd, AnnotatedObjectsBackOff) {
  const Imported result =
      imported(annotated("    retry.linkerd.io/limit: \"6\"\n    retry.linkerd.io/timeout: 400ms\n"
                         "    timeout.linkerd.io/request: 2s\n"));
  ASSERT_EQ(result.policies.size(), 1U);
  const Policy& policy = result.policies[0];
  EXPECT_EQ(policy.name, "authors");
  EXPECT_EQ(policy.attempts, 7U);
  EXPECT_EQ(policy.timeout, 400U);
  EXPECT_EQ(policy.deadline, 2000U);
  EXPECT_FALSE(policy.budget.has_value());
  // 25, 50, 100, 200 ms, each up to as much again, cut to 250 ms.
  std::vector<Interval> intervals;
  for (const auto& entry : std::get<ListDelay>(policy.delay).ticks) {
    intervals.push_back(std::get<Interval>(entry));
  }
  EXPECT_EQ(intervals,
            (std::vector<Interval>{{25, 49}, {50, 99}, {100, 199}, {200, 399}, {250, 250}}));
  EXPECT_EQ(policy.max_delay, 250U);
}

TEST(ImportLinkerd, OneRetryUnlessAnnotated) {
  for (const std::string limit : {"", "    retry.linkerd.io/limit: 0\n"}) {
    const Imported result = imported(annotated(limit));
    EXPECT_EQ(result.policies[0].attempts, 2U);
    EXPECT_EQ(std::get<Interval>(std::get<ListDelay>(result.policies[0].delay).ticks.at(0)),
              (Interval{25, 49}));
    EXPECT_EQ(result.policies[0].max_delay, std::nullopt);
    EXPECT_TRUE(result.losses.empty());
  }
}

TEST(ImportLinkerd, BadFilesAreToldOfWithTheirPlace) {
  EXPECT_EQ(first_fault("a: 1\n"),
            "line 1, column 1: expected an object of Kubernetes, with apiVersion and kind, found a "
            "mapping");
  EXPECT_EQ(first_fault("apiVersion: v1\nkind: Service\n").substr(0, 50),
            "line 1, column 1: expected a ServiceProfile with a");
  // As in Linkerd's own tests of profiles.
  EXPECT_EQ(first_fault(budget_text("-0.2", "10", "10s")),
            "line 6, column 29: expected a number from 0 to 1000, found \"-0.2\"");
  EXPECT_EQ(first_fault(budget_text("0.2", "-5", "10s")),
            "line 6, column 55: expected an integer from 0 to 2147483647, found \"-5\"");
  EXPECT_EQ(first_fault(budget_text("0.2", "10", "61s")),
            "line 6, column 64: expected a duration from 1s to 60s, found \"61s\"");
  EXPECT_NE(first_fault(budget_text("0.2", "10", "1e400s")), "none");
  EXPECT_EQ(first_fault(profile("  retryBudget: {retryRatio: 0.2, ttl: 10s}\n")),
            "line 6, column 16: expected the member minRetriesPerSecond, found none");
  EXPECT_EQ(first_fault(profile("  retryBudget: 5\n")),
            "line 6, column 16: expected a mapping, found \"5\"");
  EXPECT_EQ(first_fault(annotated("    retry.linkerd.io/limit: 65536\n")),
            "line 7, column 29: expected an integer from 0 to 65535, found \"65536\"");
  EXPECT_EQ(
      first_fault(annotated("    retry.linkerd.io/http: 5xx\n")),
      "line 7, column 5: expected each key once in its mapping, found \"retry.linkerd.io/http\" "
      "again, which stands in line 6 already");
}

}  // namespace
}  // namespace retrygarden::import_from
