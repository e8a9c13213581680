// The event loop: runs a plan from tick 0 to its horizon.
//
// It handles whole ticks: all attempts due in a tick together, and goes straight to the next tick
// that has any, so empty ticks cost nothing. Observers are told only what they asked for; a run
// without observers keeps nothing per attempt.
//
// A run depends on its plan alone. It may be repeated, which is how large exports are streamed, and
// several may go on at once in different threads.
#pragma once

#include <cstdint>
#include <functional>

#include "retrygarden/plan.h"
#include "retrygarden/results.h"

namespace retrygarden {

// Both are optional. They may throw; the run then ends, and the exception passes through.
struct Observers {
  // After each tick in which an attempt was made, ascending.
  std::function<void(const TickLoad&)> tick_load;

  // Each attempt, ordered by (tick, client). Asking for it makes the loop sort each tick's
  // attempts.
  std::function<void(const Attempt&)> attempt;
};

// Time: O(attempts), O(attempts · log(attempts of a tick)) with an attempt observer. Memory: see
// run_memory_bytes().
Summary run(const Plan& plan, const Observers& observers = {});

// An upper estimate of the bytes that run() holds at once. Constant time.
std::uint64_t run_memory_bytes(const Plan& plan);

}  // namespace retrygarden
