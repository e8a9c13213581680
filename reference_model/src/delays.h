// The delay before a client's next attempt (section 6).

#ifndef REFERENCE_MODEL_DELAYS_H
#define REFERENCE_MODEL_DELAYS_H

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "reference_model/draws.h"
#include "scenario.h"

namespace reference_model {

// The values min(cap, floor(base * multiplier^(k-1))), k = 1, 2, ...; worked out one after another
// as far as somebody asks, and no further than the cap, which the later values cannot fall below.
class ExponentialDelays {
 public:
  explicit ExponentialDelays(const ExponentialDelay& delay);

  std::int64_t after(std::int64_t attempt);

 private:
  ExponentialDelay delay_;
  // The exact, uncapped value that follows `values_` is numerator_ / denominator_.
  boost::multiprecision::cpp_int numerator_;
  boost::multiprecision::cpp_int denominator_ = 1;
  std::vector<std::int64_t> values_;
};

// The delays of one policy in one run. It remembers each client's previous value, so a client's
// delays are to be asked for in the order of its attempts, each once.
class DelayRule {
 public:
  DelayRule(const Policy& policy, const DrawSource& draws);

  // `hint` is what the server sent with the outcome, if anything.
  std::int64_t delay_after(std::int64_t attempt, std::int64_t client,
                           const std::optional<std::int64_t>& hint);

 private:
  // Whole ticks from lo to hi, both included.
  struct Interval {
    boost::multiprecision::cpp_int lo;
    boost::multiprecision::cpp_int hi;
  };

  std::int64_t uncut_delay(std::int64_t attempt, std::int64_t client);
  std::int64_t decorrelated(const DecorrelatedDelay& delay, std::int64_t attempt,
                            std::int64_t client);
  std::int64_t one_of(const Interval& interval, std::int64_t attempt, std::int64_t client) const;
  Interval jittered(const boost::multiprecision::cpp_int& x) const;
  Interval entry_after(const ListDelay& list, std::int64_t attempt) const;

  const Policy& policy_;
  const DrawSource& draws_;
  std::optional<ExponentialDelays> exponential_;          // if that is the policy's kind of delay
  std::map<std::int64_t, std::int64_t> previous_values_;  // of decorrelated, by client
};

}  // namespace reference_model

#endif  // REFERENCE_MODEL_DELAYS_H
