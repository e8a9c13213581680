// The AWS SDKs' config. Vectors: boto/botocore tests/unit/retries/test_standard.py, smithy-lang/
// smithy-rs rust-runtime/aws-smithy-runtime/src/client/retries/strategy/standard.rs.
#include <gtest/gtest.h>

#include "retry_budgets.h"
#include "support/imports.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

constexpr std::string_view kStandard = "[default]\nretry_mode = standard\n";

TokenBudget quota_with(std::string_view initial, std::string_view cost,
                       std::string_view timeout_cost) {
  auto quota = std::get<TokenBudget>(*imported_policy("aws", kStandard).budget);
  quota.initial = fraction(initial);
  quota.retry_cost = fraction(cost);
  quota.timeout_cost = fraction(timeout_cost);
  return quota;
}

// A quota that several clients share, and how many tokens it has.
class Quota {
 public:
  explicit Quota(const TokenBudget& budget) : plan_(plan_for(budget)), budgets_(plan_) {}

  // Whether the client may try again.
  bool retries(Client client, bool after_timeout = false) {
    return budgets_.permits_retry(0, client, after_timeout);
  }
  void succeeds(Client client, std::uint32_t attempt) { budgets_.acknowledged(0, client, attempt); }

  // What a retry that costs one token could be paid with how often.
  int tokens() const {
    int count = 0;
    for (RetryBudgets copy = budgets_; copy.permits_retry(0, kProbe, false);) {
      ++count;
    }
    return count * cost_;
  }

 private:
  static constexpr Client kProbe = 7;

  Plan plan_for(const TokenBudget& budget) {
    cost_ = static_cast<int>(budget.retry_cost.millionths() / Fraction::kOne);
    Scenario world = scenario(8, 9, 1, 9, FixedDelay{1});
    world.clients_per_host = 8;
    world.policies[0].budget = budget;
    return make_plan(world, 0);
  }

  int cost_ = 1;
  Plan plan_;
  RetryBudgets budgets_;
};

// test_standard.py: with r = 1, 1 2 4 8 16 20 20 20 20 seconds.
TEST(ImportAws, StandardModeHasFullJitterAndACap) {
  const Policy policy =
      imported_policy("aws", "[default]\nretry_mode=standard\nmax_attempts=10\n", kSecond);
  EXPECT_EQ(policy.name, "default");
  EXPECT_EQ(policy.attempts, 10U);
  EXPECT_EQ(greatest_delays(policy, 9),
            (std::vector<std::uint32_t>{1, 2, 4, 8, 16, 20, 20, 20, 20}));
  EXPECT_EQ(least_delays(policy, 9), (std::vector<std::uint32_t>(9, 1)));
  EXPECT_EQ(imported_policy("aws", kStandard).attempts, 3U);
}

// The law of the newer base: .05 .1 .2 .4 .8 1.6 3.2 6.4 12.8 20 20 seconds.
TEST(ImportAws, TheLawHoldsTheNewerBaseToo) {
  const DelayTable table(ExponentialDelay{50, fraction("2"), 20'000}, FullJitter{}, 12);
  std::vector<std::uint32_t> greatest;
  for (std::uint32_t attempt = 1; attempt <= 11; ++attempt) {
    greatest.push_back(table.after(attempt).hi);
  }
  EXPECT_EQ(greatest, (std::vector<std::uint32_t>{50, 100, 200, 400, 800, 1600, 3200, 6400, 12'800,
                                                  20'000, 20'000}));
}

TEST(ImportAws, LegacyModeHasNoCapAndNoQuota) {
  const Policy policy =
      imported_policy("aws", "[profile a b]\nretry_mode = legacy\nmax_attempts = 10", kSecond);
  EXPECT_EQ(policy.name, "a b");
  EXPECT_EQ(greatest_delays(policy, 9),
            (std::vector<std::uint32_t>{1, 2, 4, 8, 16, 32, 64, 128, 256}));
  EXPECT_FALSE(policy.budget);
  EXPECT_EQ(imported_policy("aws", "[default]\nretry_mode = legacy\n").attempts, 5U);
}

// botocore: 500, a retry takes 5, its success gives them back; a first success gives 1.
TEST(ImportAws, ASuccessfulRetryGivesItsCostBack) {
  Quota quota(quota_with("500", "5", "10"));
  EXPECT_EQ(quota.tokens(), 500);
  EXPECT_TRUE(quota.retries(0));
  EXPECT_EQ(quota.tokens(), 495);
  quota.succeeds(0, 2);
  EXPECT_EQ(quota.tokens(), 500);
}

// smithy-rs: two failures, then success: 495, 490, 495. Without success nothing comes back.
TEST(ImportAws, OnlyTheLastCostComesBack) {
  Quota quota(quota_with("500", "5", "10"));
  EXPECT_TRUE(quota.retries(0));
  EXPECT_TRUE(quota.retries(0));
  EXPECT_EQ(quota.tokens(), 490);
  quota.succeeds(0, 3);
  EXPECT_EQ(quota.tokens(), 495);
  Quota failing(quota_with("500", "5", "10"));
  EXPECT_TRUE(failing.retries(0));
  EXPECT_TRUE(failing.retries(0));
  EXPECT_EQ(failing.tokens(), 490);
}

// smithy-rs: a quota of 5 pays one retry; one of 100 pays timeouts with 10: 90, 80, success 90.
TEST(ImportAws, AnEmptyQuotaStopsRetries) {
  Quota small(quota_with("5", "5", "10"));
  EXPECT_TRUE(small.retries(0));
  EXPECT_EQ(small.tokens(), 0);
  EXPECT_FALSE(small.retries(0));
  Quota timeouts(quota_with("100", "5", "10"));
  EXPECT_TRUE(timeouts.retries(0, true));
  EXPECT_EQ(timeouts.tokens(), 90);
  EXPECT_TRUE(timeouts.retries(0, true));
  EXPECT_EQ(timeouts.tokens(), 80);
  timeouts.succeeds(0, 3);
  EXPECT_EQ(timeouts.tokens(), 90);
}

// smithy-rs, cost 14: 500, 486, 472, success 486. A quota of 30: 16, 2, success 16; the next
// operation fails once: 2, success 16. A quota of 20: 6, then none.
TEST(ImportAws, TheBudgetHoldsTheNewerCostToo) {
  const auto pays = [](Quota& quota, int count) {
    int paid = 0;
    while (paid < count && quota.retries(0)) {
      ++paid;
    }
    return paid;
  };
  Quota quota(quota_with("500", "14", "14"));
  EXPECT_EQ(pays(quota, 2), 2);
  EXPECT_EQ(quota.tokens(), 472 / 14 * 14);
  quota.succeeds(0, 3);
  EXPECT_EQ(quota.tokens(), 486 / 14 * 14);
  Quota thirty(quota_with("30", "14", "14"));
  EXPECT_EQ(pays(thirty, 9), 2);
  thirty.succeeds(0, 3);
  EXPECT_EQ(pays(thirty, 9), 1);
  Quota twenty(quota_with("20", "14", "14"));
  EXPECT_EQ(pays(twenty, 9), 1);
}

TEST(ImportAws, AFirstSuccessGivesOneToken) {
  Quota quota(quota_with("4", "5", "10"));
  EXPECT_FALSE(quota.retries(0));
  quota.succeeds(0, 1);
  EXPECT_TRUE(quota.retries(1));
}

TEST(ImportAws, SaysWhatOfTheAdaptiveModeIsLeftOut) {
  const Imported all = imported("aws",
                                "# comment\n[default]\nregion = eu-west-1\nretry_mode = adaptive\n"
                                "s3 =\n  max_attempts = nested\n[profile b]\nMAX_ATTEMPTS: 2\n");
  ASSERT_EQ(all.policies.size(), 2U);
  EXPECT_EQ(all.policies[1].attempts, 2U);
  EXPECT_FALSE(all.policies[1].budget);  // botocore's default is legacy
  EXPECT_EQ(losses_of(all),
            (std::vector<std::string>{
                "default: the rate limiter of the adaptive mode is left out, what remains is "
                "standard",
                "what is not read: region and s3"}));
}

TEST(ImportAws, NamesAreShownWhateverTheirBytes) {
  EXPECT_EQ(imported_policy("aws", "[profile b\xe1tch]\nretry_mode = legacy\n").name, "b\\xe1tch");
}

TEST(ImportAws, SaysWhereAFaultIs) {
  EXPECT_EQ(faults_of("aws", "[default]\nretry_mode = fast\n"),
            "line 2, column 14: expected legacy, standard or adaptive, found \"fast\"");
  EXPECT_EQ(faults_of("aws", "[default]\n  max_attempts=0\n"),
            "line 2, column 16: expected an integer from 1 to 4294967295, found \"0\"");
  EXPECT_EQ(
      faults_of("aws", "retry_mode = legacy\n"),
      "line 1, column 1: expected a section such as [default], found \"retry_mode = legacy\"");
  EXPECT_EQ(faults_of("aws", "[default\n"),
            "line 1, column 1: expected a section in brackets, found \"[default\"");
  EXPECT_EQ(faults_of("aws", "[default]\nretry_mode = legacy\nretry_mode = standard\n"),
            "line 3, column 1: expected a key once in its section, found retry_mode again");
  EXPECT_EQ(faults_of("aws", "[default]\nregion = x\n"),
            "line 1, column 1: expected a profile with retry_mode or max_attempts, found none");
}

}  // namespace
}  // namespace retrygarden::test
