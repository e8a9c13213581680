// A scenario with every member, for tests that change one of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "retrygarden/scenario.h"

namespace retrygarden::test {

using nlohmann::ordered_json;
using Pointer = ordered_json::json_pointer;

// Members that the page gives a default have another value.
inline ordered_json every_member() {
  return ordered_json::parse(R"({
    "retrygarden": 1, "$schema": "s", "name": "n", "description": "d", "tick": "10ms",
    "clients": 8, "clients_per_host": 2, "horizon": 80, "seed": 9,
    "arrivals": {"kind": "spread", "over": 5},
    "server": {"capacity": 3, "capacity_window": 2, "service_ticks": 1, "concurrency": 6, "queue": 4,
               "discipline": "lifo", "drop_abandoned": true, "retry_after": 5, "tie_break": "random",
               "outages": [{"from": 0, "ticks": 2, "kind": "hang", "loses_keys": true},
                           {"from": 7, "ticks": 3, "kind": "crash", "loses_keys": false}],
               "deduplication": {"kind": "ttl", "ticks": 7}},
    "faults": {"first_response_lost": {"every": 3, "offset": 2}, "response_loss": 0.25,
               "request_loss": 0.5},
    "policies": [
      {"name": "a", "description": "e", "attempts": 4, "timeout": 3, "delay": {"kind": "fixed", "ticks": 4},
       "jitter": {"kind": "full"}, "max_delay": 12, "deadline": 50, "on_retry_after": "at_least",
       "budget": {"kind": "tokens", "capacity": 10, "initial": 1.5, "tick_refill": 0.5,
                  "attempt_deposit": 0.25, "success_deposit": 0.75, "refund": true,
                  "failure_cost": 2, "retry_cost": 3, "timeout_cost": 4, "threshold": 5},
       "breaker": {"window": 7, "failures": 5, "open_ticks": 9, "probes": 2}},
      {"name": "b", "attempts": 5, "timeout": 0,
       "delay": {"kind": "exponential", "base": 2, "multiplier": 1.5, "cap": 16},
       "jitter": {"kind": "proportional", "fraction": 0.25}, "on_retry_after": "replace",
       "budget": {"kind": "concurrent", "fraction": 0.125, "minimum": 6}},
      {"name": "c", "attempts": 6, "timeout": 1,
       "delay": {"kind": "linear", "base": 2, "step": 3, "cap": 16},
       "jitter": {"kind": "scaled", "from": 0.5, "to": 1.25}, "on_retry_after": "ignore"},
      {"name": "d", "attempts": 7, "timeout": 1, "delay": {"kind": "list", "ticks": [1, 2]},
       "jitter": {"kind": "equal"}, "on_retry_after": "ignore"},
      {"name": "e", "attempts": 8, "timeout": 1, "delay": {"kind": "decorrelated", "base": 2, "cap": 16},
       "on_retry_after": "ignore"},
      {"name": "f", "attempts": 9, "timeout": 1, "delay": {"kind": "list", "ticks": [4, [5, 6]]},
       "on_retry_after": "ignore"},
      {"name": "g", "attempts": 9, "timeout": 1, "delay": {"kind": "fixed", "ticks": 1},
       "jitter": {"kind": "none"}, "on_retry_after": "ignore"}]
  })");
}

using Places = std::vector<std::string>;

// Where the faults of the text are.
inline Places places_in(const std::string& text) {
  const auto scenario = read_scenario(text);
  Places places;
  if (!scenario) {
    for (const Fault& fault : scenario.error()) {
      places.push_back(fault.pointer);
    }
  }
  return places;
}
inline Places fault_places(const ordered_json& json) {
  return places_in(json.dump());
}

// every_member() with another value in one place, given as text, since JSON libraries may write
// 0.000001 as 1e-06.
inline std::string text_with(const std::string& pointer, const std::string& value) {
  ordered_json json = every_member();
  json[Pointer(pointer)] = "@";
  std::string text = json.dump();
  return text.replace(text.find("\"@\""), 3, value);
}
inline Places places_with(const std::string& pointer, const std::string& value) {
  return places_in(text_with(pointer, value));
}

inline ordered_json without(ordered_json json, const std::string& pointer) {
  const Pointer place(pointer);
  json[place.parent_pointer()].erase(place.back());
  return json;
}

// For parameterized tests: a name may not hold slashes.
inline std::string name_of_member(std::string pointer) {
  for (char& c : pointer) {
    c = c == '/' || c == '$' ? '_' : c;
  }
  return pointer.substr(1);
}

}  // namespace retrygarden::test
