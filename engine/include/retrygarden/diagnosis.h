// Diagnosis: what an operator should notice about a run, in plain sentences.
//
// What is said is worked out from the plan and the results of its runs, in whole numbers, and said
// only where it applies. The sentences are for people; their wording is no format.
//
//  * A failure that outlives its cause: in the last tenth of the ticks from the first arrival to
//    the last, rounded up, with the server up again, fewer than half as many clients a tick are
//    acknowledged as from the first arrival to the first outage.
//  * A timeout that is shorter than the service time, so that no response is ever in time.
//  * Duplicate effects, and for how long deduplication would have to keep keys to suppress them.
//    That is exact: suppressing an effect changes nothing of when clients try, and what they learn.
//  * Requests started when their clients had already given up on them.
//  * The lowest client numbers taking the capacity, where ties are broken by client.
//  * Clients stopped by the retry budget.
//  * Delays that are exactly the cap of their law, so that clients that fail together stay
//    together; or a cap that the attempts do not last to reach.
//  * A hint of the server that the policy ignores, and does not keep to by itself.
//  * A horizon at which many clients have neither failed nor succeeded.
//
// Shares are told from a quarter on. Shares and rates of fewer than 20 may be chance, and are not
// told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "retrygarden/plan.h"
#include "retrygarden/scenario.h"

namespace retrygarden {

// A run with more attempts than this is not looked at attempt by attempt: sentences on duplicates,
// given-up requests, ties, delays at the cap and hints are left out, and the last sentence says so.
inline constexpr std::uint64_t kMostDiagnosedAttempts = 2'000'000;

// The sentences on policy number policy_index, which must be there; the scenario must be valid.
// Each ends with a full stop; what concerns the outcome of the whole run comes first. There are
// none if there is nothing to notice.
//
// Time: a run without observers of attempts and, up to kMostDiagnosedAttempts, one with them.
// Memory: see diagnosis_memory_bytes().
std::vector<std::string> diagnose(const Scenario& scenario, std::size_t policy_index);

// An upper estimate of the bytes that diagnose() holds at once for this plan: those of a run with
// records, and 8 for each request started, but of no more than kMostDiagnosedAttempts attempts.
// Constant time.
std::uint64_t diagnosis_memory_bytes(const Plan& plan);

}  // namespace retrygarden
