// Plan: a scenario compiled for one of its policies, so that the event loop looks things up and
// decides nothing: delay laws are tables of intervals by attempt number, outages are disjoint and
// ascending.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "retrygarden/scenario.h"

namespace retrygarden {

// The interval of the delay after each attempt, for every law but decorrelated (section 6).
//
// Intervals are worked out once, with exact powers, up to the attempt from which they stay the
// same. Only a linear law can take longer to settle than a table is worth; it is computed beyond
// the table's end.
class DelayTable {
 public:
  // attempts is the attempt budget: no interval is needed for the last attempt or later.
  // Precondition: delay is not decorrelated.
  DelayTable(const Delay& delay, const Jitter& jitter, std::uint32_t attempts);

  // The interval after the attempt, counted from 1. Constant time.
  Interval after(std::uint32_t attempt) const {
    return attempt <= intervals_.size() ? intervals_[attempt - 1] : beyond_table(attempt);
  }

  std::size_t memory_bytes() const { return intervals_.size() * sizeof(Interval); }

 private:
  Interval beyond_table(std::uint32_t attempt) const;

  std::vector<Interval> intervals_;  // never empty
  std::optional<LinearDelay> unsettled_;
  Jitter jitter_;
};

enum class ServerState : std::uint8_t { kUp, kHanging, kRefusing };

// Where the server is not up: in begin … end-1. Windows are disjoint and ascending, reach up to
// 2^32-2, and touch only where the state changes.
struct OutageWindow {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  ServerState state = ServerState::kRefusing;
  std::uint32_t up_again = 0;  // the end of the last of the windows that touch from here on

  bool operator==(const OutageWindow&) const = default;
};

struct Plan {
  std::uint32_t clients = 1;
  std::uint32_t clients_per_host = 1;
  std::uint32_t horizon = 1;
  std::uint64_t seed = 0;
  Arrivals arrivals;
  Server server;  // its outages are compiled to the next three
  std::vector<OutageWindow> outages;
  std::vector<Tick> crashes;     // distinct, ascending, below the horizon
  std::vector<Tick> key_losses;  // likewise
  ScenarioFaults faults;
  std::uint32_t attempts = 1;
  std::uint32_t timeout = 0;
  std::variant<DelayTable, DecorrelatedDelay> delay;
  std::uint32_t max_delay = ~0U;
  std::optional<std::uint32_t> deadline;
  OnRetryAfter on_retry_after = OnRetryAfter::kIgnore;
  std::optional<Budget> budget;
  std::optional<Breaker> breaker;

  std::uint32_t hosts() const { return (clients - 1) / clients_per_host + 1; }
  std::uint32_t host_of(Client client) const { return client / clients_per_host; }

  // That a run can make: each client at most one a tick. Below 2^63.
  std::uint64_t most_attempts() const {
    return std::uint64_t{clients} * std::min(attempts, horizon);
  }

  // Whether attempts may outlive their tick, or depend on one another by more than the capacity of
  // their tick. If not, each of them can be taken from its sending to its end at once.
  bool needs_phases() const;

  // Whether several processes can share a run: not where random words put the attempts of all
  // clients into one order (server.tie_break random).
  bool can_be_shared() const { return server.tie_break != TieBreak::kRandom; }
};

// Compiles policy number policy_index, which must be there; the scenario must be valid. Time and
// memory: linear in the policy, and in the outages but for sorting them; for an exponential law at
// most some thousand exact products.
Plan make_plan(const Scenario& scenario, std::size_t policy_index);

// The tick of the client's first attempt (section 3). Constant time.
Tick arrival_tick(const Plan& plan, Client client);

}  // namespace retrygarden
