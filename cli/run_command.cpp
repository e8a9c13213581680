// retrygarden run: the summaries of all policies side by side, and their load over time.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "commands.h"
#include "input.h"
#include "load_chart.h"
#include "memory_limit.h"
#include "output.h"
#include "progress.h"
#include "retrygarden/export.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

// Columns of a policy's name: few enough that the narrowest terminal has room for the names of the
// rows, too.
constexpr std::size_t kMostNameColumns = 32;
constexpr std::size_t kRowNameColumns = 29;

constexpr std::size_t kMostNameBytes = 200;  // of a scenario

std::string number_or_dash(const std::optional<std::uint32_t>& number) {
  return number ? grouped(*number) : "-";
}

// Attempts per client with two decimals, rounded half up.
std::string amplification(const Summary& summary) {
  const std::uint64_t rest = summary.attempts % summary.clients;  // below 2^32
  const std::uint64_t hundredths = (rest * 200 + summary.clients) / (2 * summary.clients);
  return fmt::format("{}.{:02}", grouped(summary.attempts / summary.clients + hundredths / 100),
                     hundredths % 100);
}

std::string summary_table(const Scenario& scenario, const std::vector<Summary>& summaries,
                          std::size_t width) {
  std::vector<std::string> header = {""};
  for (const Policy& policy : scenario.policies) {
    header.push_back(fitted(policy.name, std::min(kMostNameColumns, width - kRowNameColumns)));
  }
  Table table(std::move(header));
  const auto row = [&](std::string name, auto cell) {
    std::vector<std::string> cells = {std::move(name)};
    for (const Summary& summary : summaries) {
      cells.push_back(cell(summary));
    }
    table.add_row(std::move(cells));
  };
  row("attempts", [](const Summary& s) { return grouped(s.attempts); });
  row("effects", [](const Summary& s) { return grouped(s.effects); });
  row("  duplicates", [](const Summary& s) { return grouped(s.duplicate_effects); });
  row("clients acknowledged", [](const Summary& s) { return grouped(s.acknowledged); });
  row("clients exhausted", [](const Summary& s) { return grouped(s.exhausted); });
  row("clients scheduled", [](const Summary& s) { return grouped(s.scheduled); });
  row("applied but unacknowledged",
      [](const Summary& s) { return grouped(s.applied_unacknowledged); });
  row("amplification", amplification);
  row("peak load", [](const Summary& s) { return grouped(s.peak_load.requests); });
  row("  in tick", [](const Summary& s) { return number_or_dash(s.peak_load.tick); });
  row("ticks to acknowledge, p50",
      [](const Summary& s) { return number_or_dash(s.time_to_acknowledge.p50); });
  row("  p90", [](const Summary& s) { return number_or_dash(s.time_to_acknowledge.p90); });
  row("  p99", [](const Summary& s) { return number_or_dash(s.time_to_acknowledge.p99); });
  row("  max", [](const Summary& s) { return number_or_dash(s.time_to_acknowledge.max); });
  return table.text(width);
}

std::string headline(const Scenario& scenario) {
  return fmt::format("{}{}, {}, capacity {} a tick",
                     scenario.name ? printable(*scenario.name, kMostNameBytes) + ": " : "",
                     counted(scenario.clients, "client", "clients"),
                     counted(scenario.horizon, "tick", "ticks"), grouped(scenario.server.capacity));
}

void print_table(const Scenario& scenario, Output& output) {
  std::vector<Summary> summaries;
  std::vector<LoadProfile> profiles;
  std::vector<std::string> titles;
  {
    Progress progress;
    for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
      std::uint64_t attempts = 0;
      LoadProfile& profile = profiles.emplace_back();
      titles.push_back(scenario.policies[i].name);
      const auto observe = [&](const TickLoad& load) {
        profile.add(load);
        attempts += load.attempts;
        progress.update([&] {
          return fmt::format("policy {} of {}: tick {}, {} attempts", i + 1,
                             scenario.policies.size(), grouped(load.tick), grouped(attempts));
        });
      };
      summaries.push_back(run(make_plan(scenario, i), {.tick_load = observe}));
    }
  }
  const std::size_t width = terminal_width(STDOUT_FILENO);
  output.write(wrapped(headline(scenario), width) + "\n");
  output.write(summary_table(scenario, summaries, width));
  output.write("\n" + load_charts(scenario, titles, profiles, width));
}

}  // namespace

void run_command(const RunOptions& options) {
  const Scenario scenario = load_scenario(options.scenario, options.memory_limit, options.policies);
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    require_memory(run_memory_bytes(make_plan(scenario, i)), options.memory_limit, "the run");
  }
  Output output("-");
  const auto sink = [&](std::string_view text) { output.write(text); };
  switch (options.format) {
    case RunOptions::Format::kTable:
      print_table(scenario, output);
      break;
    case RunOptions::Format::kJson:
      write_run_json(scenario, sink);
      break;
    case RunOptions::Format::kCsv:
      write_summary_csv(scenario, sink);
      break;
  }
  output.commit();
}

}  // namespace retrygarden::cli
