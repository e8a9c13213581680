// What commands do where several processes share a run.
#pragma once

#include <string>

#include "retrygarden/plan.h"
#include "retrygarden/workers.h"

namespace retrygarden::cli {

// Where what comes out goes: nowhere in a process that shows nothing.
std::string path_for(const std::string& path, const Workers& workers);

// Throws Failure where several processes cannot share the run, and names the member for which.
void require_workers_for(const Plan& plan, const Workers& workers);

}  // namespace retrygarden::cli
