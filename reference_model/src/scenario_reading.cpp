// Reads a scenario from its text and refuses everything that section 2 calls an error.

#include <array>

#include "policy_reading.h"
#include "reading.h"
#include "scenario.h"

namespace reference_model {
namespace {

constexpr std::int64_t largest_seed = (std::int64_t{1} << 53) - 1;
constexpr std::size_t most_duration_digits = 6;
constexpr std::array<std::string_view, 6> duration_units = {"ns", "us", "ms", "s", "min", "h"};

// Section 3.
Arrivals read_arrivals(const Place& place, std::int64_t horizon) {
  // Section 2: "its `kind` has the default `burst`".
  const std::string kind = find_kind(place).value_or("burst");
  if (kind == "burst") {
    const Members members(place, {"kind", "at"});
    return BurstArrivals{integer_or(0, members.optional("at"), 0, horizon - 1)};
  }
  if (kind == "spread") {
    const Members members(place, {"kind", "over"});
    return SpreadArrivals{read_integer(members.required("over"), 1, horizon)};
  }
  if (kind == "random") {
    const Members members(place, {"kind", "over"});
    return RandomArrivals{read_integer(members.required("over"), 1, horizon)};
  }
  refuse_kind(place);
}

Outage read_outage(const Place& place) {
  const Members members(place, {"from", "ticks", "kind", "loses_keys"});
  Outage outage;
  outage.from = read_integer(members.required("from"), 0, largest_tick);
  outage.ticks = read_integer(members.required("ticks"), 1, largest_tick);
  outage.kind = word_or(OutageKind::refuse, members.optional("kind"), outage_kind_words);
  outage.loses_keys = boolean_or(false, members.optional("loses_keys"));
  return outage;
}

Deduplication read_deduplication(const Place& place) {
  const std::string kind = required_kind(place);
  if (kind == "none") {
    const Members members(place, {"kind"});
    return NoDeduplication{};
  }
  if (kind == "forever") {
    const Members members(place, {"kind"});
    return ForeverDeduplication{};
  }
  if (kind == "ttl") {
    const Members members(place, {"kind", "ticks"});
    return TtlDeduplication{read_integer(members.required("ticks"), 1, largest_tick)};
  }
  refuse_kind(place);
}

Server read_server(const Place& place) {
  const Members members(
      place, {"capacity", "capacity_window", "service_ticks", "concurrency", "queue", "discipline",
              "drop_abandoned", "retry_after", "tie_break", "outages", "deduplication"});
  Server server;
  server.capacity = read_integer(members.required("capacity"), 0, largest_count);
  server.capacity_window = integer_or(1, members.optional("capacity_window"), 1, largest_tick);
  server.service_ticks = integer_or(0, members.optional("service_ticks"), 0, largest_delay);
  server.concurrency = read_optional_integer(members.optional("concurrency"), 1, largest_count);
  server.queue = integer_or(0, members.optional("queue"), 0, largest_count);
  server.discipline = word_or(Discipline::fifo, members.optional("discipline"), discipline_words);
  server.drop_abandoned = boolean_or(false, members.optional("drop_abandoned"));
  server.retry_after = integer_or(0, members.optional("retry_after"), 0, largest_delay);
  server.tie_break = word_or(TieBreak::client, members.optional("tie_break"), tie_break_words);
  if (const std::optional<Place> outages = members.optional("outages")) {
    for (const Place& entry : read_list(*outages)) {
      server.outages.push_back(read_outage(entry));
    }
  }
  if (const std::optional<Place> deduplication = members.optional("deduplication")) {
    server.deduplication = read_deduplication(*deduplication);
  }
  return server;
}

FirstResponseLost read_first_response_lost(const Place& place) {
  const Members members(place, {"every", "offset"});
  const std::int64_t every = read_integer(members.required("every"), 1, largest_count);
  return {every, integer_or(0, members.optional("offset"), 0, every - 1)};
}

Fraction read_probability(const std::optional<Place>& place) {
  return fraction_or(whole_fraction(0), place, whole_fraction(0), whole_fraction(1));
}

Faults read_faults(const Place& place) {
  const Members members(place, {"first_response_lost", "response_loss", "request_loss"});
  Faults faults;
  if (const std::optional<Place> lost = members.optional("first_response_lost")) {
    faults.first_response_lost = read_first_response_lost(*lost);
  }
  faults.response_loss = read_probability(members.optional("response_loss"));
  faults.request_loss = read_probability(members.optional("request_loss"));
  return faults;
}

// Section 2: "a duration: one to six digits, the first not 0, and a unit".
std::string read_duration(const Place& place) {
  std::string text = read_string(place);
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits < 1 || digits > most_duration_digits || text.front() == '0') {
    refuse(place.pointer, "must begin with one to six digits, the first not 0");
  }
  const std::string unit = text.substr(digits);
  if (std::find(duration_units.begin(), duration_units.end(), unit) == duration_units.end()) {
    refuse(place.pointer, "must end with a unit right after its digits: ns, us, ms, s, min or h");
  }
  return text;
}

}  // namespace

Scenario read_scenario(std::string_view text) {
  const JsonValue root = parse_json_text(text);
  const Members members({root, ""}, {"retrygarden", "$schema", "name", "description", "tick",
                                     "clients", "clients_per_host", "horizon", "seed", "arrivals",
                                     "server", "faults", "policies"});
  read_integer(members.required("retrygarden"), 1, 1);
  Scenario scenario;
  scenario.schema = read_optional_string(members.optional("$schema"));
  scenario.name = read_optional_string(members.optional("name"));
  scenario.description = read_optional_string(members.optional("description"));
  if (const std::optional<Place> tick = members.optional("tick")) {
    scenario.tick = read_duration(*tick);
  }
  scenario.clients = read_integer(members.required("clients"), 1, largest_count);
  scenario.clients_per_host = integer_or(1, members.optional("clients_per_host"), 1, largest_count);
  scenario.horizon = read_integer(members.required("horizon"), 1, largest_tick);
  scenario.seed = read_integer(members.required("seed"), 0, largest_seed);
  if (const std::optional<Place> arrivals = members.optional("arrivals")) {
    scenario.arrivals = read_arrivals(*arrivals, scenario.horizon);
  }
  scenario.server = read_server(members.required("server"));
  if (const std::optional<Place> faults = members.optional("faults")) {
    scenario.faults = read_faults(*faults);
  }
  scenario.policies = read_policies(members.required("policies"), scenario.server);
  return scenario;
}

}  // namespace reference_model
