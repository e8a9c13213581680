// Small scenarios, and what their runs yield as lines of text, in which members that are 0, null or
// `none` are left out.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "retrygarden/event_loop.h"
#include "retrygarden/export.h"

namespace retrygarden::test {

using Lines = std::vector<std::string>;

inline Scenario scenario(std::uint32_t clients, std::uint32_t horizon, std::uint32_t capacity,
                         std::uint32_t attempts, Delay delay, std::uint32_t timeout = 0) {
  Scenario result;
  result.clients = clients;
  result.horizon = horizon;
  result.server.capacity = capacity;
  result.policies = {
      {.name = "policy", .attempts = attempts, .timeout = timeout, .delay = std::move(delay)}};
  return result;
}

inline Fraction fraction(std::string_view text) {
  return Fraction::parse(text).value();
}

// Words with commas between them.
class Line {
 public:
  explicit Line(std::string start) : text_(std::move(start)) {}

  Line& word(std::string_view word) {
    text_ += is_first_ ? " " : ", ";
    text_ += word;
    is_first_ = false;
    return *this;
  }
  Line& count(const std::string& name, std::uint64_t value) {
    return value == 0 ? *this : word(name + " " + std::to_string(value));
  }
  Line& tick(const std::string& name, const std::optional<Tick>& value) {
    return value ? word(name + " " + std::to_string(*value)) : *this;
  }
  std::string text() const { return text_; }

 private:
  std::string text_;
  bool is_first_ = true;
};

// t0 c3#1 accepted, started 2, applied, late, failed 4, next 5
inline std::string line_of(const Attempt& attempt) {
  Line line("t" + std::to_string(attempt.tick) + " c" + std::to_string(attempt.client) + "#" +
            std::to_string(attempt.attempt));
  line.word(to_string(attempt.outcome));
  line.tick("started", attempt.started_tick).tick("dropped", attempt.dropped_tick);
  if (attempt.effect != Effect::kNone) {
    line.word(to_string(attempt.effect));
  }
  if (attempt.response != Response::kNone) {
    line.word(to_string(attempt.response));
  }
  return line.tick("failed", attempt.failed_tick).tick("next", attempt.next_tick).text();
}

inline std::string line_of(const TickLoad& load) {
  return Line("t" + std::to_string(load.tick))
      .count("attempts", load.attempts)
      .count("accepted", load.accepted)
      .count("overloaded", load.overloaded)
      .count("unavailable", load.unavailable)
      .count("lost_requests", load.lost_requests)
      .count("short_circuited", load.short_circuited)
      .count("started", load.started)
      .count("dropped", load.dropped)
      .count("effects", load.effects)
      .count("acknowledged", load.acknowledged)
      .count("queued", load.queued)
      .text();
}

inline std::string line_of(const ClientRecord& client) {
  return Line("c" + std::to_string(client.client))
      .word(to_string(client.state))
      .count("arrival", client.arrival)
      .count("attempts", client.attempts)
      .count("effects", client.effects)
      .tick("acknowledged", client.acknowledged_tick)
      .tick("next", client.next_tick)
      .text();
}

inline std::string line_of(const Summary& summary) {
  return Line("")
      .count("clients", summary.clients)
      .count("attempts", summary.attempts)
      .count("accepted", summary.accepted)
      .count("overloaded", summary.overloaded)
      .count("unavailable", summary.unavailable)
      .count("lost_requests", summary.lost_requests)
      .count("short_circuited", summary.short_circuited)
      .count("started", summary.started)
      .count("dropped", summary.dropped)
      .count("effects", summary.effects)
      .count("duplicate_effects", summary.duplicate_effects)
      .count("suppressed_effects", summary.suppressed_effects)
      .count("lost_responses", summary.lost_responses)
      .count("crashed_responses", summary.crashed_responses)
      .count("late_responses", summary.late_responses)
      .count("timeouts", summary.timeouts)
      .count("acknowledged", summary.acknowledged)
      .count("exhausted", summary.exhausted)
      .count("deadline_exceeded", summary.deadline_exceeded)
      .count("budget_denied", summary.budget_denied)
      .count("awaiting", summary.awaiting)
      .count("scheduled", summary.scheduled)
      .count("applied_unacknowledged", summary.applied_unacknowledged)
      .tick("peak at", summary.peak_load.tick)
      .count("of", summary.peak_load.requests)
      .tick("last_acknowledged", summary.last_acknowledged_tick)
      .tick("p50", summary.time_to_acknowledge.p50)
      .tick("p90", summary.time_to_acknowledge.p90)
      .tick("p99", summary.time_to_acknowledge.p99)
      .tick("max", summary.time_to_acknowledge.max)
      .text()
      .erase(0, 1);
}

inline Lines attempts_of(const Scenario& scenario) {
  Lines lines;
  run(make_plan(scenario, 0),
      {.tick_load = {},
       .attempt = [&](const Attempt& attempt) { lines.push_back(line_of(attempt)); },
       .client_end = {}});
  return lines;
}

inline Lines load_of(const Scenario& scenario) {
  Lines lines;
  run(make_plan(scenario, 0),
      {.tick_load = [&](const TickLoad& load) { lines.push_back(line_of(load)); },
       .attempt = {},
       .client_end = {}});
  return lines;
}

inline Lines clients_of(const Scenario& scenario) {
  Lines lines;
  for (const ClientRecord& client : run_clients(make_plan(scenario, 0))) {
    lines.push_back(line_of(client));
  }
  return lines;
}

// t2 c0 acknowledged
inline Lines ends_of(const Scenario& scenario) {
  Lines lines;
  run(make_plan(scenario, 0),
      {.tick_load = {}, .attempt = {}, .client_end = [&](const ClientEnd& end) {
         lines.push_back("t" + std::to_string(end.tick) + " c" + std::to_string(end.client) + " " +
                         std::string(to_string(end.state)));
       }});
  return lines;
}

inline Summary summary_of(const Scenario& scenario) {
  return run(make_plan(scenario, 0));
}

}  // namespace retrygarden::test
