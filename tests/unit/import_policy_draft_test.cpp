// Laws out of exact durations.
#include "import/policy_draft.h"

#include <gtest/gtest.h>

#include "support/imports.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

using import_from::PolicyDraft;
using import_from::Rational;
using Entries = std::vector<ListDelay::Entry>;

PolicyDraft draft(std::uint32_t attempts = 100) {
  PolicyDraft result("p", kMillisecond);
  result.policy.attempts = attempts;
  return result;
}

Entries entries(const PolicyDraft& draft) {
  return std::get<ListDelay>(draft.policy.delay).ticks;
}

// cenkalti/backoff exponential_test.go: 500 1000 2000 4000 5000 5000 ms; with a factor of .5 and
// 2 ms, r = 0, .33 gives 1, .34, .66 gives 2, .67, .99 gives 3: each of three values as often.
TEST(PolicyDraft, LawsHoldTheSequenceOfCenkalti) {
  PolicyDraft p = draft();
  p.set_exponential(500 * kMillisecond, 2, Rational(5 * kSecond));
  EXPECT_EQ(greatest_delays(p.policy, 6),
            (std::vector<std::uint32_t>{500, 1000, 2000, 4000, 5000, 5000}));
  const DelayTable table(FixedDelay{2}, ProportionalJitter{fraction("0.5")}, 2);
  EXPECT_EQ(table.after(1), (Interval{1, 3}));
}

TEST(PolicyDraft, AnOddBaseBecomesAList) {
  PolicyDraft p = draft();
  p.set_exponential(Rational(2'500'000), Rational(3, 2), Rational(9 * kMillisecond));
  // 2.5 3.75 5.625 8.4375 9 ms
  EXPECT_EQ(entries(p), (Entries{3U, 4U, 6U, 8U, 9U}));
  EXPECT_EQ(p.losses(), (std::vector<std::string>{
                            "a delay of 2.5 ms becomes 3 ticks of 1 ms, and 3 more are rounded or "
                            "cut"}));
}

TEST(PolicyDraft, AMultiplierThatNoLawHasBecomesAList) {
  PolicyDraft p = draft(5);
  p.set_exponential(1 * kSecond, Rational(1001, 1000), std::nullopt);
  EXPECT_EQ(entries(p), (Entries{1000U, 1001U, 1002U, 1003U}));  // 1002.001, 1003.003001
  PolicyDraft falling = draft();
  falling.set_exponential(4 * kMillisecond, Rational(1, 4), std::nullopt);
  EXPECT_EQ(entries(falling), (Entries{4U, 1U, 1U}));
  PolicyDraft slow = draft(~0U);
  slow.set_exponential(1 * kSecond, Rational(1001, 1000), std::nullopt);
  EXPECT_EQ(entries(slow).size(), 512U);
  EXPECT_EQ(slow.losses().front(), "delays change up to the one after attempt 512, and no longer");
}

TEST(PolicyDraft, SaysWhereDelaysAreCut) {
  PolicyDraft p = draft(64);
  p.set_exponential(kSecond, 2, std::nullopt);
  EXPECT_EQ(p.losses(),
            (std::vector<std::string>{"delays of more than 1073741824 ticks are cut to that"}));
  PolicyDraft few = draft(20);
  few.set_exponential(kSecond, 2, std::nullopt);
  EXPECT_TRUE(few.losses().empty());
  PolicyDraft steps = draft(~0U);
  steps.set_linear(kSecond, kSecond, std::nullopt);
  EXPECT_EQ(steps.losses().size(), 1U);
}

TEST(PolicyDraft, LinearLaws) {
  PolicyDraft p = draft();
  p.set_linear(kSecond, 2 * kSecond, Rational(4 * kSecond));
  EXPECT_EQ(greatest_delays(p.policy, 4), (std::vector<std::uint32_t>{1000, 3000, 4000, 4000}));
  PolicyDraft odd = draft(5);
  odd.set_linear(1'500'000, 1'500'000, Rational(5 * kMillisecond));
  EXPECT_EQ(entries(odd), (Entries{2U, 3U, 5U, 5U}));  // 1.5 3 4.5 5 ms
}

TEST(PolicyDraft, OneAttemptLosesNothing) {
  PolicyDraft p = draft(1);
  p.set_exponential(Rational(1, 3), Rational(7, 3), std::nullopt);
  p.set_jitter_without_end(0, 1);
  p.set_max_delay(Rational(1, 3));
  EXPECT_TRUE(p.losses().empty());
  EXPECT_TRUE(std::holds_alternative<FixedDelay>(p.policy.delay));
}

TEST(PolicyDraft, RangesLeaveTheirEndOut) {
  PolicyDraft p = draft();
  p.set_list({{500 * kMillisecond, 500 * kMillisecond},
              {500 * kMillisecond, kSecond},
              {Rational(1'500'000), Rational(2'500'000)}});
  EXPECT_EQ(entries(p), (Entries{Interval{500, 500}, Interval{500, 999}, Interval{2, 2}}));
}

TEST(PolicyDraft, NamesAreDistinct) {
  Imported all;
  for (int i = 0; i < 3; ++i) {
    PolicyDraft p = draft();
    p.lose("x");
    add_policy(all, p);
  }
  EXPECT_EQ(all.policies[1].name, "p (2)");
  EXPECT_EQ(all.policies[2].name, "p (3)");
  EXPECT_EQ(losses_of(all), (std::vector<std::string>{"p: x", "p (2): x", "p (3): x"}));
}

}  // namespace
}  // namespace retrygarden::test
