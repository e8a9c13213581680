// Estimates of memory: what each feature adds, and that runs keep to them, by the kernel's account.
#include <gtest/gtest.h>

#include "retrygarden/export.h"
#include "support/peak_memory.h"

namespace retrygarden {
namespace {

constexpr std::uint32_t kClients = 1'000'000;

Scenario scenario(Delay delay = FixedDelay{3}) {
  Scenario result;
  result.clients = kClients;
  result.horizon = 80;
  result.server.capacity = kClients / 8;
  result.policies = {{.name = "p", .attempts = 30, .delay = std::move(delay)}};
  return result;
}

std::uint64_t estimate(const Scenario& scenario) {
  return run_memory_bytes(make_plan(scenario, 0));
}

TEST(MemoryEstimate, CountsClientsAndNotTicks) {
  Scenario example = scenario();
  const std::uint64_t bytes = estimate(example);
  example.horizon = 160;
  EXPECT_EQ(estimate(example), bytes);
  example.clients = 2 * kClients;
  EXPECT_GE(estimate(example), bytes + std::uint64_t{20} * kClients);
  EXPECT_LE(estimate(example), bytes + std::uint64_t{32} * kClients);
}

TEST(MemoryEstimate, CountsWhatIsKeptForEachClient) {
  Scenario example = scenario();
  const std::uint64_t bytes = estimate(example);
  example.server.deduplication = DeduplicationForever{};
  EXPECT_EQ(estimate(example), bytes);
  example.server.deduplication = DeduplicationTtl{5};  // the tick of each key
  EXPECT_EQ(estimate(example), bytes + std::uint64_t{4} * kClients);
  // Each previous delay, in place of a table of one interval of two numbers.
  EXPECT_EQ(estimate(scenario(DecorrelatedDelay{3, 9})), bytes + std::uint64_t{4} * kClients - 8);
  example = scenario();
  example.horizon = 2147483647;  // long waits, one by one
  EXPECT_EQ(estimate(example), bytes + std::uint64_t{4} * kClients);
}

// A block of 1024 bytes holds 84 attempts: 12.19 bytes each, rounded up 13; 8 more in the bucket; a
// bit for `applied`. Beyond that a block for each of 4·256 slots, 2^15 counts of waits, and one
// interval.
TEST(MemoryEstimate, IsExact) {
  Scenario example = scenario();
  example.clients = 8;
  EXPECT_EQ(estimate(example), 8U * 21 + 1 + 4 * 256 * 1024 + 32768 * 4 + 8);
}

TEST(MemoryEstimate, CountsTablesAndOutages) {
  const std::uint64_t bytes = estimate(scenario());
  EXPECT_EQ(estimate(scenario(ListDelay{std::vector<std::uint32_t>(20, 5)})), bytes + 19 * 8);
  Scenario example = scenario();
  example.server.outages = {{1, 1}, {3, 1}, {5, 1}};
  EXPECT_EQ(estimate(example), bytes + 3 * 8);
}

TEST(MemoryEstimate, OfAnExportIsThatOfItsLargestPolicyAndTheRecordsOfClients) {
  Scenario example = scenario();
  const std::uint64_t small = export_memory_bytes(example);
  EXPECT_EQ(small, estimate(example) + sizeof(ClientRecord) * kClients);
  example.policies.push_back({.name = "q", .attempts = 9, .delay = DecorrelatedDelay{3, 9}});
  const std::uint64_t large = export_memory_bytes(example);
  EXPECT_GE(large, small + 3 * std::uint64_t{kClients});
  std::swap(example.policies[0], example.policies[1]);
  EXPECT_EQ(export_memory_bytes(example), large);
}

#ifdef RETRYGARDEN_MEASURES_MEMORY

// Ten million attempts and more, so a wheel that did not use its blocks again would need ten times
// as much.
TEST(Memory, OfRunsIsWithinTheEstimateAndNotFarBelow) {
  Scenario ttl = scenario(DecorrelatedDelay{1, 9});
  ttl.server.deduplication = DeduplicationTtl{5};
  ttl.first_response_lost = {2, 0};
  Scenario refused = scenario(FixedDelay{2});
  refused.server.capacity = 0;
  Scenario spread = scenario(ExponentialDelay{.base = 1, .cap = 20});
  spread.arrivals = SpreadArrivals{60};
  spread.policies[0].jitter = FullJitter{};
  Scenario long_waits = scenario(FixedDelay{50'000});
  long_waits.horizon = 2147483647;
  for (const Scenario& example : {ttl, refused, spread, long_waits}) {
    const Plan plan = make_plan(example, 0);
    const std::uint64_t bytes = test::peak_bytes([&] { run(plan); });
    EXPECT_LE(bytes, estimate(example));
    EXPECT_GE(3 * bytes, estimate(example));
  }
}

#endif

}  // namespace
}  // namespace retrygarden
