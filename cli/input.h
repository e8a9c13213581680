// Reading what the command line names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "retrygarden/scenario.h"

namespace retrygarden::cli {

// The path as messages name it: "-" is standard input.
std::string input_name(const std::string& path);

// The whole file, or standard input for "-". Throws Failure: input/output failed, or over the
// memory limit, since reading a text takes many times its bytes.
std::string read_input(const std::string& path, std::uint64_t memory_limit);

// The scenario in a file. Throws Failure: as read_input(), or invalid input with every fault found.
Scenario load_scenario(const std::string& path, std::uint64_t memory_limit);

// The same, with only the policies of these names, in their order in the file; all if names is
// empty. Throws Failure (usage) for a name that no policy has.
Scenario load_scenario(const std::string& path, std::uint64_t memory_limit,
                       const std::vector<std::string>& policy_names);

// Leaves the policies of these names, or all if names is empty. Throws Failure (usage) for a name
// that no policy has.
void select_policies(Scenario& scenario, const std::vector<std::string>& policy_names);

// The failure that reports these faults of a text.
[[noreturn]] void throw_faults(const std::string& path, const Faults& faults);

}  // namespace retrygarden::cli
