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

  std::int64_t delay_after(std::int64_t attempt, std::int64_t client);

 private:
  std::int64_t decorrelated(const DecorrelatedDelay& delay, std::int64_t attempt,
                            std::int64_t client);
  boost::multiprecision::cpp_int raw_delay(std::int64_t attempt);

  const Policy& policy_;
  const DrawSource& draws_;
  std::optional<ExponentialDelays> exponential_;          // if that is the policy's kind of delay
  std::map<std::int64_t, std::int64_t> previous_values_;  // of decorrelated, by client
};

}  // namespace reference_model

#endif  // REFERENCE_MODEL_DELAYS_H
