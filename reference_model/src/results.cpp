// What a run yields (section 8): everything here is counted from the run's records.

#include "results.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace reference_model {
namespace {

using nlohmann::ordered_json;

constexpr Words<Outcome, 5> outcome_words = {{
    {Outcome::accepted, "accepted"},
    {Outcome::overloaded, "overloaded"},
    {Outcome::unavailable, "unavailable"},
    {Outcome::request_lost, "request_lost"},
    {Outcome::short_circuited, "short_circuited"},
}};

constexpr Words<Effect, 4> effect_words = {{
    {Effect::none, "none"},
    {Effect::applied, "applied"},
    {Effect::duplicate, "duplicate"},
    {Effect::suppressed, "suppressed"},
}};

constexpr Words<Response, 5> response_words = {{
    {Response::none, "none"},
    {Response::acknowledged, "acknowledged"},
    {Response::lost, "lost"},
    {Response::late, "late"},
    {Response::crashed, "crashed"},
}};

constexpr Words<ClientState, 6> state_words = {{
    {ClientState::acknowledged, "acknowledged"},
    {ClientState::exhausted, "exhausted"},
    {ClientState::deadline_exceeded, "deadline_exceeded"},
    {ClientState::budget_denied, "budget_denied"},
    {ClientState::awaiting, "awaiting"},
    {ClientState::scheduled, "scheduled"},
}};

// "A value that does not exist is JSON's null."
ordered_json or_null(const std::optional<std::int64_t>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

// How many of the records have a property.
template <typename Record, typename Property>
std::int64_t count(const std::vector<Record>& records, Property property) {
  return std::count_if(records.begin(), records.end(), property);
}

ordered_json attempts_of(const Run& run) {
  ordered_json attempts = ordered_json::array();
  for (const AttemptRecord& record : run.attempts) {
    attempts.push_back({
        {"tick", record.tick},
        {"client", record.client},
        {"attempt", record.attempt},
        {"outcome", word_for(record.outcome, outcome_words)},
        {"started_tick", or_null(record.started_tick)},
        {"dropped_tick", or_null(record.dropped_tick)},
        {"effect", word_for(record.effect, effect_words)},
        {"response", word_for(record.response, response_words)},
        {"failed_tick", or_null(record.failed_tick)},
        {"next_tick", or_null(record.next_tick)},
    });
  }
  return attempts;
}

ordered_json clients_of(const Run& run) {
  ordered_json clients = ordered_json::array();
  for (const ClientRecord& record : run.clients) {
    clients.push_back({
        {"client", record.client},
        {"arrival", record.arrival},
        {"state", word_for(record.state, state_words)},
        {"attempts", record.attempts},
        {"effects", record.effects},
        {"acknowledged_tick", or_null(record.acknowledged_tick)},
        {"next_tick", or_null(record.next_tick)},
    });
  }
  return clients;
}

// What happened in one tick.
struct Load {
  std::map<Outcome, std::int64_t> attempts;  // by outcome
  std::int64_t started = 0;
  std::int64_t dropped = 0;
  std::int64_t effects = 0;
  std::int64_t acknowledged = 0;

  std::int64_t reached_the_server() {
    return attempts[Outcome::accepted] + attempts[Outcome::overloaded] +
           attempts[Outcome::unavailable];
  }
};

// "one record per tick in which an attempt was made, a request was started or dropped, or a client
// was acknowledged"
std::map<std::int64_t, Load> loads_of(const Run& run) {
  std::map<std::int64_t, Load> loads;
  for (const AttemptRecord& record : run.attempts) {
    ++loads[record.tick].attempts[record.outcome];
    if (record.started_tick) {
      Load& load = loads[*record.started_tick];
      ++load.started;
      load.effects += is_executed(record.effect);
    }
    if (record.dropped_tick) {
      ++loads[*record.dropped_tick].dropped;
    }
  }
  for (const ClientRecord& client : run.clients) {
    if (client.acknowledged_tick) {
      ++loads[*client.acknowledged_tick].acknowledged;
    }
  }
  return loads;
}

ordered_json load_of(std::map<std::int64_t, Load> loads) {
  ordered_json list = ordered_json::array();
  std::int64_t queued = 0;
  for (auto& [tick, load] : loads) {
    const std::int64_t accepted = load.attempts[Outcome::accepted];
    const std::int64_t overloaded = load.attempts[Outcome::overloaded];
    const std::int64_t unavailable = load.attempts[Outcome::unavailable];
    const std::int64_t lost_requests = load.attempts[Outcome::request_lost];
    const std::int64_t short_circuited = load.attempts[Outcome::short_circuited];
    // Every accepted request waits until it is started or dropped.
    queued += accepted - load.started - load.dropped;
    list.push_back({
        {"tick", tick},
        {"attempts", accepted + overloaded + unavailable + lost_requests + short_circuited},
        {"accepted", accepted},
        {"overloaded", overloaded},
        {"unavailable", unavailable},
        {"lost_requests", lost_requests},
        {"short_circuited", short_circuited},
        {"started", load.started},
        {"dropped", load.dropped},
        {"effects", load.effects},
        {"acknowledged", load.acknowledged},
        {"queued", queued},
    });
  }
  return list;
}

// "the tick in which most attempts reached the server ..., the earliest on a tie, and their number;
// null and 0 if none ever did"
ordered_json peak_load_of(std::map<std::int64_t, Load> loads) {
  std::optional<std::int64_t> peak_tick;
  std::int64_t peak = 0;
  for (auto& [tick, load] : loads) {
    if (load.reached_the_server() > peak) {
      peak_tick = tick;
      peak = load.reached_the_server();
    }
  }
  return {{"tick", or_null(peak_tick)}, {"requests", peak}};
}

std::optional<std::int64_t> last_acknowledged_tick_of(const Run& run) {
  std::optional<std::int64_t> last;
  for (const ClientRecord& client : run.clients) {
    last = std::max(last, client.acknowledged_tick);  // an absent optional is less than any tick
  }
  return last;
}

// "by nearest rank: of m sorted values, number ceil(p*m/100), counting from 1; each null if m = 0"
ordered_json percentile(const std::vector<std::int64_t>& sorted, std::size_t p) {
  if (sorted.empty()) {
    return nullptr;
  }
  const std::size_t number = (p * sorted.size() + 99) / 100;
  return sorted[number - 1];
}

ordered_json time_to_acknowledge_of(const Run& run) {
  std::vector<std::int64_t> times;
  for (const ClientRecord& client : run.clients) {
    if (client.acknowledged_tick) {
      times.push_back(*client.acknowledged_tick - client.arrival);
    }
  }
  std::sort(times.begin(), times.end());
  return {
      {"p50", percentile(times, 50)},
      {"p90", percentile(times, 90)},
      {"p99", percentile(times, 99)},
      {"max", percentile(times, 100)},
  };
}

ordered_json summary_of(const Run& run) {
  const auto with_outcome = [&](Outcome outcome) {
    return count(run.attempts, [&](const AttemptRecord& r) { return r.outcome == outcome; });
  };
  const auto with_effect = [&](Effect effect) {
    return count(run.attempts, [&](const AttemptRecord& r) { return r.effect == effect; });
  };
  const auto with_response = [&](Response response) {
    return count(run.attempts, [&](const AttemptRecord& r) { return r.response == response; });
  };
  const auto in_state = [&](ClientState state) {
    return count(run.clients, [&](const ClientRecord& c) { return c.state == state; });
  };
  const auto is_started = [](const AttemptRecord& r) { return r.started_tick.has_value(); };
  const auto is_dropped = [](const AttemptRecord& r) { return r.dropped_tick.has_value(); };
  const auto is_timeout = [](const AttemptRecord& r) {
    return r.failed_tick && is_waited_on(r.outcome);
  };
  const auto is_applied_unacknowledged = [](const ClientRecord& c) {
    return c.effects > 0 && c.state != ClientState::acknowledged;
  };
  return {
      {"clients", run.clients.size()},
      {"attempts", run.attempts.size()},
      {"accepted", with_outcome(Outcome::accepted)},
      {"overloaded", with_outcome(Outcome::overloaded)},
      {"unavailable", with_outcome(Outcome::unavailable)},
      {"lost_requests", with_outcome(Outcome::request_lost)},
      {"short_circuited", with_outcome(Outcome::short_circuited)},
      {"started", count(run.attempts, is_started)},
      {"dropped", count(run.attempts, is_dropped)},
      {"effects", with_effect(Effect::applied) + with_effect(Effect::duplicate)},
      {"duplicate_effects", with_effect(Effect::duplicate)},
      {"suppressed_effects", with_effect(Effect::suppressed)},
      {"lost_responses", with_response(Response::lost)},
      {"crashed_responses", with_response(Response::crashed)},
      {"late_responses", with_response(Response::late)},
      {"timeouts", count(run.attempts, is_timeout)},
      {"acknowledged", in_state(ClientState::acknowledged)},
      {"exhausted", in_state(ClientState::exhausted)},
      {"deadline_exceeded", in_state(ClientState::deadline_exceeded)},
      {"budget_denied", in_state(ClientState::budget_denied)},
      {"awaiting", in_state(ClientState::awaiting)},
      {"scheduled", in_state(ClientState::scheduled)},
      {"applied_unacknowledged", count(run.clients, is_applied_unacknowledged)},
      {"peak_load", peak_load_of(loads_of(run))},
      {"last_acknowledged_tick", or_null(last_acknowledged_tick_of(run))},
      {"time_to_acknowledge", time_to_acknowledge_of(run)},
  };
}

}  // namespace

ordered_json result_of(const std::string& policy_name, const Run& run) {
  return {
      {"policy", policy_name},          {"summary", summary_of(run)},
      {"load", load_of(loads_of(run))}, {"attempts", attempts_of(run)},
      {"clients", clients_of(run)},
  };
}

}  // namespace reference_model
