// What the server can do and which requests wait for it (section 4); never what a client knows.

#ifndef REFERENCE_MODEL_SERVER_SIDE_H
#define REFERENCE_MODEL_SERVER_SIDE_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "scenario.h"

namespace reference_model {

// Of a tick.
enum class ServerState { refusing, hanging, up };

// Requests are named by numbers that the caller chooses. Ticks are given in ascending order.
class ServerSide {
 public:
  explicit ServerSide(const Server& server) : server_(server) {}

  ServerState state(std::int64_t tick) const;

  // "The server can start a request while it is up, fewer than `capacity` requests were started in
  // the window that holds t, and fewer than `concurrency` are in service."
  bool can_start(std::int64_t tick) const;

  // The first tick, from this one on, in which that will be so if no request is started until then;
  // nothing if there is none.
  std::optional<std::int64_t> next_start(std::int64_t tick) const;

  void start(std::int64_t tick);

  bool has_waiting() const { return !waiting_.empty(); }
  bool has_room() const;
  void put_into_queue(std::size_t request) { waiting_.push_back(request); }

  // Out of the queue, by the discipline. A request must wait.
  std::size_t take_next();

  // "every waiting request is dropped, every request leaves service"; returns those dropped.
  std::deque<std::size_t> crash();

 private:
  bool is_covered(std::int64_t tick, OutageKind kind) const;
  std::int64_t window_of(std::int64_t tick) const { return tick / server_.capacity_window; }

  // Where the server cannot start a request in the tick: the end of one thing that keeps it from
  // that. The server cannot start one before that end either.
  std::optional<std::int64_t> end_of_hindrance(std::int64_t tick) const;
  std::optional<std::int64_t> end_of_outage(std::int64_t tick) const;
  std::optional<std::int64_t> end_of_full_window(std::int64_t tick) const;
  std::optional<std::int64_t> end_of_full_service(std::int64_t tick) const;

  const Server& server_;
  std::deque<std::size_t> waiting_;  // in the order in which they came
  std::int64_t window_ = 0;          // the window that started_in_window_ is about
  std::int64_t started_in_window_ = 0;
  std::deque<std::int64_t> service_ends_;  // first ticks out of service, in the order of starts
};

}  // namespace reference_model

#endif  // REFERENCE_MODEL_SERVER_SIDE_H
