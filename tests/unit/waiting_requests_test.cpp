// The order of the server's queue by itself: docs/model.md, section 4.
#include "waiting_requests.h"

#include <gtest/gtest.h>

namespace retrygarden::test {
namespace {

using Counts = std::vector<std::uint32_t>;

// Three parts. In tick 4 two requests of the first and three of the last came, in tick 9 one of
// each.
WaitingRequests example(Discipline discipline) {
  WaitingRequests waiting(discipline);
  waiting.add(4, Counts{2, 0, 3});
  waiting.add(5, Counts{0, 0, 0});
  waiting.add(9, Counts{1, 1, 1});
  return waiting;
}

Counts take(WaitingRequests& waiting, std::uint64_t requests) {
  Counts taken{7, 7, 7};
  waiting.take(requests, taken);
  return taken;
}

TEST(WaitingRequests, ThoseThatCameFirstAreNextLowestClientsFirst) {
  WaitingRequests waiting = example(Discipline::kFifo);
  EXPECT_EQ(waiting.size(), 8U);
  EXPECT_EQ(waiting.next_tick(), 4U);
  EXPECT_EQ(waiting.next_size(), 5U);
  EXPECT_EQ(take(waiting, 1), (Counts{1, 0, 0}));
  EXPECT_EQ(take(waiting, 0), (Counts{0, 0, 0}));
  EXPECT_EQ(take(waiting, 2), (Counts{1, 0, 1}));
  EXPECT_EQ(waiting.next_tick(), 4U);
  EXPECT_EQ(waiting.next_size(), 2U);
  EXPECT_EQ(take(waiting, 2), (Counts{0, 0, 2}));
  EXPECT_EQ(waiting.next_tick(), 9U);
  EXPECT_EQ(take(waiting, 3), (Counts{1, 1, 1}));
  EXPECT_EQ(waiting.size(), 0U);
}

TEST(WaitingRequests, OrThoseThatCameLastHighestClientsFirst) {
  WaitingRequests waiting = example(Discipline::kLifo);
  EXPECT_EQ(waiting.next_tick(), 9U);
  EXPECT_EQ(waiting.next_size(), 3U);
  EXPECT_EQ(take(waiting, 2), (Counts{0, 1, 1}));
  waiting.add(10, Counts{0, 1, 0});
  EXPECT_EQ(waiting.next_tick(), 10U);
  EXPECT_EQ(take(waiting, 1), (Counts{0, 1, 0}));
  EXPECT_EQ(waiting.next_tick(), 9U);
  EXPECT_EQ(take(waiting, 1), (Counts{1, 0, 0}));
  EXPECT_EQ(take(waiting, 4), (Counts{1, 0, 3}));
  EXPECT_EQ(take(waiting, 1), (Counts{1, 0, 0}));
  EXPECT_EQ(waiting.size(), 0U);
}

TEST(WaitingRequests, MayAllBeTakenAway) {
  WaitingRequests waiting = example(Discipline::kFifo);
  waiting.clear();
  EXPECT_EQ(waiting.size(), 0U);
  waiting.add(20, Counts{0, 4, 0});
  EXPECT_EQ(waiting.next_tick(), 20U);
  EXPECT_EQ(take(waiting, 4), (Counts{0, 4, 0}));
}

// Four thousand million clients can wait.
TEST(WaitingRequests, CountBeyondTwoToThe32) {
  WaitingRequests waiting(Discipline::kFifo);
  waiting.add(1, Counts{4294967295, 4294967295});
  EXPECT_EQ(waiting.next_size(), 8589934590U);
  Counts taken(2);
  waiting.take(4294967296, taken);
  EXPECT_EQ(taken, (Counts{4294967295, 1}));
  EXPECT_EQ(waiting.size(), 4294967294U);
}

}  // namespace
}  // namespace retrygarden::test
