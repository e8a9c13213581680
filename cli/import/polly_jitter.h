// Polly's exponential back-off with jitter ("decorrelated jitter V2"), with more digits than any
// number of ticks needs.
//
// After retry a (from 0), with a random number r, 0 ≤ r < 1, the delay is base·(f(a + r) − p)
// / 1.4, where f(t) = 2^t · tanh(√(4t)) and p is what f gave the time before (0 at first).
#pragma once

#include <boost/multiprecision/cpp_dec_float.hpp>

namespace retrygarden::import_from {

using Decimal = boost::multiprecision::cpp_dec_float_100;

// f(t). Precondition: t >= 0.
Decimal polly_growth(const Decimal& t);

// The supremum of the delay, as a multiple of base: r near 1 now, and 0 the time before. Its
// infimum is 0: r = 0 now, and near 1 the time before.
Decimal polly_supremum(unsigned retry);

}  // namespace retrygarden::import_from
