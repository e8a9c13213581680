// What a scenario makes use of, where that decides how its runs are told.
#pragma once

#include <algorithm>
#include <cstdint>

#include "retrygarden/scenario.h"

namespace retrygarden::cli {

template <class Predicate>
bool any_policy(const Scenario& scenario, Predicate predicate) {
  return std::any_of(scenario.policies.begin(), scenario.policies.end(), predicate);
}

inline bool has_outage(const Server& server, OutageKind kind) {
  return std::any_of(server.outages.begin(), server.outages.end(),
                     [&](const Outage& outage) { return outage.kind == kind; });
}

inline bool takes_time(const Scenario& scenario) {
  return any_policy(
      scenario, [&](const Policy& policy) { return takes_time(scenario.server, policy.timeout); });
}

}  // namespace retrygarden::cli
