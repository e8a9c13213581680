#include "retrygarden/results.h"

#include "check.h"

namespace retrygarden {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAccepted:
      return "accepted";
    case Outcome::kOverloaded:
      return "overloaded";
    case Outcome::kUnavailable:
      return "unavailable";
  }
  RETRYGARDEN_CHECK(!"an outcome");
  return {};
}

std::string_view to_string(Effect effect) {
  switch (effect) {
    case Effect::kNone:
      return "none";
    case Effect::kApplied:
      return "applied";
    case Effect::kDuplicate:
      return "duplicate";
    case Effect::kSuppressed:
      return "suppressed";
  }
  RETRYGARDEN_CHECK(!"an effect");
  return {};
}

std::string_view to_string(Response response) {
  switch (response) {
    case Response::kNone:
      return "none";
    case Response::kAcknowledged:
      return "acknowledged";
    case Response::kLost:
      return "lost";
  }
  RETRYGARDEN_CHECK(!"a response");
  return {};
}

std::string_view to_string(ClientState state) {
  switch (state) {
    case ClientState::kAcknowledged:
      return "acknowledged";
    case ClientState::kExhausted:
      return "exhausted";
    case ClientState::kScheduled:
      return "scheduled";
  }
  RETRYGARDEN_CHECK(!"a state");
  return {};
}

}  // namespace retrygarden
