#include "workers.h"

#include "failure.h"

namespace retrygarden::cli {

std::string path_for(const std::string& path, const Workers& workers) {
  return workers.shows() ? path : "/dev/null";
}

void require_workers_for(const Plan& plan, const Workers& workers) {
  if (workers.peers != nullptr && !plan.can_be_shared()) {
    throw Failure(ExitCode::kInvalidInput,
                  "several processes cannot share a run with server.tie_break random; use the "
                  "program retrygarden");
  }
}

}  // namespace retrygarden::cli
