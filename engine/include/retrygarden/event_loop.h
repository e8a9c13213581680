// The event loop: runs a plan from tick 0 to its horizon.
//
// It handles whole ticks: all attempts due in a tick together, and goes straight to the next tick
// that has any, so empty ticks cost nothing. Observers are told only what they asked for; a run
// without observers keeps nothing per attempt.
//
// A run depends on its plan alone, whatever it is spread over. It may be repeated, which is how
// large exports are streamed, and several may go on at once in different threads.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "retrygarden/plan.h"
#include "retrygarden/results.h"
#include "retrygarden/workers.h"

namespace retrygarden {

// A client reaches a terminal state: not awaiting, not scheduled.
struct ClientEnd {
  Client client = 0;
  ClientState state = ClientState::kAcknowledged;
  Tick tick = 0;
};

// All are optional. They may throw; the run then ends, and the exception passes through.
struct Observers {
  // After each tick that has a record of load (section 8), ascending.
  std::function<void(const TickLoad&)> tick_load;

  // Each attempt, ordered by (tick, client), when nothing in its record can change any more, or at
  // the end of the run. Asking for it makes the loop sort each tick's attempts.
  std::function<void(const Attempt&)> attempt;

  // Each client that reaches a terminal state, when it does: before the record of its attempt.
  std::function<void(const ClientEnd&)> client_end;
};

// Time: O(attempts); O(attempts · log(attempts of a tick)) with an observer of attempts, or where
// the plan needs phases. Memory: see run_memory_bytes() and records_memory_bytes().
Summary run(const Plan& plan, const Observers& observers = {}, const Workers& workers = {});

// An upper estimate of the bytes that run() holds at once without observers of attempts. Constant
// time.
std::uint64_t run_memory_bytes(const Plan& plan, const Workers& workers = {});

// An upper estimate of what it holds beyond that when attempts are observed: those of a tick, of as
// many clients as threads take at once; or, where requests wait, records that stay open while many
// others are finished. attempts: where it is known that no more are made. Constant time.
std::uint64_t records_memory_bytes(
    const Plan& plan, const Workers& workers = {},
    std::uint64_t attempts = std::numeric_limits<std::uint64_t>::max());

}  // namespace retrygarden
