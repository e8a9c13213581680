// Sorting the attempts of a tick by client, each of which has one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "due_attempt.h"

namespace retrygarden {

// Ascending. Many are sorted by digits, the lowest first, which takes a few passes whatever their
// order: in a retry storm a third of the time of comparison sorts (std::sort, Boost's spreadsort).
// scratch: any, so that nothing is allocated again and again.
inline void sort_by_client(std::vector<DueAttempt>& due, std::vector<DueAttempt>& scratch) {
  constexpr std::size_t kFew = 128;
  constexpr unsigned kDigitBits = 11;  // the counts of a digit's values stay in the nearest cache
  if (due.size() < kFew) {
    std::sort(due.begin(), due.end(),
              [](DueAttempt a, DueAttempt b) { return a.client < b.client; });
    return;
  }
  std::uint32_t used = 0;
  for (const DueAttempt one : due) {
    used |= one.client;
  }
  scratch.resize(due.size());
  for (unsigned shift = 0; shift < 32 && (used >> shift) != 0; shift += kDigitBits) {
    const auto digit = [shift](DueAttempt one) {
      return (one.client >> shift) & ((1U << kDigitBits) - 1);
    };
    std::array<std::uint32_t, (1U << kDigitBits) + 1> ends{};
    for (const DueAttempt one : due) {
      ++ends[digit(one) + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    for (const DueAttempt one : due) {
      scratch[ends[digit(one)]++] = one;
    }
    due.swap(scratch);
  }
}

}  // namespace retrygarden
