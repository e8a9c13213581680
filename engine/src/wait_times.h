// WaitTimes: exact percentiles of how long clients waited for their acknowledgement.
//
// Short waits are counted in a table, long ones kept one by one: at most 4 bytes a client, and
// nothing sorted until the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "retrygarden/results.h"

namespace retrygarden {

class WaitTimes {
 public:
  // So many clients waited so long.
  void add(std::uint32_t ticks, std::uint32_t clients = 1) {
    if (ticks < kTableTicks) {
      if (ticks >= counts_.size()) {
        counts_.resize(std::min<std::size_t>(kTableTicks, 2 * (std::size_t{ticks} + 1)));
      }
      counts_[ticks] += clients;
    } else {
      long_waits_.insert(long_waits_.end(), clients, ticks);
    }
  }

  // Takes over what the other one holds.
  void merge(WaitTimes& other);

  // All it holds, for merge_packed() of another process.
  std::vector<std::uint32_t> packed() const;
  void merge_packed(std::span<const std::uint32_t> packed);

  // By nearest rank (section 8). Reorders what it holds; linear.
  TimeToAcknowledge percentiles();

  static constexpr std::uint32_t kTableTicks = 1 << 15;

 private:
  void merge_counts(std::span<const std::uint32_t> counts);
  std::uint32_t at_rank(std::uint64_t rank);

  std::vector<std::uint32_t> counts_;     // by ticks
  std::deque<std::uint32_t> long_waits_;  // grows without ever holding two copies
};

}  // namespace retrygarden
