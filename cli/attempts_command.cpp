// retrygarden attempts: every attempt in words, as a table.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "commands.h"
#include "input.h"
#include "memory_limit.h"
#include "output.h"
#include "retrygarden/attempt_words.h"
#include "retrygarden/event_loop.h"
#include "scenario_features.h"
#include "terminal.h"
#include "tick_length.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kGap = 2;

std::size_t digits(std::uint64_t largest) {
  return fmt::formatted_size("{}", largest);
}

// The table of a policy's attempts: the widths that hold the longest text of each column, and the
// gap behind it.
class Columns {
 public:
  Columns(const Plan& plan, std::optional<Nanoseconds> tick)
      : tick_(std::max<std::size_t>(4, digits(plan.horizon - 1))),
        client_(std::max<std::size_t>(6, digits(plan.clients - 1))),
        has_response_(takes_time(plan.server, plan.timeout)) {
    const Tick last_tick = plan.horizon - 1;
    if (tick) {
      unit_ = TimeUnit(*tick, last_tick);
      time_ = std::max<std::size_t>(4, display_width(unit_->aligned(last_tick))) + kGap;
    }
    const auto fit = [](std::size_t& width, std::size_t length) {
      width = std::max(width, length + kGap);
    };
    if (has_response_) {
      fit(server_, fmt::formatted_size("applied it again at tick {}: a duplicate", last_tick));
      fit(response_, fmt::formatted_size("late, at tick {}", last_tick));
      fit(knows_, fmt::formatted_size("acknowledged at tick {}", last_tick));
    }
    if (plan.server.retry_after > 0) {
      fit(knows_, fmt::formatted_size("refused, retry after {}", plan.server.retry_after));
    }
    if (plan.breaker) {
      fit(knows_, std::string_view("stopped by its breaker").size());
    }
  }

  std::string head() const {
    using namespace std::string_view_literals;
    return line("tick"sv, unit_ ? "time" : "", "client"sv, "attempt"sv, "what the server did"sv,
                has_response_ ? "its response" : "", "the client knows"sv, "next step"sv);
  }
  std::string row(const Plan& plan, const Attempt& attempt, std::optional<ClientState> end) const {
    return line(attempt.tick, unit_ ? unit_->aligned(attempt.tick) : "", attempt.client,
                attempt.attempt, server_words(plan, attempt),
                has_response_ ? response_words(plan, attempt) : "", client_words(plan, attempt),
                next_step(plan, attempt, end));
  }

 private:
  template <class Number, class Text>
  std::string line(const Number& tick, const std::string& time, const Number& client,
                   const Number& attempt, const Text& server, const std::string& response,
                   const Text& knows, const Text& next) const {
    return fmt::format("{:>{}}{:>{}}  {:>{}}  {:>7}  {:<{}}{:<{}}{:<{}}{}\n", tick, tick_, time,
                       time_, client, client_, attempt, server, server_, response, response_, knows,
                       knows_, next);
  }

  std::string next_step(const Plan& plan, const Attempt& attempt,
                        std::optional<ClientState> end) const {
    std::string words = next_step_words(plan, attempt, end);
    if (unit_ && attempt.next_tick) {
      words += " = " + unit_->time(*attempt.next_tick);
    }
    return words;
  }

  std::size_t tick_;
  std::size_t client_;
  bool has_response_;
  std::size_t server_ = 32;
  std::size_t response_ = 0;
  std::size_t knows_ = 18;
  std::optional<TimeUnit> unit_;  // where a tick has a length
  std::size_t time_ = 0;
};

// The policy's attempts among those asked for, one a line.
void print_attempts(const Scenario& scenario, std::size_t policy_index,
                    const AttemptsOptions& options, Output& output) {
  const Plan plan = make_plan(scenario, policy_index);
  const Columns columns(plan, tick_length(scenario));
  output.write(printable(scenario.policies[policy_index].name, 200) + "\n");
  output.write(columns.head());
  const auto is_asked_for = [](const std::vector<std::uint64_t>& list, std::uint32_t number) {
    return list.empty() || std::find(list.begin(), list.end(), number) != list.end();
  };
  // By client; empty where a client stops for one reason only. Clients end before their last
  // attempts are told.
  std::vector<ClientState> ends(plan.needs_phases() ? plan.clients : 0);
  std::uint64_t shown = 0;
  const auto show = [&](const Attempt& attempt) {
    if (is_asked_for(options.clients, attempt.client) &&
        is_asked_for(options.ticks, attempt.tick)) {
      ++shown;
      output.write(columns.row(plan, attempt,
                               ends.empty() ? std::nullopt : std::optional(ends[attempt.client])));
    }
  };
  const auto remember = [&](const ClientEnd& end) {
    if (!ends.empty()) {
      ends[end.client] = end.state;
    }
  };
  run(plan, {.attempt = show, .client_end = remember});
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
