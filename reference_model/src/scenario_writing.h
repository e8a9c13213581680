// A scenario as section 9 writes it.

#ifndef REFERENCE_MODEL_SCENARIO_WRITING_H
#define REFERENCE_MODEL_SCENARIO_WRITING_H

#include <nlohmann/json.hpp>

#include "scenario.h"

namespace reference_model {

nlohmann::ordered_json scenario_json(const Scenario& scenario);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_SCENARIO_WRITING_H
