#include "retrygarden/scenario.h"

#include <algorithm>

namespace retrygarden {

bool ListDelay::has_interval() const {
  return std::any_of(ticks.begin(), ticks.end(),
                     [](const Entry& entry) { return std::holds_alternative<Interval>(entry); });
}

bool has_own_jitter(const Delay& delay) {
  const auto* list = std::get_if<ListDelay>(&delay);
  return std::holds_alternative<DecorrelatedDelay>(delay) ||
         (list != nullptr && list->has_interval());
}

}  // namespace retrygarden
