// The server's time by itself: docs/model.md, sections 2 and 4. Requests are numbers here.
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

  // Goes to the tick, and forgets the responses of the one before.
  void go_to(Tick tick) {
    server.clear_responses();
    server.begin_tick(tick);
  }
  // How many requests can start now.
  int starts() {
    int count = 0;
    while (count < 50 && server.can_start()) {
      server.start(count++, false);
    }
    return count;
  }
  std::vector<int> responses() const {
    std::vector<int> requests;
    for (const auto& response : server.responses()) {
      requests.push_back(response.request);
    }
    return requests;
  }

  Plan plan;
  RequestServer<int> server;
};

using Numbers = std::vector<int>;

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
    EXPECT_EQ(one.server.can_start(), !one.server.is_hanging() && !one.server.is_refusing());
    states += one.server.is_refusing() ? 'r' : one.server.is_hanging() ? 'h' : '-';
  }
  EXPECT_EQ(states, "--hhrrr-r-");
}

TEST(RequestServer, StartsAsManyRequestsAsItsCapacityInEachTick) {
  OneServer one({.capacity = 3});
  EXPECT_EQ(one.starts(), 3);
  one.go_to(1);
  EXPECT_EQ(one.starts(), 3);
  EXPECT_EQ(OneServer({.capacity = 0}).starts(), 0);
}

// Windows 0 … 4, 5 … 9, …
TEST(RequestServer, StartsAsManyRequestsAsItsCapacityInEachWindow) {
  OneServer one({.capacity = 3, .capacity_window = 5});
  one.server.start(0, false);
  one.go_to(3);
  EXPECT_EQ(one.starts(), 2);
  one.go_to(4);
  EXPECT_EQ(one.starts(), 0);
  one.go_to(5);
  EXPECT_EQ(one.starts(), 3);
  one.go_to(9);
  EXPECT_EQ(one.starts(), 0);
  one.go_to(87);
  EXPECT_EQ(one.starts(), 3);
}

TEST(RequestServer, HasSoManyRequestsInServiceAtMost) {
  OneServer one({.capacity = 9, .service_ticks = 2, .concurrency = 3});
  EXPECT_EQ(one.starts(), 3);
  one.go_to(1);
  EXPECT_EQ(one.starts(), 0);
  one.go_to(2);
  EXPECT_EQ(one.starts(), 3);
  EXPECT_EQ(OneServer({.capacity = 9, .concurrency = 3}).starts(), 9);  // service takes no time
  EXPECT_EQ(OneServer({.capacity = 9, .service_ticks = 2}).starts(), 9);
}

TEST(RequestServer, RespondsAtOnceWhenServiceTakesNoTime) {
  OneServer one({.capacity = 9});
  one.server.start(5, true);
  one.server.start(6, false);
  EXPECT_EQ(one.responses(), (Numbers{5, 6}));
  EXPECT_TRUE(one.server.responses()[0].is_lost);
  EXPECT_FALSE(one.server.responses()[1].is_lost);
  one.server.clear_responses();
  EXPECT_EQ(one.responses(), Numbers{});
  EXPECT_EQ(one.server.next_event(), kNever);
}

TEST(RequestServer, RespondsInTheOrderOfStartsWhenServiceIsOver) {
  OneServer one({.capacity = 9, .service_ticks = 3});
  one.server.start(5, true);
  one.server.start(6, false);
  EXPECT_EQ(one.responses(), Numbers{});
  one.go_to(1);
  one.server.start(7, false);
  EXPECT_EQ(one.server.next_event(), 3U);
  one.go_to(3);
  EXPECT_EQ(one.responses(), (Numbers{5, 6}));
  EXPECT_TRUE(one.server.responses()[0].is_lost);
  EXPECT_EQ(one.server.next_event(), 4U);
  one.go_to(4);
  EXPECT_EQ(one.responses(), Numbers{7});
  EXPECT_EQ(one.server.next_event(), kNever);
}

TEST(RequestServer, TheLatestResponseIsDueBelowTwoToThe32) {
  OneServer one({.capacity = 9, .service_ticks = 1U << 30}, kLongest);
  one.go_to(kLongest - 1);
  one.server.start(5, false);
  EXPECT_EQ(one.server.next_event(), 3221225470U);
}

TEST(RequestServer, HasPlacesInItsQueue) {
  OneServer one({.capacity = 1, .queue = 2});
  EXPECT_TRUE(one.server.has_place_in_queue());
  one.server.put_in_queue(5);
  EXPECT_TRUE(one.server.has_place_in_queue());
  one.server.put_in_queue(6);
  EXPECT_FALSE(one.server.has_place_in_queue());
  EXPECT_EQ(one.server.waiting(), 2U);
  EXPECT_EQ(one.server.take_next(), 5);
  EXPECT_EQ(one.server.waiting(), 1U);
  EXPECT_FALSE(OneServer({.capacity = 1}).server.has_place_in_queue());
}

TEST(RequestServer, TakesTheLastRequestFirstWhereTheDisciplineIsLifo) {
  OneServer one({.capacity = 1, .queue = 9, .discipline = Discipline::kLifo});
  one.server.put_in_queue(5);
  one.server.put_in_queue(6);
  EXPECT_EQ(one.server.take_next(), 6);
  one.server.put_in_queue(7);
  EXPECT_EQ(one.server.take_next(), 7);
  EXPECT_EQ(one.server.take_next(), 5);
}

// In tick 2 the response to 1 is due; 2 (lost) and 3 are in service, 4 and 5 wait.
TEST(RequestServer, ACrashTakesAllThereIs) {
  for (const Discipline discipline : {Discipline::kFifo, Discipline::kLifo}) {
    OneServer one({.capacity = 3,
                   .capacity_window = 50,
                   .service_ticks = 2,
                   .concurrency = 3,
                   .queue = 9,
                   .discipline = discipline});
    one.server.start(1, false);
    one.go_to(1);
    one.server.start(2, true);
    one.server.start(3, false);
    one.server.put_in_queue(4);
    one.server.put_in_queue(5);
    one.go_to(2);
    Numbers dropped;
    Numbers crashed;
    one.server.crash([&](int request) { dropped.push_back(request); },
                     [&](int request) { crashed.push_back(request); });
    EXPECT_EQ(dropped, (Numbers{4, 5}));
    EXPECT_EQ(crashed, (Numbers{1, 3}));
    EXPECT_EQ(one.responses(), Numbers{});
    EXPECT_EQ(one.server.waiting(), 0U);
    EXPECT_EQ(one.server.next_event(), kNever);
    EXPECT_FALSE(one.server.can_start());  // the capacity of the window is used
    one.go_to(50);
    EXPECT_EQ(one.starts(), 3);  // and nothing is in service
  }
}

// The next tick in which something can happen, after what `prepare` does in tick 0.
Tick next_event(const Server& server, std::uint32_t horizon,
                const std::function<void(RequestServer<int>&)>& prepare) {
  OneServer one(server, horizon);
  prepare(one.server);
  return one.server.next_event();
}

void one_waits(RequestServer<int>& server) {
  server.put_in_queue(5);
}
void one_starts_and_one_waits(RequestServer<int>& server) {
  server.start(4, false);
  server.put_in_queue(5);
}

TEST(RequestServer, HasNothingAheadOfItWithoutRequests) {
  EXPECT_EQ(next_event({.capacity = 1, .outages = {outage(3, 2)}}, 100, [](auto&) {}), kNever);
}

TEST(RequestServer, WhatWaitsMayStartInTheNextTickOrWindow) {
  EXPECT_EQ(next_event({.capacity = 1, .queue = 1}, 100, one_starts_and_one_waits), 1U);
  EXPECT_EQ(
      next_event({.capacity = 1, .capacity_window = 9, .queue = 1}, 100, one_starts_and_one_waits),
      9U);
  EXPECT_EQ(
      next_event({.capacity = 2, .capacity_window = 9, .queue = 1}, 100, one_starts_and_one_waits),
      1U);
  EXPECT_EQ(next_event({.capacity = 0, .queue = 1}, 100, one_waits), kNever);
  OneServer one({.capacity = 1, .capacity_window = 9, .queue = 1});
  one.go_to(20);
  one_starts_and_one_waits(one.server);
  EXPECT_EQ(one.server.next_event(), 27U);
}

TEST(RequestServer, WhatWaitsMayStartWhenSomethingLeavesService) {
  const auto with_window = [](std::uint32_t window) {
    return next_event({.capacity = 1,
                       .capacity_window = window,
                       .service_ticks = 9,
                       .concurrency = 1,
                       .queue = 1},
                      100, one_starts_and_one_waits);
  };
  EXPECT_EQ(with_window(1), 9U);
  EXPECT_EQ(with_window(9), 9U);
  EXPECT_EQ(with_window(50), 9U);  // the response, though nothing can start
  // A second request in service, so that the first to leave counts.
  OneServer one({.capacity = 5, .service_ticks = 9, .concurrency = 2, .queue = 1});
  one.server.start(4, false);
  one.go_to(3);
  one.server.start(4, false);
  one.server.put_in_queue(5);
  EXPECT_EQ(one.server.next_event(), 9U);
  // With one place left in service, the next tick.
  OneServer other({.capacity = 1, .service_ticks = 9, .concurrency = 2, .queue = 1});
  one_starts_and_one_waits(other.server);
  EXPECT_EQ(other.server.next_event(), 1U);
}

TEST(RequestServer, WhatWaitsMayStartWhenOutagesAreOver) {
  const auto after = [](std::vector<Outage> outages) {
    return next_event({.capacity = 1, .queue = 1, .outages = std::move(outages)}, 100, one_waits);
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
  EXPECT_EQ(next_event({.capacity = 1, .queue = 1}, 2, one_waits), 1U);
  EXPECT_EQ(next_event({.capacity = 1, .queue = 1}, 1, one_waits), kNever);
  const Server longest{.capacity = 1, .capacity_window = kLongest, .queue = 1};
  EXPECT_EQ(next_event(longest, kLongest, one_starts_and_one_waits), kNever);
  Server shorter = longest;
  shorter.capacity_window = kLongest - 1;
  EXPECT_EQ(next_event(shorter, kLongest, one_starts_and_one_waits), kLongest - 1);
  // Its second window ends at 2^32 - 4.
  OneServer one(shorter, kLongest);
  one.go_to(kLongest - 1);
  one_starts_and_one_waits(one.server);
  EXPECT_EQ(one.server.next_event(), kNever);
}

}  // namespace
}  // namespace retrygarden::test
