// The document of section 9: the scenario with its defaults, the assumptions, the results.

#include <utility>

#include "reference_model/reference_model.h"
#include "results.h"
#include "scenario.h"
#include "scenario_writing.h"
#include "simulation.h"

namespace reference_model {
namespace {

using nlohmann::ordered_json;

ordered_json assumptions_json() {
  return {
      "Capacity limits how many requests the server starts in a window of ticks, concurrency how "
      "many it works on at once; at the border of two windows both their capacities can be used in "
      "a row.",
      "Every request takes the same service time, and an operation takes effect whole when its "
      "request is started; no outage undoes it.",
      "Deduplication keys outlive outages, unless an outage is said to lose them.",
      "Where ties are broken by client, the lowest client numbers win capacity within a tick.",
      "Each client has one operation, and waits on at most one attempt of it at a time.",
      "A client that gave up on an attempt ignores its response.",
      "A deadline stops retries; it does not end an attempt under way.",
      "An attempt that a breaker stops counts as an attempt.",
      "A client that is awaiting or scheduled at the horizon has neither failed nor succeeded.",
      "Authentication, partial writes and distributions of latency are left out.",
  };
}

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
