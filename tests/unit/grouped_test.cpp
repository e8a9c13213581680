#include "retrygarden/grouped.h"

#include <gtest/gtest.h>

#include <limits>

namespace retrygarden {
namespace {

TEST(Grouped, HasABlankBetweenGroupsOfThreeDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(999999), "999 999");
  EXPECT_EQ(grouped(1000000), "1 000 000");
  EXPECT_EQ(grouped(std::numeric_limits<std::uint64_t>::max()), "18 446 744 073 709 551 615");
}

}  // namespace
}  // namespace retrygarden
