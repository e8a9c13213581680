#include "imported_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "failure.h"
#include "input.h"
#include "retrygarden/json.h"
#include "tick_length.h"

namespace retrygarden::cli {

namespace {

using import_from::Imported;
using import_from::Nanoseconds;
using import_from::System;

constexpr std::size_t kMostNameBytes = 200;

bool has_policy(const std::vector<Policy>& policies, const std::string& name) {
  return std::any_of(policies.begin(), policies.end(),
                     [&](const Policy& policy) { return policy.name == name; });
}

// The name with the system behind it, and with a number if that is taken too.
std::string distinct_name(const std::vector<Policy>& taken, const std::string& name,
                          std::string_view system) {
  std::string distinct = name;
  for (int number = 1; has_policy(taken, distinct); ++number) {
    distinct = number == 1 ? fmt::format("{} ({})", name, system)
                           : fmt::format("{} ({} {})", name, system, number);
  }
  return distinct;
}

// Adds what a file of a system says, in a world whose attempts wait for `timeout` unless the file
// says otherwise.
void add_imported(Scenario& scenario, const System& system, Imported imported,
                  std::uint32_t timeout) {
  for (Policy& policy : imported.policies) {
    policy.name = distinct_name(scenario.policies, policy.name, system.name);
    policy.timeout = policy.timeout == 0 ? timeout : policy.timeout;
    scenario.policies.push_back(std::move(policy));
  }
  if (imported.deduplication) {
    scenario.server.deduplication = *imported.deduplication;
  }
  std::fputs(loss_lines(imported.losses).c_str(), stderr);
}

// The same of several files.
void add_files(Scenario& scenario, const std::vector<std::string>& files, Nanoseconds tick,
               std::uint32_t timeout, std::uint64_t memory_limit) {
  for (const std::string& file : files) {
    const auto colon = file.find(':');
    if (colon == std::string::npos) {
      throw Failure(ExitCode::kUsage,
                    "expected SYSTEM:FILE, found " + printable(file, kMostNameBytes));
    }
    const System& system = named_system(file.substr(0, colon));
    add_imported(scenario, system,
                 load_imported(system, file.substr(colon + 1), tick, memory_limit), timeout);
  }
  if (scenario.policies.empty()) {
    throw Failure(ExitCode::kInvalidInput, "the files hold no policy");
  }
  if (scenario.policies.size() > import_from::kMostPolicies) {
    throw Failure(ExitCode::kInvalidInput,
                  fmt::format("the files hold {} policies, at most {} can be run together",
                              scenario.policies.size(), import_from::kMostPolicies));
  }
}

}  // namespace

Nanoseconds tick_length(const std::string& text) {
  const auto tick = import_from::parse_tick(text);
  if (!tick) {
    throw Failure(ExitCode::kUsage,
                  fmt::format("\"{}\" is no length of a tick such as 1ms or 10s: up to six digits, "
                              "and ns, us, ms, s, min or h",
                              printable(text, kMostNameBytes)));
  }
  return *tick;
}

const System& named_system(const std::string& name) {
  const System* system = import_from::find_system(name);
  if (system == nullptr) {
    std::string message =
        fmt::format("no system is called \"{}\"; there are:", printable(name, kMostNameBytes));
    for (const System& known : import_from::systems()) {
      message += fmt::format("\n  {}", known.name);
    }
    throw Failure(ExitCode::kUsage, message);
  }
  return *system;
}

Imported load_imported(const System& system, const std::string& path, Nanoseconds tick,
                       std::uint64_t memory_limit) {
  auto imported = import_from::import_text(system, read_input(path, memory_limit), tick);
  if (!imported) {
    throw_faults(path, imported.error());
  }
  return *std::move(imported);
}

std::string loss_lines(const std::vector<import_from::Loss>& losses) {
  std::string lines;
  for (const import_from::Loss& loss : losses) {
    lines += "not kept: ";
    lines += loss.policy.empty() ? "" : printable(loss.policy, kMostNameBytes) + ": ";
    lines += loss.what + "\n";
  }
  return lines;
}

Scenario load_policies(const std::vector<std::string>& files, const std::string& tick,
                       std::uint64_t memory_limit, const std::vector<std::string>& policy_names) {
  const Nanoseconds length = tick_length(tick);
  Scenario scenario;
  scenario.tick = tick;
  add_files(scenario, files, length, 0, memory_limit);
  select_policies(scenario, policy_names);
  return scenario;
}

Scenario load_scenario_with(const std::vector<std::string>& files, const std::string& path,
                            std::uint64_t memory_limit,
                            const std::vector<std::string>& policy_names) {
  Scenario scenario = load_scenario(path, memory_limit);
  if (!files.empty()) {
    const std::uint32_t timeout = scenario.policies.front().timeout;
    scenario.policies.clear();
    add_files(scenario, files, tick_length(scenario).value_or(import_from::kMillisecond), timeout,
              memory_limit);
  }
  select_policies(scenario, policy_names);
  return scenario;
}

}  // namespace retrygarden::cli
