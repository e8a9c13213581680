// RunTotals: a run's summary, added up from its ticks (docs/model.md, section 8).
#pragma once

#include "check.h"
#include "probe.h"
#include "retrygarden/event_loop.h"
#include "wait_times.h"

namespace retrygarden {

// Adds what parts of the clients did in the same tick. The queue is no part's.
inline void add(TickLoad& sum, const TickLoad& more) {
  sum.attempts += more.attempts;
  sum.accepted += more.accepted;
  sum.overloaded += more.overloaded;
  sum.unavailable += more.unavailable;
  sum.lost_requests += more.lost_requests;
  sum.short_circuited += more.short_circuited;
  sum.started += more.started;
  sum.dropped += more.dropped;
  sum.effects += more.effects;
  sum.acknowledged += more.acknowledged;
}

// Adds what the summary counts and no tick's load does; nothing else of `more` is looked at.
inline void add_unticked(Summary& sum, const Summary& more) {
  sum.duplicate_effects += more.duplicate_effects;
  sum.suppressed_effects += more.suppressed_effects;
  sum.lost_responses += more.lost_responses;
  sum.crashed_responses += more.crashed_responses;
  sum.late_responses += more.late_responses;
  sum.timeouts += more.timeouts;
  sum.exhausted += more.exhausted;
  sum.deadline_exceeded += more.deadline_exceeded;
  sum.budget_denied += more.budget_denied;
  sum.awaiting += more.awaiting;
}

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

  // Adds what no tick's load counts.
  void add(const Summary& counts) { add_unticked(summary_, counts); }

  // When the run has ended.
  Summary summary(WaitTimes& wait_times) {
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
};

}  // namespace retrygarden
