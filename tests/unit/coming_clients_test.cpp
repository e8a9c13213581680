// Who arrives next, against the arrival tick of each client by itself.
#include "coming_clients.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

using Arrival = std::pair<Tick, Client>;

Plan plan_with(std::uint32_t clients, std::uint32_t clients_per_host, const Arrivals& arrivals) {
  Scenario example = scenario(clients, 40, 0, 1, FixedDelay{1});
  example.clients_per_host = clients_per_host;
  example.arrivals = arrivals;
  return make_plan(example, 0);
}

std::vector<Arrival> taken(const Plan& plan, Client begin, Client end) {
  std::vector<Arrival> arrivals;
  ComingClients coming(plan, begin, end);
  while (coming.next() != kNever) {
    const Tick tick = coming.next();
    const DueRange range = coming.take();
    EXPECT_EQ(range.attempt, 1U);
    for (Client client = range.begin; client < range.end; ++client) {
      arrivals.emplace_back(tick, client);
    }
  }
  return arrivals;
}

std::vector<Arrival> expected(const Plan& plan, Client begin, Client end) {
  std::vector<Arrival> arrivals;
  for (Client client = begin; client < end; ++client) {
    arrivals.emplace_back(arrival_tick(plan, client), client);
  }
  std::sort(arrivals.begin(), arrivals.end());
  return arrivals;
}

// Every span of some clients, on hosts of every size: each client once, in the tick of its arrival,
// ticks ascending.
TEST(ComingClients, AreEachClientOfTheSpanInTheOrderOfArrival) {
  constexpr std::uint32_t kClients = 11;
  for (std::uint32_t size = 1; size <= kClients + 2; ++size) {
    for (const Arrivals& arrivals : {Arrivals(BurstArrivals{3}), Arrivals(SpreadArrivals{1}),
                                     Arrivals(SpreadArrivals{4}), Arrivals(SpreadArrivals{40})}) {
      const Plan plan = plan_with(kClients, size, arrivals);
      for (Client begin = 0; begin <= kClients; ++begin) {
        for (Client end = begin; end <= kClients; ++end) {
          std::vector<Arrival> found = taken(plan, begin, end);
          EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                                     [](Arrival a, Arrival b) { return a.first < b.first; }));
          std::sort(found.begin(), found.end());
          EXPECT_EQ(found, expected(plan, begin, end)) << size << ' ' << begin << ' ' << end;
        }
      }
    }
  }
}

// Four thousand million clients on hosts of any size: nothing is looked for client by client.
TEST(ComingClients, MayBeMany) {
  constexpr std::uint32_t kMany = 4294967295;
  for (const std::uint32_t size : {1U, 2U, 65536U, 4294967294U, kMany}) {
    const Plan plan = plan_with(kMany, size, SpreadArrivals{40});
    EXPECT_EQ(ComingClients(plan, 0, kMany).next(), 0U);
    EXPECT_EQ(taken(plan, kMany - 3, kMany).size(), 3U);
  }
}

TEST(ComingClients, AreNotKnownWhereTheyArriveAtRandom) {
  const Plan plan = plan_with(9, 2, RandomArrivals{5});
  EXPECT_FALSE(ComingClients::are_known(plan));
  EXPECT_EQ(ComingClients(plan, 0, 9).next(), kNever);
  EXPECT_TRUE(ComingClients::are_known(plan_with(9, 2, SpreadArrivals{5})));
}

}  // namespace
}  // namespace retrygarden::test
