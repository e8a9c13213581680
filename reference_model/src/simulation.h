// One run of one policy (sections 3 to 6, 11 and 12) and the facts that it leaves behind
// (section 8).

#ifndef REFERENCE_MODEL_SIMULATION_H
#define REFERENCE_MODEL_SIMULATION_H

#include <cstdint>
#include <optional>
#include <vector>

#include "effects.h"
#include "reference_model/draws.h"
#include "scenario.h"

namespace reference_model {

enum class Outcome { accepted, overloaded, unavailable, request_lost, short_circuited };
enum class Response { none, acknowledged, lost, late, crashed };
enum class ClientState {
  acknowledged,
  exhausted,
  deadline_exceeded,
  budget_denied,
  awaiting,
  scheduled
};

// Section 8, `attempts`.
struct AttemptRecord {
  std::int64_t tick = 0;
  std::int64_t client = 0;
  std::int64_t attempt = 0;
  Outcome outcome = Outcome::accepted;
  std::optional<std::int64_t> started_tick;
  std::optional<std::int64_t> dropped_tick;
  Effect effect = Effect::none;
  Response response = Response::none;
  std::optional<std::int64_t> failed_tick;
  std::optional<std::int64_t> next_tick;
};

// Section 8, `clients`.
struct ClientRecord {
  std::int64_t client = 0;
  std::int64_t arrival = 0;
  ClientState state = ClientState::scheduled;
  std::int64_t attempts = 0;
  std::int64_t effects = 0;
  std::optional<std::int64_t> acknowledged_tick;
  std::optional<std::int64_t> next_tick;
};

struct Run {
  std::vector<AttemptRecord> attempts;  // by (tick, client)
  std::vector<ClientRecord> clients;    // by client
};

// Section 4: "A client waits on an attempt from its sending, if its outcome is accepted or
// request_lost".
constexpr bool is_waited_on(Outcome outcome) {
  return outcome == Outcome::accepted || outcome == Outcome::request_lost;
}

constexpr bool is_executed(Effect effect) {
  return effect == Effect::applied || effect == Effect::duplicate;
}

Run simulate(const Scenario& scenario, const Policy& policy, const DrawSource& draws);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_SIMULATION_H
