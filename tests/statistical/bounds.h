// How far a mean over independent trials may be off its expectation, and the closed forms that more
// than one test needs.
#pragma once

#include <cmath>
#include <cstdint>

namespace retrygarden::test {

// Bernstein: the mean of n independent values of this variance, none of which is further than
// `range` from its expectation, is off by more than this with probability below 10^-10.
inline double bernstein(std::uint64_t trials, double variance, double range) {
  const double n = static_cast<double>(trials);
  const double l = std::log(2e10);
  const double linear = range * l / 3;
  return (linear + std::sqrt(linear * linear + 2 * n * variance * l)) / n;
}

// An operation whose attempts fail with probability p each, independently, and that has at most
// `budget` of them.
struct RetriedOperation {
  double p;
  int budget;

  double success() const { return 1 - std::pow(p, budget); }
  double success_variance() const { return success() * (1 - success()); }

  // There is a k-th attempt with probability p^(k-1).
  double attempts() const { return success() / (1 - p); }
  double attempts_variance() const {
    double square = 0;
    for (int k = 1; k <= budget; ++k) {
      square += (2 * k - 1) * std::pow(p, k - 1);
    }
    return square - attempts() * attempts();
  }
};

}  // namespace retrygarden::test
