// The event loop itself, as a template over the source of its random draws: a run draws by its
// seed, a test may go through all outcomes.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "check.h"
#include "draw.h"
#include "due_attempts.h"
#include "probe.h"
#include "retrygarden/event_loop.h"
#include "wait_times.h"

namespace retrygarden {

// What the server knows of operations (section 5).
class ServerMemory {
 public:
  explicit ServerMemory(const Plan& plan)
      : deduplication_(plan.deduplication), applied_(plan.clients) {
    if (std::holds_alternative<DeduplicationTtl>(deduplication_)) {
      key_stored_.resize(plan.clients);
    }
  }

  // The server starts a request of the client: the effect it has.
  Effect start(Tick tick, Client client) {
    if (!applied_[client]) {
      applied_[client] = true;
      store_key(tick, client);
      return Effect::kApplied;
    }
    if (holds_live_key(tick, client)) {
      return Effect::kSuppressed;
    }
    store_key(tick, client);
    return Effect::kDuplicate;
  }

  static std::uint64_t bytes(const Plan& plan) {
    const bool stores_ticks = std::holds_alternative<DeduplicationTtl>(plan.deduplication);
    return plan.clients / 8 + (stores_ticks ? std::uint64_t{sizeof(Tick)} * plan.clients : 0);
  }

 private:
  // Precondition: the operation was applied, so a key was stored if keys are.
  bool holds_live_key(Tick tick, Client client) const {
    if (const auto* ttl = std::get_if<DeduplicationTtl>(&deduplication_)) {
      const std::uint32_t age = tick - key_stored_[client];
      RETRYGARDEN_PROBE(kKeyJustExpired, age == ttl->ticks);
      RETRYGARDEN_PROBE(kKeyInItsLastTick, age + 1 == ttl->ticks);
      return age < ttl->ticks;
    }
    return std::holds_alternative<DeduplicationForever>(deduplication_);
  }

  void store_key(Tick tick, Client client) {
    if (!key_stored_.empty()) {
      key_stored_[client] = tick;
    }
  }

  Deduplication deduplication_;
  std::vector<bool> applied_;
  std::vector<Tick> key_stored_;  // with a time to live only
};

// The delay before a client's next attempt (section 6).
template <class Draws>
class Delays {
 public:
  Delays(const Plan& plan, Draws& draws)
      : draws_(draws), table_(std::get_if<DelayTable>(&plan.delay)) {
    if (table_ == nullptr) {
      decorrelated_ = std::get<DecorrelatedDelay>(plan.delay);
      previous_.assign(plan.clients, decorrelated_.base);
    }
  }

  std::uint32_t after(DueAttempt due) {
    if (table_ != nullptr) {
      return draws_(table_->after(due.attempt), Purpose::kDelay, due.attempt, due.client);
    }
    std::uint32_t& previous = previous_[due.client];
    const Interval interval{decorrelated_.base, 3 * previous};
    previous =
        std::min(decorrelated_.cap, draws_(interval, Purpose::kDelay, due.attempt, due.client));
    RETRYGARDEN_PROBE(kDecorrelatedAtItsCap, previous == decorrelated_.cap);
    return previous;
  }

 private:
  Draws& draws_;
  const DelayTable* table_;  // null for decorrelated delays
  DecorrelatedDelay decorrelated_;
  std::vector<std::uint32_t> previous_;  // by client, for decorrelated delays
};

// One run. Draws: where delays come from, called like SeededDraws. kRecordsAttempts: attempts are
// sorted and shown to the observer.
template <class Draws, bool kRecordsAttempts>
class EventLoop {
 public:
  EventLoop(const Plan& plan, const Observers& observers, Draws& draws)
      : plan_(plan), observers_(observers), memory_(plan), delays_(plan, draws) {
    summary_.clients = plan.clients;
  }

  Summary run() {
    for (Client client = 0; client < plan_.clients; ++client) {
      due_.add(arrival_tick(plan_, client), {client, 1});
    }
    std::vector<DueAttempt> bucket;
    while (const auto tick = due_.advance()) {
      RETRYGARDEN_CHECK(*tick < plan_.horizon);
      due_.take(bucket);
      handle_tick(*tick, bucket);
    }
    return finished_summary();
  }

 private:
  // Section 4: of the attempts due, in ascending client number, the first `capacity` are accepted.
  void handle_tick(Tick tick, std::vector<DueAttempt>& bucket) {
    const bool down = is_down(tick);
    const std::size_t accepted = down ? 0 : std::min<std::size_t>(bucket.size(), plan_.capacity);
    RETRYGARDEN_PROBE(kCapacityZero, !down && plan_.capacity == 0);
    RETRYGARDEN_PROBE(kCapacityReachedExactly, !down && bucket.size() == plan_.capacity);
    order(bucket, accepted);
    load_ = {.tick = tick,
             .attempts = bucket.size(),
             .accepted = accepted,
             .overloaded = down ? 0 : bucket.size() - accepted,
             .unavailable = down ? bucket.size() : 0};
    for (const DueAttempt due : std::span(bucket).first(accepted)) {
      accept(tick, due);
    }
    const Outcome refusal = down ? Outcome::kUnavailable : Outcome::kOverloaded;
    for (const DueAttempt due : std::span(bucket).subspan(accepted)) {
      fail(tick, due, {.outcome = refusal});
    }
    finish_tick();
  }

  // Attempts of one tick touch nothing in common but the capacity. So when nobody looks at the
  // attempts, it is enough to know which clients are the `accepted` lowest.
  static void order(std::vector<DueAttempt>& bucket, std::size_t accepted) {
    const auto by_client = [](DueAttempt a, DueAttempt b) { return a.client < b.client; };
    if constexpr (kRecordsAttempts) {
      std::sort(bucket.begin(), bucket.end(), by_client);
    } else if (0 < accepted && accepted < bucket.size() &&
               !std::is_sorted(bucket.begin(), bucket.end(), by_client)) {
      RETRYGARDEN_PROBE(kSelectionWithoutSorting, true);
      std::nth_element(bucket.begin(), bucket.begin() + static_cast<std::ptrdiff_t>(accepted),
                       bucket.end(), by_client);
    }
  }

  // Ticks ascend, so the windows that are over never matter again.
  bool is_down(Tick tick) {
    while (next_down_ < plan_.down.size() && plan_.down[next_down_].end <= tick) {
      ++next_down_;
    }
    const bool is_down = next_down_ < plan_.down.size() && plan_.down[next_down_].begin <= tick;
    RETRYGARDEN_PROBE(kOutageBeyondHorizon, is_down && plan_.down[next_down_].end > plan_.horizon);
    return is_down;
  }

  // Section 5: the server handles an accepted attempt.
  void accept(Tick tick, DueAttempt due) {
    const Effect effect = memory_.start(tick, due.client);
    summary_.duplicate_effects += effect == Effect::kDuplicate;
    summary_.suppressed_effects += effect == Effect::kSuppressed;
    load_.effects += effect != Effect::kSuppressed;
    // The first request of a client that the server starts is the one that it applies.
    if (effect == Effect::kApplied && loses_first_response(due.client)) {
      ++summary_.lost_responses;
      fail(tick, due,
           {.outcome = Outcome::kAccepted,
            .started_tick = tick,
            .effect = effect,
            .response = Response::kLost});
      return;
    }
    ++load_.acknowledged;
    wait_times_.add(tick - arrival_tick(plan_, due.client));
    observe(tick, due,
            {.outcome = Outcome::kAccepted,
             .started_tick = tick,
             .effect = effect,
             .response = Response::kAcknowledged});
  }

  bool loses_first_response(Client client) const {
    const auto& lost = plan_.first_response_lost;
    return lost && client % lost->every == lost->offset;
  }

  // Section 4, end: the attempt brought no acknowledgement.
  void fail(Tick tick, DueAttempt due, Attempt record) {
    record.failed_tick = tick;
    if (due.attempt == plan_.attempts) {
      RETRYGARDEN_PROBE(kExhaustedAfterLostResponse, record.response == Response::kLost);
      ++summary_.exhausted;
    } else {
      const Tick next = tick + delays_.after(due);  // below 2^32: the delay is at most 2^31
      RETRYGARDEN_PROBE(kDelayOfTwoToThe30, next - tick >= 1U << 30);
      RETRYGARDEN_PROBE(kNextAttemptAtHorizon, next == plan_.horizon);
      RETRYGARDEN_PROBE(kNextAttemptInLastTick, next + 1 == plan_.horizon);
      RETRYGARDEN_PROBE(kScheduledAfterLostResponse,
                        record.response == Response::kLost && next >= plan_.horizon);
      if (next < plan_.horizon) {
        due_.add(next, {due.client, due.attempt + 1});
      }
      record.next_tick = next;
    }
    observe(tick, due, record);
  }

  void observe(Tick tick, DueAttempt due, Attempt record) {
    if constexpr (kRecordsAttempts) {
      record.tick = tick;
      record.client = due.client;
      record.attempt = due.attempt;
      observers_.attempt(record);
    }
  }

  void finish_tick() {
    RETRYGARDEN_CHECK(load_.accepted <= plan_.capacity);
    RETRYGARDEN_CHECK(load_.acknowledged <= load_.accepted);
    summary_.attempts += load_.attempts;
    summary_.accepted += load_.accepted;
    summary_.overloaded += load_.overloaded;
    summary_.unavailable += load_.unavailable;
    summary_.effects += load_.effects;
    summary_.acknowledged += load_.acknowledged;
    RETRYGARDEN_PROBE(kEqualPeaks, load_.attempts == summary_.peak_load.requests);
    if (load_.attempts > summary_.peak_load.requests) {
      summary_.peak_load = {load_.tick, load_.attempts};
    }
    if (load_.acknowledged > 0) {
      summary_.last_acknowledged_tick = load_.tick;
    }
    if (observers_.tick_load) {
      observers_.tick_load(load_);
    }
  }

  Summary finished_summary() {
    RETRYGARDEN_CHECK(summary_.acknowledged + summary_.exhausted <= summary_.clients);
    summary_.scheduled = summary_.clients - summary_.acknowledged - summary_.exhausted;
    // Whoever is acknowledged was applied once.
    const std::uint64_t applied = summary_.effects - summary_.duplicate_effects;
    RETRYGARDEN_CHECK(summary_.acknowledged <= applied);
    summary_.applied_unacknowledged = applied - summary_.acknowledged;
    summary_.time_to_acknowledge = wait_times_.percentiles();
    return summary_;
  }

  const Plan& plan_;
  const Observers& observers_;
  ServerMemory memory_;
  Delays<Draws> delays_;
  DueAttempts due_;
  WaitTimes wait_times_;
  std::size_t next_down_ = 0;
  TickLoad load_;
  Summary summary_;
};

template <class Draws>
Summary run_with(const Plan& plan, const Observers& observers, Draws& draws) {
  return observers.attempt ? EventLoop<Draws, true>(plan, observers, draws).run()
                           : EventLoop<Draws, false>(plan, observers, draws).run();
}

}  // namespace retrygarden
