// Estimates of memory: what each feature adds, and that runs keep to them, by the kernel's account.
#include <gtest/gtest.h>

#include "retrygarden/export.h"
#include "support/peak_memory.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

constexpr std::uint64_t kClients = 1'000'000;

Scenario example_with(Delay delay = FixedDelay{3}) {
  return scenario(kClients, 80, kClients / 8, 30, std::move(delay));
}

std::uint64_t estimate(const Scenario& scenario) {
  return run_memory_bytes(make_plan(scenario, 0));
}
std::uint64_t records_estimate(const Scenario& scenario) {
  return records_memory_bytes(make_plan(scenario, 0));
}

TEST(MemoryEstimate, CountsClientsAndNotTicks) {
  Scenario example = example_with();
  const std::uint64_t bytes = estimate(example);
  example.horizon = 160;
  EXPECT_EQ(estimate(example), bytes);
  example.clients = 2 * kClients;
  EXPECT_GE(estimate(example), bytes + 9 * kClients);
  EXPECT_LE(estimate(example), bytes + 12 * kClients);
}

TEST(MemoryEstimate, CountsWhatIsKeptForEachClient) {
  Scenario example = example_with();
  const std::uint64_t bytes = estimate(example);
  example.server.deduplication = DeduplicationForever{};
  EXPECT_EQ(estimate(example), bytes);
  example.server.deduplication = DeduplicationTtl{5};
  EXPECT_EQ(estimate(example), bytes);
  // Of those whose first response is lost a bit and the tick of the key.
  example.faults.first_response_lost = {2, 1};
  EXPECT_EQ(estimate(example), bytes + kClients / 2 / 8 + 4 * kClients / 2);
  // Each previous delay, in place of a table of one interval of two numbers.
  EXPECT_EQ(estimate(example_with(DecorrelatedDelay{3, 9})), bytes + 4 * kClients - 8);
  example = example_with();
  example.horizon = 257;
  const std::uint64_t longer = estimate(example);  // of more than the lowest wheel
  EXPECT_GE(longer, bytes + 4 * kClients);
  example.horizon = 32768;
  EXPECT_EQ(estimate(example), longer);
  example.horizon = 32769;  // long waits, one by one
  EXPECT_EQ(estimate(example), longer + 4 * kClients);
}

// A block of 1024 bytes holds 126 attempts: 8.13 bytes each, rounded up 9. Beyond that, for a
// shard: a block for each of 256 slots, of attempts and of ranges; 4096 bins; 2^15 counts of waits;
// and 32 KiB for itself. And one interval.
constexpr std::uint64_t kOfAShard = 2 * 256 * 1024 + 4096 * 4 + 32768 * 4 + 32768;
constexpr std::uint64_t kOfEightClients = 8 * 9 + kOfAShard + 8;

TEST(MemoryEstimate, IsExact) {
  Scenario example = example_with();
  example.clients = 8;
  EXPECT_EQ(estimate(example), kOfEightClients);
  // Attempts of a tick: 8 bytes twice, and 56 with the record, of all clients of a shard.
  EXPECT_EQ(records_estimate(example), 8U * 72);
}

// No shard has less than 2^18 clients, and there are at most 256.
TEST(MemoryEstimate, CountsShards) {
  Scenario example = example_with();
  example.clients = 1 << 18;
  EXPECT_EQ(estimate(example), 9 * (std::uint64_t{1} << 18) + kOfAShard + 8);
  example.clients += 1;
  EXPECT_EQ(estimate(example), 9 * ((std::uint64_t{1} << 18) + 1) + 2 * kOfAShard + 8);
  example.clients = 4294967295;
  EXPECT_EQ(estimate(example), 9 * std::uint64_t{4294967295} + 256 * kOfAShard + 8);
  EXPECT_EQ(run_memory_bytes(make_plan(example_with(), 0), {.clients_per_shard = kClients}),
            9 * kClients + kOfAShard + 8);
}

TEST(MemoryEstimate, OfRecordsCountsTheShardsThatAreTakenAtOnce) {
  const Plan plan = make_plan(example_with(), 0);
  EXPECT_EQ(records_memory_bytes(plan), 72 * kClients / 4);
  EXPECT_EQ(records_memory_bytes(plan, {.threads = 3}), 72 * 3 * kClients / 4);
  EXPECT_EQ(records_memory_bytes(plan, {.threads = 9}), 72 * kClients);
  EXPECT_EQ(records_memory_bytes(plan, {.clients_per_shard = 300'000}), 72 * kClients / 4);
  EXPECT_EQ(records_memory_bytes(plan, {.clients_per_shard = 400'000}), 72U * 333'334);
}

TEST(MemoryEstimate, CountsTablesAndOutages) {
  const std::uint64_t bytes = estimate(example_with());
  const ListDelay list{std::vector<ListDelay::Entry>(20, 5U)};
  EXPECT_EQ(estimate(example_with(list)), bytes + 19 * 8);
  Scenario example = example_with();
  example.server.outages = {{1, 1}, {3, 1}, {5, 1}};
  EXPECT_EQ(estimate(example), bytes + 3 * 16);
}

// Where attempts outlive their tick, for each client: its attempt ahead, and twice in the lists of
// its tick; the attempt that it waits on; a request of 8 bytes, three times in a ring that grows,
// and in a list that grows; a failure of 12, in a list that grows and in one that does not; an
// outcome; and a bit for `applied`. Beyond that a block for each slot, 2^15 counts of waits, and
// one interval. A response is 12 bytes, and a waiting request 8, three times as well.
constexpr std::uint64_t kOfLists = 3 * 8 + 2 * 8 + 2 * 12 + 12 + 1;
constexpr std::uint64_t kPhasesOfEight =
    8 * (9 + 2 * 8 + 4 + kOfLists) + 1 + 256 * 1024 + 32768 * 4 + 8;

// A record is 60 bytes, in a ring that grows. Where there are any, requests have 8 bytes more; and
// the end of a client is 12, in a list that grows.
constexpr std::uint64_t kMoreForRecords = 3 * 8 + 2 * 8 + 2 * 8 + 8 + 2 * 12;

// The second of four processes.
class SecondOfFour final : public Peers {
 public:
  std::uint32_t rank() const override { return 1; }
  std::uint32_t count() const override { return 4; }
  void all_gather(std::span<const std::byte> /*mine*/, std::span<std::byte> /*all*/) override {}
  void gather_at_first(std::span<const std::byte> /*mine*/,
                       const std::function<void(std::span<const std::byte>)>& /*take*/) override {}
};

TEST(MemoryEstimate, OfOneOfSeveralProcessesCountsItsOwnClients) {
  SecondOfFour peers;
  const Workers workers{.peers = &peers};
  Scenario example = example_with();
  example.clients = 32;
  EXPECT_EQ(run_memory_bytes(make_plan(example, 0), workers), kOfEightClients);
  EXPECT_EQ(records_memory_bytes(make_plan(example, 0), workers), 8U * 72);
  example.policies[0].timeout = 1;
  EXPECT_EQ(run_memory_bytes(make_plan(example, 0), workers), kPhasesOfEight + 3 * 12 * 240);
  example = example_with();
  example.clients = 1;
  EXPECT_EQ(records_memory_bytes(make_plan(example, 0), workers), 0U);
}

// No more attempts than 8 · 30, nor than 8 · 20 in 20 ticks.
TEST(MemoryEstimate, CountsWhatCanBeInService) {
  Scenario example = example_with();
  example.clients = 8;
  example.server.service_ticks = 6;
  const std::uint64_t before = kPhasesOfEight;
  EXPECT_EQ(estimate(example), before + 3 * 12 * 240);
  EXPECT_EQ(records_estimate(example), 3U * 60 * 240 + 8 * kMoreForRecords + 3 * 8 * 240);
  example.horizon = 20;
  EXPECT_EQ(estimate(example), before + 3 * 12 * 160);
  EXPECT_EQ(records_estimate(example), 3U * 60 * 160 + 8 * kMoreForRecords + 3 * 8 * 160);
  example.server.capacity = 5;  // 5 in each of the 7 ticks in which service may overlap, and in one
  EXPECT_EQ(estimate(example), before + 3 * 12 * 5 * 8);
  example.server.capacity_window = 4;  // 5 in each of 3 windows
  EXPECT_EQ(estimate(example), before + 3 * 12 * 5 * 3);
  example.server.concurrency = 3;  // and those of one tick
  EXPECT_EQ(estimate(example), before + 3 * 12 * 11);
}

// A random word and a request.
TEST(MemoryEstimate, CountsWordsWhereTiesAreBrokenByThem) {
  Scenario example = example_with();
  example.clients = 8;
  example.server.capacity = 0;
  example.server.tie_break = TieBreak::kRandom;
  EXPECT_EQ(estimate(example), kPhasesOfEight + 8 * 2 * 12);
}

TEST(MemoryEstimate, CountsWhatCanWait) {
  Scenario example = example_with();
  example.clients = 8;
  example.server.capacity = 0;
  example.server.queue = 100;
  EXPECT_EQ(estimate(example), kPhasesOfEight + 3 * 8 * 100);
  example.server.queue = 4294967295;
  EXPECT_EQ(estimate(example), kPhasesOfEight + 3 * 8 * 240);
}

// Two hosts of five clients and three.
TEST(MemoryEstimate, CountsBudgetsAndBreakers) {
  Scenario example = example_with();
  example.clients = 8;
  example.clients_per_host = 5;
  example.server.capacity = 0;
  example.policies[0].budget = ConcurrentBudget{};
  EXPECT_EQ(estimate(example), kPhasesOfEight + 2 * 8 + 1);
  example.policies[0].breaker = Breaker{.window = 80};
  EXPECT_EQ(estimate(example), kPhasesOfEight + 2 * 8 + 1 + 2 * (64 + 10) + 8 * 4);
}

// All that can be in service are 2^32 - 1 requests and those of a tick.
TEST(MemoryEstimate, OfTheLargestRunDoesNotOverflow) {
  constexpr std::uint64_t kMost = 4294967295;
  Scenario example = scenario(kMost, 2147483647, kMost, kMost, FixedDelay{1}, 0);
  example.server.queue = kMost;
  example.server.service_ticks = 1U << 30;
  EXPECT_EQ(estimate(example), kMost * (13 + 2 * 8 + 4 + 4 + kOfLists) + kMost / 8 +
                                   4 * 256 * 1024 + 32768 * 4 + 8 + 3 * 12 * 2 * kMost +
                                   3 * 8 * kMost);
}

TEST(MemoryEstimate, OfAnExportIsThatOfItsLargestPolicyAndTheRecords) {
  Scenario example = example_with();
  const std::uint64_t small = export_memory_bytes(example);
  EXPECT_EQ(small, estimate(example) + records_estimate(example) + sizeof(ClientRecord) * kClients);
  example.policies.push_back({.name = "q", .attempts = 9, .delay = DecorrelatedDelay{3, 9}});
  const std::uint64_t large = export_memory_bytes(example);
  EXPECT_GE(large, small + 3 * kClients);
  std::swap(example.policies[0], example.policies[1]);
  EXPECT_EQ(export_memory_bytes(example), large);
  example.policies.resize(1);
  example.policies[0].timeout = 5;
  EXPECT_EQ(export_memory_bytes(example),
            estimate(example) + records_estimate(example) + sizeof(ClientRecord) * kClients);
  EXPECT_EQ(records_estimate(example),
            3U * 60 * 9 * kClients + kMoreForRecords * kClients + 3 * 8 * 2 * kClients / 8);
}

// 3 · 64 bytes for each of 47,721,859 · 2,147,483,642 attempts would be beyond 2^64.
TEST(MemoryEstimate, OfRecordsDoesNotOverflow) {
  Scenario example = example_with();
  example.clients = 47'721'859;
  example.horizon = 2'147'483'642;
  example.policies[0].attempts = 4'294'967'295;
  example.policies[0].timeout = 1;
  EXPECT_EQ(records_memory_bytes(make_plan(example, 0)), std::uint64_t{1} << 56);
  EXPECT_GT(export_memory_bytes(example), std::uint64_t{1} << 56);
}

#ifdef RETRYGARDEN_MEASURES_MEMORY

// Ten million attempts and more, so a wheel that did not use its blocks again would need ten times
// as much.
TEST(Memory, OfRunsIsWithinTheEstimateAndNotFarBelow) {
  Scenario ttl = example_with(DecorrelatedDelay{1, 9});
  ttl.server.deduplication = DeduplicationTtl{5};
  ttl.faults.first_response_lost = {2, 0};
  Scenario refused = example_with(ListDelay{{{Interval{1, 3}}}});
  refused.server.capacity = 0;
  Scenario spread = example_with(ExponentialDelay{.base = 1, .cap = 20});
  spread.arrivals = SpreadArrivals{60};
  spread.server.capacity = 1'000;
  spread.policies[0].jitter = FullJitter{};
  Scenario long_waits = example_with(ListDelay{{{Interval{50'000, 50'100}}}});
  long_waits.horizon = 2147483647;
  for (const Scenario& example : {ttl, refused, spread, long_waits}) {
    const Plan plan = make_plan(example, 0);
    const std::uint64_t bytes = peak_bytes([&] { run(plan); });
    EXPECT_LE(bytes, estimate(example));
    EXPECT_GE(3 * bytes, estimate(example));
  }
}

// With one client more than a power of two, so that rings and lists have just grown.
Scenario just_grown() {
  Scenario example = scenario((1U << 19) + 1, 200, (1U << 19) + 1, 1, FixedDelay{3}, 3);
  example.server.service_ticks = 3;
  return example;
}

TEST(Memory, OfRunsWithPhasesIsWithinTheEstimateAndNotFarBelow) {
  Scenario lost = just_grown();
  lost.faults.first_response_lost = {1, 0};
  Scenario late = just_grown();
  late.policies[0].timeout = 2;
  late.server.tie_break = TieBreak::kRandom;
  // All wait, start, are lost, and are tried again at once.
  Scenario queued = lost;
  queued.server.queue = queued.clients;
  queued.server.outages = {{.from = 0, .ticks = 2, .kind = OutageKind::kHang}};
  queued.server.tie_break = TieBreak::kRandom;
  queued.policies[0].attempts = 2;
  Scenario broken = scenario(500'000, 200, 25'000, 5, FixedDelay{3});
  broken.policies[0].breaker = {.window = 20, .failures = 20, .open_ticks = 2, .probes = 1};
  for (const Scenario& example : {just_grown(), lost, late, queued, broken}) {
    const Plan plan = make_plan(example, 0);
    const std::uint64_t bytes = peak_bytes([&] { run(plan); });
    EXPECT_LE(bytes, estimate(example));
    EXPECT_GE(3 * bytes, estimate(example));
  }
}

// The last: one request in service from 0 on, whose record is the first, while all others come and
// go.
TEST(Memory, OfRecordsIsWithinTheEstimateAndNotFarBelow) {
  Scenario late = just_grown();
  late.policies[0].timeout = 2;
  late.server.tie_break = TieBreak::kRandom;
  Scenario blocked = scenario(200'000, 200, 1, 5, FixedDelay{3}, 100);
  blocked.server.service_ticks = 100;
  blocked.server.concurrency = 1;
  for (const Scenario& example : {late, blocked}) {
    const Plan plan = make_plan(example, 0);
    const std::uint64_t most = estimate(example) + records_estimate(example);
    std::uint64_t attempts = 0;
    const std::uint64_t bytes = peak_bytes([&] {
      run(plan,
          {.tick_load = {}, .attempt = [&](const Attempt&) { ++attempts; }, .client_end = {}});
    });
    EXPECT_GE(attempts, example.clients);
    EXPECT_LE(bytes, most);
    EXPECT_GE(3 * bytes, most);
  }
}

TEST(Memory, OfRecordsOfShortTicksIsWithinTheEstimateAndNotFarBelow) {
  Scenario example = example_with(ListDelay{{{Interval{1, 3}}}});
  example.server.capacity = 0;
  const Plan plan = make_plan(example, 0);
  for (const unsigned threads : {1U, 2U}) {
    const Workers workers{.threads = threads};
    std::uint64_t attempts = 0;
    const std::uint64_t bytes =
        peak_bytes([&] { run(plan, {.attempt = [&](const Attempt&) { ++attempts; }}, workers); });
    const std::uint64_t most =
        run_memory_bytes(plan, workers) + records_memory_bytes(plan, workers);
    EXPECT_GE(attempts, 10 * kClients);
    EXPECT_LE(bytes, most);
    EXPECT_GE(3 * bytes, most);
  }
}

TEST(Memory, OfAnExportIsWithinTheEstimate) {
  Scenario example = just_grown();
  example.clients = 100'000;
  example.policies[0].timeout = 2;
  std::uint64_t written = 0;
  const std::uint64_t bytes = peak_bytes([&] {
    write_export_ndjson(example, [&](std::string_view piece) { written += piece.size(); });
  });
  EXPECT_GT(written, 10'000'000U);
  EXPECT_LE(bytes, export_memory_bytes(example));
}

#endif

}  // namespace
}  // namespace retrygarden::test
