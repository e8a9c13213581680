// Retry configurations of other systems that the command line names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "import/systems.h"
#include "retrygarden/scenario.h"

namespace retrygarden::cli {

// The length of a tick, from its text. Throws Failure (usage).
import_from::Nanoseconds tick_length(const std::string& text);

// The system of that name. Throws Failure (usage), with the names there are.
const import_from::System& named_system(const std::string& name);

// What a file of the system says. Throws Failure: as read_input(), or invalid input with every
// fault found.
import_from::Imported load_imported(const import_from::System& system, const std::string& path,
                                    import_from::Nanoseconds tick, std::uint64_t memory_limit);

// A line for each: the policy, where it is one's, and what is lost.
std::string loss_lines(const std::vector<import_from::Loss>& losses);

// The policies of those files in a scenario that is nothing else, with a tick of that length; of
// these policies, those of the names. Files and failures are as below.
Scenario load_policies(const std::vector<std::string>& files, const std::string& tick,
                       std::uint64_t memory_limit, const std::vector<std::string>& policy_names);

// The scenario, with the policies of those files in place of its own, unless there are none; of
// these policies, those of the names. Each file stands behind its system, as in grpc:config.json.
// Names that several files give are followed by the system, and by a number. Deduplication is the
// last that a file gives. A policy that does not say how long an attempt waits waits as long as the
// scenario's first. What is lost is said on standard error. Throws Failure.
Scenario load_scenario_with(const std::vector<std::string>& files, const std::string& path,
                            std::uint64_t memory_limit,
                            const std::vector<std::string>& policy_names);

}  // namespace retrygarden::cli
