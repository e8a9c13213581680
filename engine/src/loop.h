// The event loop, as a template over the source of its random draws: a run draws by its seed, a
// test may go through all outcomes.
//
// A tick is handled whole. PhasedTicks goes through its five phases (docs/model.md, section 4) one
// after the other. Where attempts are decided in their tick, and touch nothing that others touch
// but the capacity, ShortTicks takes each through all phases at once.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "attempt_records.h"
#include "check.h"
#include "circuit_breakers.h"
#include "delays.h"
#include "draw.h"
#include "due_attempt.h"
#include "fifo.h"
#include "probe.h"
#include "request_server.h"
#include "retry_budgets.h"
#include "retrygarden/event_loop.h"
#include "run_totals.h"
#include "server_memory.h"
#include "short_ticks.h"
#include "sort_by_client.h"
#include "timing_wheel.h"
#include "wait_times.h"

namespace retrygarden {

// An attempt on its way, and its record if somebody looks at attempts.
template <bool kRecords>
struct Request {
  Client client;
  std::uint32_t attempt;

  DueAttempt due() const { return {client, attempt}; }
};
template <>
struct Request<true> {
  Client client;
  std::uint32_t attempt;
  AttemptRecords::Id record;

  DueAttempt due() const { return {client, attempt}; }
};

// One run. Draws: where random words come from, called like SeededDraws. kRecords: attempts are
// recorded and shown to the observers.
template <class Draws, bool kRecords>
class PhasedTicks {
 public:
  PhasedTicks(const Plan& plan, const Observers& observers, Draws& draws)
      : plan_(plan),
        observers_(observers),
        draws_(draws),
        server_(plan),
        memory_(plan, plan.clients),
        delays_(plan, draws, 0, plan.clients),
        budgets_(plan),
        breakers_(plan),
        crashes_(plan.crashes),
        key_losses_(plan.key_losses),
        totals_(plan),
        waits_on_(plan.clients) {}

  Summary run() {
    for (Client client = 0; client < plan_.clients; ++client) {
      due_.add(arrival_tick(plan_, client), {client, 1});
    }
    while (const auto tick = next_tick()) {
      RETRYGARDEN_CHECK(*tick < plan_.horizon);
      now_ = *tick;
      load_ = {.tick = now_};
      server_.begin_tick(now_);
      begin_outages();
      serve();
      arrive();
      respond();
      decide();
      finish_tick();
    }
    if constexpr (kRecords) {
      records_.show_all([this](const Attempt& record) { show(record); });
    }
    counts_.awaiting = awaiting_;
    totals_.add(counts_);
    return totals_.summary(wait_times_);
  }

 private:
  struct Sent {
    Tick tick;
    Request<kRecords> request;
  };
  struct Failure {
    Request<kRecords> request;
    Outcome outcome;
    bool is_timeout;
  };

  // The next tick in which anything can happen; its due attempts are then in bucket_.
  std::optional<Tick> next_tick() {
    const Tick event = next_event();
    const auto due = due_.advance(std::min(event, plan_.horizon - 1));
    bucket_.clear();
    if (due) {
      bucket_.reserve(due_.count());
      due_.take([this](std::span<const DueAttempt> some) {
        bucket_.insert(bucket_.end(), some.begin(), some.end());
      });
      return due;
    }
    return event < plan_.horizon ? std::optional(event) : std::nullopt;
  }

  // The next tick in which something other than attempts can happen.
  Tick next_event() const {
    const Tick timeout = sent_.empty() ? kNever : sent_.front().tick + plan_.timeout;
    return std::min({server_.next_event(), timeout, crashes_.next(), key_losses_.next()});
  }

  static constexpr std::size_t kMostAtOnce = Delays<Draws>::kMostAtOnce;
  static constexpr std::size_t kAhead = 16;  // clients

  // Phase 1.
  void begin_outages() {
    if (crashes_.take(now_)) {
      server_.crash([this](const Request<kRecords>& request) { drop(request); },
                    [this](const Request<kRecords>& request) {
                      ++counts_.crashed_responses;
                      finish_response(request, Response::kCrashed);
                    });
    }
    if (key_losses_.take(now_)) {
      memory_.lose_keys(now_);
    }
  }

  // Phase 2.
  void serve() {
    while (server_.waiting() > 0 && server_.can_start()) {
      const Request<kRecords> request = server_.take_next();
      if (plan_.server.drop_abandoned && !waits_on(request)) {
        drop(request);
      } else {
        start(request);
      }
    }
  }

  void drop(const Request<kRecords>& request) {
    ++load_.dropped;
    if constexpr (kRecords) {
      records_[request.record].dropped_tick = now_;
      records_.server_is_done(request.record);
    }
  }

  // Section 5: the server starts a request.
  void start(const Request<kRecords>& request) {
    ++load_.started;
    const Effect effect = apply(request.client);
    const bool is_lost = loses_response(request, effect == Effect::kApplied);
    counts_.lost_responses += is_lost;
    server_.start(request, is_lost);
    if constexpr (kRecords) {
      Attempt& record = records_[request.record];
      record.started_tick = now_;
      record.effect = effect;
      if (is_lost) {
        finish_response(request, Response::kLost);
      }
    }
  }

  // Phase 3.
  void arrive() {
    load_.attempts = bucket_.size();
    const std::span<const Request<kRecords>> requests = requests_in_order();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (i + kAhead < requests.size()) {
        will_look_at(requests[i + kAhead].client);
      }
      const Request<kRecords>& request = requests[i];
      if (request.attempt == 1) {
        budgets_.first_attempt(now_, request.client);
      }
      const Outcome outcome = send(request);
      if constexpr (kRecords) {
        records_[request.record].outcome = outcome;
      }
      if (outcome == Outcome::kAccepted || outcome == Outcome::kRequestLost) {
        waits_on_[request.client] = request.attempt;
        sent_.push_back({now_, request});
        ++awaiting_;
      } else {
        failures_.push_back({request, outcome, false});
      }
    }
  }

  // The attempts due, as requests with their records, in the order in which they are made.
  std::span<const Request<kRecords>> requests_in_order() {
    sort_by_client(bucket_, scratch_);
    requests_.clear();
    for (const DueAttempt due : bucket_) {
      if constexpr (kRecords) {
        requests_.push_back(
            {due.client, due.attempt,
             records_.add({.tick = now_, .client = due.client, .attempt = due.attempt})});
      } else {
        requests_.push_back({due.client, due.attempt});
      }
    }
    if (plan_.server.tie_break == TieBreak::kRandom) {
      shuffle_requests();
    }
    return requests_;
  }

  void shuffle_requests() {
    words_.clear();
    for (const Request<kRecords>& request : requests_) {
      words_.push_back({tie_break_word(plan_.seed, request.attempt, request.client), request});
    }
    std::sort(words_.begin(), words_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.first, a.second.client) < std::pair(b.first, b.second.client);
    });
    std::transform(words_.begin(), words_.end(), requests_.begin(),
                   [](const auto& word) { return word.second; });
  }

  Outcome send(const Request<kRecords>& request) {
    if (!breakers_.lets_through(now_, request.client)) {
      ++load_.short_circuited;
      return Outcome::kShortCircuited;
    }
    if (is_lost(plan_.faults.request_loss, Purpose::kRequestLoss, request)) {
      ++load_.lost_requests;
      return Outcome::kRequestLost;
    }
    if (server_.is_refusing()) {
      ++load_.unavailable;
      return Outcome::kUnavailable;
    }
    if (server_.can_start()) {
      begin_request(request);
      start(request);
      return Outcome::kAccepted;
    }
    if (server_.has_place_in_queue()) {
      begin_request(request);
      server_.put_in_queue(request);
      return Outcome::kAccepted;
    }
    if (server_.is_hanging()) {
      ++load_.lost_requests;
      return Outcome::kRequestLost;
    }
    ++load_.overloaded;
    return Outcome::kOverloaded;
  }

  void begin_request(const Request<kRecords>& request) {
    ++load_.accepted;
    if constexpr (kRecords) {
      records_.server_begins(request.record);
    }
  }

  // Phase 4.
  void respond() {
    const auto& responses = server_.responses();
    for (std::size_t i = 0; i < responses.size(); ++i) {
      if (i + kAhead < responses.size()) {
        will_look_at(responses[i + kAhead].request.client);
      }
      const auto& response = responses[i];
      const Request<kRecords>& request = response.request;
      if (response.is_lost) {
        continue;
      }
      if (!waits_on(request)) {
        ++counts_.late_responses;
        finish_response(request, Response::kLate);
        continue;
      }
      give_up_waiting(request);
      budgets_.acknowledged(now_, request.client, request.attempt);
      breakers_.succeeded(request.client);
      acknowledge(request.client);
      finish_response(request, Response::kAcknowledged);
      finish_client(request);
    }
    server_.clear_responses();
  }

  // Phase 5.
  void decide() {
    time_out();
    const auto by_client = [](const Failure& a, const Failure& b) {
      return a.request.client < b.request.client;
    };
    if (plan_.server.tie_break == TieBreak::kRandom) {
      std::sort(failures_.begin(), failures_.end(), by_client);
      std::sort(timed_out_.begin(), timed_out_.end(), by_client);
    }
    if (!timed_out_.empty()) {  // both kinds come by client
      merged_.resize(failures_.size() + timed_out_.size());
      std::merge(failures_.begin(), failures_.end(), timed_out_.begin(), timed_out_.end(),
                 merged_.begin(), by_client);
      failures_.swap(merged_);
      timed_out_.clear();
    }
    for (std::span<const Failure> rest(failures_); !rest.empty();) {
      const std::span<const Failure> some = rest.first(std::min(rest.size(), kMostAtOnce));
      rest = rest.subspan(some.size());
      decide_on(some);
    }
    failures_.clear();
  }

  void time_out() {
    while (!sent_.empty() && sent_.front().tick + plan_.timeout == now_) {
      if (sent_.size() > kAhead) {
        will_look_at(sent_[kAhead].request.client);
      }
      const Request<kRecords> request = sent_.take_front().request;
      if (waits_on(request)) {
        ++counts_.timeouts;
        give_up_waiting(request);
        timed_out_.push_back({request, Outcome::kAccepted, true});
      }
    }
  }

  // The delays of all of them are determined at once: they depend on nothing that is decided here.
  void decide_on(std::span<const Failure> failures) {
    std::array<DueAttempt, kMostAtOnce> due;        // NOLINT(*-member-init)
    std::array<std::uint32_t, kMostAtOnce> delays;  // NOLINT(*-member-init)
    std::size_t count = 0;
    for (const Failure& failure : failures) {
      if (has_delay(failure)) {
        due[count++] = failure.request.due();
      }
    }
    delays_.after(std::span(due).first(count), std::span(delays).first(count));
    const std::uint32_t* next_delay = delays.data();
    for (const Failure& failure : failures) {
      decide_on(failure, has_delay(failure) ? *next_delay++ : 0);
    }
  }

  // Whether a delay is determined after it: not if the client is exhausted, nor where the hint
  // replaces the delay.
  bool has_delay(const Failure& failure) const {
    const bool is_replaced =
        plan_.on_retry_after == OnRetryAfter::kReplace && hint_after(failure) > 0;
    return failure.request.attempt != plan_.attempts && !is_replaced;
  }

  // What the server sends with the failure (section 6); 0 if nothing.
  std::uint32_t hint_after(const Failure& failure) const {
    const bool is_refused =
        failure.outcome == Outcome::kUnavailable || failure.outcome == Outcome::kOverloaded;
    return is_refused ? plan_.server.retry_after : 0;
  }

  void decide_on(const Failure& failure, std::uint32_t delay) {
    const Request<kRecords>& request = failure.request;
    if (failure.outcome != Outcome::kShortCircuited) {
      budgets_.failed(now_, request.client);
      breakers_.failed(now_, request.client);
    }
    const std::optional<Tick> next = next_attempt_after(failure, delay);
    if constexpr (kRecords) {
      records_[request.record].failed_tick = now_;
      records_[request.record].next_tick = next;
    }
    finish_client(request);
  }

  // The tick of the next attempt; nothing if the client stops.
  std::optional<Tick> next_attempt_after(const Failure& failure, std::uint32_t delay) {
    const Request<kRecords>& request = failure.request;
    if (request.attempt == plan_.attempts) {
      return stop(request.client, ClientState::kExhausted, counts_.exhausted);
    }
    delay = with_hint(delay, failure);
    if (plan_.deadline && now_ - arrival_tick(plan_, request.client) + delay > *plan_.deadline) {
      return stop(request.client, ClientState::kDeadlineExceeded, counts_.deadline_exceeded);
    }
    if (!budgets_.permits_retry(now_, request.client, failure.is_timeout)) {
      return stop(request.client, ClientState::kBudgetDenied, counts_.budget_denied);
    }
    return schedule(request.due(), delay);
  }

  // Section 6: what the policy makes of the delay and the hint.
  std::uint32_t with_hint(std::uint32_t delay, const Failure& failure) const {
    const std::uint32_t hint = hint_after(failure);
    RETRYGARDEN_PROBE(kHintIsLonger, hint > delay);
    if (plan_.on_retry_after == OnRetryAfter::kReplace && hint > 0) {
      return hint;
    }
    return plan_.on_retry_after == OnRetryAfter::kAtLeast ? std::max(delay, hint) : delay;
  }

  Effect apply(Client client) {
    const Effect effect = memory_.start(now_, client);
    counts_.duplicate_effects += effect == Effect::kDuplicate;
    counts_.suppressed_effects += effect == Effect::kSuppressed;
    load_.effects += effect != Effect::kSuppressed;
    return effect;
  }

  bool loses_first_response(Client client) const {
    const auto& lost = plan_.faults.first_response_lost;
    return lost && client % lost->every == lost->offset;
  }

  bool loses_response(const Request<kRecords>& request, bool is_first) {
    return (is_first && loses_first_response(request.client)) ||
           is_lost(plan_.faults.response_loss, Purpose::kResponseLoss, request);
  }

  bool is_lost(Fraction probability, Purpose purpose, const Request<kRecords>& request) {
    constexpr Interval kMillionths{0, Fraction::kOne - 1};
    return probability > Fraction() &&
           draws_(kMillionths, purpose, request.attempt, request.client) < probability.millionths();
  }

  void acknowledge(Client client) {
    ++load_.acknowledged;
    wait_times_.add(now_ - arrival_tick(plan_, client));
    end(client, ClientState::kAcknowledged);
  }

  // The client reaches a terminal state without an acknowledgement; count is where it is counted.
  std::nullopt_t stop(Client client, ClientState state, std::uint64_t& count) {
    ++count;
    budgets_.stopped(client);
    end(client, state);
    return std::nullopt;
  }

  void end(Client client, ClientState state) {
    if constexpr (kRecords) {
      if (observers_.client_end) {
        observers_.client_end({client, state, now_});
      }
    }
  }

  Tick schedule(DueAttempt due, std::uint32_t delay) {
    const Tick next = now_ + delay;  // below 2^32: the delay is at most 2^31
    RETRYGARDEN_PROBE(kDelayOfTwoToThe30, delay >= 1U << 30);
    RETRYGARDEN_PROBE(kNextAttemptAtHorizon, next == plan_.horizon);
    RETRYGARDEN_PROBE(kNextAttemptInLastTick, next + 1 == plan_.horizon);
    if (next < plan_.horizon) {
      due_.add(next, {due.client, due.attempt + 1});
    }
    return next;
  }

  // Fetches from memory what is known of a client whose turn comes in a while: the clients of a
  // tick lie far apart, and waiting for each took half of the time of a large retry storm.
  void will_look_at(Client client) const { __builtin_prefetch(&waits_on_[client], 1); }

  bool waits_on(const Request<kRecords>& request) const {
    return waits_on_[request.client] == request.attempt;
  }

  void give_up_waiting(const Request<kRecords>& request) {
    waits_on_[request.client] = 0;
    --awaiting_;
  }

  void finish_response(const Request<kRecords>& request, Response response) {
    if constexpr (kRecords) {
      records_[request.record].response = response;
      records_.server_is_done(request.record);
    }
  }

  void finish_client(const Request<kRecords>& request) {
    if constexpr (kRecords) {
      records_.client_is_done(request.record);
    }
  }

  void show(const Attempt& record) {
    if (observers_.attempt) {
      observers_.attempt(record);
    }
  }

  void finish_tick() {
    load_.queued = server_.waiting();
    totals_.add(load_, observers_);
    if constexpr (kRecords) {
      records_.show_finished([this](const Attempt& record) { show(record); });
    }
  }

  const Plan& plan_;
  const Observers& observers_;
  Draws& draws_;
  RequestServer<Request<kRecords>> server_;
  ServerMemory memory_;
  Delays<Draws> delays_;
  RetryBudgets budgets_;
  CircuitBreakers breakers_;
  ComingTicks crashes_;
  ComingTicks key_losses_;
  TimingWheel<DueAttempt> due_;
  WaitTimes wait_times_;
  Tick now_ = 0;
  TickLoad load_;
  Summary counts_;  // what no load counts
  RunTotals totals_;
  std::vector<DueAttempt> bucket_;  // the attempts of this tick
  std::vector<DueAttempt> scratch_;
  std::vector<std::uint32_t> waits_on_;  // by client: the attempt that it waits on, or 0
  std::uint64_t awaiting_ = 0;           // clients that wait on an attempt
  Fifo<Sent> sent_;                      // what can time out, and what was answered since
  std::vector<Request<kRecords>> requests_;
  std::vector<std::pair<std::uint32_t, Request<kRecords>>> words_;
  std::vector<Failure> failures_;
  std::vector<Failure> timed_out_;
  std::vector<Failure> merged_;
  AttemptRecords records_;
};

template <class Draws, bool kRecords>
Summary run_with(const Plan& plan, const Observers& observers, Draws& draws,
                 const Workers& workers) {
  return plan.needs_phases() ? PhasedTicks<Draws, kRecords>(plan, observers, draws).run()
                             : ShortTicks<Draws, kRecords>(plan, observers, draws, workers).run();
}

template <class Draws>
Summary run_with(const Plan& plan, const Observers& observers, Draws& draws,
                 const Workers& workers = {}) {
  return observers.attempt || observers.client_end
             ? run_with<Draws, true>(plan, observers, draws, workers)
             : run_with<Draws, false>(plan, observers, draws, workers);
}

}  // namespace retrygarden
