// One run of one policy: a queue of events, handled tick by tick and phase by phase (section 4).

#include "simulation.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <memory>
#include <set>
#include <utility>

#include "arrivals.h"
#include "breakers.h"
#include "budgets.h"
#include "delays.h"
#include "losses.h"
#include "server_side.h"

namespace reference_model {
namespace {

// The five phases of a tick. An event never causes one of an earlier phase in its own tick.
enum class Phase { outages, serve, arrive, respond, decide };

// Events are handled in the order of these members.
struct Event {
  std::int64_t tick;
  Phase phase;
  std::uint32_t tie_break_word;  // of an arrival where ties are broken at random, else 0
  std::size_t number;  // outages: of the outage; arrive, decide: of the client; respond: of
                       // the request; serve: 0

  auto operator<=>(const Event&) const = default;
};

class Simulation {
 public:
  Simulation(const Scenario& scenario, const Policy& policy, const DrawSource& draws)
      : scenario_(scenario),
        policy_(policy),
        server_(scenario.server),
        effects_(scenario.server.deduplication),
        losses_(scenario.faults, draws),
        delays_(policy, draws),
        latest_attempts_(static_cast<std::size_t>(scenario.clients)) {
    set_up_hosts();
    set_up_clients(arrival_ticks(scenario, draws));
    for (std::size_t i = 0; i < scenario.server.outages.size(); ++i) {
      events_.insert({scenario.server.outages[i].from, Phase::outages, 0, i});
    }
  }

  // Section 1: "a run observes ticks 0 ... horizon-1".
  Run run() {
    while (!events_.empty() && events_.begin()->tick < scenario_.horizon) {
      handle(events_.extract(events_.begin()).value());
    }
    finish();
    return std::move(run_);
  }

 private:
  // What a client knows of its latest attempt.
  struct LatestAttempt {
    std::size_t request = 0;  // an index into run_.attempts
    bool is_waited_on = false;
  };

  void set_up_hosts() {
    const std::int64_t hosts = host_of(scenario_.clients - 1, scenario_) + 1;
    for (std::int64_t host = 0; host < hosts; ++host) {
      budgets_.push_back(make_host_budget(policy_.budget));
      if (policy_.breaker) {
        breakers_.emplace_back(*policy_.breaker);
      }
    }
  }

  void set_up_clients(const std::vector<std::int64_t>& arrivals) {
    for (const std::int64_t arrival : arrivals) {
      ClientRecord record;
      record.client = static_cast<std::int64_t>(run_.clients.size());
      record.arrival = arrival;
      run_.clients.push_back(record);
      schedule_attempt(run_.clients.back(), arrival);
    }
  }

  void handle(const Event& event) {
    if (event.phase == Phase::outages) {
      begin(scenario_.server.outages[event.number], event.tick);
    } else if (event.phase == Phase::serve) {
      serve(event.tick);
    } else if (event.phase == Phase::arrive) {
      arrive(run_.clients[event.number], event.tick);
    } else if (event.phase == Phase::respond) {
      respond(event.number, event.tick);
    } else {
      decide(run_.clients[event.number], event.tick);
    }
  }

  // ------------------------------------------------------------------------------ 1. Outages

  void begin(const Outage& outage, std::int64_t tick) {
    if (outage.kind == OutageKind::crash) {
      crash(tick);
    }
    if (outage.loses_keys) {
      effects_.lose_keys();
    }
  }

  // "every waiting request is dropped, every request leaves service, and every response that is due
  // in this tick or later and is not lost is crashed"
  void crash(std::int64_t tick) {
    for (const std::size_t request : server_.crash()) {
      run_.attempts[request].dropped_tick = tick;
    }
    for (const std::size_t request : responses_under_way_) {
      run_.attempts[request].response = Response::crashed;
    }
    responses_under_way_.clear();
  }

  // -------------------------------------------------------------------------------- 2. Serve

  void serve(std::int64_t tick) {
    while (server_.can_start(tick) && server_.has_waiting()) {
      const std::size_t request = server_.take_next();
      if (scenario_.server.drop_abandoned && !is_waited_on(request)) {
        run_.attempts[request].dropped_tick = tick;
      } else {
        start(request, tick);
      }
    }
    if (server_.has_waiting()) {
      plan_serving(tick);
    }
  }

  // Whoever waits is served in the first tick in which the server can start a request.
  void plan_serving(std::int64_t tick) {
    if (const std::optional<std::int64_t> next = server_.next_start(tick)) {
      events_.insert({*next, Phase::serve, 0, 0});
    }
  }

  // Section 5: "The effect of a request happens when the server starts it, whole. ... Whether the
  // response will be lost is decided then."
  void start(std::size_t request, std::int64_t tick) {
    AttemptRecord& record = run_.attempts[request];
    server_.start(tick);
    record.started_tick = tick;
    record.effect = effects_.of_start(record.client, tick);
    if (is_executed(record.effect)) {
      ++run_.clients[static_cast<std::size_t>(record.client)].effects;
    }
    if (losses_.loses_response(record.client, record.attempt)) {
      record.response = Response::lost;
    } else {
      responses_under_way_.insert(request);
      events_.insert({tick + scenario_.server.service_ticks, Phase::respond, 0, request});
    }
  }

  // ------------------------------------------------------------------------------- 3. Arrive

  void schedule_attempt(ClientRecord& client, std::int64_t tick) {
    client.next_tick = tick;
    events_.insert({tick, Phase::arrive, tie_break_word(client.client, client.attempts + 1),
                    static_cast<std::size_t>(client.client)});
  }

  // "in ascending client number, or, with tie_break random, in ascending (first word of block 0 for
  // purpose 4 and index k, client number)"
  std::uint32_t tie_break_word(std::int64_t client, std::int64_t attempt) const {
    if (scenario_.server.tie_break == TieBreak::client) {
      return 0;
    }
    return first_word(static_cast<std::uint64_t>(scenario_.seed), tie_break_purpose,
                      static_cast<std::uint32_t>(attempt), static_cast<std::uint64_t>(client));
  }

  void arrive(ClientRecord& client, std::int64_t tick) {
    ++client.attempts;
    client.next_tick.reset();
    budget_of(client).attempt_made(tick, client.client, client.attempts);

    const std::size_t request = run_.attempts.size();
    AttemptRecord record;
    record.tick = tick;
    record.client = client.client;
    record.attempt = client.attempts;
    run_.attempts.push_back(record);
    const Outcome outcome = send(request, tick);
    run_.attempts[request].outcome = outcome;

    const bool waits = reference_model::is_waited_on(outcome);
    latest_attempt_of(client) = {request, waits};
    events_.insert({waits ? tick + policy_.timeout : tick, Phase::decide, 0,
                    static_cast<std::size_t>(client.client)});
  }

  // "the first of these that applies"
  Outcome send(std::size_t request, std::int64_t tick) {
    const AttemptRecord& record = run_.attempts[request];
    if (!breaker_lets_through(record)) {
      return Outcome::short_circuited;
    }
    if (losses_.loses_request(record.client, record.attempt)) {
      return Outcome::request_lost;
    }
    const ServerState state = server_.state(tick);
    if (state == ServerState::refusing) {
      return Outcome::unavailable;
    }
    if (server_.can_start(tick)) {
      start(request, tick);
      return Outcome::accepted;
    }
    if (server_.has_room()) {
      server_.put_into_queue(request);
      plan_serving(tick);
      return Outcome::accepted;
    }
    return state == ServerState::hanging ? Outcome::request_lost : Outcome::overloaded;
  }

  bool breaker_lets_through(const AttemptRecord& record) {
    return !policy_.breaker || breaker_of(record).lets_through(record.tick);
  }

  // ------------------------------------------------------------------------------ 4. Respond

  // "it acknowledges its client if the client waits on that very attempt; else it is late"
  void respond(std::size_t request, std::int64_t tick) {
    if (responses_under_way_.erase(request) == 0) {
      return;  // it crashed
    }
    if (is_waited_on(request)) {
      acknowledge(request, tick);
    } else {
      run_.attempts[request].response = Response::late;
    }
  }

  void acknowledge(std::size_t request, std::int64_t tick) {
    AttemptRecord& record = run_.attempts[request];
    ClientRecord& client = run_.clients[static_cast<std::size_t>(record.client)];
    record.response = Response::acknowledged;
    client.acknowledged_tick = tick;
    latest_attempt_of(client).is_waited_on = false;
    budget_of(client).acknowledged(tick, client.client, record.attempt);
    report_to_breaker(tick, Result::success, record);
    end(client, ClientState::acknowledged);
  }

  // ------------------------------------------------------------------------------- 5. Decide

  void decide(ClientRecord& client, std::int64_t tick) {
    if (client.state == ClientState::acknowledged) {
      return;  // in time, before the timeout
    }
    LatestAttempt& latest = latest_attempt_of(client);
    AttemptRecord& record = run_.attempts[latest.request];
    const Failure failure = latest.is_waited_on ? Failure::timeout : Failure::refusal;
    latest.is_waited_on = false;
    record.failed_tick = tick;
    if (record.outcome != Outcome::short_circuited) {
      budget_of(client).charge_failure(tick);
      report_to_breaker(tick, Result::failure, record);
    }
    retry_or_end(client, record, failure);
  }

  // "then the first of these that applies"
  void retry_or_end(ClientRecord& client, AttemptRecord& failed, Failure failure) {
    if (failed.attempt == policy_.attempts) {
      end(client, ClientState::exhausted);
      return;
    }
    const std::int64_t tick = *failed.failed_tick;
    const std::int64_t due =
        tick + delays_.delay_after(failed.attempt, client.client, hint_with(failed.outcome));
    if (policy_.deadline && due - client.arrival > *policy_.deadline) {
      end(client, ClientState::deadline_exceeded);
      return;
    }
    if (!budget_of(client).permits_retry(tick, client.client, failure)) {
      end(client, ClientState::budget_denied);
      return;
    }
    failed.next_tick = due;
    schedule_attempt(client, due);
  }

  // Section 6: "The server sends it with an outcome unavailable or overloaded when `retry_after` is
  // not 0".
  std::optional<std::int64_t> hint_with(Outcome outcome) const {
    const bool can_have_one = outcome == Outcome::unavailable || outcome == Outcome::overloaded;
    if (!can_have_one || scenario_.server.retry_after == 0) {
      return std::nullopt;
    }
    return scenario_.server.retry_after;
  }

  // --------------------------------------------------------------------------------- clients

  void end(ClientRecord& client, ClientState state) {
    client.state = state;
    budget_of(client).ended(client.client);
  }

  LatestAttempt& latest_attempt_of(const ClientRecord& client) {
    return latest_attempts_[static_cast<std::size_t>(client.client)];
  }

  bool is_waited_on(std::size_t request) const {
    const std::int64_t client = run_.attempts[request].client;
    const LatestAttempt& latest = latest_attempts_[static_cast<std::size_t>(client)];
    return latest.is_waited_on && latest.request == request;
  }

  HostBudget& budget_of(const ClientRecord& client) {
    return *budgets_[static_cast<std::size_t>(host_of(client.client, scenario_))];
  }

  HostBreaker& breaker_of(const AttemptRecord& record) {
    return breakers_[static_cast<std::size_t>(host_of(record.client, scenario_))];
  }

  void report_to_breaker(std::int64_t tick, Result result, const AttemptRecord& record) {
    if (policy_.breaker) {
      breaker_of(record).report(tick, result, record.tick);
    }
  }

  // "When the run ends, a client in no terminal state is awaiting if it waits on an attempt, else
  // scheduled". Attempts are recorded in the order in which they were made; section 8 orders them
  // "by (tick, client), whatever the tie break".
  void finish() {
    for (ClientRecord& client : run_.clients) {
      if (latest_attempt_of(client).is_waited_on) {
        client.state = ClientState::awaiting;
      }
    }
    std::sort(run_.attempts.begin(), run_.attempts.end(),
              [](const AttemptRecord& a, const AttemptRecord& b) {
                return std::pair(a.tick, a.client) < std::pair(b.tick, b.client);
              });
  }

  const Scenario& scenario_;
  const Policy& policy_;
  ServerSide server_;
  Effects effects_;
  Losses losses_;
  DelayRule delays_;
  std::vector<LatestAttempt> latest_attempts_;        // by client
  std::vector<std::unique_ptr<HostBudget>> budgets_;  // by host
  std::vector<HostBreaker> breakers_;                 // by host; empty if the policy has none
  std::set<std::size_t> responses_under_way_;         // of these requests; the lost ones left out
  std::set<Event> events_;                            // an event that is put in twice happens once
  Run run_;
};

}  // namespace

Run simulate(const Scenario& scenario, const Policy& policy, const DrawSource& draws) {
  return Simulation(scenario, policy, draws).run();
}

}  // namespace reference_model
