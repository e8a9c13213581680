// Circuit breakers (section 12).

#ifndef REFERENCE_MODEL_BREAKERS_H
#define REFERENCE_MODEL_BREAKERS_H

#include <cstdint>
#include <deque>
#include <optional>

#include "scenario.h"

namespace reference_model {

enum class Result { success, failure };

// The breaker of one host.
class HostBreaker {
 public:
  explicit HostBreaker(const Breaker& rule) : rule_(rule) {}

  // To be asked once for every attempt, in the order in which the attempts are made.
  bool lets_through(std::int64_t tick);

  void report(std::int64_t tick, Result result, std::int64_t attempt_tick);

 private:
  void open(std::int64_t tick);
  void keep(std::int64_t tick, Result result);
  void judge_probe(std::int64_t tick, Result result);

  const Breaker& rule_;
  std::optional<std::int64_t> opened_tick_;  // when it last opened; closing does not change that
  bool is_closed_ = true;
  std::deque<Result> kept_;            // while it is closed: the last results that count
  std::int64_t failures_kept_ = 0;     // of kept_
  std::int64_t probes_sent_ = 0;       // since it last opened
  std::int64_t probes_succeeded_ = 0;  // since it last opened
};

}  // namespace reference_model

#endif  // REFERENCE_MODEL_BREAKERS_H
