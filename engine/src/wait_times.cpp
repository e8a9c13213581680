#include "wait_times.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "probe.h"

namespace retrygarden {

void WaitTimes::merge(WaitTimes& other) {
  merge_counts(other.counts_);
  for (; !other.long_waits_.empty(); other.long_waits_.pop_front()) {
    long_waits_.push_back(other.long_waits_.front());
  }
}

void WaitTimes::merge_counts(std::span<const std::uint32_t> counts) {
  counts_.resize(std::max(counts_.size(), counts.size()));
  std::transform(counts.begin(), counts.end(), counts_.begin(), counts_.begin(), std::plus<>());
}

// The number of counts, the counts, and the long waits.
std::vector<std::uint32_t> WaitTimes::packed() const {
  std::vector<std::uint32_t> packed{static_cast<std::uint32_t>(counts_.size())};
  packed.insert(packed.end(), counts_.begin(), counts_.end());
  packed.insert(packed.end(), long_waits_.begin(), long_waits_.end());
  return packed;
}

void WaitTimes::merge_packed(std::span<const std::uint32_t> packed) {
  merge_counts(packed.subspan(1, packed.front()));
  const auto long_waits = packed.subspan(1 + packed.front());
  long_waits_.insert(long_waits_.end(), long_waits.begin(), long_waits.end());
}

TimeToAcknowledge WaitTimes::percentiles() {
  const std::uint64_t total =
      std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}) + long_waits_.size();
  RETRYGARDEN_PROBE(kPercentileOfOneValue, total == 1);
  RETRYGARDEN_PROBE(kLongWait, !long_waits_.empty());
  if (total == 0) {
    return {};
  }
  const auto percentile = [&](std::uint64_t percent) {
    return at_rank((percent * total + 99) / 100);
  };
  return {percentile(50), percentile(90), percentile(99), percentile(100)};
}

// The value with that number among the sorted values, counted from 1.
std::uint32_t WaitTimes::at_rank(std::uint64_t rank) {
  for (std::uint32_t ticks = 0; ticks < counts_.size(); ++ticks) {
    if (rank <= counts_[ticks]) {
      return ticks;
    }
    rank -= counts_[ticks];
  }
  const auto nth = long_waits_.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(long_waits_.begin(), nth, long_waits_.end());
  return *nth;
}

}  // namespace retrygarden
