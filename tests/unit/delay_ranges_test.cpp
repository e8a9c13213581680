// The ranges of delays, and the shares that are cut. Expected values are worked out by hand from
// docs/model.md, section 6.
#include "retrygarden/delay_ranges.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace retrygarden {
namespace {

using test::fraction;

constexpr std::uint32_t kUnlimited = 4294967295U;
constexpr std::uint32_t kLongest = 1U << 30;
constexpr Share kNone{0, 1};
constexpr Share kAll{1, 1};

Policy policy_with(Delay delay, Jitter jitter = NoJitter{}) {
  return {.name = "p", .attempts = kUnlimited, .delay = std::move(delay), .jitter = jitter};
}

DelayRange range(Interval delay, Share cut) {
  return {delay, cut, cut};
}

using Ranges = std::vector<DelayRange>;

TEST(DelayRanges, AreThoseOfTheLaw) {
  EXPECT_EQ(delay_ranges(policy_with(FixedDelay{4}), 2),
            (Ranges{range({4, 4}, kNone), range({4, 4}, kNone)}));
  EXPECT_EQ(delay_ranges(policy_with(ListDelay{{3U, Interval{5, 9}}}), 3),
            (Ranges{range({3, 3}, kNone), range({5, 9}, {0, 5}), range({5, 9}, {0, 5})}));
}

TEST(DelayRanges, ThereIsNoneAfterTheLastAttempt) {
  Policy policy = policy_with(FixedDelay{4});
  policy.attempts = 3;
  EXPECT_EQ(delay_ranges(policy, 9).size(), 2U);
  policy.attempts = 1;
  EXPECT_EQ(delay_ranges(policy, 9), Ranges{});
  EXPECT_EQ(delay_ranges(policy_with(FixedDelay{4}), 0), Ranges{});
}

// 3, 6, 12, 24: the third is the cap and not cut, the fourth is.
TEST(DelayRanges, AreCutWhereTheRawDelayIsAboveItsCap) {
  EXPECT_EQ(delay_ranges(policy_with(ExponentialDelay{.base = 3, .cap = 12}, FullJitter{}), 5),
            (Ranges{range({1, 3}, {0, 3}), range({1, 6}, {0, 6}), range({1, 12}, {0, 12}),
                    range({1, 12}, kAll), range({1, 12}, kAll)}));
  // 2, 7, 12, 17.
  EXPECT_EQ(delay_ranges(policy_with(LinearDelay{2, 5, 12}), 4),
            (Ranges{range({2, 2}, kNone), range({7, 7}, kNone), range({12, 12}, kNone),
                    range({12, 12}, kAll)}));
}

// With the longest cap of all, 2^30, 2^30 is not cut and 2^31 is.
TEST(DelayRanges, AreCutByTheLongestCap) {
  const Ranges ranges =
      delay_ranges(policy_with(ExponentialDelay{.base = kLongest / 2, .cap = kLongest}), 40);
  EXPECT_EQ(ranges[0], range({kLongest / 2, kLongest / 2}, kNone));
  EXPECT_EQ(ranges[1], range({kLongest, kLongest}, kNone));
  EXPECT_EQ(ranges[2], range({kLongest, kLongest}, kAll));
  EXPECT_EQ(ranges[39], range({kLongest, kLongest}, kAll));
}

// Of 8 ± 4 ticks, 4 … 12, the draws 11 and 12 are beyond 10: two of nine. Of 16 ± 8 all but three.
TEST(DelayRanges, AreCutByMaxDelayAfterTheJitter) {
  Policy policy =
      policy_with(ExponentialDelay{.base = 8, .cap = 100}, ProportionalJitter{fraction("0.5")});
  policy.max_delay = 10;
  EXPECT_EQ(delay_ranges(policy, 3),
            (Ranges{range({4, 10}, {2, 9}), range({8, 10}, {14, 17}), range({10, 10}, {33, 33})}));
}

// From [2, 6], then from [2, 3·2 … 3·6] and so on: after the third attempt the cap of 20 cuts
// 21 … 54 where the delay before was 18, nothing where it was 2.
TEST(DelayRanges, OfDecorrelatedDelaysDependOnTheDelayBefore) {
  EXPECT_EQ(delay_ranges(policy_with(DecorrelatedDelay{2, 20}), 4),
            (Ranges{{{2, 6}, {0, 5}, {0, 5}},
                    {{2, 18}, {0, 5}, {0, 17}},
                    {{2, 20}, {0, 5}, {34, 53}},
                    {{2, 20}, {0, 5}, {40, 59}}}));
}

// The formula's own value goes on from 18, whatever max_delay makes of it.
TEST(DelayRanges, OfDecorrelatedDelaysGoOnFromTheFormulasValue) {
  Policy policy = policy_with(DecorrelatedDelay{2, 20});
  policy.max_delay = 4;
  EXPECT_EQ(
      delay_ranges(policy, 3),
      (Ranges{{{2, 4}, {2, 5}, {2, 5}}, {{2, 4}, {2, 5}, {14, 17}}, {{2, 4}, {2, 5}, {50, 53}}}));
  policy.max_delay = 1;
  EXPECT_EQ(delay_ranges(policy, 1), (Ranges{{{1, 1}, {5, 5}, {5, 5}}}));
}

TEST(DelayRanges, OfTheLongestDecorrelatedDelays) {
  const Ranges ranges = delay_ranges(policy_with(DecorrelatedDelay{kLongest, kLongest}), 2);
  EXPECT_EQ(ranges[1], range({kLongest, kLongest}, {2 * kLongest, 2 * kLongest + 1}));
}

// Its table ends long before its cap.
TEST(DelayRanges, OfASlowLawAreExactFarOut) {
  const Ranges ranges = delay_ranges(policy_with(LinearDelay{1, 1, 9'000}), 10'000);
  ASSERT_EQ(ranges.size(), 10'000U);
  EXPECT_EQ(ranges[8'998], range({8'999, 8'999}, kNone));
  EXPECT_EQ(ranges[8'999], range({9'000, 9'000}, kNone));
  EXPECT_EQ(ranges[9'000], range({9'000, 9'000}, kAll));
}

}  // namespace
}  // namespace retrygarden
