// The ring by itself.
#include "fifo.h"

#include <gtest/gtest.h>

#include <vector>

namespace retrygarden {
namespace {

TEST(Fifo, IsEmptyAtFirst) {
  const Fifo<int> fifo;
  EXPECT_TRUE(fifo.empty());
  EXPECT_EQ(fifo.size(), 0U);
}

TEST(Fifo, GivesWhatWasPutInFirst) {
  Fifo<int> fifo;
  fifo.push_back(5);
  fifo.push_back(7);
  EXPECT_FALSE(fifo.empty());
  EXPECT_EQ(fifo.size(), 2U);
  EXPECT_EQ(fifo.front(), 5);
  EXPECT_EQ(fifo[1], 7);
  EXPECT_EQ(fifo.take_front(), 5);
  EXPECT_EQ(fifo.front(), 7);
  EXPECT_EQ(fifo.take_front(), 7);
  EXPECT_TRUE(fifo.empty());
}

TEST(Fifo, GivesWhatWasPutInLastWhenAskedForThat) {
  Fifo<int> fifo;
  fifo.push_back(5);
  fifo.push_back(7);
  fifo.push_back(9);
  EXPECT_EQ(fifo.take_back(), 9);
  EXPECT_EQ(fifo.take_front(), 5);
  EXPECT_EQ(fifo.take_back(), 7);
  EXPECT_TRUE(fifo.empty());
}

TEST(Fifo, ItsElementsCanBeChanged) {
  Fifo<int> fifo;
  fifo.push_back(5);
  fifo.push_back(7);
  fifo[1] = 8;
  EXPECT_EQ(fifo.take_back(), 8);
}

TEST(Fifo, ItsEndsCanBeChanged) {
  Fifo<int> fifo;
  fifo.push_back(5);
  fifo.push_back(7);
  fifo.front() = 4;
  fifo.back() = 8;
  EXPECT_EQ(fifo.take_front(), 4);
  EXPECT_EQ(fifo.take_front(), 8);
}

// Two in, one out: the ring wraps around and grows at every size on the way.
TEST(Fifo, KeepsTheOrderWhenItWrapsAroundAndGrows) {
  Fifo<int> fifo;
  int in = 0;
  int out = 0;
  while (in < 5000) {
    fifo.push_back(in++);
    fifo.push_back(in++);
    ASSERT_EQ(fifo.take_front(), out++);
    ASSERT_EQ(fifo.size(), static_cast<std::size_t>(in - out));
    ASSERT_EQ(fifo.front(), out);
    ASSERT_EQ(fifo[fifo.size() - 1], in - 1);
  }
  while (!fifo.empty()) {
    ASSERT_EQ(fifo.take_front(), out++);
  }
  EXPECT_EQ(out, 5000);
}

// Copies are counted: growing by steps would copy each element again and again.
TEST(Fifo, GrowsByDoubling) {
  struct Counted {
    int* copies;
    explicit Counted(int* count) : copies(count) {}
    Counted(const Counted& other) : copies(other.copies) { ++*copies; }
    Counted& operator=(const Counted&) = default;
    ~Counted() = default;
  };
  int copies = 0;
  Fifo<Counted> fifo;
  for (int i = 0; i < 4096; ++i) {
    fifo.push_back(Counted(&copies));
  }
  EXPECT_EQ(fifo.size(), 4096U);
  EXPECT_LE(copies, 2 * 4096);
}

}  // namespace
}  // namespace retrygarden
