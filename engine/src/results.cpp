#include "retrygarden/results.h"

#include <array>

#include "names.h"

namespace retrygarden {

std::string_view to_string(Outcome outcome) {
  static constexpr std::array<std::string_view, 5> kNames = {
      "accepted", "overloaded", "unavailable", "request_lost", "short_circuited"};
  return name_of(kNames, outcome);
}

std::string_view to_string(Effect effect) {
  static constexpr std::array<std::string_view, 4> kNames = {"none", "applied", "duplicate",
                                                             "suppressed"};
  return name_of(kNames, effect);
}

std::string_view to_string(Response response) {
  static constexpr std::array<std::string_view, 5> kNames = {"none", "acknowledged", "lost", "late",
                                                             "crashed"};
  return name_of(kNames, response);
}

std::string_view to_string(ClientState state) {
  static constexpr std::array<std::string_view, 6> kNames = {
      "acknowledged", "exhausted", "deadline_exceeded", "budget_denied", "awaiting", "scheduled"};
  return name_of(kNames, state);
}

}  // namespace retrygarden
