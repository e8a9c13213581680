// What all participants share: the scenario "lost responses" (docs/model.md, section 10) with more
// clients, its delays, and how a result is told.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "draw.h"
#include "support/peak_memory.h"

namespace retrygarden::bench {

inline constexpr std::uint32_t kHorizon = 80;
inline constexpr std::uint32_t kOutageEnd = 2;  // the server refuses before this tick
inline constexpr std::uint32_t kAttempts = 4;
inline constexpr std::uint32_t kLosesEvery = 3;  // the first response to clients 0, 3, 6, …
inline constexpr std::uint64_t kSeed = 9;

inline std::uint32_t capacity_of(std::uint32_t clients) {
  return static_cast<std::uint32_t>(std::uint64_t{clients} * 3 / 8);
}

// Policy 0: 4 ticks. Policy 1: exponential, base 2, cap 16, with full jitter.
inline std::uint32_t delay_after(int policy, std::uint32_t attempt, Client client) {
  return policy == 0 ? 4
                     : draw(kSeed, {1, std::min(16U, 2U << (attempt - 1))}, Purpose::kDelay,
                            attempt, client);
}

struct Totals {
  std::uint64_t attempts = 0;
  std::uint64_t effects = 0;
  std::uint64_t duplicate_effects = 0;
  std::uint64_t acknowledged = 0;
  std::uint64_t exhausted = 0;
};

// What became of a request that the server accepted, whoever simulates it. True if its client
// learned of success.
inline bool accept(Totals& totals, bool is_first, Client client) {
  ++totals.effects;
  totals.duplicate_effects += is_first ? 0 : 1;
  const bool is_acknowledged = !is_first || client % kLosesEvery != 0;
  totals.acknowledged += is_acknowledged ? 1 : 0;
  return is_acknowledged;
}

// main() of a participant: PROGRAM CLIENTS POLICY. simulate(clients, policy) gives the totals.
template <class Simulate>
int participate(int argc, char** argv, Simulate simulate) {
  if (argc != 3) {
    fmt::print(stderr, "usage: {} CLIENTS POLICY\n", argv[0]);
    return EXIT_FAILURE;
  }
  const auto clients = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10));
  const int policy = argv[2][0] - '0';
  Totals totals;
  double seconds = 0;
  const std::uint64_t bytes = test::peak_bytes([&] {
    const auto begin = std::chrono::steady_clock::now();
    totals = simulate(clients, policy);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  });
  fmt::print(R"({{"attempts": {}, "effects": {}, "duplicate_effects": {}, "acknowledged": {}, )"
             R"("exhausted": {}, "seconds": {}, "peak_bytes": {}}})"
             "\n",
             totals.attempts, totals.effects, totals.duplicate_effects, totals.acknowledged,
             totals.exhausted, seconds, bytes);
  return EXIT_SUCCESS;
}

}  // namespace retrygarden::bench
