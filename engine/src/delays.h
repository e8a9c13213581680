// Delays: how long a client waits after an attempt that failed (docs/model.md, section 6), before
// the server's hint has its say.
#pragma once

#include <algorithm>
#include <vector>

#include "draw.h"
#include "due_attempts.h"
#include "probe.h"
#include "retrygarden/plan.h"

namespace retrygarden {

template <class Draws>
class Delays {
 public:
  Delays(const Plan& plan, Draws& draws)
      : draws_(draws), table_(std::get_if<DelayTable>(&plan.delay)), max_delay_(plan.max_delay) {
    if (table_ == nullptr) {
      decorrelated_ = std::get<DecorrelatedDelay>(plan.delay);
      previous_.assign(plan.clients, decorrelated_.base);
    }
  }

  std::uint32_t after(DueAttempt due) {
    const std::uint32_t ticks = table_ != nullptr ? draws_(table_->after(due.attempt),
                                                           Purpose::kDelay, due.attempt, due.client)
                                                  : decorrelated(due);
    RETRYGARDEN_PROBE(kDelayCut, ticks > max_delay_);
    return std::min(ticks, max_delay_);
  }

 private:
  std::uint32_t decorrelated(DueAttempt due) {
    std::uint32_t& previous = previous_[due.client];
    const Interval interval{decorrelated_.base, 3 * previous};
    previous =
        std::min(decorrelated_.cap, draws_(interval, Purpose::kDelay, due.attempt, due.client));
    RETRYGARDEN_PROBE(kDecorrelatedAtItsCap, previous == decorrelated_.cap);
    return previous;
  }

  Draws& draws_;
  const DelayTable* table_;  // null for decorrelated delays
  std::uint32_t max_delay_;
  DecorrelatedDelay decorrelated_;
  std::vector<std::uint32_t> previous_;  // by client, for decorrelated delays
};

}  // namespace retrygarden
