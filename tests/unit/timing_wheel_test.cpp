// The timing wheel against an ordered multimap.
#include "timing_wheel.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "due_attempt.h"

namespace retrygarden {
namespace {

constexpr Tick kLastTick = 2147483646;

using DueAttempts = TimingWheel<DueAttempt>;

std::vector<DueAttempt> taken(DueAttempts& due) {
  std::vector<DueAttempt> attempts;
  const auto keep = [&](std::span<const DueAttempt> some) {
    attempts.insert(attempts.end(), some.begin(), some.end());
  };
  due.show(keep);
  const std::size_t count = std::exchange(attempts, {}).size();
  EXPECT_EQ(due.count(), count);
  due.take(keep);
  EXPECT_EQ(attempts.size(), count);
  EXPECT_EQ(due.count(), 0U);
  return attempts;
}

std::vector<Client> clients_of(DueAttempts& due) {
  std::vector<Client> clients;
  for (const DueAttempt attempt : taken(due)) {
    clients.push_back(attempt.client);
  }
  return clients;
}

TEST(TimingWheel, IsEmptyAtFirst) {
  DueAttempts due;
  EXPECT_EQ(due.advance(kLastTick), std::nullopt);
}

TEST(TimingWheel, GivesTicksInOrder) {
  DueAttempts due;
  due.add(70'000, {3, 1});
  due.add(0, {1, 1});
  due.add(kLastTick, {4, 1});
  due.add(300, {2, 7});
  EXPECT_EQ(due.advance(kLastTick), 0U);
  EXPECT_EQ(clients_of(due), std::vector<Client>{1});
  EXPECT_EQ(due.advance(kLastTick), 300U);
  const std::vector<DueAttempt> second = taken(due);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].client, 2U);
  EXPECT_EQ(second[0].attempt, 7U);
  EXPECT_EQ(due.advance(kLastTick), 70'000U);
  EXPECT_EQ(clients_of(due), std::vector<Client>{3});
  EXPECT_EQ(due.advance(kLastTick), kLastTick);
  EXPECT_EQ(clients_of(due), std::vector<Client>{4});
  EXPECT_EQ(due.advance(kLastTick), std::nullopt);
}

// Nothing is due up to then; what lies beyond stays, in the wheel in which it is.
TEST(TimingWheel, GoesToTheLatestTickWhenNothingIsDueUpToIt) {
  DueAttempts due;
  EXPECT_EQ(due.advance(5), std::nullopt);
  due.add(7, {1, 1});
  due.add(300, {2, 1});
  due.add(70'000, {3, 1});
  EXPECT_EQ(due.advance(6), std::nullopt);
  EXPECT_EQ(due.advance(6), std::nullopt);
  EXPECT_EQ(due.advance(7), 7U);
  EXPECT_EQ(clients_of(due), std::vector<Client>{1});
  EXPECT_EQ(due.advance(255), std::nullopt);
  EXPECT_EQ(due.advance(256), std::nullopt);  // the slot of 300 begins here
  EXPECT_EQ(due.advance(299), std::nullopt);
  due.add(300, {4, 1});
  EXPECT_EQ(due.advance(300), 300U);
  EXPECT_EQ(clients_of(due), (std::vector<Client>{2, 4}));
  EXPECT_EQ(due.advance(69'999), std::nullopt);
  due.add(70'001, {5, 1});
  EXPECT_EQ(due.advance(kLastTick), 70'000U);
  EXPECT_EQ(clients_of(due), std::vector<Client>{3});
  EXPECT_EQ(due.advance(kLastTick), 70'001U);
  EXPECT_EQ(clients_of(due), std::vector<Client>{5});
  EXPECT_EQ(due.advance(kLastTick), std::nullopt);
  due.add(kLastTick, {6, 1});
  EXPECT_EQ(due.advance(kLastTick), kLastTick);
}

TEST(TimingWheel, KeepsTheOrderOfOneTickOverManyBlocks) {
  DueAttempts due;
  std::vector<Client> clients;
  for (Client client = 0; client < 1000; ++client) {
    due.add(5, {client, 1});
    clients.push_back(client);
  }
  EXPECT_EQ(due.advance(kLastTick), 5U);
  EXPECT_EQ(clients_of(due), clients);
}

// One attempt every 256 ticks, all in the same slot of the lowest wheel.
TEST(TimingWheel, CountsWhatTheTickHas) {
  DueAttempts due;
  for (Tick tick = 0; tick < 256 * 100; tick += 256) {
    due.add(tick, {1, 1});
    ASSERT_EQ(due.advance(kLastTick), tick);
    EXPECT_EQ(taken(due).size(), 1U);
  }
}

// 1,008 bytes of a block hold 126 attempts of 8 bytes; with ticks, 84 of 12.
TEST(TimingWheel, TellsWhatItHolds) {
  EXPECT_EQ(DueAttempts::bytes_per_item(256), 9U);
  EXPECT_EQ(DueAttempts::bytes_per_item(257), 13U);
  EXPECT_EQ(DueAttempts::slack_bytes(256), 256U * 1024);
  EXPECT_EQ(DueAttempts::slack_bytes(257), 4U * 256 * 1024);
}

// Steps of 1, across the borders of slots and wheels, and far ahead, up to any tick.
RC_GTEST_PROP(TimingWheel, AgreesWithAnOrderedMultimap, ()) {
  DueAttempts due;
  std::multimap<Tick, Client> expected;
  Tick now = 0;
  Client client = 0;
  const auto add_some = [&](Tick earliest) {
    for (int count = *rc::gen::inRange(0, 6); count > 0 && earliest <= kLastTick; --count) {
      const int bits = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 32));
      const Tick reach = std::min<Tick>(kLastTick - earliest, bits == 0 ? 0 : (1U << (bits - 1)));
      const Tick tick =
          earliest + *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Tick>(0, reach + 1));
      due.add(tick, {client, 1});
      expected.emplace(tick, client++);
    }
  };
  add_some(0);
  for (int steps = 0; steps < 40; ++steps) {
    const int bits = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 32));
    const Tick ahead = *rc::gen::resize(
        rc::kNominalSize, rc::gen::inRange<Tick>(0, bits == 31 ? kLastTick : 1U << bits));
    const Tick latest = std::min(kLastTick, now + ahead);
    const auto tick = due.advance(latest);
    const bool is_due = !expected.empty() && expected.begin()->first <= latest;
    RC_ASSERT(tick.has_value() == is_due);
    now = latest;
    if (is_due) {
      now = expected.begin()->first;
      RC_ASSERT(*tick == now);
      std::vector<Client> clients = clients_of(due);
      std::sort(clients.begin(), clients.end());
      std::vector<Client> expected_clients;
      for (auto [it, end] = expected.equal_range(now); it != end; it = expected.erase(it)) {
        expected_clients.push_back(it->second);
      }
      std::sort(expected_clients.begin(), expected_clients.end());
      RC_ASSERT(clients == expected_clients);
    }
    add_some(now + 1);
  }
}

}  // namespace
}  // namespace retrygarden
