// One run of one policy: a queue of events, the server's side (sections 4 and 5) and the clients'.

#include "simulation.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <functional>
#include <queue>
#include <utility>

#include "delays.h"

namespace reference_model {
namespace {

// What happens within a tick, in this order: first the server handles every attempt, then the
// clients learn what became of theirs and decide. A decision never adds to its own tick (every
// delay is at least 1), so this gives what section 4 says attempt by attempt.
enum class Phase { attempt, decision };

// Events are handled in the order of these members. For attempts that is section 4: "The attempts
// due in a tick are handled in ascending client number."
struct Event {
  std::int64_t tick;
  Phase phase;
  std::int64_t client;

  auto operator<=>(const Event&) const = default;
};

using EventQueue = std::priority_queue<Event, std::vector<Event>, std::greater<>>;

// Section 3.
std::int64_t arrival_tick(const Scenario& scenario, std::int64_t client, const DrawSource& draws) {
  return std::visit(Overloaded{
                        [](const BurstArrivals& burst) { return burst.at; },
                        [&](const SpreadArrivals& spread) {
                          const boost::multiprecision::cpp_int product =
                              boost::multiprecision::cpp_int(client) * spread.over;
                          return (product / scenario.clients).convert_to<std::int64_t>();
                        },
                        [&](const RandomArrivals& random) {
                          // "with T = 1 the interval [0, 0] holds one value, and no draw is made"
                          if (random.over == 1) {
                            return std::int64_t{0};
                          }
                          return draws(0, random.over - 1, arrival_purpose, 0,
                                       static_cast<std::uint64_t>(client));
                        },
                    },
                    scenario.arrivals);
}

// What the server knows; never what a client knows.
class ServerSide {
 public:
  explicit ServerSide(const Scenario& scenario)
      : scenario_(scenario), operations_(static_cast<std::size_t>(scenario.clients)) {}

  // Section 4, steps 1 to 3.
  Outcome receive(std::int64_t tick) {
    if (is_down(tick)) {
      return Outcome::unavailable;
    }
    if (tick != capacity_tick_) {
      capacity_tick_ = tick;
      accepted_in_tick_ = 0;
    }
    if (accepted_in_tick_ == scenario_.server.capacity) {
      return Outcome::overloaded;
    }
    ++accepted_in_tick_;
    return Outcome::accepted;
  }

  struct Answer {
    Effect effect;
    Response response;
  };

  // Section 5, for an accepted attempt.
  Answer start(std::int64_t client, std::int64_t tick) {
    Operation& operation = operations_[static_cast<std::size_t>(client)];
    Answer answer{Effect::suppressed, Response::acknowledged};
    if (!key_is_live(operation, tick)) {
      answer.effect = operation.applied ? Effect::duplicate : Effect::applied;
      operation.applied = true;
      operation.key_tick = tick;
    }
    if (response_is_losable(client) && !operation.started) {
      answer.response = Response::lost;
    }
    operation.started = true;
    return answer;
  }

 private:
  struct Operation {
    bool started = false;
    bool applied = false;
    std::optional<std::int64_t> key_tick;  // of the latest effect
  };

  // Section 2: "the server is down in ticks from ... from+ticks-1".
  bool is_down(std::int64_t tick) const {
    for (const Outage& outage : scenario_.server.outages) {
      if (outage.from <= tick && tick <= outage.from + outage.ticks - 1) {
        return true;
      }
    }
    return false;
  }

  // Section 5: "live at tick t with `forever`; with `ttl` it is live while t - s < ticks".
  bool key_is_live(const Operation& operation, std::int64_t tick) const {
    if (!operation.key_tick) {
      return false;
    }
    return std::visit(
        Overloaded{
            [](const NoDeduplication&) { return false; },
            [](const ForeverDeduplication&) { return true; },
            [&](const TtlDeduplication& ttl) { return tick - *operation.key_tick < ttl.ticks; },
        },
        scenario_.server.deduplication);
  }

  // Section 5: "`first_response_lost` is present, client mod every = offset".
  bool response_is_losable(std::int64_t client) const {
    const std::optional<FirstResponseLost>& lost = scenario_.first_response_lost;
    return lost && client % lost->every == lost->offset;
  }

  const Scenario& scenario_;
  std::vector<Operation> operations_;  // by client
  std::int64_t capacity_tick_ = -1;    // the tick that accepted_in_tick_ is about
  std::int64_t accepted_in_tick_ = 0;
};

class Simulation {
 public:
  Simulation(const Scenario& scenario, const Policy& policy, const DrawSource& draws)
      : scenario_(scenario),
        policy_(policy),
        server_(scenario),
        delays_(policy, draws),
        latest_attempts_(static_cast<std::size_t>(scenario.clients)) {
    for (std::int64_t client = 0; client < scenario.clients; ++client) {
      ClientRecord record;
      record.client = client;
      record.arrival = arrival_tick(scenario, client, draws);
      record.next_tick = record.arrival;
      events_.push({record.arrival, Phase::attempt, client});
      run_.clients.push_back(record);
    }
  }

  Run run() {
    // Section 1: "a run observes ticks 0 ... horizon-1". Whoever is left in the queue stays
    // scheduled.
    while (!events_.empty() && events_.top().tick < scenario_.horizon) {
      const Event event = events_.top();
      events_.pop();
      switch (event.phase) {
        case Phase::attempt:
          attempt(event.tick, event.client);
          break;
        case Phase::decision:
          decide(event.tick, event.client);
          break;
      }
    }
    return std::move(run_);
  }

 private:
  // The client sends and the server does its part.
  void attempt(std::int64_t tick, std::int64_t client) {
    ClientRecord& sender = run_.clients[static_cast<std::size_t>(client)];
    ++sender.attempts;
    sender.next_tick.reset();

    AttemptRecord record;
    record.tick = tick;
    record.client = client;
    record.attempt = sender.attempts;
    record.outcome = server_.receive(tick);
    if (record.outcome == Outcome::accepted) {
      const ServerSide::Answer answer = server_.start(client, tick);
      record.started_tick = tick;
      record.effect = answer.effect;
      record.response = answer.response;
      if (answer.effect == Effect::applied || answer.effect == Effect::duplicate) {
        ++sender.effects;
      }
    }
    latest_attempts_[static_cast<std::size_t>(client)] = run_.attempts.size();
    run_.attempts.push_back(record);
    events_.push({tick, Phase::decision, client});
  }

  // Section 4, after the attempt: the client knows whether an acknowledgement arrived, and no more.
  void decide(std::int64_t tick, std::int64_t client) {
    ClientRecord& sender = run_.clients[static_cast<std::size_t>(client)];
    AttemptRecord& record = run_.attempts[latest_attempts_[static_cast<std::size_t>(client)]];
    if (record.response == Response::acknowledged) {
      sender.state = ClientState::acknowledged;
      sender.acknowledged_tick = tick;
      return;
    }
    record.failed_tick = tick;
    if (record.attempt == policy_.attempts) {
      sender.state = ClientState::exhausted;
      return;
    }
    const std::int64_t next_tick = tick + delays_.delay_after(record.attempt, client);
    record.next_tick = next_tick;
    sender.next_tick = next_tick;
    events_.push({next_tick, Phase::attempt, client});
  }

  const Scenario& scenario_;
  const Policy& policy_;
  ServerSide server_;
  DelayRule delays_;
  EventQueue events_;
  Run run_;
  std::vector<std::size_t> latest_attempts_;  // by client, an index into run_.attempts
};

}  // namespace

Run simulate(const Scenario& scenario, const Policy& policy, const DrawSource& draws) {
  return Simulation(scenario, policy, draws).run();
}

}  // namespace reference_model
