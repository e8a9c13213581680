// PhasedShard: clients with neighbouring numbers, in a run whose ticks go through all five phases
// (docs/model.md, section 4).
//
// What clients share beyond their hosts is the server: how many requests it can start, and the
// places in its queue. PhasedTicks tells each shard how many of its requests get them, which are
// the first of a tick; all else a shard does by itself, so shards may be taken at the same time.
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
#include "client_span.h"
#include "coming_clients.h"
#include "delays.h"
#include "draw.h"
#include "due_attempt.h"
#include "fifo.h"
#include "fifo_by_tick.h"
#include "probe.h"
#include "retry_budgets.h"
#include "retrygarden/event_loop.h"
#include "run_totals.h"
#include "server_memory.h"
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

// What becomes of the requests of a tick that reach the server, in their order: so many are
// started, so many of the others are put in its queue, and the rest end in that outcome.
struct Reception {
  std::uint32_t starts = 0;
  std::uint32_t queued = 0;
  Outcome rest = Outcome::kOverloaded;
};

// Draws: where random words come from, called like SeededDraws. kRecords: attempts are recorded.
template <class Draws, bool kRecords>
class PhasedShard {
 public:
  // Precondition: where hosts share something, they are whole.
  PhasedShard(const Plan& plan, Draws& draws, ClientSpan clients)
      : plan_(plan),
        draws_(draws),
        begin_(clients.begin),
        memory_(plan, clients.size()),
        delays_(plan, draws, clients.begin, clients.end),
        budgets_(plan, Hosts(plan, clients)),
        breakers_(plan, Hosts(plan, clients)),
        may_not_reach_(may_not_reach_server(plan)),
        coming_(plan, clients.begin, clients.end),
        waits_on_(clients.size()) {
    if (!ComingClients::are_known(plan)) {
      for (Client client = clients.begin; client < clients.end; ++client) {
        due_.add(arrival_tick(plan_, client), {client, 1});
      }
    }
    advance();
  }

  // Whether it takes more than the count of attempts to know how many reach the server.
  static bool may_not_reach_server(const Plan& plan) {
    return plan.breaker.has_value() || plan.faults.request_loss > Fraction();
  }

  // The next tick in which attempts are due or time out; at the horizon or later if there is none.
  Tick next_tick() const { return next_; }
  // How many are due in the tick, which is not after next_tick().
  std::size_t due(Tick tick) const { return tick == next_ ? count_due_ : 0; }
  // How much there is to do in the tick, about.
  std::size_t work(Tick tick) const {
    return due(tick) + in_service_.count(tick) + (next_ == tick ? sent_.size() : 0);
  }

  // A tick goes through these, in this order. Phase 1:
  void begin_tick(Tick tick, bool crashes, bool loses_keys) {
    now_ = tick;
    load_ = {.tick = now_};
    if (crashes) {
      crash();
    }
    if (loses_keys) {
      memory_.lose_keys(now_);
    }
  }

  // Phase 2: takes so many requests out of the queue, by the discipline.
  void drop_waiting(std::uint32_t requests) {
    for (; requests > 0; --requests) {
      drop(take_waiting());
    }
  }
  void start_waiting(std::uint32_t requests) {
    for (; requests > 0; --requests) {
      start(take_waiting());
    }
  }

  // Phase 3, up to the server: how many requests reach it.
  std::uint64_t send() {
    take_due();
    load_.attempts = requests_.size();
    if (!may_not_reach_) {
      return requests_.size();
    }
    outcomes_.clear();
    for (const Request<kRecords>& request : requests_) {
      outcomes_.push_back(send(request));
    }
    return load_.attempts - load_.short_circuited - load_.lost_requests;
  }

  // The rest of phase 3, and phases 4 and 5.
  void finish_tick(Reception reception) {
    arrive(reception);
    respond();
    decide();
    if (next_ == now_) {
      advance();
    }
  }

  // Of the tick.
  const TickLoad& load() const { return load_; }

  // Of all ticks, what no load counts.
  Summary counts() const {
    Summary counts = counts_;
    counts.awaiting = awaiting_;
    return counts;
  }
  WaitTimes& wait_times() { return wait_times_; }

  // Where they are recorded: the attempts that are not finished, or wait for those.
  AttemptRecords& records() { return records_; }

  // Likewise: gives the clients that came to their end since this was called last.
  template <class Take>
  void take_ends(Take take) {
    std::for_each(ends_.begin(), ends_.end(), take);
    ends_.clear();
  }

 private:
  struct Response {
    Request<kRecords> request;
    bool is_lost;
  };
  struct Failure {
    Request<kRecords> request;
    Outcome outcome;
    bool is_timeout;
  };

  static constexpr std::size_t kMostAtOnce = Delays<Draws>::kMostAtOnce;
  static constexpr std::size_t kAhead = 16;  // clients

  // Finds the next tick. Attempts are only ever scheduled in ticks that next_tick() named, so the
  // wheel may go there.
  void advance() {
    const Tick timeout = sent_.empty() ? kNever : sent_.front_tick() + plan_.timeout;
    const Tick other = std::min(timeout, coming_.next());
    const auto due = due_.advance(std::min(other, plan_.horizon - 1));
    next_ = due.value_or(other);
    while (next_ != kNever && coming_.next() == next_) {
      const DueRange range = coming_.take();
      for (Client client = range.begin; client < range.end; ++client) {
        due_.add(next_, {client, 1});
      }
    }
    count_due_ = next_ < plan_.horizon ? due_.count() : 0;
  }

  void crash() {
    RETRYGARDEN_PROBE(kCrashWithResponseDue, in_service_.count(now_) > 0);
    while (!waiting_.empty()) {
      drop(waiting_.take_front());
    }
    while (!in_service_.empty()) {
      const Response response = in_service_.take_front();
      if (!response.is_lost) {
        ++counts_.crashed_responses;
        finish_response(response.request, retrygarden::Response::kCrashed);
      }
    }
  }

  Request<kRecords> take_waiting() {
    return plan_.server.discipline == Discipline::kFifo ? waiting_.take_front()
                                                        : waiting_.take_back();
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
    in_service_.push_back(now_ + plan_.server.service_ticks, {request, is_lost});
    if constexpr (kRecords) {
      Attempt& record = records_[request.record];
      record.started_tick = now_;
      record.effect = effect;
      if (is_lost) {
        finish_response(request, retrygarden::Response::kLost);
      }
    }
  }

  // The attempts due, as requests with their records, in the order in which they are made.
  void take_due() {
    requests_.clear();
    if (due(now_) == 0) {
      return;
    }
    bucket_.clear();
    bucket_.reserve(count_due_);
    due_.take([this](std::span<const DueAttempt> some) {
      bucket_.insert(bucket_.end(), some.begin(), some.end());
    });
    sort_by_client(bucket_, scratch_);
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

  // What becomes of the request before it reaches the server; accepted stands for nothing.
  Outcome send(const Request<kRecords>& request) {
    if (!breakers_.lets_through(now_, request.client)) {
      ++load_.short_circuited;
      return Outcome::kShortCircuited;
    }
    if (is_lost(plan_.faults.request_loss, Purpose::kRequestLoss, request)) {
      ++load_.lost_requests;
      return Outcome::kRequestLost;
    }
    return Outcome::kAccepted;
  }

  void arrive(Reception reception) {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (i + kAhead < requests_.size()) {
        will_look_at(requests_[i + kAhead].client);
      }
      const Request<kRecords>& request = requests_[i];
      if (request.attempt == 1) {
        budgets_.first_attempt(now_, request.client);
      }
      const bool reaches = !may_not_reach_ || outcomes_[i] == Outcome::kAccepted;
      const Outcome outcome = reaches ? receive(request, reception) : outcomes_[i];
      if constexpr (kRecords) {
        records_[request.record].outcome = outcome;
      }
      if (outcome == Outcome::kAccepted || outcome == Outcome::kRequestLost) {
        waits_on_[request.client - begin_] = request.attempt;
        sent_.push_back(now_, request);
        ++awaiting_;
      } else {
        failures_.push_back({request, outcome, false});
      }
    }
  }

  Outcome receive(const Request<kRecords>& request, Reception& reception) {
    if (reception.starts > 0) {
      --reception.starts;
      begin_request(request);
      start(request);
      return Outcome::kAccepted;
    }
    if (reception.queued > 0) {
      --reception.queued;
      begin_request(request);
      waiting_.push_back(request);
      return Outcome::kAccepted;
    }
    load_.unavailable += reception.rest == Outcome::kUnavailable;
    load_.lost_requests += reception.rest == Outcome::kRequestLost;
    load_.overloaded += reception.rest == Outcome::kOverloaded;
    return reception.rest;
  }

  void begin_request(const Request<kRecords>& request) {
    ++load_.accepted;
    if constexpr (kRecords) {
      records_.server_begins(request.record);
    }
  }

  // Phase 4.
  void respond() {
    for (std::size_t responses = in_service_.count(now_); responses > 0; --responses) {
      if (responses > kAhead) {
        will_look_at(in_service_[kAhead].request.client);
      }
      const Response response = in_service_.take_front();
      if (!response.is_lost) {
        respond_to(response.request);
      }
    }
  }

  void respond_to(const Request<kRecords>& request) {
    if (!waits_on(request)) {
      ++counts_.late_responses;
      finish_response(request, retrygarden::Response::kLate);
      return;
    }
    give_up_waiting(request);
    budgets_.acknowledged(now_, request.client, request.attempt);
    breakers_.succeeded(request.client);
    acknowledge(request.client);
    finish_response(request, retrygarden::Response::kAcknowledged);
    finish_client(request);
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
    if (now_ < plan_.timeout) {
      return;
    }
    for (std::size_t sent = sent_.count(now_ - plan_.timeout); sent > 0; --sent) {
      if (sent > kAhead) {
        will_look_at(sent_[kAhead].client);
      }
      const Request<kRecords> request = sent_.take_front();
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
    const Effect effect = memory_.start(now_, client - begin_);
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
      ends_.push_back({client, state, now_});
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
  void will_look_at(Client client) const { __builtin_prefetch(&waits_on_[client - begin_], 1); }

  bool waits_on(const Request<kRecords>& request) const {
    return waits_on_[request.client - begin_] == request.attempt;
  }

  void give_up_waiting(const Request<kRecords>& request) {
    waits_on_[request.client - begin_] = 0;
    --awaiting_;
  }

  void finish_response(const Request<kRecords>& request, retrygarden::Response response) {
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

  const Plan& plan_;
  Draws& draws_;
  Client begin_;
  ServerMemory memory_;
  Delays<Draws> delays_;
  RetryBudgets budgets_;
  CircuitBreakers breakers_;
  bool may_not_reach_;
  ComingClients coming_;
  TimingWheel<DueAttempt> due_;
  WaitTimes wait_times_;
  Tick now_ = 0;
  Tick next_ = 0;
  std::size_t count_due_ = 0;  // in next_
  TickLoad load_;
  Summary counts_;                  // what no load counts
  std::vector<DueAttempt> bucket_;  // the attempts of this tick
  std::vector<DueAttempt> scratch_;
  std::vector<Request<kRecords>> requests_;
  std::vector<Outcome> outcomes_;        // of requests_, where they may not reach the server
  std::vector<std::uint32_t> waits_on_;  // by client: the attempt that it waits on, or 0
  std::uint64_t awaiting_ = 0;           // clients that wait on an attempt
  FifoByTick<Request<kRecords>> sent_;   // what can time out, and what was answered since
  Fifo<Request<kRecords>> waiting_;      // in the server's queue
  FifoByTick<Response> in_service_;      // by the ticks in which the responses are due
  std::vector<std::pair<std::uint32_t, Request<kRecords>>> words_;
  std::vector<Failure> failures_;
  std::vector<Failure> timed_out_;
  std::vector<Failure> merged_;
  AttemptRecords records_;
  std::vector<ClientEnd> ends_;
};

}  // namespace retrygarden
