// ComingClients: the clients of a range that have not arrived yet (docs/model.md, section 3).
//
// Where neighbours arrive together or one after the other, they are known by their range alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>

#include "due_attempt.h"
#include "retrygarden/plan.h"

namespace retrygarden {

class ComingClients {
 public:
  // Of clients begin … end-1.
  ComingClients(const Plan& plan, Client begin, Client end)
      : plan_(plan), next_(begin), end_(arrive_in_order(plan) ? end : begin) {}

  // Whether clients with higher numbers never arrive earlier. If not, nobody is known here.
  static bool arrive_in_order(const Plan& plan) {
    return std::holds_alternative<BurstArrivals>(plan.arrivals) ||
           (std::holds_alternative<SpreadArrivals>(plan.arrivals) && plan.clients_per_host == 1);
  }

  // The tick in which the next of them arrive; kNever if all have.
  Tick next() const { return next_ == end_ ? kNever : arrival_tick(plan_, next_); }

  // Those who arrive in next(): the first attempts of neighbours.
  DueRange take() {
    const DueRange range{next_, first_after(next()), 1};
    next_ = range.end;
    return range;
  }

 private:
  // The first client that arrives after the tick: client·over / clients >= tick + 1.
  Client first_after(Tick tick) const {
    const auto* spread = std::get_if<SpreadArrivals>(&plan_.arrivals);
    if (spread == nullptr) {
      return end_;
    }
    const std::uint64_t over = spread->over_ticks;
    const std::uint64_t first =
        ((std::uint64_t{tick} + 1) * plan_.clients + over - 1) / over;  // below 2^63
    return static_cast<Client>(std::min<std::uint64_t>(first, end_));
  }

  const Plan& plan_;
  Client next_;
  Client end_;
};

}  // namespace retrygarden
