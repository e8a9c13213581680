// What is possible of a policy's attempts when none is acknowledged, and a table of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "retrygarden/delay_ranges.h"
#include "retrygarden/scenario.h"

namespace retrygarden::cli {

struct PossibleAttempt {
  std::uint32_t number = 1;
  std::optional<DelayRange> delay;  // before it; none before the first
  std::uint64_t earliest = 0;       // ticks from the client's arrival
  std::uint64_t latest = 0;
};

struct Outlook {
  std::string name;
  std::vector<PossibleAttempt> attempts;  // never empty
  bool can_cut = false;                   // whether the policy has a bound that cuts delays
  bool ends_at_deadline = false;          // there is no further attempt before it
};

// The first attempts of a policy, at most so many: the earliest where each was refused at once and
// waited for shortest, the latest where each timed out and was waited for longest. None is later
// than the policy's deadline.
Outlook outlook(const Policy& policy, std::uint32_t most_attempts);

// The policies side by side where they fit the width, else under each other; number is how ticks
// are shown.
std::string delay_table(const std::vector<Outlook>& outlooks,
                        const std::function<std::string(std::uint64_t)>& number, std::size_t width);

}  // namespace retrygarden::cli
