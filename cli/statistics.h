// What can be said of a sample of integers, exactly (docs/sweep.md).
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace retrygarden::cli {

// An interval for the median of what a sample of a certain size was drawn from: from the rank-th
// smallest to the rank-th largest value.
struct MedianInterval {
  std::uint64_t rank = 1;
  std::uint32_t coverage = 0;  // how often it holds the median, in 1/10 000, rounded down
};

// The shortest one that holds the median at least 95 times in 100, whatever the distribution.
// Nothing for fewer than 6 values: not even the whole sample suffices. Time: O(√size).
std::optional<MedianInterval> median_interval(std::uint64_t size);

struct SampleStatistics {
  boost::multiprecision::cpp_int sum;
  std::int64_t middle_low = 0;  // the median lies half way between the two; often they are equal
  std::int64_t middle_high = 0;
  std::int64_t low = 0;  // the interval for the median, if there is one
  std::int64_t high = 0;
};

// Precondition: the sample is not empty, and the interval is that for its size.
SampleStatistics sample_statistics(std::vector<std::int64_t> sample,
                                   const std::optional<MedianInterval>& interval);

// The quotient with so many decimals, rounded to the nearest, ties to even.
std::string rounded_quotient(const boost::multiprecision::cpp_int& dividend, std::uint64_t divisor,
                             unsigned decimals);

}  // namespace retrygarden::cli
