// The server's time by itself: docs/model.md, sections 2 and 4.
#include "request_server.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

constexpr std::uint32_t kLongest = 2147483647;

Outage outage(Tick from, std::uint32_t ticks, OutageKind kind = OutageKind::kRefuse) {
  return {.from = from, .ticks = ticks, .kind = kind};
}

Plan plan_with(const Server& server, std::uint32_t horizon) {
  Scenario example = scenario(1, horizon, 0, 1, FixedDelay{1});
  example.server = server;
  return make_plan(example, 0);
}

// A server in tick 0.
struct OneServer {
  explicit OneServer(const Server& members, std::uint32_t horizon = 100)
      : plan(plan_with(members, horizon)), server(plan) {
    server.begin_tick(0);
  }

  void go_to(Tick tick) { server.begin_tick(tick); }

  // How many requests can start now; they do.
  std::uint32_t starts() {
    const std::uint32_t requests = server.can_start();
    server.start(requests);
    return requests;
  }

  Plan plan;
  RequestServer server;
};

constexpr bool kNobodyWaits = false;
constexpr bool kSomebodyWaits = true;

// Hanging in 2 … 5, refusing in 4 … 6 and 8.
TEST(RequestServer, IsUpOrHangsOrRefuses) {
  OneServer one({.capacity = 1,
                 .outages = {outage(8, 1), outage(2, 4, OutageKind::kHang),
                             outage(4, 3, OutageKind::kCrash)}});
  std::string states;
  for (Tick tick = 0; tick < 10; ++tick) {
    if (tick > 0) {
      one.go_to(tick);
    }
    EXPECT_EQ(one.server.can_start() > 0, !one.server.is_hanging() && !one.server.is_refusing());
    states += one.server.is_refusing() ? 'r' : one.server.is_hanging() ? 'h' : '-';
  }
  EXPECT_EQ(states, "--hhrrr-r-");
}

TEST(RequestServer, StartsAsManyRequestsAsItsCapacityInEachTick) {
  OneServer one({.capacity = 3});
  EXPECT_EQ(one.starts(), 3U);
  one.go_to(1);
  EXPECT_EQ(one.starts(), 3U);
  EXPECT_EQ(OneServer({.capacity = 0}).starts(), 0U);
}

// Windows 0 … 4, 5 … 9, …
TEST(RequestServer, StartsAsManyRequestsAsItsCapacityInEachWindow) {
  OneServer one({.capacity = 3, .capacity_window = 5});
  one.server.start(1);
  one.go_to(3);
  EXPECT_EQ(one.starts(), 2U);
  one.go_to(4);
  EXPECT_EQ(one.starts(), 0U);
  one.go_to(5);
  EXPECT_EQ(one.starts(), 3U);
  one.go_to(9);
  EXPECT_EQ(one.starts(), 0U);
  one.go_to(87);
  EXPECT_EQ(one.starts(), 3U);
}

TEST(RequestServer, HasSoManyRequestsInServiceAtMost) {
  OneServer one({.capacity = 9, .service_ticks = 2, .concurrency = 3});
  EXPECT_EQ(one.starts(), 3U);
  one.go_to(1);
  EXPECT_EQ(one.starts(), 0U);
  one.go_to(2);
  EXPECT_EQ(one.starts(), 3U);
  EXPECT_EQ(OneServer({.capacity = 9, .concurrency = 3}).starts(), 9U);  // service takes no time
  EXPECT_EQ(OneServer({.capacity = 9, .service_ticks = 2}).starts(), 9U);
}

TEST(RequestServer, IsDoneAtOnceWhenServiceTakesNoTime) {
  OneServer one({.capacity = 9});
  one.server.start(2);
  EXPECT_EQ(one.server.next_event(kNobodyWaits), kNever);
}

TEST(RequestServer, RespondsWhenServiceIsOver) {
  OneServer one({.capacity = 9, .service_ticks = 3});
  one.server.start(2);
  one.server.start(0);
  one.server.start(1);
  one.go_to(1);
  one.server.start(0);
  EXPECT_EQ(one.server.next_event(kNobodyWaits), 3U);
  one.go_to(2);
  one.server.start(1);
  one.go_to(3);
  EXPECT_EQ(one.server.next_event(kNobodyWaits), 5U);
  one.go_to(5);
  EXPECT_EQ(one.server.next_event(kNobodyWaits), kNever);
}

TEST(RequestServer, TheLatestResponseIsDueBelowTwoToThe32) {
  OneServer one({.capacity = 9, .service_ticks = 1U << 30}, kLongest);
  one.go_to(kLongest - 1);
  one.server.start(1);
  EXPECT_EQ(one.server.next_event(kNobodyWaits), 3221225470U);
}

TEST(RequestServer, ACrashTakesAllThatIsInService) {
  OneServer one({.capacity = 3, .capacity_window = 50, .service_ticks = 2, .concurrency = 3});
  one.server.start(1);
  one.go_to(1);
  one.server.start(2);
  one.go_to(2);
  one.server.crash();
  EXPECT_EQ(one.server.next_event(kNobodyWaits), kNever);
  EXPECT_EQ(one.server.can_start(), 0U);  // the capacity of the window is used
  one.go_to(50);
  EXPECT_EQ(one.starts(), 3U);  // and nothing is in service
  EXPECT_EQ(one.server.next_event(kNobodyWaits), 52U);
}

// The next tick in which something can happen, where one request waits in tick 0 and so many were
// started in it.
Tick next_event(const Server& server, std::uint32_t horizon, std::uint32_t started) {
  OneServer one(server, horizon);
  one.server.start(started);
  return one.server.next_event(kSomebodyWaits);
}

TEST(RequestServer, HasNothingAheadOfItWithoutRequests) {
  EXPECT_EQ(OneServer({.capacity = 1, .outages = {outage(3, 2)}}).server.next_event(kNobodyWaits),
            kNever);
}

TEST(RequestServer, WhatWaitsMayStartInTheNextTickOrWindow) {
  EXPECT_EQ(next_event({.capacity = 1, .queue = 1}, 100, 1), 1U);
  EXPECT_EQ(next_event({.capacity = 1, .capacity_window = 9, .queue = 1}, 100, 1), 9U);
  EXPECT_EQ(next_event({.capacity = 2, .capacity_window = 9, .queue = 1}, 100, 1), 1U);
  EXPECT_EQ(next_event({.capacity = 0, .queue = 1}, 100, 0), kNever);
  OneServer one({.capacity = 1, .capacity_window = 9, .queue = 1});
  one.go_to(20);
  one.server.start(1);
  EXPECT_EQ(one.server.next_event(kSomebodyWaits), 27U);
}

TEST(RequestServer, WhatWaitsMayStartWhenSomethingLeavesService) {
  const auto with_window = [](std::uint32_t window) {
    return next_event({.capacity = 1,
                       .capacity_window = window,
                       .service_ticks = 9,
                       .concurrency = 1,
                       .queue = 1},
                      100, 1);
  };
  EXPECT_EQ(with_window(1), 9U);
  EXPECT_EQ(with_window(9), 9U);
  EXPECT_EQ(with_window(50), 9U);  // the response, though nothing can start
  // A second request in service, so that the first to leave counts.
  OneServer one({.capacity = 5, .service_ticks = 9, .concurrency = 2, .queue = 1});
  one.server.start(1);
  one.go_to(3);
  one.server.start(1);
  EXPECT_EQ(one.server.next_event(kSomebodyWaits), 9U);
  // With one place left in service, the next tick.
  OneServer other({.capacity = 1, .service_ticks = 9, .concurrency = 2, .queue = 1});
  other.server.start(1);
  EXPECT_EQ(other.server.next_event(kSomebodyWaits), 1U);
}

TEST(RequestServer, WhatWaitsMayStartWhenOutagesAreOver) {
  const auto after = [](std::vector<Outage> outages) {
    return next_event({.capacity = 1, .queue = 1, .outages = std::move(outages)}, 100, 0);
  };
  EXPECT_EQ(after({outage(0, 1)}), 1U);
  EXPECT_EQ(after({outage(0, 2)}), 2U);
  EXPECT_EQ(after({outage(1, 8)}), 9U);
  EXPECT_EQ(after({outage(2, 8)}), 1U);
  EXPECT_EQ(after({outage(0, 5), outage(5, 4, OutageKind::kHang), outage(9, 1)}), 10U);
  EXPECT_EQ(after({outage(0, 5), outage(6, 4)}), 5U);
  EXPECT_EQ(after({outage(0, 99)}), 99U);
}

TEST(RequestServer, NothingStartsAtTheHorizon) {
  EXPECT_EQ(next_event({.capacity = 1, .queue = 1}, 2, 0), 1U);
  EXPECT_EQ(next_event({.capacity = 1, .queue = 1}, 1, 0), kNever);
  const Server longest{.capacity = 1, .capacity_window = kLongest, .queue = 1};
  EXPECT_EQ(next_event(longest, kLongest, 1), kNever);
  Server shorter = longest;
  shorter.capacity_window = kLongest - 1;
  EXPECT_EQ(next_event(shorter, kLongest, 1), kLongest - 1);
  // Its second window ends at 2^32 - 4.
  OneServer one(shorter, kLongest);
  one.go_to(kLongest - 1);
  one.server.start(1);
  EXPECT_EQ(one.server.next_event(kSomebodyWaits), kNever);
}

}  // namespace
}  // namespace retrygarden::test
