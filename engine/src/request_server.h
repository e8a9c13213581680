// RequestServer: the server's time (docs/model.md, sections 2 and 4): outages, the capacity of the
// current window, and how many requests are in service.
//
// Every request takes the same service time, so responses fall due in the order of their starts.
#pragma once

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "check.h"
#include "due_attempt.h"
#include "fifo.h"
#include "probe.h"
#include "retrygarden/plan.h"

namespace retrygarden {

// Ticks in ascending order, each of which is taken when it has come.
class ComingTicks {
 public:
  explicit ComingTicks(const std::vector<Tick>& ticks) : ticks_(ticks) {}

  Tick next() const { return next_ < ticks_.size() ? ticks_[next_] : kNever; }

  // Whether the tick is the next one, which is then passed.
  bool take(Tick tick) {
    if (next() != tick) {
      return false;
    }
    ++next_;
    return true;
  }

 private:
  const std::vector<Tick>& ticks_;
  std::size_t next_ = 0;
};

class RequestServer {
 public:
  explicit RequestServer(const Plan& plan)
      : plan_(plan), concurrency_(plan.server.concurrency.value_or(kUnlimited)) {
    if (plan.server.service_ticks == 0) {
      concurrency_ = kUnlimited;  // nothing is ever in service
    }
  }

  // Goes to the tick, which is later than the one before. What is responded to in it leaves
  // service.
  void begin_tick(Tick tick) {
    now_ = tick;
    state_ = state_in(tick);
    if (const std::uint32_t window = tick / plan_.server.capacity_window; window != window_) {
      window_ = window;
      started_in_window_ = 0;
    }
    if (!started_.empty() && started_.front().response_due == tick) {
      in_service_ -= started_.take_front().requests;
    }
  }

  bool is_refusing() const { return state_ == ServerState::kRefusing; }
  bool is_hanging() const { return state_ == ServerState::kHanging; }

  // How many requests can start now.
  std::uint32_t can_start() const {
    RETRYGARDEN_PROBE(kConcurrencyReached, in_service_ == concurrency_);
    return state_ == ServerState::kUp
               ? std::min(plan_.server.capacity - started_in_window_, concurrency_ - in_service_)
               : 0;
  }

  // Precondition: at most can_start().
  void start(std::uint32_t requests) {
    RETRYGARDEN_CHECK(requests <= can_start());
    started_in_window_ += requests;
    if (plan_.server.service_ticks == 0 || requests == 0) {
      return;
    }
    in_service_ += requests;
    const Tick due = now_ + plan_.server.service_ticks;  // below 2^32: 2^31 + 2^30 at most
    if (started_.empty() || started_.back().response_due != due) {
      started_.push_back({due, 0});
    }
    started_.back().requests += requests;
  }

  // All requests leave service.
  void crash() {
    while (!started_.empty()) {
      started_.take_front();
    }
    in_service_ = 0;
  }

  // The next tick, after the current one, in which a response falls due or, if any request waits,
  // one of them may start; kNever if there is none. Logarithmic in the outages.
  Tick next_event(bool any_waits) const {
    const Tick response = started_.empty() ? kNever : started_.front().response_due;
    return any_waits ? std::min(response, next_start()) : response;
  }

 private:
  static constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

  struct Started {
    Tick response_due;
    std::uint32_t requests;
  };

  Tick next_start() const {
    if (plan_.server.capacity == 0) {
      return kNever;
    }
    std::uint64_t tick = std::uint64_t{now_} + 1;
    if (started_in_window_ == plan_.server.capacity) {
      tick = (std::uint64_t{window_} + 1) * plan_.server.capacity_window;
    }
    if (in_service_ == concurrency_) {
      tick = std::max<std::uint64_t>(tick, started_.front().response_due);
    }
    if (tick >= plan_.horizon) {
      return kNever;
    }
    const OutageWindow* window = window_in(static_cast<Tick>(tick));
    return window == nullptr ? static_cast<Tick>(tick) : window->up_again;
  }

  // The outage window that covers the tick, or null.
  const OutageWindow* window_in(Tick tick) const {
    const auto after =
        std::upper_bound(plan_.outages.begin(), plan_.outages.end(), tick,
                         [](Tick t, const OutageWindow& window) { return t < window.begin; });
    return after == plan_.outages.begin() || std::prev(after)->end <= tick ? nullptr
                                                                           : &*std::prev(after);
  }

  ServerState state_in(Tick tick) const {
    const OutageWindow* window = window_in(tick);
    RETRYGARDEN_PROBE(kOutageBeyondHorizon, window != nullptr && window->end > plan_.horizon);
    return window == nullptr ? ServerState::kUp : window->state;
  }

  const Plan& plan_;
  std::uint32_t concurrency_;
  Tick now_ = 0;
  ServerState state_ = ServerState::kUp;
  std::uint32_t window_ = 0;
  std::uint32_t started_in_window_ = 0;
  std::uint32_t in_service_ = 0;
  Fifo<Started> started_;  // and in service, ascending
};

}  // namespace retrygarden
