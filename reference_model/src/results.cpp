// What a run yields (section 8): everything here is counted from the run's records.

#include "results.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace reference_model {
namespace {

using nlohmann::ordered_json;

// "A value that does not exist is JSON's null."
ordered_json or_null(const std::optional<std::int64_t>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

const char* word(Outcome outcome) {
  switch (outcome) {
    case Outcome::accepted:
      return "accepted";
    case Outcome::overloaded:
      return "overloaded";
    case Outcome::unavailable:
      return "unavailable";
  }
  return nullptr;
}

const char* word(Effect effect) {
  switch (effect) {
    case Effect::none:
      return "none";
    case Effect::applied:
      return "applied";
    case Effect::duplicate:
      return "duplicate";
    case Effect::suppressed:
      return "suppressed";
  }
  return nullptr;
}

const char* word(Response response) {
  switch (response) {
    case Response::none:
      return "none";
    case Response::acknowledged:
      return "acknowledged";
    case Response::lost:
      return "lost";
  }
  return nullptr;
}

const char* word(ClientState state) {
  switch (state) {
    case ClientState::acknowledged:
      return "acknowledged";
    case ClientState::exhausted:
      return "exhausted";
    case ClientState::scheduled:
      return "scheduled";
  }
  return nullptr;
}

ordered_json attempts_of(const Run& run) {
  ordered_json attempts = ordered_json::array();
  for (const AttemptRecord& record : run.attempts) {
    attempts.push_back({
        {"tick", record.tick},
        {"client", record.client},
        {"attempt", record.attempt},
        {"outcome", word(record.outcome)},
        {"started_tick", or_null(record.started_tick)},
        {"effect", word(record.effect)},
        {"response", word(record.response)},
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
        {"state", word(record.state)},
        {"attempts", record.attempts},
        {"effects", record.effects},
        {"acknowledged_tick", or_null(record.acknowledged_tick)},
        {"next_tick", or_null(record.next_tick)},
    });
  }
  return clients;
}

// Counts of attempts, of one tick or of the whole run.
struct Tally {
  std::int64_t tick = 0;
  std::int64_t attempts = 0;
  std::int64_t accepted = 0;
  std::int64_t overloaded = 0;
  std::int64_t unavailable = 0;
  std::int64_t effects = 0;
  std::int64_t duplicate_effects = 0;
  std::int64_t suppressed_effects = 0;
  std::int64_t lost_responses = 0;
  std::int64_t acknowledged = 0;

  void count(const AttemptRecord& record) {
    attempts += 1;
    accepted += record.outcome == Outcome::accepted;
    overloaded += record.outcome == Outcome::overloaded;
    unavailable += record.outcome == Outcome::unavailable;
    effects += record.effect == Effect::applied || record.effect == Effect::duplicate;
    duplicate_effects += record.effect == Effect::duplicate;
    suppressed_effects += record.effect == Effect::suppressed;
    lost_responses += record.response == Response::lost;
    acknowledged += record.response == Response::acknowledged;
  }
};

// "one record per tick in which an attempt was made, ascending"
std::vector<Tally> tallies_by_tick(const Run& run) {
  std::vector<Tally> tallies;
  for (const AttemptRecord& record : run.attempts) {
    if (tallies.empty() || tallies.back().tick != record.tick) {
      tallies.emplace_back().tick = record.tick;
    }
    tallies.back().count(record);
  }
  return tallies;
}

ordered_json load_of(const std::vector<Tally>& tallies) {
  ordered_json load = ordered_json::array();
  for (const Tally& tally : tallies) {
    load.push_back({
        {"tick", tally.tick},
        {"attempts", tally.attempts},
        {"accepted", tally.accepted},
        {"overloaded", tally.overloaded},
        {"unavailable", tally.unavailable},
        {"effects", tally.effects},
        {"acknowledged", tally.acknowledged},
    });
  }
  return load;
}

// "the tick in which most attempts reached the server ..., the earliest on a tie, and their number"
ordered_json peak_load_of(const std::vector<Tally>& tallies) {
  Tally peak = tallies.front();
  for (const Tally& tally : tallies) {
    if (tally.attempts > peak.attempts) {
      peak = tally;
    }
  }
  return {{"tick", peak.tick}, {"requests", peak.attempts}};
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

ordered_json summary_of(const Run& run, const std::vector<Tally>& tallies) {
  Tally total;
  for (const AttemptRecord& record : run.attempts) {
    total.count(record);
  }

  std::int64_t acknowledged = 0;
  std::int64_t exhausted = 0;
  std::int64_t scheduled = 0;
  std::int64_t applied_unacknowledged = 0;
  std::optional<std::int64_t> last_acknowledged_tick;
  for (const ClientRecord& client : run.clients) {
    acknowledged += client.state == ClientState::acknowledged;
    exhausted += client.state == ClientState::exhausted;
    scheduled += client.state == ClientState::scheduled;
    applied_unacknowledged += client.effects > 0 && client.state != ClientState::acknowledged;
    // An absent optional is less than any tick.
    last_acknowledged_tick = std::max(last_acknowledged_tick, client.acknowledged_tick);
  }

  return {
      {"clients", static_cast<std::int64_t>(run.clients.size())},
      {"attempts", total.attempts},
      {"accepted", total.accepted},
      {"overloaded", total.overloaded},
      {"unavailable", total.unavailable},
      {"effects", total.effects},
      {"duplicate_effects", total.duplicate_effects},
      {"suppressed_effects", total.suppressed_effects},
      {"lost_responses", total.lost_responses},
      {"acknowledged", acknowledged},
      {"exhausted", exhausted},
      {"scheduled", scheduled},
      {"applied_unacknowledged", applied_unacknowledged},
      {"peak_load", peak_load_of(tallies)},
      {"last_acknowledged_tick", or_null(last_acknowledged_tick)},
      {"time_to_acknowledge", time_to_acknowledge_of(run)},
  };
}

}  // namespace

ordered_json result_of(const std::string& policy_name, const Run& run) {
  const std::vector<Tally> tallies = tallies_by_tick(run);
  return {
      {"policy", policy_name},      {"summary", summary_of(run, tallies)},
      {"load", load_of(tallies)},   {"attempts", attempts_of(run)},
      {"clients", clients_of(run)},
  };
}

}  // namespace reference_model
