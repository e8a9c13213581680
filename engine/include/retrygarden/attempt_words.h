// An attempt in plain words: what the server did, what became of its response, what the client
// knows, and what it does next.
//
// Ticks are named where they are not the one in which the attempt was made. The words are for
// people; their wording is no format.
#pragma once

#include <optional>
#include <string>

#include "retrygarden/plan.h"
#include "retrygarden/results.h"

namespace retrygarden {

// For example: applied it again at tick 7: a duplicate
std::string server_words(const Plan& plan, const Attempt& attempt);

// For example: late, at tick 9
std::string response_words(const Plan& plan, const Attempt& attempt);

// For example: timed out at tick 8
std::string client_words(const Plan& plan, const Attempt& attempt);

// For example: retries at tick 12. end is the client's terminal state, if it is known.
std::string next_step_words(const Plan& plan, const Attempt& attempt,
                            std::optional<ClientState> end);

}  // namespace retrygarden
