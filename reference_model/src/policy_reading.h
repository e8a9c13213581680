// Reads the policies of a scenario (sections 2, 6, 11 and 12).

#ifndef REFERENCE_MODEL_POLICY_READING_H
#define REFERENCE_MODEL_POLICY_READING_H

#include <vector>

#include "reading.h"
#include "scenario.h"

namespace reference_model {

// Whether a policy must have a timeout depends on the server.
std::vector<Policy> read_policies(const Place& place, const Server& server);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_POLICY_READING_H
