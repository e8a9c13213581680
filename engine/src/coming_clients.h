// ComingClients: those of some neighbouring clients that have not arrived yet (docs/model.md,
// section 3).
//
// Nothing is kept for them but who comes next: where clients do not arrive at random, the order is
// known.
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
      : plan_(plan),
        begin_(begin),
        end_(end),
        in_ranges_(std::holds_alternative<BurstArrivals>(plan.arrivals) ||
                   plan.clients_per_host == 1),
        next_(in_ranges_ ? begin : first_of_place(0)),
        left_(are_known(plan) ? end - begin : 0) {
    find_next_tick();
  }

  // Whether the order is known. If not, nobody is known here.
  static bool are_known(const Plan& plan) {
    return !std::holds_alternative<RandomArrivals>(plan.arrivals);
  }

  // The tick in which the next of them arrive; kNever if all have.
  Tick next() const { return next_tick_; }

  // Some of those who arrive in next(), neighbours: their first attempts.
  DueRange take() {
    const DueRange range{next_, in_ranges_ ? first_after(next_tick_) : next_ + 1, 1};
    left_ -= range.end - range.begin;
    next_ = in_ranges_ ? range.end : next_by_rank(next_);
    find_next_tick();
    return range;
  }

 private:
  void find_next_tick() { next_tick_ = left_ == 0 ? kNever : arrival_tick(plan_, next_); }

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

  // The client behind this one by rank: first come the clients that are first on their hosts, then
  // those that are second, and so on.
  Client next_by_rank(Client client) const {
    const std::uint64_t on_next_host = std::uint64_t{client} + plan_.clients_per_host;
    return on_next_host < end_ ? static_cast<Client>(on_next_host)
                               : first_of_place(client % plan_.clients_per_host + 1);
  }

  // The first client that has this place on its host. If there is none, that of the next place that
  // any has: where not even one host is whole, places from the first client's on come last.
  Client first_of_place(std::uint32_t place) const {
    const std::uint64_t size = plan_.clients_per_host;
    const std::uint64_t offset = (place + size - begin_ % size) % size;
    return begin_ + (offset < end_ - begin_ ? static_cast<Client>(offset) : 0);
  }

  const Plan& plan_;
  Client begin_;
  Client end_;
  bool in_ranges_;  // whether neighbours arrive together, or one after the other
  Client next_;
  std::uint32_t left_;
  Tick next_tick_ = kNever;
};

}  // namespace retrygarden
