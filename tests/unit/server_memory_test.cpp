// What the server knows of operations, by itself: docs/model.md, section 5.
#include "server_memory.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

// With an outage that loses keys when the test says so.
Plan plan_with(Deduplication deduplication, bool loses_keys = false) {
  Scenario example = scenario(3, 9, 0, 9, FixedDelay{1});
  example.server.deduplication = deduplication;
  if (loses_keys) {
    example.server.outages = {{.from = 8, .ticks = 1, .loses_keys = true}};
  }
  return make_plan(example, 0);
}

TEST(ServerMemory, WithoutDeduplicationEveryEffectAfterTheFirstIsDuplicate) {
  for (const bool loses_keys : {false, true}) {
    ServerMemory memory(plan_with(NoDeduplication{}, loses_keys), 3);
    EXPECT_EQ(memory.start(0, 1), Effect::kApplied);
    EXPECT_EQ(memory.start(0, 1), Effect::kDuplicate);
    memory.lose_keys(1);
    EXPECT_EQ(memory.start(2147483646, 1), Effect::kDuplicate);
    EXPECT_EQ(memory.start(2147483646, 2), Effect::kApplied);
  }
}

TEST(ServerMemory, RemembersForever) {
  for (const bool loses_keys : {false, true}) {
    ServerMemory memory(plan_with(DeduplicationForever{}, loses_keys), 3);
    EXPECT_EQ(memory.start(0, 1), Effect::kApplied);
    EXPECT_EQ(memory.start(0, 1), Effect::kSuppressed);
    EXPECT_EQ(memory.start(2147483646, 1), Effect::kSuppressed);
    EXPECT_EQ(memory.start(2147483646, 0), Effect::kApplied);
  }
}

// Stored at 5, live in 5 … 7; stored anew at 8, live until 10.
TEST(ServerMemory, RemembersForSomeTicks) {
  ServerMemory memory(plan_with(DeduplicationTtl{3}), 3);
  EXPECT_EQ(memory.start(5, 1), Effect::kApplied);
  EXPECT_EQ(memory.start(6, 1), Effect::kSuppressed);
  EXPECT_EQ(memory.start(7, 1), Effect::kSuppressed);
  EXPECT_EQ(memory.start(8, 1), Effect::kDuplicate);
  EXPECT_EQ(memory.start(10, 1), Effect::kSuppressed);
  EXPECT_EQ(memory.start(11, 1), Effect::kDuplicate);
}

TEST(ServerMemory, RemembersForTheLongestTime) {
  ServerMemory memory(plan_with(DeduplicationTtl{2147483647}), 3);
  EXPECT_EQ(memory.start(0, 0), Effect::kApplied);
  EXPECT_EQ(memory.start(2147483646, 0), Effect::kSuppressed);
}

// Keys of before tick 4 are lost, those of tick 4 and later are not.
TEST(ServerMemory, LosesTheKeysOfBefore) {
  for (const Deduplication& deduplication :
       {Deduplication(DeduplicationForever{}), Deduplication(DeduplicationTtl{100})}) {
    ServerMemory memory(plan_with(deduplication, true), 3);
    EXPECT_EQ(memory.start(3, 0), Effect::kApplied);
    memory.lose_keys(4);
    EXPECT_EQ(memory.start(4, 1), Effect::kApplied);
    EXPECT_EQ(memory.start(5, 0), Effect::kDuplicate);
    EXPECT_EQ(memory.start(5, 1), Effect::kSuppressed);
    EXPECT_EQ(memory.start(6, 0), Effect::kSuppressed);
    memory.lose_keys(6);
    EXPECT_EQ(memory.start(6, 0), Effect::kDuplicate);
    EXPECT_EQ(memory.start(6, 1), Effect::kDuplicate);
    EXPECT_EQ(memory.start(6, 1), Effect::kSuppressed);
    EXPECT_EQ(memory.start(6, 2), Effect::kApplied);
  }
}

// A bit for each client, and the tick of its key where that matters.
TEST(ServerMemory, CountsItsBytes) {
  EXPECT_EQ(ServerMemory::bytes(plan_with(NoDeduplication{}, true), 80), 10U);
  EXPECT_EQ(ServerMemory::bytes(plan_with(DeduplicationForever{}, false), 80), 10U);
  EXPECT_EQ(ServerMemory::bytes(plan_with(DeduplicationForever{}, true), 80), 330U);
  EXPECT_EQ(ServerMemory::bytes(plan_with(DeduplicationTtl{3}), 80), 330U);
}

}  // namespace
}  // namespace retrygarden::test
