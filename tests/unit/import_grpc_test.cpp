// gRPC's service config. Vectors: grpc/grpc-go test/retry_test.go, grpc/grpc-java
// RetriableStreamTest.java.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "retry_budgets.h"
#include "support/imports.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

std::string config(std::string_view retry_members, std::string_view rest = "") {
  return fmt::format(R"({{"methodConfig": [{{"name": [{{"service": "s"}}], "retryPolicy": {{{},
    "retryableStatusCodes": ["UNAVAILABLE"]}}}}]{}}})",
                     retry_members, rest);
}

std::string config_with(std::string_view attempts, std::string_view initial, std::string_view most,
                        std::string_view multiplier, std::string_view rest = "") {
  return config(fmt::format(R"("maxAttempts": {}, "initialBackoff": "{}", "maxBackoff": "{}",
    "backoffMultiplier": {})",
                            attempts, initial, most, multiplier),
                rest);
}

Policy policy_with(std::string_view attempts, std::string_view initial, std::string_view most,
                   std::string_view multiplier, std::string_view rest = "") {
  return imported_policy("grpc", config_with(attempts, initial, most, multiplier, rest));
}

std::string throttling(int tokens, std::string_view ratio) {
  return fmt::format(R"(, "retryThrottling": {{"maxTokens": {}, "tokenRatio": {}}})", tokens,
                     ratio);
}

// One client after the other on one host, with the budget of the policy.
Plan plan_with(const Policy& policy, std::uint32_t clients) {
  Scenario world = scenario(clients, 9, 1, 1, FixedDelay{1});
  world.clients_per_host = clients;
  world.policies = {policy};
  return make_plan(world, 0);
}

TEST(ImportGrpc, BacksOffExponentiallyWithJitterOutsideTheCap) {
  const Policy policy = policy_with("5", "0.1s", "1s", "2");
  EXPECT_EQ(policy.name, "s");
  EXPECT_EQ(policy.attempts, 5U);
  EXPECT_EQ(least_delays(policy, 4), (std::vector<std::uint32_t>{80, 160, 320, 640}));
  EXPECT_EQ(greatest_delays(policy, 4), (std::vector<std::uint32_t>{120, 240, 480, 960}));
  const Policy capped = policy_with("5", "0.5s", "1s", "2");
  EXPECT_EQ(least_delays(capped, 4), (std::vector<std::uint32_t>{400, 800, 800, 800}));
  EXPECT_EQ(greatest_delays(capped, 4), (std::vector<std::uint32_t>{600, 1200, 1200, 1200}));
}

// Go caps the first delay too, Java does not: 0.8 … 1.2 s against 1.6 … 2.4 s.
TEST(ImportGrpc, CapsTheFirstDelay) {
  const Policy policy = policy_with("3", "2s", "1s", "2");
  EXPECT_EQ(least_delays(policy, 2), (std::vector<std::uint32_t>{800, 800}));
  EXPECT_EQ(greatest_delays(policy, 2), (std::vector<std::uint32_t>{1200, 1200}));
}

// TestMaxCallAttempts: (9, no limit of the client's) makes 5 calls, (3, …) makes 3.
TEST(ImportGrpc, CountsAtMostFiveAttempts) {
  EXPECT_EQ(policy_with("9", "1s", "1s", "1").attempts, 5U);
  EXPECT_EQ(policy_with("8", "1s", "1s", "1").attempts, 5U);
  EXPECT_EQ(policy_with("3", "1s", "1s", "1").attempts, 3U);
}

// TestRetryThrottling: 12 calls one after the other.
TEST(ImportGrpc, ThrottlesAsGoDoes) {
  const Policy policy = policy_with("4", "0.01s", "0.01s", "1", throttling(10, "0.5"));
  const std::set<int> ok_calls{0, 3, 6, 10, 11, 12, 13, 14, 16, 18};
  constexpr std::uint32_t kRpcs = 12;
  const Plan plan = plan_with(policy, kRpcs);
  RetryBudgets budgets(plan, Hosts(plan, {0, plan.clients}));
  std::vector<std::string> rpcs;
  int call = -1;
  for (Client client = 0; client < kRpcs; ++client) {
    budgets.first_attempt(0, client);
    for (std::uint32_t attempt = 1;; ++attempt) {
      ++call;
      if (ok_calls.contains(call)) {
        budgets.acknowledged(0, client, attempt);
        rpcs.push_back("OK" + std::to_string(call));
        break;
      }
      budgets.failed(0, client);
      if (attempt == policy.attempts || !budgets.permits_retry(0, client, false)) {
        budgets.stopped(client);
        rpcs.push_back("UNAVAILABLE" + std::to_string(call));
        break;
      }
    }
  }
  EXPECT_EQ(rpcs,
            (std::vector<std::string>{"OK0", "OK3", "OK6", "UNAVAILABLE8", "UNAVAILABLE9", "OK10",
                                      "OK11", "OK12", "OK13", "OK14", "OK16", "UNAVAILABLE17"}));
}

// RetriableStreamTest.throttle: whether tokens are above the threshold after each step.
TEST(ImportGrpc, ThrottlesAsJavaDoes) {
  const Policy policy = policy_with("4", "1s", "1s", "1", throttling(4, "0.8"));
  constexpr std::string_view kSteps = "FFFFFFSSSSSSFF";
  const Plan plan = plan_with(policy, kSteps.size());
  RetryBudgets budgets(plan, Hosts(plan, {0, plan.clients}));
  std::string above;
  for (Client client = 0; client < kSteps.size(); ++client) {
    if (kSteps[client] == 'F') {
      budgets.failed(0, client);
    } else {
      budgets.acknowledged(0, client, 1);
    }
    above += budgets.permits_retry(0, client, false) ? 'T' : 'f';
  }
  // 3 2 1 0 0 0 .8 1.6 2.4 3.2 4 4 3 2, and the threshold is 2.
  EXPECT_EQ(above, "TfffffffTTTTTf");
}

TEST(ImportGrpc, KeepsThreeDigitsOfTheTokenRatio) {
  const auto budget =
      std::get<TokenBudget>(*policy_with("4", "1s", "1s", "1", throttling(1000, "0.5466")).budget);
  EXPECT_EQ(budget.success_deposit, fraction("0.546"));
  EXPECT_EQ(budget.capacity, fraction("1000"));
  EXPECT_EQ(budget.threshold, fraction("500"));
}

TEST(ImportGrpc, TakesTheTimeoutForAllAttempts) {
  const Policy policy = imported_policy("grpc", R"({"methodConfig": [{"name": [{}],
    "timeout": "2.5s", "retryPolicy": {"maxAttempts": 2, "initialBackoff": ".01s",
    "maxBackoff": "1s", "backoffMultiplier": 1.5, "retryableStatusCodes": [14]}}]})");
  EXPECT_EQ(policy.name, "every method");
  EXPECT_EQ(policy.timeout, 2500U);
  EXPECT_EQ(policy.deadline, 2500U);
  EXPECT_EQ(policy.on_retry_after, OnRetryAfter::kReplace);
  EXPECT_EQ(delays(policy).after(1), (Interval{8, 12}));
}

TEST(ImportGrpc, MakesAPolicyOfEachRule) {
  const Imported all = imported("grpc", R"({"loadBalancingPolicy": "pick_first", "methodConfig": [
    {"name": [{"service": "a", "method": "Get"}, {"service": "b"}],
     "retryPolicy": {"maxAttempts": 2, "initialBackoff": "1s", "maxBackoff": "1s",
       "backoffMultiplier": 1, "retryableStatusCodes": ["ABORTED"]}},
    {"name": [{"service": "c"}], "timeout": "1s"},
    {"name": [{"service": "d"}], "maxRequestMessageBytes": 9,
     "hedgingPolicy": {"maxAttempts": 3, "hedgingDelay": "0.5s"}}]})");
  ASSERT_EQ(all.policies.size(), 2U);
  EXPECT_EQ(all.policies[0].name, "a/Get, b");
  EXPECT_EQ(all.policies[1].name, "d");
  EXPECT_EQ(all.policies[1].attempts, 3U);
  EXPECT_EQ(
      losses_of(all),
      (std::vector<std::string>{
          "a/Get, b: a refusal (UNAVAILABLE) is not retried there, every failure is retried here",
          "a/Get, b: jitter of 0.8 to 1.2 times the delay leaves out the upper end, which is "
          "included here",
          "a/Get, b: after a pushback of the server the back-off does not start anew",
          "c has no retryPolicy and is left out",
          "d: hedging is left out: attempts follow one another, each one tick after the failure of "
          "the last, not 500 ms apart",
          "d: what is not read: maxRequestMessageBytes", "what is not read: loadBalancingPolicy"}));
  EXPECT_EQ(all.policies[1].description,
            "Not kept: hedging is left out: attempts follow one another, each one tick after the "
            "failure of the last, not 500 ms apart; what is not read: maxRequestMessageBytes.");
}

TEST(ImportGrpc, TakesAnyMultiplier) {
  EXPECT_EQ(greatest_delays(policy_with("5", "0.1s", "1s", "1e308"), 4),
            (std::vector<std::uint32_t>{120, 1200, 1200, 1200}));
  EXPECT_EQ(least_delays(policy_with("5", "0.1s", "1s", "0.5"), 4),
            (std::vector<std::uint32_t>{80, 40, 20, 11}));  // of 100, 50, 25, 13 (12.5)
}

TEST(ImportGrpc, RoundsWhatIsNoWholeTick) {
  const Imported all = imported("grpc", config_with("5", "0.0015s", "1s", "2"));
  // 1.5, 3, 6, 12 ms.
  const auto& list = std::get<ListDelay>(all.policies.at(0).delay).ticks;
  EXPECT_EQ(list, (std::vector<ListDelay::Entry>{2U, 3U, 6U, 12U}));
  EXPECT_EQ(losses_of(all).at(0), "s: a delay of 1.5 ms becomes 2 ticks of 1 ms");
}

TEST(ImportGrpc, RefusesWhatGrpcRefuses) {
  EXPECT_EQ(faults_of("grpc", config_with("1", "1s", "1s", "2")),
            "line 1, column 79: expected an integer from 2 to 4294967295, found 1");
  EXPECT_EQ(faults_of("grpc", config_with("2.5", "1s", "1s", "2")),
            "line 1, column 79: expected an integer from 2 to 4294967295, found 2.5");
  EXPECT_EQ(faults_of("grpc", config_with("2", "0s", "1s", "2")),
            "line 1, column 100: expected a duration above 0, found \"0s\"");
  EXPECT_EQ(faults_of("grpc", config_with("2", "-1s", "1s", "2")),
            "line 1, column 100: expected a duration such as \"0.1s\", found \"-1s\"");
  EXPECT_EQ(faults_of("grpc", config_with("2", "1e400s", "1s", "2")),
            "line 1, column 100: expected a duration such as \"0.1s\", found \"1e400s\"");
  EXPECT_EQ(faults_of("grpc", config_with("2", "1s", "1s", "0")),
            "line 2, column 26: expected a number above 0, found 0");
  EXPECT_EQ(faults_of("grpc", config(R"("maxAttempts": 2)")),
            "line 1, column 63: expected the member initialBackoff, found none\n"
            "line 1, column 63: expected the member maxBackoff, found none\n"
            "line 1, column 63: expected the member backoffMultiplier, found none");
  EXPECT_EQ(faults_of("grpc", R"({"methodConfig": [{"name": [{"service": "s"}],
    "retryPolicy": {}, "hedgingPolicy": {}}]})"),
            "line 1, column 19: expected retryPolicy or hedgingPolicy, found both");
  EXPECT_EQ(faults_of("grpc", R"({"methodConfig": []})"),
            "line 1, column 1: expected a methodConfig with a retryPolicy, found none");
}

}  // namespace
}  // namespace retrygarden::test
