// What a run yields (section 8), as JSON.

#ifndef REFERENCE_MODEL_RESULTS_H
#define REFERENCE_MODEL_RESULTS_H

#include <nlohmann/json.hpp>
#include <string>

#include "simulation.h"

namespace reference_model {

nlohmann::ordered_json result_of(const std::string& policy_name, const Run& run);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_RESULTS_H
