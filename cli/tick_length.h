// How long a tick lasts (docs/model.md, section 2), and numbers of ticks as times, for people.
//
// All times are exact: decimal numbers with as many digits as they have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "import/duration.h"
#include "retrygarden/scenario.h"

namespace retrygarden::cli {

using import_from::Nanoseconds;

// Of a scenario that says it.
std::optional<Nanoseconds> tick_length(const Scenario& scenario);

// Times in one unit: the largest in which so many ticks, or one, are at least 1. It is ns, µs, ms
// or s; min and h only where each tick is a whole number of them.
class TimeUnit {
 public:
  TimeUnit(Nanoseconds tick, std::uint64_t most_ticks);

  std::string_view name() const { return name_; }

  // Without zeros at its end: 2.5 s. At most 2^43 ticks, here and below.
  std::string time(std::uint64_t ticks) const;

  // The number alone, all with as many decimals, for a column: 2.50.
  std::string number(std::uint64_t ticks) const;

  // The same with the unit: 2.50 s.
  std::string aligned(std::uint64_t ticks) const;

 private:
  Nanoseconds tick_;
  Nanoseconds unit_;
  std::string_view name_;
  std::size_t decimals_;  // that a number of ticks can have
};

// A number of ticks in the unit that suits it: 2.5 s.
std::string time_text(Nanoseconds tick, std::uint64_t ticks);

// A number of ticks, and where a tick has a length also the time: 250 = 2.5 s.
std::string ticks_text(std::optional<Nanoseconds> tick, std::uint64_t ticks);

// The same with the noun: 250 ticks = 2.5 s.
std::string counted_ticks(std::optional<Nanoseconds> tick, std::uint64_t ticks);

}  // namespace retrygarden::cli
