// The scenario that benchmarks run: "lost responses" (docs/model.md, section 10) with more clients.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "retrygarden/scenario.h"

namespace retrygarden::bench {

enum LostResponsesPolicy { kFixedDelay = 0, kBoundedJitter = 1 };

inline std::string lost_responses_text(std::uint64_t clients, std::uint32_t horizon = 80) {
  return fmt::format(R"({{
    "retrygarden": 1, "clients": {}, "horizon": {}, "seed": 9,
    "server": {{"capacity": {}, "outages": [{{"from": 0, "ticks": 2}}]}},
    "faults": {{"first_response_lost": {{"every": 3}}}},
    "policies": [
      {{"name": "fixed delay", "attempts": 4, "delay": {{"kind": "fixed", "ticks": 4}}}},
      {{"name": "bounded jitter", "attempts": 4,
        "delay": {{"kind": "exponential", "base": 2, "cap": 16}}, "jitter": {{"kind": "full"}}}}]
  }})",
                     clients, horizon, clients * 3 / 8);
}

inline Scenario lost_responses(std::uint64_t clients, std::uint32_t horizon = 80) {
  return *read_scenario(lost_responses_text(clients, horizon));
}

}  // namespace retrygarden::bench
