// Fractions: exact decimal numbers with at most six digits after the point.
#include "retrygarden/fraction.h"

#include <gtest/gtest.h>

namespace retrygarden {
namespace {

std::optional<std::uint64_t> millionths(std::string_view text) {
  const auto fraction = Fraction::parse(text);
  return fraction ? std::optional(fraction->millionths()) : std::nullopt;
}

TEST(Fraction, ParsesTheTextExactly) {
  EXPECT_EQ(millionths("0"), 0U);
  EXPECT_EQ(millionths("2"), 2'000'000U);
  EXPECT_EQ(millionths("1.5"), 1'500'000U);
  EXPECT_EQ(millionths("1.50"), 1'500'000U);
  EXPECT_EQ(millionths("0.000001"), 1U);
  EXPECT_EQ(millionths("0.1"), 100'000U);
  EXPECT_EQ(millionths("999.999999"), 999'999'999U);
}

TEST(Fraction, TakesMinusZeroForZero) {
  EXPECT_EQ(millionths("-0"), 0U);
  EXPECT_EQ(millionths("-0.0"), 0U);
}

TEST(Fraction, RefusesOtherTexts) {
  EXPECT_EQ(millionths("1e0"), std::nullopt);
  EXPECT_EQ(millionths("1.0e1"), std::nullopt);
  EXPECT_EQ(millionths("1.0000000"), std::nullopt);  // seven digits
  EXPECT_EQ(millionths("0.1234567"), std::nullopt);
  EXPECT_EQ(millionths("-1"), std::nullopt);
  EXPECT_EQ(millionths("-0.000001"), std::nullopt);
}

TEST(Fraction, RefusesNumbersThatWouldOverflow) {
  EXPECT_EQ(millionths("999999999999"), 999'999'999'999'000'000U);
  EXPECT_EQ(millionths("1000000000000"), std::nullopt);
  EXPECT_EQ(millionths("18446744073709551616"), std::nullopt);
}

TEST(Fraction, WritesTheShortestText) {
  EXPECT_EQ(Fraction::from_millionths(0).to_string(), "0");
  EXPECT_EQ(Fraction::from_millionths(2'000'000).to_string(), "2");
  EXPECT_EQ(Fraction::from_millionths(10'000'000).to_string(), "10");
  EXPECT_EQ(Fraction::from_millionths(1'500'000).to_string(), "1.5");
  EXPECT_EQ(Fraction::from_millionths(50'000).to_string(), "0.05");
  EXPECT_EQ(Fraction::from_millionths(1).to_string(), "0.000001");
}

}  // namespace
}  // namespace retrygarden
