// Runs with outages of all kinds, worked out by hand from docs/model.md, sections 4 and 5.
#include <gtest/gtest.h>

#include "retrygarden/event_loop.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

Outage refuse(Tick from, std::uint32_t ticks) {
  return {.from = from, .ticks = ticks, .kind = OutageKind::kRefuse};
}
Outage hang(Tick from, std::uint32_t ticks) {
  return {.from = from, .ticks = ticks, .kind = OutageKind::kHang};
}
Outage crash(Tick from, std::uint32_t ticks) {
  return {.from = from, .ticks = ticks, .kind = OutageKind::kCrash};
}

// A hung server refuses nobody, and starts nothing: the clients of tick 0 wait in vain until 1.
TEST(EventLoopOutages, AHungServerWithoutAPlaceToWaitLosesRequests) {
  Scenario example = scenario(2, 20, 5, 3, FixedDelay{2}, 1);
  example.server.outages = {hang(0, 2)};
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 request_lost, failed 1, next 3",
                                         "t0 c1#1 request_lost, failed 1, next 3",
                                         "t3 c0#2 accepted, started 3, applied, acknowledged",
                                         "t3 c1#2 accepted, started 3, applied, acknowledged"}));
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 2, lost_requests 2",
                   "t3 attempts 2, accepted 2, started 2, effects 2, acknowledged 2"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 2, attempts 4, accepted 2, lost_requests 2, started 2, effects 2, "
            "timeouts 2, acknowledged 2, peak at 3, of 2, last_acknowledged 3, "
            "p50 3, p90 3, p99 3, max 3");
}

TEST(EventLoopOutages, AClientOfAHungServerIsAwaiting) {
  Scenario example = scenario(1, 3, 5, 3, FixedDelay{2}, 9);
  example.server.outages = {hang(0, 9)};
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 request_lost"});
  EXPECT_EQ(clients_of(example), Lines{"c0 awaiting, attempts 1"});
  EXPECT_EQ(line_of(summary_of(example)), "clients 1, attempts 1, lost_requests 1, awaiting 1");
}

// One place: client 0 waits, client 1's request is lost. The server is up again at 2, where client
// 0 is answered in the tick of its timeout, and 1 gives up.
TEST(EventLoopOutages, RequestsWaitForAHungServer) {
  Scenario example = scenario(2, 20, 5, 1, FixedDelay{2}, 2);
  example.server.queue = 1;
  example.server.outages = {hang(0, 2)};
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 2, applied, acknowledged",
                                         "t0 c1#1 request_lost, failed 2"}));
  EXPECT_EQ(load_of(example), (Lines{"t0 attempts 2, accepted 1, lost_requests 1, queued 1",
                                     "t2 started 1, effects 1, acknowledged 1"}));
}

// Client 1 waits from 0 on, and can start when the outage of 1 … 3 is over.
TEST(EventLoopOutages, WhatWaitsStaysWhileTheServerRefusesOrHangs) {
  for (const Outage& outage : {refuse(1, 3), hang(1, 3)}) {
    Scenario example = scenario(2, 20, 1, 1, FixedDelay{2}, 9);
    example.server.queue = 1;
    example.server.outages = {outage};
    EXPECT_EQ(load_of(example),
              (Lines{"t0 attempts 2, accepted 2, started 1, effects 1, acknowledged 1, queued 1",
                     "t4 started 1, effects 1, acknowledged 1"}));
  }
}

TEST(EventLoopOutages, ResponsesComeWhileTheServerRefusesOrHangs) {
  for (const Outage& outage : {refuse(1, 9), hang(1, 9)}) {
    Scenario example = scenario(1, 20, 1, 1, FixedDelay{2}, 9);
    example.server.service_ticks = 3;
    example.server.outages = {outage};
    EXPECT_EQ(clients_of(example), Lines{"c0 acknowledged, attempts 1, effects 1, acknowledged 3"});
  }
}

// Hanging in 0 … 4, refusing in 2 and 4 … 5: the client, which sends in each tick, is refused in 2,
// 4 and 5.
TEST(EventLoopOutages, RefusingGoesBeforeHanging) {
  Scenario example = scenario(1, 7, 0, 99, FixedDelay{1});
  example.server.outages = {hang(0, 5), refuse(2, 1), crash(4, 2)};
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 1, lost_requests 1", "t1 attempts 1, lost_requests 1",
                   "t2 attempts 1, unavailable 1", "t3 attempts 1, lost_requests 1",
                   "t4 attempts 1, unavailable 1", "t5 attempts 1, unavailable 1",
                   "t6 attempts 1, overloaded 1"}));
}

// Requests wait through outages that touch: hanging in 1 … 2, refusing in 3 … 4, up at 5.
TEST(EventLoopOutages, WhatWaitsStaysThroughOutagesThatTouch) {
  Scenario example = scenario(2, 20, 1, 1, FixedDelay{2}, 9);
  example.server.queue = 1;
  example.server.outages = {refuse(3, 2), hang(1, 2)};
  EXPECT_EQ(attempts_of(example).at(1), "t0 c1#1 accepted, started 5, applied, acknowledged");
}

// Two in service at most, service of 3 ticks, a place to wait, a crash in 3 … 4.
//   t0: clients 0 and 1 start, due at 3; 2 waits; 3 is overloaded.
//   t3: client 2 is dropped; the responses due in this very tick are stopped.
//   t4: client 3 is refused.                t5: 0, 1 and 2 have waited for 5 ticks.
//   t9: 0 and 1 start; 2 waits until 12, where they are answered, and gives up at 14.
TEST(EventLoopOutages, ACrashDropsWhatWaitsAndStopsResponsesFromItsTickOn) {
  Scenario example = scenario(4, 99, 2, 2, FixedDelay{4}, 5);
  example.server.service_ticks = 3;
  example.server.concurrency = 2;
  example.server.queue = 1;
  example.server.outages = {crash(3, 2)};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, crashed, failed 5, next 9",
                   "t0 c1#1 accepted, started 0, applied, crashed, failed 5, next 9",
                   "t0 c2#1 accepted, dropped 3, failed 5, next 9",
                   "t0 c3#1 overloaded, failed 0, next 4", "t4 c3#2 unavailable, failed 4",
                   "t9 c0#2 accepted, started 9, duplicate, acknowledged",
                   "t9 c1#2 accepted, started 9, duplicate, acknowledged",
                   "t9 c2#2 accepted, started 12, applied, late, failed 14"}));
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 4, accepted 3, overloaded 1, started 2, effects 2, queued 1",
                   "t3 dropped 1", "t4 attempts 1, unavailable 1",
                   "t9 attempts 3, accepted 3, started 2, effects 2, queued 1",
                   "t12 started 1, effects 1, acknowledged 2"}));
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 4, attempts 8, accepted 6, overloaded 1, unavailable 1, started 5, "
            "dropped 1, effects 5, duplicate_effects 2, crashed_responses 2, late_responses 1, "
            "timeouts 4, acknowledged 2, exhausted 2, applied_unacknowledged 1, "
            "peak at 0, of 4, last_acknowledged 12, p50 12, p90 12, p99 12, max 12");
}

TEST(EventLoopOutages, AResponseBeforeTheCrashIsSafe) {
  Scenario example = scenario(1, 99, 1, 1, FixedDelay{4}, 5);
  example.server.service_ticks = 3;
  example.server.outages = {crash(4, 2)};
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 accepted, started 0, applied, acknowledged"});
  EXPECT_EQ(summary_of(example).crashed_responses, 0U);
}

// Service lasts from 0 to 10. The record is as it is in the tick of the crash, whenever the run
// ends.
TEST(EventLoopOutages, AResponseIsCrashedInTheTickOfTheCrash) {
  Scenario example = scenario(1, 3, 1, 1, FixedDelay{4}, 50);
  example.server.service_ticks = 10;
  example.server.outages = {crash(2, 1)};
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 accepted, started 0, applied, crashed"});
  EXPECT_EQ(summary_of(example).crashed_responses, 1U);
  EXPECT_EQ(summary_of(example).awaiting, 1U);
  example.horizon = 2;
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 accepted, started 0, applied"});
  EXPECT_EQ(summary_of(example).crashed_responses, 0U);
}

// Client 0 gave up at 1: whether somebody waits makes no difference to the crash at 2.
TEST(EventLoopOutages, AResponseThatNobodyWaitsForIsCrashedToo) {
  Scenario example = scenario(1, 9, 1, 1, FixedDelay{4}, 1);
  example.server.service_ticks = 10;
  example.server.outages = {crash(2, 1)};
  EXPECT_EQ(attempts_of(example), Lines{"t0 c0#1 accepted, started 0, applied, crashed, failed 1"});
  EXPECT_EQ(summary_of(example).late_responses, 0U);
}

TEST(EventLoopOutages, ALostResponseStaysLostInACrash) {
  Scenario example = scenario(2, 9, 2, 1, FixedDelay{4}, 5);
  example.server.service_ticks = 3;
  example.server.outages = {crash(2, 1)};
  example.faults.first_response_lost = {2, 0};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, lost, failed 5",
                   "t0 c1#1 accepted, started 0, applied, crashed, failed 5"}));
  EXPECT_EQ(summary_of(example).lost_responses, 1U);
  EXPECT_EQ(summary_of(example).crashed_responses, 1U);
}

// Client 0 would be in service until 9. Client 1 finds the server free in tick 3, but not before
// the next window, as the window's only start was that of client 0.
TEST(EventLoopOutages, ACrashFreesServiceAndNoCapacity) {
  Scenario example = scenario(2, 9, 1, 3, FixedDelay{3}, 50);
  example.server.service_ticks = 10;
  example.server.concurrency = 1;
  example.server.outages = {crash(2, 1)};
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, crashed",
                                         "t0 c1#1 overloaded, failed 0, next 3",
                                         "t3 c1#2 accepted, started 3, applied"}));
  example.server.capacity_window = 5;
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, crashed",
                   "t0 c1#1 overloaded, failed 0, next 3", "t3 c1#2 overloaded, failed 3, next 6",
                   "t6 c1#3 accepted, started 6, applied"}));
}

// Nothing else happens in tick 7, and nothing ever starts.
TEST(EventLoopOutages, ACrashDropsInATickOfItsOwn) {
  Scenario example = scenario(3, 9, 0, 1, FixedDelay{3}, 50);
  example.server.queue = 2;
  example.server.outages = {crash(7, 1)};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, dropped 7",  //
                   "t0 c1#1 accepted, dropped 7", "t0 c2#1 overloaded, failed 0"}));
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 3, accepted 2, overloaded 1, queued 2", "t7 dropped 2"}));
}

// The second crash is inside the first outage, which hung: the request that came in tick 1 is
// dropped at 2, that of tick 5 at 6.
TEST(EventLoopOutages, EachCrashDropsWhateverCoversItsTick) {
  Scenario example = scenario(1, 20, 1, 3, FixedDelay{1}, 3);
  example.arrivals = BurstArrivals{1};
  example.server.queue = 5;
  example.server.outages = {crash(6, 1), hang(0, 12), crash(2, 1), refuse(6, 2), crash(2, 2)};
  EXPECT_EQ(attempts_of(example), (Lines{"t1 c0#1 accepted, dropped 2, failed 4, next 5",
                                         "t5 c0#2 accepted, dropped 6, failed 8, next 9",
                                         "t9 c0#3 accepted, started 12, applied, acknowledged"}));
}

// Waiting since 0 where the server refuses from 1 on, dropped at 3.
TEST(EventLoopOutages, ACrashInsideARefusingOutageDropsToo) {
  Scenario example = scenario(2, 20, 1, 1, FixedDelay{1}, 9);
  example.server.queue = 1;
  example.server.outages = {refuse(1, 5), crash(3, 1)};
  EXPECT_EQ(attempts_of(example).at(1), "t0 c1#1 accepted, dropped 3, failed 9");
}

TEST(EventLoopOutages, ACrashAtTheHorizonDoesNothing) {
  Scenario example = scenario(2, 5, 1, 1, FixedDelay{1}, 9);
  example.server.service_ticks = 9;
  example.server.queue = 1;
  example.server.concurrency = 1;
  example.server.outages = {crash(5, 1)};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied", "t0 c1#1 accepted"}));
  example.server.outages = {crash(4, 1)};
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 accepted, started 0, applied, crashed",
                                         "t0 c1#1 accepted, dropped 4"}));
}

// Service takes a tick and clients do not wait at all, so each attempt fails and starts: at 0, 2, 4
// and 6.
Scenario four_starts(Deduplication deduplication) {
  Scenario example = scenario(1, 20, 1, 4, FixedDelay{2}, 0);
  example.server.service_ticks = 1;
  example.server.deduplication = deduplication;
  return example;
}

std::vector<Effect> effects_of(const Scenario& scenario) {
  std::vector<Effect> effects;
  run(make_plan(scenario, 0),
      {.tick_load = {},
       .attempt = [&](const Attempt& attempt) { effects.push_back(attempt.effect); },
       .client_end = {}});
  return effects;
}

constexpr Effect kApplied = Effect::kApplied;
constexpr Effect kDuplicate = Effect::kDuplicate;
constexpr Effect kSuppressed = Effect::kSuppressed;
using Effects = std::vector<Effect>;

// The key of tick 0 lives in 0 … 2, and is not renewed at 2; that of tick 4 in 4 … 6.
TEST(EventLoopOutages, ASuppressedEffectDoesNotRenewItsKey) {
  EXPECT_EQ(effects_of(four_starts(DeduplicationTtl{3})),
            (Effects{kApplied, kSuppressed, kDuplicate, kSuppressed}));
  EXPECT_EQ(effects_of(four_starts(DeduplicationForever{})),
            (Effects{kApplied, kSuppressed, kSuppressed, kSuppressed}));
}

// In tick 3, where nothing else happens, the key of tick 0 goes; that of tick 4 is kept.
TEST(EventLoopOutages, AnOutageOfAnyKindMayLoseKeys) {
  for (const OutageKind kind : {OutageKind::kRefuse, OutageKind::kHang, OutageKind::kCrash}) {
    for (const Deduplication& deduplication :
         {Deduplication(DeduplicationForever{}), Deduplication(DeduplicationTtl{100})}) {
      Scenario example = four_starts(deduplication);
      example.server.outages = {{.from = 3, .ticks = 1, .kind = kind, .loses_keys = true}};
      EXPECT_EQ(effects_of(example), (Effects{kApplied, kSuppressed, kDuplicate, kSuppressed}));
      EXPECT_EQ(summary_of(example).duplicate_effects, 1U);
      example.server.outages[0].loses_keys = false;
      EXPECT_EQ(effects_of(example), (Effects{kApplied, kSuppressed, kSuppressed, kSuppressed}));
    }
  }
}

// Both outages lose keys, in ticks 1 and 5; the second begins inside another.
TEST(EventLoopOutages, EachOutageLosesTheKeysOfItsTime) {
  Scenario example = four_starts(DeduplicationForever{});
  example.server.outages = {
      {.from = 5, .ticks = 1, .kind = OutageKind::kRefuse, .loses_keys = true},
      refuse(5, 1),
      {.from = 1, .ticks = 1, .kind = OutageKind::kHang, .loses_keys = true},
      {.from = 1, .ticks = 1, .kind = OutageKind::kCrash, .loses_keys = true}};
  EXPECT_EQ(effects_of(example), (Effects{kApplied, kDuplicate, kSuppressed, kDuplicate}));
}

TEST(EventLoopOutages, KeysAreLostInTheFirstTickOfTheOutageOnly) {
  Scenario example = four_starts(DeduplicationForever{});
  example.server.outages = {{.from = 0, .ticks = 3, .kind = OutageKind::kHang, .loses_keys = true}};
  // The first two requests are lost on a server that hangs.
  EXPECT_EQ(effects_of(example), (Effects{Effect::kNone, Effect::kNone, kApplied, kSuppressed}));
}

TEST(EventLoopOutages, WithoutDeduplicationThereAreNoKeysToLose) {
  Scenario example = four_starts(NoDeduplication{});
  example.server.outages = {
      {.from = 3, .ticks = 1, .kind = OutageKind::kRefuse, .loses_keys = true}};
  EXPECT_EQ(effects_of(example), (Effects{kApplied, kDuplicate, kDuplicate, kDuplicate}));
}

// Key loss alone, where everything else has its default and responses take no time.
TEST(EventLoopOutages, KeysAreLostWhereAttemptsEndInTheirTickToo) {
  Scenario example = scenario(1, 20, 1, 4, FixedDelay{4});
  example.faults.first_response_lost = {1, 0};
  example.server.deduplication = DeduplicationForever{};
  example.server.outages = {{.from = 2, .ticks = 1, .loses_keys = true}};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, lost, failed 0, next 4",
                   "t4 c0#2 accepted, started 4, duplicate, acknowledged"}));
}

}  // namespace
}  // namespace retrygarden::test
