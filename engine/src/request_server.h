// RequestServer: the server's time (docs/model.md, sections 2 and 4): outages, the capacity of the
// current window, requests that wait, and requests in service.
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

// Request: what is known of a request; small, and copied.
template <class Request>
class RequestServer {
 public:
  struct Response {
    Tick due;
    bool is_lost;
    Request request;
  };

  explicit RequestServer(const Plan& plan)
      : plan_(plan),
        concurrency_(plan.server.concurrency.value_or(std::numeric_limits<std::uint32_t>::max())) {}

  // Goes to the tick, which is later than the one before. Responses due in it leave service.
  void begin_tick(Tick tick) {
    now_ = tick;
    state_ = state_in(tick);
    if (const std::uint32_t window = tick / plan_.server.capacity_window; window != window_) {
      window_ = window;
      started_in_window_ = 0;
    }
    while (!in_service_.empty() && in_service_.front().due == tick) {
      responses_.push_back(in_service_.take_front());
    }
  }

  bool is_refusing() const { return state_ == ServerState::kRefusing; }
  bool is_hanging() const { return state_ == ServerState::kHanging; }

  bool can_start() const {
    RETRYGARDEN_PROBE(kConcurrencyReached, in_service_.size() == concurrency_);
    return state_ == ServerState::kUp && started_in_window_ < plan_.server.capacity &&
           in_service_.size() < concurrency_;
  }

  // Precondition: can_start().
  void start(const Request& request, bool is_response_lost) {
    RETRYGARDEN_CHECK(can_start());
    ++started_in_window_;
    const Response response{now_ + plan_.server.service_ticks, is_response_lost, request};
    if (plan_.server.service_ticks == 0) {
      responses_.push_back(response);
    } else {
      in_service_.push_back(response);  // due below 2^32: 2^31 + 2^30 at most
    }
  }

  std::size_t waiting() const { return queue_.size(); }
  bool has_place_in_queue() const { return queue_.size() < plan_.server.queue; }
  void put_in_queue(const Request& request) { queue_.push_back(request); }

  // Takes the next request out of the queue, by the discipline.
  Request take_next() {
    RETRYGARDEN_PROBE(kLifoWithSeveralWaiting,
                      plan_.server.discipline == Discipline::kLifo && queue_.size() > 1);
    return plan_.server.discipline == Discipline::kFifo ? queue_.take_front() : queue_.take_back();
  }

  // Gives drop(request) for what waits and crash(request) for each response that is not lost.
  template <class Drop, class Crash>
  void crash(Drop drop, Crash crash) {
    RETRYGARDEN_PROBE(kCrashWithResponseDue, !responses_.empty());
    while (!queue_.empty()) {
      drop(queue_.take_front());
    }
    while (!in_service_.empty()) {
      responses_.push_back(in_service_.take_front());
    }
    for (const Response& response : responses_) {
      if (!response.is_lost) {
        crash(response.request);
      }
    }
    responses_.clear();
  }

  // The responses due in this tick, in the order of their starts.
  const std::vector<Response>& responses() const { return responses_; }
  void clear_responses() { responses_.clear(); }

  // The next tick, after the current one, in which a response falls due or a waiting request may
  // start; kNever if there is none. Logarithmic in the outages.
  Tick next_event() const {
    const Tick response = in_service_.empty() ? kNever : in_service_.front().due;
    return queue_.empty() ? response : std::min(response, next_start());
  }

 private:
  Tick next_start() const {
    if (plan_.server.capacity == 0) {
      return kNever;
    }
    std::uint64_t tick = std::uint64_t{now_} + 1;
    if (started_in_window_ == plan_.server.capacity) {
      tick = (std::uint64_t{window_} + 1) * plan_.server.capacity_window;
    }
    if (in_service_.size() == concurrency_) {
      tick = std::max<std::uint64_t>(tick, in_service_.front().due);
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
  Fifo<Request> queue_;
  Fifo<Response> in_service_;
  std::vector<Response> responses_;
};

}  // namespace retrygarden
