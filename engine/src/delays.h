// Delays: how long a client waits after an attempt that failed (docs/model.md, section 6), before
// the server's hint has its say.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "check.h"
#include "draw.h"
#include "due_attempt.h"
#include "probe.h"
#include "retrygarden/plan.h"

namespace retrygarden {

template <class Draws>
class Delays {
 public:
  // Of clients begin … end-1.
  Delays(const Plan& plan, Draws& draws, Client begin, Client end)
      : draws_(draws),
        table_(std::get_if<DelayTable>(&plan.delay)),
        max_delay_(plan.max_delay),
        begin_(begin) {
    if (table_ == nullptr) {
      decorrelated_ = std::get<DecorrelatedDelay>(plan.delay);
      previous_.assign(end - begin, decorrelated_.base);
    }
  }

  std::uint32_t after(DueAttempt due) {
    return settled(due, draws_(interval_after(due), Purpose::kDelay, due.attempt, due.client));
  }

  // Several at once: ticks[i] is the delay after due[i]. At most kMostAtOnce.
  void after(std::span<const DueAttempt> due, std::span<std::uint32_t> ticks) {
    if constexpr (requires { &Draws::all; }) {
      RETRYGARDEN_CHECK(due.size() <= kMostAtOnce);
      RETRYGARDEN_CHECK(ticks.size() == due.size());
      std::array<Interval, kMostAtOnce> intervals;
      for (std::size_t i = 0; i < due.size(); ++i) {
        intervals[i] = interval_after(due[i]);
      }
      draws_.all(Purpose::kDelay, due, std::span(intervals).first(due.size()), ticks);
      for (std::size_t i = 0; i < due.size(); ++i) {
        ticks[i] = settled(due[i], ticks[i]);
      }
    } else {
      std::transform(due.begin(), due.end(), ticks.begin(),
                     [this](DueAttempt one) { return after(one); });
    }
  }

  // The delay of every client after this attempt, if it is the same for all and no draw is made.
  std::optional<std::uint32_t> same_for_all_after(std::uint32_t attempt) const {
    if (table_ == nullptr) {
      return std::nullopt;
    }
    const Interval interval = table_->after(attempt);
    return interval.lo == interval.hi ? std::optional(std::min(interval.lo, max_delay_))
                                      : std::nullopt;
  }

  static constexpr std::size_t kMostAtOnce = 128;

 private:
  Interval interval_after(DueAttempt due) const {
    return table_ != nullptr ? table_->after(due.attempt)
                             : Interval{decorrelated_.base, 3 * previous_[due.client - begin_]};
  }

  // The delay, when this was drawn from its interval.
  std::uint32_t settled(DueAttempt due, std::uint32_t ticks) {
    if (table_ == nullptr) {
      ticks = std::min(decorrelated_.cap, ticks);
      RETRYGARDEN_PROBE(kDecorrelatedAtItsCap, ticks == decorrelated_.cap);
      previous_[due.client - begin_] = ticks;
    }
    RETRYGARDEN_PROBE(kDelayCut, ticks > max_delay_);
    return std::min(ticks, max_delay_);
  }

  Draws& draws_;
  const DelayTable* table_;  // null for decorrelated delays
  std::uint32_t max_delay_;
  DecorrelatedDelay decorrelated_;
  Client begin_;
  std::vector<std::uint32_t> previous_;  // by client, for decorrelated delays
};

}  // namespace retrygarden
