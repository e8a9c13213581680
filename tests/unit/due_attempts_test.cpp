// The timing wheel against an ordered multimap.
#include "due_attempts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

namespace retrygarden {
namespace {

constexpr Tick kLastTick = 2147483646;

std::vector<Client> clients_of(DueAttempts& due) {
  std::vector<DueAttempt> bucket;
  due.take(bucket);
  std::vector<Client> clients;
  for (const DueAttempt attempt : bucket) {
    clients.push_back(attempt.client);
  }
  return clients;
}

TEST(DueAttempts, IsEmptyAtFirst) {
  DueAttempts due;
  EXPECT_EQ(due.advance(kLastTick), std::nullopt);
}

TEST(DueAttempts, GivesTicksInOrder) {
  DueAttempts due;
  due.add(70'000, {3, 1});
  due.add(0, {1, 1});
  due.add(kLastTick, {4, 1});
  due.add(300, {2, 7});
  EXPECT_EQ(due.advance(kLastTick), 0U);
  EXPECT_EQ(clients_of(due), std::vector<Client>{1});
  EXPECT_EQ(due.advance(kLastTick), 300U);
  std::vector<DueAttempt> bucket;
  due.take(bucket);
  ASSERT_EQ(bucket.size(), 1U);
  EXPECT_EQ(bucket[0].attempt, 7U);
  EXPECT_EQ(due.advance(kLastTick), 70'000U);
  EXPECT_EQ(clients_of(due), std::vector<Client>{3});
  EXPECT_EQ(due.advance(kLastTick), kLastTick);
  EXPECT_EQ(clients_of(due), std::vector<Client>{4});
  EXPECT_EQ(due.advance(kLastTick), std::nullopt);
}

// Nothing is due up to then; what lies beyond stays, in the wheel in which it is.
TEST(DueAttempts, GoesToTheLatestTickWhenNothingIsDueUpToIt) {
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

TEST(DueAttempts, KeepsTheOrderOfOneTickOverManyBlocks) {
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
TEST(DueAttempts, RoomForATickIsThatOfItsAttempts) {
  DueAttempts due;
  std::vector<DueAttempt> bucket;
  for (Tick tick = 0; tick < 256 * 100; tick += 256) {
    due.add(tick, {1, 1});
    ASSERT_EQ(due.advance(kLastTick), tick);
    due.take(bucket);
    ASSERT_EQ(bucket.size(), 1U);
  }
  EXPECT_EQ(bucket.capacity(), 1U);
}

// Steps of 1, across the borders of slots and wheels, and far ahead, up to any tick.
RC_GTEST_PROP(DueAttempts, AgreesWithAnOrderedMultimap, ()) {
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
