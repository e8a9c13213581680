// RunTotals: a run's summary, added up from its ticks (docs/model.md, section 8).
#pragma once

#include "check.h"
#include "probe.h"
#include "retrygarden/event_loop.h"
#include "wait_times.h"

namespace retrygarden {

// What the summary counts and no tick's load does.
struct UntickedCounts {
  std::uint64_t duplicate_effects = 0;
  std::uint64_t suppressed_effects = 0;
  std::uint64_t lost_responses = 0;
  std::uint64_t crashed_responses = 0;
  std::uint64_t late_responses = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t exhausted = 0;
  std::uint64_t deadline_exceeded = 0;
  std::uint64_t budget_denied = 0;
  std::uint64_t awaiting = 0;

  UntickedCounts& operator+=(const UntickedCounts& more) {
    duplicate_effects += more.duplicate_effects;
    suppressed_effects += more.suppressed_effects;
    lost_responses += more.lost_responses;
    crashed_responses += more.crashed_responses;
    late_responses += more.late_responses;
    timeouts += more.timeouts;
    exhausted += more.exhausted;
    deadline_exceeded += more.deadline_exceeded;
    budget_denied += more.budget_denied;
    awaiting += more.awaiting;
    return *this;
  }
};

class RunTotals {
 public:
  explicit RunTotals(const Plan& plan) : plan_(plan) { summary_.clients = plan.clients; }

  // Adds a tick, and shows its load if it has a record of it.
  void add(const TickLoad& load, const Observers& observers) {
    RETRYGARDEN_CHECK(load.started <= plan_.server.capacity);
    RETRYGARDEN_CHECK(load.queued <= plan_.server.queue);
    summary_.attempts += load.attempts;
    summary_.accepted += load.accepted;
    summary_.overloaded += load.overloaded;
    summary_.unavailable += load.unavailable;
    summary_.lost_requests += load.lost_requests;
    summary_.short_circuited += load.short_circuited;
    summary_.started += load.started;
    summary_.dropped += load.dropped;
    summary_.effects += load.effects;
    summary_.acknowledged += load.acknowledged;
    const std::uint64_t requests = load.accepted + load.overloaded + load.unavailable;
    RETRYGARDEN_CHECK(requests + load.lost_requests + load.short_circuited == load.attempts);
    RETRYGARDEN_PROBE(kEqualPeaks, requests > 0 && requests == summary_.peak_load.requests);
    if (requests > summary_.peak_load.requests) {
      summary_.peak_load = {load.tick, requests};
    }
    if (load.acknowledged > 0) {
      summary_.last_acknowledged_tick = load.tick;
    }
    const bool happened = load.attempts + load.started + load.dropped + load.acknowledged > 0;
    if (happened && observers.tick_load) {
      observers.tick_load(load);
    }
  }

  void add(const UntickedCounts& counts) { counts_ += counts; }

  // When the run has ended.
  Summary summary(WaitTimes& wait_times) {
    summary_.duplicate_effects = counts_.duplicate_effects;
    summary_.suppressed_effects = counts_.suppressed_effects;
    summary_.lost_responses = counts_.lost_responses;
    summary_.crashed_responses = counts_.crashed_responses;
    summary_.late_responses = counts_.late_responses;
    summary_.timeouts = counts_.timeouts;
    summary_.exhausted = counts_.exhausted;
    summary_.deadline_exceeded = counts_.deadline_exceeded;
    summary_.budget_denied = counts_.budget_denied;
    summary_.awaiting = counts_.awaiting;
    const std::uint64_t others = summary_.acknowledged + summary_.exhausted +
                                 summary_.deadline_exceeded + summary_.budget_denied +
                                 summary_.awaiting;
    RETRYGARDEN_CHECK(others <= summary_.clients);
    summary_.scheduled = summary_.clients - others;
    // Whoever is acknowledged was applied once.
    const std::uint64_t applied = summary_.effects - summary_.duplicate_effects;
    RETRYGARDEN_CHECK(summary_.acknowledged <= applied);
    summary_.applied_unacknowledged = applied - summary_.acknowledged;
    summary_.time_to_acknowledge = wait_times.percentiles();
    return summary_;
  }

 private:
  const Plan& plan_;
  Summary summary_;
  UntickedCounts counts_;
};

}  // namespace retrygarden
