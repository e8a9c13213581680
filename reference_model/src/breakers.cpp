#include "breakers.h"

#include <utility>

namespace reference_model {

bool HostBreaker::lets_through(std::int64_t tick) {
  // "Closed, it lets everything through"
  if (is_closed_) {
    return true;
  }
  // "Open, it lets nothing through in ticks t+1 ... t+o."
  if (tick <= *opened_tick_ + rule_.open_ticks) {
    return false;
  }
  // "Half-open, the first p attempts of this period are let through as probes"
  if (probes_sent_ == rule_.probes) {
    return false;
  }
  ++probes_sent_;
  return true;
}

// "A result counts only if the breaker never opened, or its attempt was made after the tick in
// which it last opened". So no result counts while it is open, and half-open only those of probes.
void HostBreaker::report(std::int64_t tick, Result result, std::int64_t attempt_tick) {
  if (opened_tick_ && attempt_tick <= *opened_tick_) {
    return;
  }
  if (is_closed_) {
    keep(tick, result);
  } else {
    judge_probe(tick, result);
  }
}

// "keeps the last n results that count. When f of those are failures it opens in that tick t, and
// forgets them."
void HostBreaker::keep(std::int64_t tick, Result result) {
  kept_.push_back(result);
  failures_kept_ += result == Result::failure;
  if (std::cmp_greater(kept_.size(), rule_.window)) {
    failures_kept_ -= kept_.front() == Result::failure;
    kept_.pop_front();
  }
  if (failures_kept_ == rule_.failures) {
    open(tick);
  }
}

// "When a probe fails, the breaker opens again in that tick. When all p have succeeded it closes,
// with no results kept."
void HostBreaker::judge_probe(std::int64_t tick, Result result) {
  if (result == Result::failure) {
    open(tick);
    return;
  }
  ++probes_succeeded_;
  is_closed_ = probes_succeeded_ == rule_.probes;
}

void HostBreaker::open(std::int64_t tick) {
  is_closed_ = false;
  opened_tick_ = tick;
  kept_.clear();
  failures_kept_ = 0;
  probes_sent_ = 0;
  probes_succeeded_ = 0;
}

}  // namespace reference_model
