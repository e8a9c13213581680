// Plan: a scenario compiled for one of its policies, so that the event loop looks things up and
// decides nothing: delay laws are tables of intervals by attempt number, outages are disjoint and
// ascending.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "retrygarden/scenario.h"

namespace retrygarden {

// The whole numbers lo … hi, both included; lo <= hi. Delays are at least 1.
struct Interval {
  std::uint32_t lo = 1;
  std::uint32_t hi = 1;

  bool operator==(const Interval&) const = default;
};

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

// Disjoint, ascending and not adjacent; down in begin … end-1. Windows reach up to 2^32-2.
struct DownWindow {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const DownWindow&) const = default;
};

struct Plan {
  std::uint32_t clients = 1;
  std::uint32_t horizon = 1;
  std::uint64_t seed = 0;
  Arrivals arrivals;
  std::uint32_t capacity = 0;
  std::vector<DownWindow> down;
  Deduplication deduplication;
  std::optional<FirstResponseLost> first_response_lost;
  std::uint32_t attempts = 1;
  std::variant<DelayTable, DecorrelatedDelay> delay;
};

// Compiles policy number policy_index, which must be there; the scenario must be valid. Time and
// memory: linear in the policy and the outages; for an exponential law at most some thousand exact
// products.
Plan make_plan(const Scenario& scenario, std::size_t policy_index);

// The tick of the client's first attempt (section 3). Constant time.
Tick arrival_tick(const Plan& plan, Client client);

}  // namespace retrygarden
