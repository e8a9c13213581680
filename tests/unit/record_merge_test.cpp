// Records of several parts of the clients, put into one order.
#include "record_merge.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "retrygarden/scenario.h"

namespace retrygarden::test {
namespace {

using Keys = std::vector<std::pair<Tick, Client>>;

struct Part {
  Tick next_tick() const { return records.empty() ? open : records.front().first; }
  bool is_ready() const { return !records.empty(); }
  std::pair<Tick, Client> take() {
    const auto record = records.front();
    records.pop_front();
    return record;
  }

  std::deque<std::pair<Tick, Client>> records;
  Tick open = 0;
};

// Two parts: clients below 10, and the others.
struct Merge {
  void add(Tick tick, Client client) {
    parts[client < 10 ? 0 : 1].records.emplace_back(tick, client);
  }
  // What is shown when the parts' later records are of these ticks or later.
  Keys shown(Tick first, Tick second) {
    parts[0].open = first;
    parts[1].open = second;
    Keys keys;
    open = show_in_order(parts, [&](const auto& record) { keys.push_back(record); });
    return keys;
  }

  std::array<Part, 2> parts;
  Tick open = 0;
};

TEST(RecordMerge, OrdersByTickAndThenByClient) {
  Merge merge;
  merge.add(1, 10);
  merge.add(1, 12);
  merge.add(3, 11);
  merge.add(1, 0);
  merge.add(2, 0);
  merge.add(3, 5);
  EXPECT_EQ(merge.shown(4, 4), (Keys{{1, 0}, {1, 10}, {1, 12}, {2, 0}, {3, 5}, {3, 11}}));
  EXPECT_EQ(merge.open, 4U);
  EXPECT_EQ(merge.shown(kNever, kNever), Keys{});
  EXPECT_EQ(merge.open, kNever);
}

TEST(RecordMerge, WaitsForWhatMayComeBefore) {
  Merge merge;
  merge.add(1, 0);
  merge.add(1, 10);
  merge.add(2, 10);
  EXPECT_EQ(merge.shown(1, 3), (Keys{{1, 0}}));  // another one of tick 1, below client 10
  EXPECT_EQ(merge.open, 1U);
  merge.add(1, 4);
  EXPECT_EQ(merge.shown(2, 3), (Keys{{1, 4}, {1, 10}}));
  EXPECT_EQ(merge.open, 2U);
  EXPECT_EQ(merge.shown(3, 3), (Keys{{2, 10}}));
  EXPECT_EQ(merge.open, 3U);
}

// A later one of the second part does not come before any of the first in the same tick.
TEST(RecordMerge, DoesNotWaitForHigherClients) {
  Merge merge;
  merge.add(1, 0);
  merge.add(1, 10);
  EXPECT_EQ(merge.shown(2, 1), (Keys{{1, 0}, {1, 10}}));
  EXPECT_EQ(merge.open, 1U);
}

TEST(RecordMerge, OfNoPartsIsEmpty) {
  std::array<Part, 0> parts;
  EXPECT_EQ(show_in_order(parts, [](const auto&) { FAIL(); }), kNever);
}

}  // namespace
}  // namespace retrygarden::test
