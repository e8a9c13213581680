// retrygarden run: the summaries of all policies side by side, their load over time, and what is to
// be noticed about them.
#include <fmt/format.h>
#include <unistd.h>

#include "commands.h"
#include "imported_file.h"
#include "load_chart.h"
#include "memory_limit.h"
#include "output.h"
#include "progress.h"
#include "retrygarden/diagnosis.h"
#include "retrygarden/export.h"
#include "retrygarden/grouped.h"
#include "scenario_features.h"
#include "summary_table.h"
#include "terminal.h"
#include "tick_length.h"
#include "together.h"
#include "workers.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kMostNameBytes = 200;  // of a scenario

// From here on a diagnosis, which repeats the run, takes a noticeable time.
constexpr std::uint64_t kManyAttempts = 1'000'000;

std::string capacity_text(const Server& server, std::optional<Nanoseconds> tick) {
  std::string text = fmt::format("capacity {} ", grouped(server.capacity));
  text +=
      server.capacity_window == 1 ? "a tick" : "in " + counted_ticks(tick, server.capacity_window);
  if (server.service_ticks > 0) {
    text += ", service " + counted_ticks(tick, server.service_ticks);
    text += server.concurrency ? fmt::format(", {} at once", grouped(*server.concurrency)) : "";
  }
  if (server.queue > 0) {
    text += fmt::format(", queue {}{}", grouped(server.queue),
                        server.discipline == Discipline::kLifo ? " (lifo)" : "");
  }
  return text;
}

std::string clients_text(const Scenario& scenario) {
  std::string text = counted(scenario.clients, "client", "clients");
  const bool shares =
      any_policy(scenario, [](const Policy& policy) { return policy.budget || policy.breaker; });
  if (shares && scenario.clients_per_host > 1) {
    text += " on " + counted(make_plan(scenario, 0).hosts(), "host", "hosts");
  }
  return text;
}

std::string headline(const Scenario& scenario) {
  const std::optional<Nanoseconds> tick = tick_length(scenario);
  return fmt::format("{}{}, {}, {}",
                     scenario.name ? printable(*scenario.name, kMostNameBytes) + ": " : "",
                     clients_text(scenario), counted_ticks(tick, scenario.horizon),
                     capacity_text(scenario.server, tick));
}

// An item of a list, wrapped.
std::string list_item(std::string_view text, std::size_t width) {
  static constexpr std::string_view kMark = "- ";
  std::string item = std::string(kMark) + wrapped(text, width - kMark.size());
  for (std::size_t end = item.find('\n'); end + 1 < item.size(); end = item.find('\n', end + 1)) {
    item.insert(end + 1, kMark.size(), ' ');
  }
  return item;
}

bool is_diagnosis_within(const Scenario& scenario, std::uint64_t memory_limit) {
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    if (diagnosis_memory_bytes(make_plan(scenario, i)) > memory_limit) {
      return false;
    }
  }
  return true;
}

// What an operator should notice, for each policy of which there is something to say.
std::string diagnoses(const Scenario& scenario, const std::vector<Summary>& summaries,
                      std::size_t width) {
  Progress progress;
  std::string text;
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    if (summaries[i].attempts >= kManyAttempts) {
      progress.announce(fmt::format("diagnosing policy {} of {}", i + 1, summaries.size()));
    }
    const std::vector<std::string> sentences = diagnose(scenario, i);
    if (!sentences.empty()) {
      text += "\n" + fitted(scenario.policies[i].name, width) + "\n";
    }
    for (const std::string& sentence : sentences) {
      text += list_item(sentence, width);
    }
  }
  return text;
}

void print_table(const Scenario& scenario, const RunOptions& options, Output& output) {
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
        progress.update_run(i, scenario.policies.size(), load.tick, attempts);
      };
      summaries.push_back(run(make_plan(scenario, i), {.tick_load = observe}, options.workers));
    }
  }
  const std::size_t width = terminal_width(STDOUT_FILENO);
  output.write(wrapped(headline(scenario), width) + "\n");
  output.write(summary_table(scenario, summaries, width));
  output.write("\n" + load_charts(scenario, titles, profiles, width));
  if (options.workers.peers != nullptr) {
    return;  // a diagnosis is made by one process
  }
  output.write(is_diagnosis_within(scenario, options.memory_limit)
                   ? diagnoses(scenario, summaries, width)
                   : "\n" +
                         wrapped("No diagnosis: it would need more memory than the limit.", width));
}

}  // namespace

void run_command(const RunOptions& options) {
  const Workers& workers = options.workers;
  const Scenario scenario = together(workers.peers, [&] {
    Scenario loaded =
        load_scenario_with(options.with, options.scenario, options.memory_limit, options.policies);
    for (std::size_t i = 0; i < loaded.policies.size(); ++i) {
      const Plan plan = make_plan(loaded, i);
      require_workers_for(plan, workers);
      require_memory(run_memory_bytes(plan, workers), options.memory_limit, "the run");
    }
    return loaded;
  });
  Output output(path_for("-", workers));
  const auto sink = [&](std::string_view text) { output.write(text); };
  switch (options.format) {
    case RunOptions::Format::kTable:
      print_table(scenario, options, output);
      break;
    case RunOptions::Format::kJson:
      write_run_json(scenario, sink, workers);
      break;
    case RunOptions::Format::kCsv:
      write_summary_csv(scenario, sink, workers);
      break;
  }
  output.commit();
}

}  // namespace retrygarden::cli
