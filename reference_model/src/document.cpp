// The document of section 9: the scenario with its defaults, the assumptions, the results.

#include <charconv>
#include <string>
#include <utility>
#include <variant>

#include "reference_model/reference_model.h"
#include "results.h"
#include "scenario.h"
#include "simulation.h"

namespace reference_model {
namespace {

using nlohmann::ordered_json;

// Section 2: a fraction is "written in its shortest form".
ordered_json fraction_json(const Fraction& fraction) {
  constexpr std::int64_t one = 1'000'000;
  const std::int64_t whole = fraction.millionths / one;
  const std::int64_t rest = fraction.millionths % one;
  if (rest == 0) {
    return whole;
  }
  std::string decimals = std::to_string(one + rest).substr(1);
  decimals.erase(decimals.find_last_not_of('0') + 1);
  const std::string text = std::to_string(whole) + "." + decimals;
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Section 9: "`kind` comes first in its object"; the other members in the order of their tables.
ordered_json arrivals_json(const Arrivals& arrivals) {
  return std::visit(Overloaded{
                        [](const BurstArrivals& burst) {
                          return ordered_json{{"kind", "burst"}, {"at", burst.at}};
                        },
                        [](const SpreadArrivals& spread) {
                          return ordered_json{{"kind", "spread"}, {"over", spread.over}};
                        },
                        [](const RandomArrivals& random) {
                          return ordered_json{{"kind", "random"}, {"over", random.over}};
                        },
                    },
                    arrivals);
}

ordered_json deduplication_json(const Deduplication& deduplication) {
  return std::visit(
      Overloaded{
          [](const NoDeduplication&) { return ordered_json{{"kind", "none"}}; },
          [](const ForeverDeduplication&) { return ordered_json{{"kind", "forever"}}; },
          [](const TtlDeduplication& ttl) {
            return ordered_json{{"kind", "ttl"}, {"ticks", ttl.ticks}};
          },
      },
      deduplication);
}

ordered_json server_json(const Server& server) {
  ordered_json outages = ordered_json::array();
  for (const Outage& outage : server.outages) {
    outages.push_back({{"from", outage.from}, {"ticks", outage.ticks}});
  }
  return {
      {"capacity", server.capacity},
      {"outages", outages},
      {"deduplication", deduplication_json(server.deduplication)},
  };
}

ordered_json delay_json(const Delay& delay) {
  return std::visit(Overloaded{
                        [](const FixedDelay& fixed) {
                          return ordered_json{{"kind", "fixed"}, {"ticks", fixed.ticks}};
                        },
                        [](const LinearDelay& linear) {
                          return ordered_json{{"kind", "linear"},
                                              {"base", linear.base},
                                              {"step", linear.step},
                                              {"cap", linear.cap}};
                        },
                        [](const ExponentialDelay& exponential) {
                          return ordered_json{{"kind", "exponential"},
                                              {"base", exponential.base},
                                              {"multiplier", fraction_json(exponential.multiplier)},
                                              {"cap", exponential.cap}};
                        },
                        [](const ListDelay& list) {
                          return ordered_json{{"kind", "list"}, {"ticks", list.ticks}};
                        },
                        [](const DecorrelatedDelay& decorrelated) {
                          return ordered_json{{"kind", "decorrelated"},
                                              {"base", decorrelated.base},
                                              {"cap", decorrelated.cap}};
                        },
                    },
                    delay);
}

ordered_json jitter_json(const Jitter& jitter) {
  return std::visit(Overloaded{
                        [](const NoJitter&) { return ordered_json{{"kind", "none"}}; },
                        [](const FullJitter&) { return ordered_json{{"kind", "full"}}; },
                        [](const EqualJitter&) { return ordered_json{{"kind", "equal"}}; },
                        [](const ProportionalJitter& proportional) {
                          return ordered_json{{"kind", "proportional"},
                                              {"fraction", fraction_json(proportional.fraction)}};
                        },
                    },
                    jitter);
}

ordered_json policy_json(const Policy& policy) {
  ordered_json json = {
      {"name", policy.name},
      {"attempts", policy.attempts},
      {"delay", delay_json(policy.delay)},
  };
  if (policy.jitter) {
    json["jitter"] = jitter_json(*policy.jitter);
  }
  return json;
}

// Section 9: "A member whose default is to be absent stays absent".
ordered_json scenario_json(const Scenario& scenario) {
  ordered_json json = {{"retrygarden", 1}};
  if (scenario.schema) {
    json["$schema"] = *scenario.schema;
  }
  if (scenario.name) {
    json["name"] = *scenario.name;
  }
  if (scenario.description) {
    json["description"] = *scenario.description;
  }
  json["clients"] = scenario.clients;
  json["horizon"] = scenario.horizon;
  json["seed"] = scenario.seed;
  json["arrivals"] = arrivals_json(scenario.arrivals);
  json["server"] = server_json(scenario.server);
  if (scenario.first_response_lost) {
    json["faults"]["first_response_lost"] = {{"every", scenario.first_response_lost->every},
                                             {"offset", scenario.first_response_lost->offset}};
  }
  json["policies"] = ordered_json::array();
  for (const Policy& policy : scenario.policies) {
    json["policies"].push_back(policy_json(policy));
  }
  return json;
}

// Section 9.
ordered_json assumptions_json() {
  return {
      "Service takes no time: an accepted attempt is handled, and answered, in the tick in which "
      "it is made.",
      "Capacity limits how many attempts the server accepts in one tick; nothing waits for a "
      "place.",
      "Within a tick the clients with the lowest numbers win capacity.",
      "An operation takes effect whole and at once, and no outage undoes it; deduplication keys "
      "outlive outages.",
      "Only the response to a client's first started request can be lost; requests are never lost.",
      "Each client has one operation, and at most one attempt of it at a time.",
      "A client whose next attempt falls at the horizon or later has neither failed nor succeeded.",
      "Authentication, partial writes and distributions of latency are left out.",
  };
}

// Section 9.
ordered_json document(const Scenario& scenario, const DrawSource& draws) {
  ordered_json results = ordered_json::array();
  for (const Policy& policy : scenario.policies) {
    results.push_back(result_of(policy.name, simulate(scenario, policy, draws)));
  }
  return {
      {"retrygarden", 1},
      {"scenario", scenario_json(scenario)},
      {"assumptions", assumptions_json()},
      {"results", std::move(results)},
  };
}

}  // namespace

ordered_json export_document(std::string_view scenario_text) {
  const Scenario scenario = read_scenario(scenario_text);
  return document(scenario, seeded_draws(static_cast<std::uint64_t>(scenario.seed)));
}

ordered_json export_document(std::string_view scenario_text, const DrawSource& draws) {
  return document(read_scenario(scenario_text), draws);
}

}  // namespace reference_model
