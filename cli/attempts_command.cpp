// retrygarden attempts: every attempt in words, as a table.
#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "input.h"
#include "memory_limit.h"
#include "output.h"
#include "retrygarden/event_loop.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kServerWidth = 32;
constexpr std::size_t kClientWidth = 18;

std::string_view what_the_server_did(const Attempt& attempt) {
  switch (attempt.outcome) {
    case Outcome::kUnavailable:
      return "nothing: it is down";
    case Outcome::kOverloaded:
      return "nothing: over capacity";
    case Outcome::kAccepted:
      break;
  }
  switch (attempt.effect) {
    case Effect::kApplied:
      return "applied the operation";
    case Effect::kDuplicate:
      return "applied it again: a duplicate";
    case Effect::kSuppressed:
      return "suppressed the repetition";
    case Effect::kNone:
      break;
  }
  return "nothing";
}

std::string_view what_the_client_knows(const Attempt& attempt) {
  switch (attempt.response) {
    case Response::kAcknowledged:
      return "acknowledged";
    case Response::kLost:
      return "no response came";
    case Response::kNone:
      break;
  }
  return "refused";
}

std::string next_step(const Attempt& attempt, std::uint32_t horizon) {
  if (!attempt.failed_tick) {
    return "done";
  }
  if (!attempt.next_tick) {
    return "gives up";
  }
  return fmt::format("retries at tick {}{}", *attempt.next_tick,
                     *attempt.next_tick >= horizon ? ", not observed" : "");
}

std::size_t digits(std::uint64_t largest) {
  return fmt::formatted_size("{}", largest);
}

// The policy's attempts among those asked for, one a line.
void print_attempts(const Scenario& scenario, std::size_t policy_index,
                    const AttemptsOptions& options, Output& output) {
  const std::size_t tick_width = std::max<std::size_t>(4, digits(scenario.horizon - 1));
  const std::size_t client_width = std::max<std::size_t>(6, digits(scenario.clients - 1));
  const auto line = [&](const auto& tick, const auto& client, const auto& attempt,
                        std::string_view server, std::string_view knows, std::string_view next) {
    output.write(fmt::format("{:>{}}  {:>{}}  {:>7}  {:<{}}{:<{}}{}\n", tick, tick_width, client,
                             client_width, attempt, server, kServerWidth, knows, kClientWidth,
                             next));
  };
  output.write(printable(scenario.policies[policy_index].name, 200) + "\n");
  line("tick", "client", "attempt", "what the server did", "the client knows", "next step");
  const auto is_asked_for = [](const std::vector<std::uint64_t>& list, std::uint32_t number) {
    return list.empty() || std::find(list.begin(), list.end(), number) != list.end();
  };
  std::uint64_t shown = 0;
  run(make_plan(scenario, policy_index), {.attempt = [&](const Attempt& attempt) {
        if (is_asked_for(options.clients, attempt.client) &&
            is_asked_for(options.ticks, attempt.tick)) {
          ++shown;
          line(attempt.tick, attempt.client, attempt.attempt, what_the_server_did(attempt),
               what_the_client_knows(attempt), next_step(attempt, scenario.horizon));
        }
      }});
  if (shown == 0) {
    output.write("no attempt of these clients in these ticks\n");
  }
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
    require_memory(run_memory_bytes(make_plan(scenario, i)), options.memory_limit, "the run");
    output.write(i == 0 ? "" : "\n");
    print_attempts(scenario, i, options, output);
  }
  output.commit();
}

}  // namespace retrygarden::cli
