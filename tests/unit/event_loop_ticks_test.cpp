// Which ticks a run visits, and what it tells of them: docs/model.md, sections 4 and 8. Runs of
// 2^31 - 1 ticks in which next to nothing happens are over at once.
#include <gtest/gtest.h>

#include <ctime>

#include "retrygarden/event_loop.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

constexpr std::uint32_t kLongest = 2147483647;

class LongRuns : public testing::Test {
 protected:
  // Going through all ticks takes many times as long.
  void TearDown() override {
    EXPECT_LT(static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC, 2.0);
  }

  // One place to wait beside it.
  static Scenario longest(std::uint32_t clients, std::uint32_t capacity, std::uint32_t timeout) {
    Scenario example = scenario(clients, kLongest, capacity, 2, FixedDelay{1U << 30}, timeout);
    example.server.queue = 1;
    return example;
  }

 private:
  std::clock_t begin_ = std::clock();
};

// Refused at 0, and refused at 2^30.
TEST_F(LongRuns, WithAnOutageAllTheTime) {
  Scenario example = longest(1, 1, 5);
  example.server.outages = {{0, kLongest}};
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 unavailable, failed 0, next 1073741824",
                                         "t1073741824 c0#2 unavailable, failed 1073741824"}));
}

// Given up after 5 ticks, with a request that waits to the end.
TEST_F(LongRuns, WithAServerThatHangsAllTheTime) {
  Scenario example = longest(1, 1, 5);
  example.server.outages = {{.from = 0, .ticks = kLongest, .kind = OutageKind::kHang}};
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, failed 5, next 1073741829",
                                         "t1073741829 c0#2 request_lost, failed 1073741834"}));
  EXPECT_EQ(load_of(example), (Lines{"t0 attempts 1, accepted 1, queued 1",
                                     "t1073741829 attempts 1, lost_requests 1, queued 1"}));
}

// Up for the last tick only.
TEST_F(LongRuns, WithAnOutageUpToTheLastTick) {
  Scenario example = longest(2, 1, 1U << 30);
  example.server.outages = {{.from = 1, .ticks = kLongest - 2, .kind = OutageKind::kHang}};
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                                         "t0 c1#1 accepted, started 2147483646, applied, late, "
                                         "failed 1073741824, next 2147483648"}));
}

TEST_F(LongRuns, WithoutCapacity) {
  EXPECT_EQ(attempts_of(longest(1, 0, 5)),
            (Lines{"t0 c0#1 accepted, failed 5, next 1073741829",
                   "t1073741829 c0#2 overloaded, failed 1073741829"}));
}

// The second window is the last tick. Until then client 1's first request waits in the only place.
TEST_F(LongRuns, WithWindowsAsLongAsTheRun) {
  Scenario example = longest(2, 1, 5);
  example.server.capacity_window = kLongest - 1;
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
                   "t0 c1#1 accepted, started 2147483646, applied, late, failed 5, next 1073741829",
                   "t1073741829 c1#2 overloaded, failed 1073741829"}));
  example.server.capacity_window = kLongest;
  EXPECT_EQ(attempts_of(example).at(1), "t0 c1#1 accepted, failed 5, next 1073741829");
}

// One in service at a time, for 2^30 ticks.
TEST_F(LongRuns, WithTheLongestService) {
  Scenario example = longest(3, 9, 1U << 30);
  example.server.queue = 2;
  example.server.concurrency = 1;
  example.server.service_ticks = 1U << 30;
  EXPECT_EQ(
      attempts_of(example),
      (Lines{"t0 c0#1 accepted, started 0, applied, acknowledged",
             "t0 c1#1 accepted, started 1073741824, applied, failed 1073741824, next 2147483648",
             "t0 c2#1 accepted, failed 1073741824, next 2147483648"}));
}

// 1073 crashes, in ticks 7 + 2,000,000·n; what waits is dropped at the next of them.
TEST_F(LongRuns, WithManyCrashes) {
  Scenario example = longest(1, 0, 5);
  for (Tick from = 7; from < kLongest - 2'000'000; from += 2'000'000) {
    example.server.outages.push_back(
        {.from = from, .ticks = 9, .kind = OutageKind::kCrash, .loses_keys = true});
  }
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, dropped 7, failed 5, next 1073741829",
                   "t1073741829 c0#2 accepted, dropped 1074000007, failed 1073741834"}));
}

// Half-open from 2^30 + 1 on; the probe of then is answered.
TEST_F(LongRuns, WithABreakerThatStaysOpen) {
  Scenario example = longest(1, 1, 0);
  example.server.queue = 0;
  example.server.outages = {{0, 1}};
  example.policies[0].attempts = 3;
  example.policies[0].delay = ListDelay{{1U << 30, 1U}};
  example.policies[0].breaker = {.window = 1, .failures = 1, .open_ticks = 1U << 30, .probes = 1};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 unavailable, failed 0, next 1073741824",
                   "t1073741824 c0#2 short_circuited, failed 1073741824, next 1073741825",
                   "t1073741825 c0#3 accepted, started 1073741825, applied, acknowledged"}));
}

// Each retry takes all of 10^9 tokens, which are there again in the next tick.
TEST_F(LongRuns, WithABudgetThatIsRefilled) {
  Scenario example = longest(1, 0, 0);
  example.server.queue = 0;
  example.policies[0].attempts = 4;
  example.policies[0].delay = ListDelay{{1U << 30, 1U}};
  TokenBudget budget;
  budget.capacity = fraction("1000000000");
  budget.tick_refill = fraction("1000000000");
  budget.initial = budget.retry_cost = fraction("1000000000");
  example.policies[0].budget = budget;
  EXPECT_EQ(clients_of(example), Lines{"c0 exhausted, attempts 4"});
  budget.tick_refill = {};
  example.policies[0].budget = budget;
  EXPECT_EQ(clients_of(example), Lines{"c0 budget_denied, attempts 2"});
}

// Service of 3 ticks, one at a time; clients wait for 5; the server refuses in 4 … 6.
//   t0: client 0 starts, 1 and 2 wait.   t3: client 0 is answered, 1 starts.
//   t7: client 2, which gave up, is dropped.
// No record have the outages that begin at 4 and 8, the timeouts at 5, the late response at 6.
TEST(EventLoopTicks, AreRecordedWhenSomethingHappensInThem) {
  Scenario example = scenario(3, 50, 3, 1, FixedDelay{1}, 5);
  example.server.service_ticks = 3;
  example.server.concurrency = 1;
  example.server.queue = 2;
  example.server.drop_abandoned = true;
  example.server.outages = {{4, 3}, {.from = 8, .ticks = 1, .loses_keys = true}};
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 3, accepted 3, started 1, effects 1, queued 2",
                   "t3 started 1, effects 1, acknowledged 1, queued 1", "t7 dropped 1"}));
}

// In tick 4 one request is dropped and one started, and nobody is answered: both clients gave up at
// 2, and client 0 sent again at 3.
TEST(EventLoopTicks, AreRecordedHoweverManyThingsHappenInThem) {
  Scenario example = scenario(2, 6, 1, 2, FixedDelay{1}, 2);
  example.server.capacity_window = 4;
  example.server.service_ticks = 9;
  example.server.queue = 2;
  example.server.drop_abandoned = true;
  EXPECT_EQ(load_of(example), (Lines{"t0 attempts 2, accepted 2, started 1, effects 1, queued 1",
                                     "t3 attempts 2, accepted 1, overloaded 1, queued 2",
                                     "t4 started 1, dropped 1, effects 1"}));
}

// Not counted are requests that are lost, and attempts that a breaker stops.
TEST(EventLoopTicks, HaveNoPeakWhereNothingReachesTheServer) {
  Scenario example = scenario(2, 9, 1, 2, FixedDelay{1}, 1);
  example.clients_per_host = 2;
  example.server.outages = {{.from = 0, .ticks = 9, .kind = OutageKind::kHang}};
  example.policies[0].breaker = {.window = 1, .failures = 1, .open_ticks = 9, .probes = 1};
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 2, attempts 4, lost_requests 2, short_circuited 2, timeouts 2, exhausted 2");
  EXPECT_EQ(summary_of(example).peak_load, PeakLoad{});
}

TEST(EventLoopTicks, PeakWhereMostAttemptsReachTheServer) {
  Scenario example = scenario(3, 9, 1, 2, FixedDelay{1}, 5);
  example.server.queue = 1;
  EXPECT_EQ(summary_of(example).peak_load, (PeakLoad{0, 3}));
  example.arrivals = SpreadArrivals{4};  // 0, 1, 2
  EXPECT_EQ(summary_of(example).peak_load, (PeakLoad{0, 1}));
  // In 0 client 0, in 2 both 0 and 1, in 4 both 1 and 2, in 6 client 2.
  example.arrivals = SpreadArrivals{6};
  example.server.capacity = 0;
  example.server.queue = 0;
  example.policies[0].delay = FixedDelay{2};
  EXPECT_EQ(summary_of(example).peak_load, (PeakLoad{2, 2}));
}

// Client 2 is overloaded at 0, clients 0 and 1 are answered at 2 and 3. Attempts are told in their
// order, each when nothing in it can change.
TEST(EventLoopTicks, EndsAndAttemptsAreToldWhenTheyAreFinished) {
  Scenario example = scenario(3, 20, 1, 1, FixedDelay{1}, 9);
  example.server.service_ticks = 2;
  example.server.queue = 1;
  Lines told;
  run(make_plan(example, 0),
      {.tick_load =
           [&](const TickLoad& load) { told.push_back("tick " + std::to_string(load.tick)); },
       .attempt =
           [&](const Attempt& attempt) {
             told.push_back("attempt of c" + std::to_string(attempt.client));
           },
       .client_end =
           [&](const ClientEnd& end) { told.push_back("end of c" + std::to_string(end.client)); }});
  EXPECT_EQ(told, (Lines{"end of c2", "tick 0", "tick 1", "end of c0", "tick 2", "attempt of c0",
                         "end of c1", "tick 3", "attempt of c1", "attempt of c2"}));
}

// Nobody asks for attempts; ends are told all the same.
TEST(EventLoopTicks, EndsAreToldWithoutAttempts) {
  Scenario example = scenario(2, 20, 1, 1, FixedDelay{1}, 3);
  example.server.service_ticks = 2;
  EXPECT_EQ(ends_of(example), (Lines{"t0 c1 exhausted", "t2 c0 acknowledged"}));
}

// What is still open at the horizon is told at the end, in order.
TEST(EventLoopTicks, AttemptsUnderWayAreToldAtTheEnd) {
  Scenario example = scenario(3, 4, 1, 9, FixedDelay{3}, 20);
  example.server.service_ticks = 9;
  example.server.queue = 1;
  EXPECT_EQ(
      attempts_of(example),
      (Lines{"t0 c0#1 accepted, started 0, applied", "t0 c1#1 accepted, started 1, applied",
             "t0 c2#1 overloaded, failed 0, next 3", "t3 c2#2 accepted, started 3, applied"}));
}

}  // namespace
}  // namespace retrygarden::test
