#include "arrivals.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <numeric>
#include <utility>

namespace reference_model {
namespace {

using boost::multiprecision::cpp_int;

// "sort the clients by (i mod clients_per_host, host)": all clients, in the order of their ranks.
std::vector<std::int64_t> clients_by_rank(const Scenario& scenario) {
  std::vector<std::int64_t> clients(static_cast<std::size_t>(scenario.clients));
  std::iota(clients.begin(), clients.end(), 0);
  const auto sort_key = [&](std::int64_t client) {
    return std::pair(client % scenario.clients_per_host, host_of(client, scenario));
  };
  std::sort(clients.begin(), clients.end(),
            [&](std::int64_t a, std::int64_t b) { return sort_key(a) < sort_key(b); });
  return clients;
}

// "floor(n*T / clients), with n the client's rank"
std::vector<std::int64_t> spread_ticks(const SpreadArrivals& spread, const Scenario& scenario) {
  std::vector<std::int64_t> ticks(static_cast<std::size_t>(scenario.clients));
  std::int64_t n = 0;
  for (const std::int64_t client : clients_by_rank(scenario)) {
    const cpp_int tick = cpp_int(n) * spread.over / scenario.clients;
    ticks[static_cast<std::size_t>(client)] = tick.convert_to<std::int64_t>();
    ++n;
  }
  return ticks;
}

std::vector<std::int64_t> random_ticks(const RandomArrivals& random, const Scenario& scenario,
                                       const DrawSource& draws) {
  std::vector<std::int64_t> ticks(static_cast<std::size_t>(scenario.clients), 0);
  // "with T = 1 the interval [0, 0] holds one value, and no draw is made"
  if (random.over == 1) {
    return ticks;
  }
  for (std::size_t client = 0; client < ticks.size(); ++client) {
    ticks[client] = draws(0, random.over - 1, arrival_purpose, 0, client);
  }
  return ticks;
}

}  // namespace

std::vector<std::int64_t> arrival_ticks(const Scenario& scenario, const DrawSource& draws) {
  return std::visit(
      Overloaded{
          [&](const BurstArrivals& burst) {
            return std::vector(static_cast<std::size_t>(scenario.clients), burst.at);
          },
          [&](const SpreadArrivals& spread) { return spread_ticks(spread, scenario); },
          [&](const RandomArrivals& random) { return random_ticks(random, scenario, draws); },
      },
      scenario.arrivals);
}

}  // namespace reference_model
