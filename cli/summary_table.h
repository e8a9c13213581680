// The summaries of a scenario's policies as a table, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "retrygarden/results.h"
#include "retrygarden/scenario.h"

namespace retrygarden::cli {

// The summaries side by side, one for each policy. There are rows for what can happen in this
// scenario.
std::string summary_table(const Scenario& scenario, const std::vector<Summary>& summaries,
                          std::size_t width);

}  // namespace retrygarden::cli
