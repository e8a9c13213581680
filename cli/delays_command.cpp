// retrygarden delays: how long each policy waits before each attempt, side by side, and a chart.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "commands.h"
#include "delay_chart.h"
#include "delay_table.h"
#include "imported_file.h"
#include "input.h"
#include "output.h"
#include "retrygarden/grouped.h"
#include "retrygarden/json.h"
#include "scenario_features.h"
#include "terminal.h"
#include "tick_length.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kMostNameBytes = 200;  // of a scenario

std::string headline(const Scenario& scenario, const std::optional<TimeUnit>& unit) {
  return fmt::format(
      "{}delays in {}{}", scenario.name ? printable(*scenario.name, kMostNameBytes) + ": " : "",
      unit ? unit->name() : "ticks",
      unit ? fmt::format("; a tick lasts {}", time_text(*tick_length(scenario), 1)) : "");
}

bool is_decorrelated(const Policy& policy) {
  return std::holds_alternative<DecorrelatedDelay>(policy.delay);
}

// What the columns and the chart mean, as far as this scenario makes it a question.
std::string meaning(const Scenario& scenario, const std::vector<Outlook>& outlooks,
                    bool is_logarithmic) {
  const bool has_timeout = any_policy(scenario, [](const Policy& p) { return p.timeout > 0; });
  std::string text = fmt::format(
      "Earliest and latest are counted from the client's arrival: when each attempt is refused at "
      "once and each delay is the shortest, and when {}each delay is the longest.",
      has_timeout ? "each attempt times out and " : "");
  if (std::any_of(outlooks.begin(), outlooks.end(), [](const Outlook& o) { return o.can_cut; })) {
    text += " Cut: the share of the delays that a cap or max_delay shortens";
    text += any_policy(scenario, is_decorrelated)
                ? "; of decorrelated delays it depends on the delay before."
                : ".";
  }
  const auto heeds = [](const Policy& p) { return p.on_retry_after != OnRetryAfter::kIgnore; };
  if (scenario.server.retry_after > 0 && any_policy(scenario, heeds)) {
    text += fmt::format(" The server's hint, {}, is not counted in.",
                        counted_ticks(tick_length(scenario), scenario.server.retry_after));
  }
  return text + (is_logarithmic ? " The chart has a logarithmic scale." : "");
}

// Why a policy's rows end where they do, if it has more attempts.
std::string end_note(const Policy& policy, const Outlook& outlook,
                     std::optional<Nanoseconds> tick) {
  if (outlook.ends_at_deadline) {
    return fmt::format("no further attempt comes before the deadline, {}.",
                       counted_ticks(tick, *policy.deadline));
  }
  const std::uint64_t more = policy.attempts - outlook.attempts.back().number;
  return more == 0 ? ""
                   : fmt::format("{} follow{}; --attempts shows more.",
                                 counted(more, "further attempt", "further attempts"),
                                 more == 1 ? "s" : "");
}

std::string end_notes(const Scenario& scenario, const std::vector<Outlook>& outlooks,
                      std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < outlooks.size(); ++i) {
    const std::string note = end_note(scenario.policies[i], outlooks[i], tick_length(scenario));
    if (!note.empty()) {
      text +=
          wrapped(fmt::format("{}: {}", printable(outlooks[i].name, kMostNameBytes), note), width);
    }
  }
  return text.empty() ? "" : "\n" + text;
}

std::optional<TimeUnit> unit_of(const Scenario& scenario, const std::vector<Outlook>& outlooks) {
  const std::optional<Nanoseconds> tick = tick_length(scenario);
  std::uint64_t latest = 0;
  for (const Outlook& outlook : outlooks) {
    latest = std::max(latest, outlook.attempts.back().latest);
  }
  return tick ? std::optional(TimeUnit(*tick, latest)) : std::nullopt;
}

Scenario load(const DelaysOptions& options) {
  if (options.scenario.empty() && options.from.empty()) {
    throw Failure(ExitCode::kUsage, "name a scenario, or another system's file with --from");
  }
  if (options.from.empty()) {
    return load_scenario(options.scenario, options.memory_limit, options.policies);
  }
  std::vector<std::string> files;
  for (const auto& [system, file] : options.from) {
    files.push_back(fmt::format("{}:{}", named_system(system).name, file));
  }
  return load_policies(files, options.tick, options.memory_limit, options.policies);
}

}  // namespace

void delays_command(const DelaysOptions& options) {
  const Scenario scenario = load(options);
  std::vector<Outlook> outlooks;
  for (const Policy& policy : scenario.policies) {
    outlooks.push_back(outlook(policy, options.attempts));
  }
  const std::optional<TimeUnit> unit = unit_of(scenario, outlooks);
  const auto number = [&](std::uint64_t ticks) {
    return unit ? unit->number(ticks) : grouped(ticks);
  };
  const auto label = [&](std::uint64_t ticks) { return unit ? unit->time(ticks) : grouped(ticks); };
  const std::size_t width = terminal_width(STDOUT_FILENO);
  const DelayChart chart = delay_chart(outlooks, label, width);
  Output output("-");
  output.write(wrapped(headline(scenario, unit), width) + "\n");
  output.write(delay_table(outlooks, number, width));
  output.write(chart.text.empty() ? "" : "\n" + chart.text);
  output.write("\n" + wrapped(meaning(scenario, outlooks, chart.is_logarithmic), width));
  output.write(end_notes(scenario, outlooks, width));
  output.commit();
}

}  // namespace retrygarden::cli
