// Random scenarios for RapidCheck: valid, small enough to run thousands of them, and crowded with
// corner cases.
#pragma once

#include <rapidcheck.h>

#include <string>

namespace retrygarden::test {

// The texts of scenarios, with every member of the format, all laws, jitters, arrivals and kinds of
// deduplication; capacities around the number of clients, horizons that cut runs off, seeds over
// the whole range, defaults left out at times.
rc::Gen<std::string> scenario_texts();

}  // namespace retrygarden::test
