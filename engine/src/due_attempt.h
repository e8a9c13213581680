// What lies ahead of clients: single attempts, and those of neighbours who are all due for the
// same.
#pragma once

#include <limits>

#include "retrygarden/scenario.h"

namespace retrygarden {

// The tick of what does not come.
inline constexpr Tick kNever = std::numeric_limits<Tick>::max();

struct DueAttempt {
  Client client;
  std::uint32_t attempt;
};

// Clients begin … end-1.
struct DueRange {
  Client begin;
  Client end;
  std::uint32_t attempt;
};

}  // namespace retrygarden
