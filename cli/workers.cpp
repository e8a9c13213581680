#include "workers.h"

#include <fmt/format.h>

#include "failure.h"

namespace retrygarden::cli {

bool shows(const Workers& workers) {
  return workers.peers == nullptr || workers.peers->is_first();
}

std::string path_for(const std::string& path, const Workers& workers) {
  return shows(workers) ? path : "/dev/null";
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
