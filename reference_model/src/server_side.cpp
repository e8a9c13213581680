#include "server_side.h"

#include <algorithm>
#include <utility>

namespace reference_model {
namespace {

// Section 2: "the outage covers ticks from ... from+ticks-1".
bool covers(const Outage& outage, std::int64_t tick) {
  return outage.from <= tick && tick <= outage.from + outage.ticks - 1;
}

}  // namespace

bool ServerSide::is_covered(std::int64_t tick, OutageKind kind) const {
  return std::any_of(server_.outages.begin(), server_.outages.end(), [&](const Outage& outage) {
    return outage.kind == kind && covers(outage, tick);
  });
}

// "The server is refusing in t if an outage of kind refuse or crash covers t; else hanging if an
// outage of kind hang does; else up."
ServerState ServerSide::state(std::int64_t tick) const {
  if (is_covered(tick, OutageKind::refuse) || is_covered(tick, OutageKind::crash)) {
    return ServerState::refusing;
  }
  return is_covered(tick, OutageKind::hang) ? ServerState::hanging : ServerState::up;
}

std::optional<std::int64_t> ServerSide::end_of_outage(std::int64_t tick) const {
  for (const Outage& outage : server_.outages) {
    if (covers(outage, tick)) {
      return outage.from + outage.ticks;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> ServerSide::end_of_full_window(std::int64_t tick) const {
  const std::int64_t started = window_of(tick) == window_ ? started_in_window_ : 0;
  if (started < server_.capacity) {
    return std::nullopt;
  }
  return (window_of(tick) + 1) * server_.capacity_window;
}

// "a request started at s is in service in ticks s ... s+service_ticks-1"
std::optional<std::int64_t> ServerSide::end_of_full_service(std::int64_t tick) const {
  if (!server_.concurrency) {
    return std::nullopt;
  }
  const auto first_in_service = std::find_if(service_ends_.begin(), service_ends_.end(),
                                             [&](std::int64_t end) { return end > tick; });
  const std::int64_t in_service = service_ends_.end() - first_in_service;
  if (in_service < *server_.concurrency) {
    return std::nullopt;
  }
  return *first_in_service;
}

std::optional<std::int64_t> ServerSide::end_of_hindrance(std::int64_t tick) const {
  if (const std::optional<std::int64_t> end = end_of_outage(tick)) {
    return end;
  }
  if (const std::optional<std::int64_t> end = end_of_full_window(tick)) {
    return end;
  }
  return end_of_full_service(tick);
}

bool ServerSide::can_start(std::int64_t tick) const {
  return !end_of_hindrance(tick);
}

std::optional<std::int64_t> ServerSide::next_start(std::int64_t tick) const {
  if (server_.capacity == 0) {
    return std::nullopt;  // every window is full
  }
  while (const std::optional<std::int64_t> end = end_of_hindrance(tick)) {
    tick = *end;
  }
  return tick;
}

void ServerSide::start(std::int64_t tick) {
  if (window_of(tick) != window_) {
    window_ = window_of(tick);
    started_in_window_ = 0;
  }
  ++started_in_window_;
  while (!service_ends_.empty() && service_ends_.front() <= tick) {
    service_ends_.pop_front();
  }
  service_ends_.push_back(tick + server_.service_ticks);
}

bool ServerSide::has_room() const {
  return std::cmp_less(waiting_.size(), server_.queue);
}

// "the one that waits longest, or the one that came last"
std::size_t ServerSide::take_next() {
  const auto next = server_.discipline == Discipline::fifo ? waiting_.begin() : waiting_.end() - 1;
  const std::size_t request = *next;
  waiting_.erase(next);
  return request;
}

std::deque<std::size_t> ServerSide::crash() {
  service_ends_.clear();
  return std::exchange(waiting_, {});
}

}  // namespace reference_model
