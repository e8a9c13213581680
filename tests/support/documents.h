// The documents that tests compare.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "retrygarden/export.h"
#include "retrygarden/scenario.h"

namespace retrygarden::test {

// The scenario in a text that is valid; the test fails with its faults if it is not.
Scenario scenario_of(std::string_view text);

// What one of the engine's writers writes.
std::string written(void (*write)(const Scenario&, const Sink&, const Workers&),
                    const Scenario& scenario, const Workers& workers = {});

// The engine's export document.
std::string export_text(const Scenario& scenario, const Workers& workers = {});

// The same, where the run is shared by so many processes.
std::string export_text_of_team(const Scenario& scenario, std::uint32_t processes,
                                const Workers& workers = {});

std::string file_text(const std::string& path);

// The first place in which two documents differ, as JSON Pointer with both values; empty if they
// are equal, the order of members included.
std::string difference(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b);

}  // namespace retrygarden::test
