// The ring whose things have ticks.
#include "fifo_by_tick.h"

#include <gtest/gtest.h>

namespace retrygarden {
namespace {

TEST(FifoByTick, CountsTheThingsOfItsFirstTick) {
  FifoByTick<int> fifo;
  EXPECT_TRUE(fifo.empty());
  EXPECT_EQ(fifo.front_tick(), kNever);
  EXPECT_EQ(fifo.count(0), 0U);
  fifo.push_back(3, 30);
  fifo.push_back(3, 31);
  fifo.push_back(8, 80);
  EXPECT_FALSE(fifo.empty());
  EXPECT_EQ(fifo.size(), 3U);
  EXPECT_EQ(fifo[2], 80);
  EXPECT_EQ(fifo.front_tick(), 3U);
  EXPECT_EQ(fifo.count(3), 2U);
  EXPECT_EQ(fifo.count(8), 0U);
  EXPECT_EQ(fifo.take_front(), 30);
  EXPECT_EQ(fifo.count(3), 1U);
  EXPECT_EQ(fifo.take_front(), 31);
  EXPECT_EQ(fifo.front_tick(), 8U);
  fifo.push_back(8, 81);
  EXPECT_EQ(fifo.count(8), 2U);
  EXPECT_EQ(fifo.take_front(), 80);
  EXPECT_EQ(fifo.take_front(), 81);
  EXPECT_TRUE(fifo.empty());
  EXPECT_EQ(fifo.front_tick(), kNever);
}

}  // namespace
}  // namespace retrygarden
