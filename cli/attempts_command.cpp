// retrygarden attempts: every attempt in words, as a table.
#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "input.h"
#include "memory_limit.h"
#include "output.h"
#include "retrygarden/event_loop.h"
#include "scenario_features.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kServerWidth = 32;
constexpr std::size_t kClientWidth = 18;
constexpr std::size_t kGap = 2;

// A policy's attempts in words. Ticks are named where they are not the one in which the attempt was
// made.
class Words {
 public:
  explicit Words(const Plan& plan) : plan_(plan), has_time_(takes_time(plan.server, plan.timeout)) {
    if (plan.needs_phases()) {
      ends_.resize(plan.clients);
    }
  }

  // Clients end before their last attempts are told.
  void remember(const ClientEnd& end) {
    if (!ends_.empty()) {
      ends_[end.client] = end.state;
    }
  }

  // Whether there is a column for the response, beside those for server and client.
  bool has_response() const { return has_time_; }

  std::string server(const Attempt& attempt) const {
    switch (attempt.outcome) {
      case Outcome::kUnavailable:
        return "nothing: it is down";
      case Outcome::kOverloaded:
        return plan_.server.queue > 0 ? "nothing: its queue is full" : "nothing: over capacity";
      case Outcome::kRequestLost:
        return plan_.faults.request_loss > Fraction() ? "nothing: the request was lost"
                                                      : "nothing: it hangs";
      case Outcome::kShortCircuited:
        return "nothing: it was never sent";
      case Outcome::kAccepted:
        break;
    }
    if (attempt.dropped_tick) {
      return dropped(*attempt.dropped_tick);
    }
    return attempt.started_tick ? effect(attempt) : "nothing yet: it waits";
  }

  static std::string response(const Attempt& attempt, std::uint32_t service_ticks) {
    switch (attempt.response) {
      case Response::kAcknowledged:
        return "in time";
      case Response::kLost:
        return "lost";
      case Response::kLate:
        return fmt::format("late, at tick {}", *attempt.started_tick + service_ticks);
      case Response::kCrashed:
        return "crashed";
      case Response::kNone:
        break;
    }
    return attempt.started_tick ? "under way" : "none";
  }

  std::string client(const Attempt& attempt) const {
    if (attempt.response == Response::kAcknowledged) {
      return "acknowledged" + at(*attempt.started_tick + plan_.server.service_ticks, attempt);
    }
    if (!attempt.failed_tick) {
      return "nothing yet";
    }
    switch (attempt.outcome) {
      case Outcome::kUnavailable:
      case Outcome::kOverloaded:
        return plan_.server.retry_after > 0
                   ? fmt::format("refused, retry after {}", plan_.server.retry_after)
                   : "refused";
      case Outcome::kShortCircuited:
        return "stopped by its breaker";
      case Outcome::kAccepted:
      case Outcome::kRequestLost:
        break;
    }
    return *attempt.failed_tick == attempt.tick ? "no response came"
                                                : "timed out" + at(*attempt.failed_tick, attempt);
  }

  std::string next_step(const Attempt& attempt) const {
    if (attempt.response == Response::kAcknowledged) {
      return "done";
    }
    if (!attempt.failed_tick) {
      return "still waits";
    }
    if (!attempt.next_tick) {
      return ends_.empty() ? "gives up" : fmt::format("gives up: {}", reason(attempt.client));
    }
    return fmt::format("retries at tick {}{}", *attempt.next_tick,
                       *attempt.next_tick >= plan_.horizon ? ", not observed" : "");
  }

  // Columns that hold the longest text of each kind, and the gap behind it.
  std::size_t server_width() const {
    const std::size_t longest =
        has_time_ ? fmt::formatted_size("applied it again at tick {}: a duplicate", last_tick())
                  : 0;
    return std::max(kServerWidth, longest + kGap);
  }
  std::size_t response_width() const {
    return fmt::formatted_size("late, at tick {}", last_tick()) + kGap;
  }
  std::size_t client_width() const {
    std::size_t longest = kClientWidth - kGap;
    if (has_time_) {
      longest = std::max(longest, fmt::formatted_size("acknowledged at tick {}", last_tick()));
    }
    if (plan_.server.retry_after > 0) {
      longest = std::max(longest,
                         fmt::formatted_size("refused, retry after {}", plan_.server.retry_after));
    }
    if (plan_.breaker) {
      longest = std::max(longest, std::string_view("stopped by its breaker").size());
    }
    return longest + kGap;
  }

 private:
  Tick last_tick() const { return plan_.horizon - 1; }

  static std::string at(Tick tick, const Attempt& attempt) {
    return tick == attempt.tick ? "" : fmt::format(" at tick {}", tick);
  }

  // In the tick of a crash nothing else drops requests: the server is down.
  std::string dropped(Tick tick) const {
    return std::binary_search(plan_.crashes.begin(), plan_.crashes.end(), tick)
               ? fmt::format("lost it in the crash at tick {}", tick)
               : fmt::format("dropped it at tick {}: abandoned", tick);
  }

  static std::string effect(const Attempt& attempt) {
    const std::string when = at(*attempt.started_tick, attempt);
    switch (attempt.effect) {
      case Effect::kApplied:
        return "applied the operation" + when;
      case Effect::kDuplicate:
        return "applied it again" + when + ": a duplicate";
      case Effect::kSuppressed:
        return "suppressed the repetition" + when;
      case Effect::kNone:
        break;
    }
    return "nothing";
  }

  std::string_view reason(Client client) const {
    switch (ends_[client]) {
      case ClientState::kDeadlineExceeded:
        return "past its deadline";
      case ClientState::kBudgetDenied:
        return "no retry budget";
      default:
        return "attempts used up";
    }
  }

  const Plan& plan_;
  bool has_time_;
  std::vector<ClientState> ends_;  // by client; empty where a client stops for one reason only
};

std::size_t digits(std::uint64_t largest) {
  return fmt::formatted_size("{}", largest);
}

// The policy's attempts among those asked for, one a line.
void print_attempts(const Scenario& scenario, std::size_t policy_index,
                    const AttemptsOptions& options, Output& output) {
  const Plan plan = make_plan(scenario, policy_index);
  Words words(plan);
  const std::size_t tick_width = std::max<std::size_t>(4, digits(plan.horizon - 1));
  const std::size_t client_width = std::max<std::size_t>(6, digits(plan.clients - 1));
  const std::size_t server_width = words.server_width();
  const std::size_t response_width = words.has_response() ? words.response_width() : 0;
  const std::size_t knows_width = words.client_width();
  const auto line = [&](const auto& tick, const auto& client, const auto& attempt,
                        std::string_view server, std::string_view response, std::string_view knows,
                        std::string_view next) {
    output.write(fmt::format("{:>{}}  {:>{}}  {:>7}  {:<{}}{:<{}}{:<{}}{}\n", tick, tick_width,
                             client, client_width, attempt, server, server_width, response,
                             response_width, knows, knows_width, next));
  };
  output.write(printable(scenario.policies[policy_index].name, 200) + "\n");
  line("tick", "client", "attempt", "what the server did",
       words.has_response() ? "its response" : "", "the client knows", "next step");
  const auto is_asked_for = [](const std::vector<std::uint64_t>& list, std::uint32_t number) {
    return list.empty() || std::find(list.begin(), list.end(), number) != list.end();
  };
  std::uint64_t shown = 0;
  const auto show = [&](const Attempt& attempt) {
    if (is_asked_for(options.clients, attempt.client) &&
        is_asked_for(options.ticks, attempt.tick)) {
      ++shown;
      line(attempt.tick, attempt.client, attempt.attempt, words.server(attempt),
           words.has_response() ? Words::response(attempt, plan.server.service_ticks) : "",
           words.client(attempt), words.next_step(attempt));
    }
  };
  run(plan, {.attempt = show, .client_end = [&](const ClientEnd& end) { words.remember(end); }});
  if (shown == 0) {
    output.write("no attempt of these clients in these ticks\n");
  }
}

std::uint64_t memory_bytes(const Plan& plan) {
  return run_memory_bytes(plan) + records_memory_bytes(plan) + sizeof(ClientState) * plan.clients;
}

}  // namespace

void attempts_command(const AttemptsOptions& options) {
  const Scenario scenario = load_scenario(options.scenario, options.memory_limit, options.policies);
  for (const std::uint64_t client : options.clients) {
    if (client >= scenario.clients) {
      throw Failure(ExitCode::kUsage, fmt::format("there is no client {}: clients are 0 to {}",
                                                  client, scenario.clients - 1));
    }
  }
  for (const std::uint64_t tick : options.ticks) {
    if (tick >= scenario.horizon) {
      throw Failure(ExitCode::kUsage, fmt::format("tick {} is not observed: ticks are 0 to {}",
                                                  tick, scenario.horizon - 1));
    }
  }
  Output output("-");
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    require_memory(memory_bytes(make_plan(scenario, i)), options.memory_limit, "the run");
    output.write(i == 0 ? "" : "\n");
    print_attempts(scenario, i, options, output);
  }
  output.commit();
}

}  // namespace retrygarden::cli
