#include "retrygarden/attempt_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace retrygarden {

namespace {

std::string at(Tick tick, const Attempt& attempt) {
  return tick == attempt.tick ? "" : fmt::format(" at tick {}", tick);
}

// In the tick of a crash nothing else drops requests: the server is down.
std::string dropped(const Plan& plan, Tick tick) {
  return std::binary_search(plan.crashes.begin(), plan.crashes.end(), tick)
             ? fmt::format("lost it in the crash at tick {}", tick)
             : fmt::format("dropped it at tick {}: abandoned", tick);
}

std::string started(const Attempt& attempt) {
  const std::string when = at(*attempt.started_tick, attempt);
  switch (attempt.effect) {
    case Effect::kApplied:
      return "applied the operation" + when;
    case Effect::kDuplicate:
      return "applied it again" + when + ": a duplicate";
    default:
      return "suppressed the repetition" + when;
  }
}

std::string_view reason(ClientState end) {
  switch (end) {
    case ClientState::kDeadlineExceeded:
      return "past its deadline";
    case ClientState::kBudgetDenied:
      return "no retry budget";
    default:
      return "attempts used up";
  }
}

}  // namespace

std::string server_words(const Plan& plan, const Attempt& attempt) {
  switch (attempt.outcome) {
    case Outcome::kUnavailable:
      return "nothing: it is down";
    case Outcome::kOverloaded:
      return plan.server.queue > 0 ? "nothing: its queue is full" : "nothing: over capacity";
    case Outcome::kRequestLost:
      return plan.faults.request_loss > Fraction() ? "nothing: the request was lost"
                                                   : "nothing: it hangs";
    case Outcome::kShortCircuited:
      return "nothing: it was never sent";
    default:  // accepted
      break;
  }
  if (attempt.dropped_tick) {
    return dropped(plan, *attempt.dropped_tick);
  }
  return attempt.started_tick ? started(attempt) : "nothing yet: it waits";
}

std::string response_words(const Plan& plan, const Attempt& attempt) {
  switch (attempt.response) {
    case Response::kAcknowledged:
      return "in time";
    case Response::kLost:
      return "lost";
    case Response::kLate:
      return fmt::format("late, at tick {}", *attempt.started_tick + plan.server.service_ticks);
    case Response::kCrashed:
      return "crashed";
    default:  // none
      break;
  }
  return attempt.started_tick ? "under way" : "none";
}

std::string client_words(const Plan& plan, const Attempt& attempt) {
  if (attempt.response == Response::kAcknowledged) {
    return "acknowledged" + at(*attempt.started_tick + plan.server.service_ticks, attempt);
  }
  if (!attempt.failed_tick) {
    return "nothing yet";
  }
  switch (attempt.outcome) {
    case Outcome::kUnavailable:
    case Outcome::kOverloaded:
      return plan.server.retry_after > 0
                 ? fmt::format("refused, retry after {}", plan.server.retry_after)
                 : "refused";
    case Outcome::kShortCircuited:
      return "stopped by its breaker";
    default:  // accepted, or lost on its way
      break;
  }
  return *attempt.failed_tick == attempt.tick ? "no response came"
                                              : "timed out" + at(*attempt.failed_tick, attempt);
}

std::string next_step_words(const Plan& plan, const Attempt& attempt,
                            std::optional<ClientState> end) {
  if (attempt.response == Response::kAcknowledged) {
    return "done";
  }
  if (!attempt.failed_tick) {
    return "still waits";
  }
  if (!attempt.next_tick) {
    return end ? fmt::format("gives up: {}", reason(*end)) : "gives up";
  }
  return fmt::format("retries at tick {}{}", *attempt.next_tick,
                     *attempt.next_tick >= plan.horizon ? ", not observed" : "");
}

}  // namespace retrygarden
