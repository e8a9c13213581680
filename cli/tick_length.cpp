#include "tick_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <iterator>

#include "retrygarden/grouped.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

using boost::multiprecision::uint128_t;

struct Unit {
  std::string_view name;
  Nanoseconds nanoseconds;
  std::size_t decimals;  // of a nanosecond in this unit; none where that does not end
};

using import_from::kSecond;
constexpr Unit kUnits[] = {{"h", 3600 * kSecond, 0},
                           {"min", 60 * kSecond, 0},
                           {"s", kSecond, 9},
                           {"ms", import_from::kMillisecond, 6},
                           {"µs", import_from::kMicrosecond, 3},
                           {"ns", 1, 0}};

bool is_decimal(const Unit& unit) {
  return unit.nanoseconds <= kSecond;
}

const Unit& unit_for(Nanoseconds tick, std::uint64_t most_ticks) {
  const uint128_t most = uint128_t(tick) * std::max<std::uint64_t>(1, most_ticks);
  const auto suits = [&](const Unit& unit) {
    return unit.nanoseconds <= most && (is_decimal(unit) || tick % unit.nanoseconds == 0);
  };
  return *std::find_if(std::begin(kUnits), std::end(kUnits), suits);  // ns always does
}

// The decimals that multiples of a tick can have, of those that nanoseconds have in this unit.
std::size_t decimals_of(Nanoseconds tick, const Unit& unit) {
  std::size_t decimals = unit.decimals;
  for (; decimals > 0 && tick % 10 == 0; --decimals) {
    tick /= 10;
  }
  return decimals;
}

}  // namespace

std::optional<Nanoseconds> tick_length(const Scenario& scenario) {
  return scenario.tick ? import_from::parse_tick(*scenario.tick) : std::nullopt;
}

TimeUnit::TimeUnit(Nanoseconds tick, std::uint64_t most_ticks) : tick_(tick) {
  const Unit& unit = unit_for(tick, most_ticks);
  unit_ = unit.nanoseconds;
  name_ = unit.name;
  decimals_ = decimals_of(tick, unit);
}

std::string TimeUnit::number(std::uint64_t ticks) const {
  const uint128_t nanoseconds = uint128_t(tick_) * ticks;
  const uint128_t whole = nanoseconds / unit_;
  std::string text = grouped(whole.convert_to<std::uint64_t>());
  if (decimals_ > 0) {
    // unit_ is a power of ten: its digits behind the first are those of the rest.
    const uint128_t rest = nanoseconds % unit_;
    const std::size_t digits = fmt::formatted_size("{}", unit_) - 1;
    const std::string fraction = fmt::format("{:0>{}}", rest.convert_to<std::uint64_t>(), digits);
    text += '.' + fraction.substr(0, decimals_);
  }
  return text;
}

std::string TimeUnit::time(std::uint64_t ticks) const {
  std::string text = number(ticks);
  if (decimals_ > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.find_last_not_of('.') + 1);
  }
  return fmt::format("{} {}", text, name_);
}

std::string TimeUnit::aligned(std::uint64_t ticks) const {
  return fmt::format("{} {}", number(ticks), name_);
}

std::string time_text(Nanoseconds tick, std::uint64_t ticks) {
  return TimeUnit(tick, ticks).time(ticks);
}

std::string ticks_text(std::optional<Nanoseconds> tick, std::uint64_t ticks) {
  return grouped(ticks) + (tick ? " = " + time_text(*tick, ticks) : "");
}

std::string counted_ticks(std::optional<Nanoseconds> tick, std::uint64_t ticks) {
  return counted(ticks, "tick", "ticks") + (tick ? " = " + time_text(*tick, ticks) : "");
}

}  // namespace retrygarden::cli
