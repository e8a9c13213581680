// The members of each record, in the order of docs/model.md, section 8, told once for all formats.
//
// visit_members(record, visit) calls visit(name, value) for each member; values are integers,
// optional integers, strings, or records of their own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "retrygarden/results.h"

namespace retrygarden {

template <class Visit>
void visit_members(const Attempt& record, Visit&& visit) {
  visit("tick", record.tick);
  visit("client", record.client);
  visit("attempt", record.attempt);
  visit("outcome", to_string(record.outcome));
  visit("started_tick", record.started_tick);
  visit("dropped_tick", record.dropped_tick);
  visit("effect", to_string(record.effect));
  visit("response", to_string(record.response));
  visit("failed_tick", record.failed_tick);
  visit("next_tick", record.next_tick);
}

template <class Visit>
void visit_members(const TickLoad& record, Visit&& visit) {
  visit("tick", record.tick);
  visit("attempts", record.attempts);
  visit("accepted", record.accepted);
  visit("overloaded", record.overloaded);
  visit("unavailable", record.unavailable);
  visit("lost_requests", record.lost_requests);
  visit("short_circuited", record.short_circuited);
  visit("started", record.started);
  visit("dropped", record.dropped);
  visit("effects", record.effects);
  visit("acknowledged", record.acknowledged);
  visit("queued", record.queued);
}

template <class Visit>
void visit_members(const ClientRecord& record, Visit&& visit) {
  visit("client", record.client);
  visit("arrival", record.arrival);
  visit("state", to_string(record.state));
  visit("attempts", record.attempts);
  visit("effects", record.effects);
  visit("acknowledged_tick", record.acknowledged_tick);
  visit("next_tick", record.next_tick);
}

template <class Visit>
void visit_members(const PeakLoad& record, Visit&& visit) {
  visit("tick", record.tick);
  visit("requests", record.requests);
}

template <class Visit>
void visit_members(const TimeToAcknowledge& record, Visit&& visit) {
  visit("p50", record.p50);
  visit("p90", record.p90);
  visit("p99", record.p99);
  visit("max", record.max);
}

template <class Visit>
void visit_members(const Summary& record, Visit&& visit) {
  visit("clients", record.clients);
  visit("attempts", record.attempts);
  visit("accepted", record.accepted);
  visit("overloaded", record.overloaded);
  visit("unavailable", record.unavailable);
  visit("lost_requests", record.lost_requests);
  visit("short_circuited", record.short_circuited);
  visit("started", record.started);
  visit("dropped", record.dropped);
  visit("effects", record.effects);
  visit("duplicate_effects", record.duplicate_effects);
  visit("suppressed_effects", record.suppressed_effects);
  visit("lost_responses", record.lost_responses);
  visit("crashed_responses", record.crashed_responses);
  visit("late_responses", record.late_responses);
  visit("timeouts", record.timeouts);
  visit("acknowledged", record.acknowledged);
  visit("exhausted", record.exhausted);
  visit("deadline_exceeded", record.deadline_exceeded);
  visit("budget_denied", record.budget_denied);
  visit("awaiting", record.awaiting);
  visit("scheduled", record.scheduled);
  visit("applied_unacknowledged", record.applied_unacknowledged);
  visit("peak_load", record.peak_load);
  visit("last_acknowledged_tick", record.last_acknowledged_tick);
  visit("time_to_acknowledge", record.time_to_acknowledge);
}

template <class T>
concept HasMembers = requires(const T& record) { visit_members(record, [](auto&&...) {}); };

// Gathers the names of a record's columns; those of inner records carry the outer name first.
class ColumnNames {
 public:
  ColumnNames(std::vector<std::string>& names, std::string prefix)
      : names_(names), prefix_(std::move(prefix)) {}

  template <class Value>
  void operator()(std::string_view name, const Value& value) {
    const std::string whole = prefix_ + std::string(name);
    if constexpr (HasMembers<Value>) {
      visit_members(value, ColumnNames(names_, whole + "_"));
    } else {
      names_.push_back(whole);
    }
  }

 private:
  std::vector<std::string>& names_;
  std::string prefix_;
};

template <class Record>
std::vector<std::string> column_names() {
  std::vector<std::string> names;
  visit_members(Record{}, ColumnNames(names, ""));
  return names;
}

}  // namespace retrygarden
