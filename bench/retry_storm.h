// The scenario "retry storm" of golden/scenarios/published/, scaled: four of 4,000 clients arrive a
// tick, the server starts five, up to 400 wait, and it hangs for 60 ticks.
#pragma once

#include <cstdint>

#include "retrygarden/scenario.h"

namespace retrygarden::bench {

inline Scenario retry_storm(std::uint32_t clients) {
  const auto share = [clients](std::uint32_t of_4000) {
    return static_cast<std::uint32_t>(std::uint64_t{clients} * of_4000 / 4000);
  };
  Scenario scenario;
  scenario.clients = clients;
  scenario.clients_per_host = 400;
  scenario.horizon = 1200;
  scenario.seed = 1;
  scenario.arrivals = SpreadArrivals{1000};
  scenario.server.capacity = share(5);
  scenario.server.queue = share(400);
  scenario.server.outages = {{100, 60, OutageKind::kHang}};
  scenario.policies = {{.name = "retries",
                        .attempts = 4,
                        .timeout = 20,
                        .delay = ExponentialDelay{.base = 10, .cap = 100},
                        .jitter = FullJitter{}}};
  scenario.policies.push_back(scenario.policies[0]);
  Policy& limited = scenario.policies[1];
  limited.name = "with a budget and a breaker";
  const Fraction one = Fraction::from_millionths(Fraction::kOne);
  limited.budget = TokenBudget{.capacity = Fraction::from_millionths(10'000'000),
                               .initial = Fraction::from_millionths(10'000'000),
                               .success_deposit = Fraction::from_millionths(100'000),
                               .retry_cost = one,
                               .timeout_cost = one};
  limited.breaker = Breaker{20, 10, 50, 3};
  return scenario;
}

}  // namespace retrygarden::bench
