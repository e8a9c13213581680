// Intervals by attempt number: docs/model.md, section 6. Expected values are the section's closed
// formulas, in exact rational arithmetic and attempt by attempt; the engine multiplies step by
// step.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include "retrygarden/plan.h"
#include "support/runs.h"

namespace retrygarden {
namespace {

using boost::multiprecision::cpp_int;

constexpr std::uint32_t kUnlimited = 4294967295U;
constexpr std::uint32_t kLongest = 1U << 30;

using test::fraction;

Interval after(const Delay& delay, const Jitter& jitter, std::uint32_t attempt) {
  return DelayTable(delay, jitter, kUnlimited).after(attempt);
}

Interval exactly(std::uint32_t ticks) {
  return {ticks, ticks};
}

std::uint32_t exponential(std::uint32_t base, std::string_view multiplier, std::uint32_t cap,
                          unsigned attempt) {
  const cpp_int numerator = base * pow(cpp_int(fraction(multiplier).millionths()), attempt - 1);
  const cpp_int raw = numerator / pow(cpp_int(Fraction::kOne), attempt - 1);
  return std::min(raw, cpp_int(cap)).convert_to<std::uint32_t>();
}

TEST(Delays, FixedStaysTheSame) {
  for (const std::uint32_t attempt : {1U, 2U, 70U, kUnlimited}) {
    EXPECT_EQ(after(FixedDelay{7}, NoJitter{}, attempt), exactly(7));
  }
}

TEST(Delays, LinearGrowsToItsCap) {
  const DelayTable table(LinearDelay{3, 4, 200}, NoJitter{}, kUnlimited);
  for (std::uint32_t attempt = 1; attempt <= 70; ++attempt) {
    EXPECT_EQ(table.after(attempt), exactly(std::min(200U, 3 + 4 * (attempt - 1)))) << attempt;
  }
  EXPECT_EQ(table.after(kUnlimited), exactly(200));
}

TEST(Delays, LinearWithStepZeroStaysAtItsBase) {
  EXPECT_EQ(after(LinearDelay{3, 0, 200}, NoJitter{}, 1), exactly(3));
  EXPECT_EQ(after(LinearDelay{3, 0, 200}, NoJitter{}, kUnlimited), exactly(3));
}

// So slow that no table holds it.
TEST(Delays, SlowLinearIsExactEverywhere) {
  const DelayTable table(LinearDelay{1, 1, kLongest}, EqualJitter{}, kUnlimited);
  for (const std::uint32_t x :
       {1U, 2U, 3U, 255U, 256U, 257U, 258U, 1'000'001U, kLongest - 1, kLongest}) {
    EXPECT_EQ(table.after(x), (Interval{x - x / 2, x})) << x;
  }
  EXPECT_EQ(table.after(kLongest + 1), (Interval{kLongest / 2, kLongest}));
  EXPECT_EQ(table.after(kUnlimited), (Interval{kLongest / 2, kLongest}));
}

TEST(Delays, LinearWithTheLongestStepDoesNotOverflow) {
  EXPECT_EQ(after(LinearDelay{1, kLongest, kLongest}, NoJitter{}, 2), exactly(kLongest));
  EXPECT_EQ(after(LinearDelay{1, kLongest, kLongest}, NoJitter{}, kUnlimited), exactly(kLongest));
}

TEST(Delays, ExponentialTakesThePowerExactly) {
  for (const std::string_view multiplier :
       {"1", "1.01", "1.1", "1.333333", "1.5", "1.999999", "2", "3", "10.5", "1000"}) {
    for (const std::uint32_t base : {1U, 3U, 99U, kLongest}) {
      for (const std::uint32_t cap : {base, std::min(kLongest, 10 * base), kLongest}) {
        const DelayTable table(ExponentialDelay{base, fraction(multiplier), cap}, NoJitter{},
                               kUnlimited);
        for (unsigned attempt = 1; attempt <= 70; ++attempt) {
          EXPECT_EQ(table.after(attempt), exactly(exponential(base, multiplier, cap, attempt)))
              << base << " x " << multiplier << ", cap " << cap << ", attempt " << attempt;
        }
      }
    }
  }
}

TEST(Delays, ExponentialAtTheLastAttemptOfAll) {
  EXPECT_EQ(after(ExponentialDelay{1, fraction("1.01"), kLongest}, NoJitter{}, kUnlimited),
            exactly(kLongest));
  EXPECT_EQ(after(ExponentialDelay{5, fraction("1"), kLongest}, NoJitter{}, kUnlimited),
            exactly(5));
}

// 1 tick times 1.01^(k-1) reaches 2^30 when 1.01^(k-1) >= 2^30: k-1 = ceil(30 ln 2 / ln 1.01) =
// 2090.
TEST(Delays, SlowestExponentialReachesTheLongestCap) {
  const DelayTable table(ExponentialDelay{1, fraction("1.01"), kLongest}, NoJitter{}, kUnlimited);
  EXPECT_LT(table.after(2090).hi, kLongest);
  EXPECT_EQ(table.after(2091).hi, kLongest);
  EXPECT_EQ(table.after(2090), exactly(exponential(1, "1.01", kLongest, 2090)));
}

TEST(Delays, ListRepeatsItsLastEntry) {
  const DelayTable table(ListDelay{{5U, 1U, 9U}}, NoJitter{}, kUnlimited);
  EXPECT_EQ(table.after(1), exactly(5));
  EXPECT_EQ(table.after(2), exactly(1));
  EXPECT_EQ(table.after(3), exactly(9));
  EXPECT_EQ(table.after(4), exactly(9));
  EXPECT_EQ(table.after(kUnlimited), exactly(9));
}

// The last entry is used from its attempt on, whatever the form of the others.
TEST(Delays, ListMayHoldIntervals) {
  const DelayTable table(ListDelay{{Interval{2, 4}, 7U, Interval{1, kLongest}}}, NoJitter{},
                         kUnlimited);
  EXPECT_EQ(table.after(1), (Interval{2, 4}));
  EXPECT_EQ(table.after(2), exactly(7));
  EXPECT_EQ(table.after(3), (Interval{1, kLongest}));
  EXPECT_EQ(table.after(kUnlimited), (Interval{1, kLongest}));
}

TEST(Delays, ListTakesJitter) {
  const DelayTable table(ListDelay{{5U, 8U}}, EqualJitter{}, kUnlimited);
  EXPECT_EQ(table.after(1), (Interval{3, 5}));
  EXPECT_EQ(table.after(2), (Interval{4, 8}));
}

TEST(Delays, KnowTheirOwnJitter) {
  EXPECT_FALSE(has_own_jitter(FixedDelay{}));
  EXPECT_FALSE(has_own_jitter(LinearDelay{}));
  EXPECT_FALSE(has_own_jitter(ExponentialDelay{}));
  EXPECT_FALSE(has_own_jitter(ListDelay{{5U, 1U}}));
  EXPECT_TRUE(has_own_jitter(ListDelay{{5U, Interval{1, 1}}}));
  EXPECT_TRUE(has_own_jitter(DecorrelatedDelay{}));
  EXPECT_FALSE(ListDelay{{5U}}.has_interval());
  EXPECT_TRUE((ListDelay{{Interval{1, 2}, 5U}}.has_interval()));
}

TEST(Delays, FullJitterStartsAtOne) {
  EXPECT_EQ(after(FixedDelay{1}, FullJitter{}, 1), exactly(1));
  EXPECT_EQ(after(FixedDelay{9}, FullJitter{}, 1), (Interval{1, 9}));
  EXPECT_EQ(after(FixedDelay{kLongest}, FullJitter{}, 1), (Interval{1, kLongest}));
}

TEST(Delays, EqualJitterKeepsTheLargerHalf) {
  EXPECT_EQ(after(FixedDelay{1}, EqualJitter{}, 1), exactly(1));
  EXPECT_EQ(after(FixedDelay{2}, EqualJitter{}, 1), (Interval{1, 2}));
  EXPECT_EQ(after(FixedDelay{7}, EqualJitter{}, 1), (Interval{4, 7}));
  EXPECT_EQ(after(FixedDelay{8}, EqualJitter{}, 1), (Interval{4, 8}));
}

TEST(Delays, ProportionalJitterRoundsInwards) {
  const auto proportional = [](std::uint32_t ticks, std::string_view f) {
    return after(FixedDelay{ticks}, ProportionalJitter{fraction(f)}, 1);
  };
  EXPECT_EQ(proportional(9, "0"), exactly(9));
  EXPECT_EQ(proportional(9, "0.000001"), exactly(9));  // 8.999991 … 9.000009
  EXPECT_EQ(proportional(9, "0.1"), exactly(9));       // 8.1 … 9.9
  EXPECT_EQ(proportional(10, "0.1"), (Interval{9, 11}));
  EXPECT_EQ(proportional(9, "0.5"), (Interval{5, 13}));  // 4.5 … 13.5
  EXPECT_EQ(proportional(3, "0.333333"), exactly(3));    // 2.000001 … 3.999999
  EXPECT_EQ(proportional(9, "1"), (Interval{1, 18}));
  EXPECT_EQ(proportional(1, "1"), (Interval{1, 2}));
  EXPECT_EQ(proportional(kLongest, "1"), (Interval{1, 2 * kLongest}));
  // 2^30 · 0.999999 = 1073740750.258176, 2^30 · 1.000001 = 1073742897.741824
  EXPECT_EQ(proportional(kLongest, "0.000001"), (Interval{1'073'740'751, 1'073'742'897}));
}

// lo = max(1, ceil(x·a)), hi = max(lo, floor(x·b)).
TEST(Delays, ScaledJitterRoundsInwards) {
  const auto scaled = [](std::uint32_t ticks, std::string_view from, std::string_view to) {
    return after(FixedDelay{ticks}, ScaledJitter{fraction(from), fraction(to)}, 1);
  };
  EXPECT_EQ(scaled(9, "1", "1"), exactly(9));
  EXPECT_EQ(scaled(9, "0", "2"), (Interval{1, 18}));
  EXPECT_EQ(scaled(9, "0", "0"), exactly(1));
  EXPECT_EQ(scaled(9, "0.5", "1.5"), (Interval{5, 13}));  // 4.5 … 13.5
  EXPECT_EQ(scaled(10, "0.5", "1.5"), (Interval{5, 15}));
  EXPECT_EQ(scaled(10, "0.500001", "1.499999"), (Interval{6, 14}));
  EXPECT_EQ(scaled(3, "0.5", "0.6"), exactly(2));  // 1.5 … 1.8: lo
  EXPECT_EQ(scaled(3, "0.1", "0.3"), exactly(1));  // 0.3 … 0.9
  EXPECT_EQ(scaled(1, "1.1", "1.9"), exactly(2));  // 1.1 … 1.9
  EXPECT_EQ(scaled(1, "0.3", "2"), (Interval{1, 2}));
  EXPECT_EQ(scaled(1, "1.000001", "2"), exactly(2));
  EXPECT_EQ(scaled(kLongest, "2", "2"), exactly(2 * kLongest));
  // 2^30 · 0.000001 = 1073.741824, 2^30 · 1.999999 = 2147482574.258176
  EXPECT_EQ(scaled(kLongest, "0.000001", "1.999999"), (Interval{1074, 2'147'482'574}));
}

// An attempt budget of n needs the intervals of n - 1 attempts.
TEST(Delays, TablesEndWhereNoDelayIsNeeded) {
  const auto entries = [](const Delay& delay, std::uint32_t attempts) {
    return DelayTable(delay, NoJitter{}, attempts).memory_bytes() / sizeof(Interval);
  };
  const ExponentialDelay exponential{.base = 1, .cap = kLongest};
  EXPECT_EQ(entries(exponential, 1), 1U);
  EXPECT_EQ(entries(exponential, 2), 1U);
  EXPECT_EQ(entries(exponential, 3), 2U);
  EXPECT_EQ(entries(exponential, kUnlimited), 31U);  // 2^0 … 2^30
  EXPECT_EQ(entries(LinearDelay{1, 1, kLongest}, 6), 5U);
  EXPECT_EQ(entries(LinearDelay{1, 1, 4}, kUnlimited), 4U);
  EXPECT_EQ(entries(LinearDelay{1, 1, kLongest}, kUnlimited), 256U);
  EXPECT_EQ(entries(LinearDelay{5, 0, kLongest}, kUnlimited), 1U);
  EXPECT_EQ(entries(ExponentialDelay{5, fraction("1"), kLongest}, kUnlimited), 1U);
  EXPECT_EQ(entries(ListDelay{{1U, 2U, 3U}}, 3), 2U);
  EXPECT_EQ(entries(ListDelay{{1U, 2U, 3U}}, 9), 3U);
  EXPECT_EQ(entries(FixedDelay{5}, kUnlimited), 1U);
}

// Not even when no delay is ever needed.
TEST(Delays, TablesAreNeverEmpty) {
  EXPECT_EQ(DelayTable(ListDelay{{5U, 1U}}, NoJitter{}, 1).memory_bytes(), sizeof(Interval));
}

}  // namespace
}  // namespace retrygarden
