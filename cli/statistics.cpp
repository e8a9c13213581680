#include "statistics.h"

#include <algorithm>
#include <boost/multiprecision/cpp_dec_float.hpp>

namespace retrygarden::cli {

namespace {

using boost::multiprecision::cpp_int;

// Software arithmetic: the same on every machine.
using Decimal = boost::multiprecision::cpp_dec_float_50;

const Decimal kTail = Decimal(25) / 1000;  // on either side of the interval
const Decimal kNegligible("1e-60");

}  // namespace

// A value lies below the median in half of the cases. So the rank-th smallest value lies above it
// as often as a fair coin shows fewer than `rank` heads in `size` throws.
std::optional<MedianInterval> median_interval(std::uint64_t size) {
  // The probabilities of size/2, size/2 - 1, … heads, as multiples of the first. They fall off so
  // fast that few of them count.
  std::vector<Decimal> ratios;
  Decimal ratio = 1;
  Decimal half = 0;
  std::uint64_t heads = size / 2;
  for (;; --heads) {
    ratios.push_back(ratio);
    half += ratio;
    if (heads == 0 || ratio < kNegligible) {
      break;
    }
    ratio *= heads;
    ratio /= size - heads + 1;
  }
  const Decimal total = 2 * half - (size % 2 == 0 ? 1 : 0);
  Decimal tail = 0;
  std::uint64_t rank = heads;
  for (; tail + ratios.back() <= total * kTail; ++rank) {
    tail += ratios.back();
    ratios.pop_back();
  }
  if (rank == 0) {
    return std::nullopt;
  }
  const Decimal coverage = 1 - 2 * tail / total;
  return MedianInterval{rank, static_cast<Decimal>(coverage * 10'000).convert_to<std::uint32_t>()};
}

SampleStatistics sample_statistics(std::vector<std::int64_t> sample,
                                   const std::optional<MedianInterval>& interval) {
  std::sort(sample.begin(), sample.end());
  SampleStatistics result;
  for (const std::int64_t value : sample) {
    result.sum += value;
  }
  result.middle_low = sample[(sample.size() - 1) / 2];
  result.middle_high = sample[sample.size() / 2];
  if (interval) {
    result.low = sample[interval->rank - 1];
    result.high = sample[sample.size() - interval->rank];
  }
  return result;
}

std::string rounded_quotient(const cpp_int& dividend, std::uint64_t divisor, unsigned decimals) {
  cpp_int quotient;
  cpp_int rest;
  divide_qr(cpp_int(abs(dividend) * pow(cpp_int(10), decimals)), cpp_int(divisor), quotient, rest);
  const int to_half = cpp_int(2 * rest).compare(divisor);
  if (to_half > 0 || (to_half == 0 && bit_test(quotient, 0))) {
    ++quotient;
  }
  std::string text = quotient.str();
  text.insert(0, decimals + 1 - std::min<std::size_t>(text.size(), decimals + 1), '0');
  if (decimals > 0) {
    text.insert(text.size() - decimals, 1, '.');
  }
  return dividend < 0 && quotient != 0 ? "-" + text : text;
}

}  // namespace retrygarden::cli
