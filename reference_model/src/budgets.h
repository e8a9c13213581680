// Retry budgets (section 11).

#ifndef REFERENCE_MODEL_BUDGETS_H
#define REFERENCE_MODEL_BUDGETS_H

#include <cstdint>
#include <memory>
#include <optional>

#include "scenario.h"

namespace reference_model {

enum class Failure { refusal, timeout };  // whatever is not a timeout is a refusal

// The budget of one host. It is told what its host's clients do, in the order in which that
// happens. This class itself is the budget of a host whose policy has none: it permits everything.
class HostBudget {
 public:
  HostBudget() = default;
  HostBudget(const HostBudget&) = delete;
  HostBudget& operator=(const HostBudget&) = delete;
  virtual ~HostBudget() = default;

  virtual void attempt_made(std::int64_t /*tick*/, std::int64_t /*client*/,
                            std::int64_t /*attempt*/) {}
  virtual void acknowledged(std::int64_t /*tick*/, std::int64_t /*client*/,
                            std::int64_t /*attempt*/) {}
  virtual void charge_failure(std::int64_t /*tick*/) {}

  // Whether the client may make another attempt after a failure; if so, that attempt is paid for.
  virtual bool permits_retry(std::int64_t /*tick*/, std::int64_t /*client*/, Failure /*failure*/) {
    return true;
  }

  // The client is in a terminal state.
  virtual void ended(std::int64_t /*client*/) {}
};

std::unique_ptr<HostBudget> make_host_budget(const std::optional<Budget>& budget);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_BUDGETS_H
