// Charts over time, for a terminal: load, and where time passes goodput and queue.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "retrygarden/results.h"
#include "retrygarden/scenario.h"

namespace retrygarden::cli {

// What the charts show of a tick, or the highest of each in several.
struct Peaks {
  std::uint64_t load = 0;     // requests that reached the server
  std::uint64_t goodput = 0;  // clients acknowledged
  std::uint64_t queued = 0;   // requests that wait at the end of the tick
};

// Gathers a run for its charts, in fixed memory however long the run is: ticks share a bin as soon
// as there are more of them than bins.
class LoadProfile {
 public:
  void add(const TickLoad& load);

  std::uint64_t end_tick() const { return end_tick_; }  // behind the last tick with a record
  std::uint64_t ticks_per_bin() const { return ticks_per_bin_; }
  Peaks peaks() const;

  // The peaks in ticks begin … end-1. Both are multiples of ticks_per_bin().
  Peaks peaks_within(std::uint64_t begin, std::uint64_t end) const;

 private:
  void raise(std::uint64_t begin, std::uint64_t end, const Peaks& peaks);

  std::vector<Peaks> bins_;
  std::uint64_t ticks_per_bin_ = 1;  // a power of two
  std::uint64_t end_tick_ = 0;
  std::uint64_t queued_ = 0;  // from end_tick_ on
};

// Profiles on common scales, one under the other, each at most width columns wide, with capacity
// and outages marked. titles has one text for each profile.
std::string load_charts(const Scenario& scenario, const std::vector<std::string>& titles,
                        const std::vector<LoadProfile>& profiles, std::size_t width);

}  // namespace retrygarden::cli
