#include "workers.h"

#include <fmt/format.h>

#include "failure.h"

namespace retrygarden::cli {

std::string path_for(const std::string& path, const Workers& workers) {
  return workers.shows() ? path : "/dev/null";
}

void require_workers_for(const Plan& plan, std::string_view policy, const Workers& workers) {
  if (workers.peers != nullptr && plan.needs_phases()) {
    throw Failure(ExitCode::kInvalidInput,
                  fmt::format("policy {}: several processes cannot share a run with {}; use the "
                              "program retrygarden",
                              policy, plan.member_that_needs_phases()));
  }
}

}  // namespace retrygarden::cli
