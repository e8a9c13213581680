// DelayRanges: which delays a policy can give after each attempt, before the server's hint has its
// say (docs/model.md, section 6).
#pragma once

#include <cstdint>
#include <vector>

#include "retrygarden/scenario.h"

namespace retrygarden {

// part of whole, exactly. whole is at least 1.
struct Share {
  std::uint32_t part = 0;
  std::uint32_t whole = 1;

  bool operator==(const Share&) const = default;
};

struct DelayRange {
  Interval delay;  // the shortest and the longest

  // How many of the delays are cut: all where the law's cap cuts the raw delay, else those draws
  // that are beyond max_delay, or for decorrelated delays beyond the cap. Only for these does it
  // depend on the delay before: least_cut belongs to the shortest one, most_cut to the longest.
  Share least_cut;
  Share most_cut;

  bool operator==(const DelayRange&) const = default;
};

// After attempts 1, 2, … of a valid policy: count of them, or fewer where its attempts end before.
// Time and memory: linear in count, beside those of make_plan().
std::vector<DelayRange> delay_ranges(const Policy& policy, std::uint32_t count);

}  // namespace retrygarden
