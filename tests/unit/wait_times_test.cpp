// Percentiles by nearest rank: docs/model.md, section 8.
#include "wait_times.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

namespace retrygarden {
namespace {

TimeToAcknowledge percentiles(const std::vector<std::uint32_t>& waits) {
  WaitTimes times;
  for (const std::uint32_t ticks : waits) {
    times.add(ticks);
  }
  return times.percentiles();
}

TEST(WaitTimes, OfNobodyAreNothing) {
  EXPECT_EQ(percentiles({}), TimeToAcknowledge{});
}

TEST(WaitTimes, OfOneClientAreAllTheSame) {
  EXPECT_EQ(percentiles({7}), (TimeToAcknowledge{7, 7, 7, 7}));
  EXPECT_EQ(percentiles({0}), (TimeToAcknowledge{0, 0, 0, 0}));
}

// Ranks ceil(p·m/100) of 2 values: 1, 2, 2, 2; of 3: 2, 3, 3, 3; of 10: 5, 9, 10, 10.
TEST(WaitTimes, TakeTheNearestRank) {
  EXPECT_EQ(percentiles({20, 10}), (TimeToAcknowledge{10, 20, 20, 20}));
  EXPECT_EQ(percentiles({30, 10, 20}), (TimeToAcknowledge{20, 30, 30, 30}));
  EXPECT_EQ(percentiles({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), (TimeToAcknowledge{5, 9, 10, 10}));
}

// Of 100 values the ranks are 50, 90, 99, 100; of 101 they are ceil(50.5), ceil(90.9), ceil(99.99),
// 101.
TEST(WaitTimes, RoundRanksUp) {
  std::vector<std::uint32_t> waits(100);
  for (std::uint32_t i = 0; i < 100; ++i) {
    waits[i] = 1 + i;
  }
  EXPECT_EQ(percentiles(waits), (TimeToAcknowledge{50, 90, 99, 100}));
  waits.push_back(101);
  EXPECT_EQ(percentiles(waits), (TimeToAcknowledge{51, 91, 100, 101}));
}

// Of 99 values the ranks are ceil(49.5), ceil(89.1), ceil(98.01), 99.
TEST(WaitTimes, RoundUpWhateverIsBeyondAWholeRank) {
  std::vector<std::uint32_t> waits(99);
  for (std::uint32_t i = 0; i < 99; ++i) {
    waits[i] = 1 + i;
  }
  EXPECT_EQ(percentiles(waits), (TimeToAcknowledge{50, 90, 99, 99}));
}

TEST(WaitTimes, KeepLongWaitsExact) {
  const std::uint32_t border = WaitTimes::kTableTicks;
  EXPECT_EQ(percentiles({border, border - 1, 2147483646, border + 1}),
            (TimeToAcknowledge{border, 2147483646, 2147483646, 2147483646}));
}

RC_GTEST_PROP(WaitTimes, AgreeWithSorting, ()) {
  const auto any_wait = rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 50),
                                       rc::gen::inRange<std::uint32_t>(32'000, 33'500),
                                       rc::gen::inRange<std::uint32_t>(0, 2147483647));
  auto waits = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint32_t>>(any_wait));
  const TimeToAcknowledge found = percentiles(waits);
  std::sort(waits.begin(), waits.end());
  const auto at = [&](std::size_t percent) {
    std::size_t rank = 1;  // the smallest whole number that is not below percent·m/100
    while (rank * 100 < percent * waits.size()) {
      ++rank;
    }
    return waits[rank - 1];
  };
  RC_ASSERT(found == (TimeToAcknowledge{at(50), at(90), at(99), waits.back()}));
}

RC_GTEST_PROP(WaitTimes, MayBeAddedTogetherAndMerged, ()) {
  const auto waits = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::oneOf(
      rc::gen::inRange<std::uint32_t>(0, 50), rc::gen::inRange<std::uint32_t>(32'700, 32'800)));
  std::vector<std::uint32_t> all;
  std::array<WaitTimes, 3> parts;
  for (const std::uint32_t wait : waits) {
    const auto clients = *rc::gen::inRange(0U, 4U);
    parts.at(*rc::gen::inRange<std::size_t>(0, 3)).add(wait, clients);
    all.insert(all.end(), clients, wait);
  }
  parts[0].merge(parts[1]);
  parts[0].merge(parts[2]);
  RC_ASSERT(parts[0].percentiles() == percentiles(all));
}

}  // namespace
}  // namespace retrygarden
