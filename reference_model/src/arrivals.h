// When clients make their first attempts (section 3).

#ifndef REFERENCE_MODEL_ARRIVALS_H
#define REFERENCE_MODEL_ARRIVALS_H

#include <cstdint>
#include <vector>

#include "reference_model/draws.h"
#include "scenario.h"

namespace reference_model {

// By client.
std::vector<std::int64_t> arrival_ticks(const Scenario& scenario, const DrawSource& draws);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_ARRIVALS_H
