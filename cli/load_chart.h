// A chart of attempts per tick, for a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "retrygarden/results.h"
#include "retrygarden/scenario.h"

namespace retrygarden::cli {

// Gathers the load of a run for a chart, in fixed memory however long the run is: ticks share a bin
// as soon as there are more of them than bins, and a bin keeps the highest load among its ticks.
class LoadProfile {
 public:
  void add(const TickLoad& load);

  std::uint64_t end_tick() const { return end_tick_; }  // behind the last tick with an attempt
  std::uint64_t ticks_per_bin() const { return ticks_per_bin_; }
  std::uint64_t peak() const;

  // The highest load in ticks begin … end-1. Both are multiples of ticks_per_bin().
  std::uint64_t peak_within(std::uint64_t begin, std::uint64_t end) const;

 private:
  std::vector<std::uint64_t> bins_;
  std::uint64_t ticks_per_bin_ = 1;  // a power of two
  std::uint64_t end_tick_ = 0;
};

// Profiles on common scales, one under the other, each at most width columns wide, with capacity
// and outages marked. titles has one text for each profile.
std::string load_charts(const Scenario& scenario, const std::vector<std::string>& titles,
                        const std::vector<LoadProfile>& profiles, std::size_t width);

}  // namespace retrygarden::cli
