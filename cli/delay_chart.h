// A chart of the delays before each attempt, for a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "delay_table.h"

namespace retrygarden::cli {

struct DelayChart {
  std::string text;
  bool is_logarithmic = false;  // where a common linear scale would hide the short delays
};

// The policies under each other on one scale, at most width columns wide: a bar from the shortest
// to the longest delay. label is how a delay is shown on the axis. Empty where there is no delay.
DelayChart delay_chart(const std::vector<Outlook>& outlooks,
                       const std::function<std::string(std::uint64_t)>& label, std::size_t width);

}  // namespace retrygarden::cli
