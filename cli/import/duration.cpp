#include "import/duration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>

namespace retrygarden::import_from {

namespace {

using boost::multiprecision::cpp_int;

constexpr Nanoseconds kMinute = 60 * kSecond;
constexpr Nanoseconds kHour = 60 * kMinute;
constexpr Nanoseconds kDay = 24 * kHour;

// Enough for the largest double without an exponent.
constexpr std::size_t kMostDigits = 400;
constexpr int kMostExponent = 400;

struct Unit {
  std::string_view name;
  Nanoseconds length;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The digits at the beginning of text, which are taken off.
std::string_view take_digits(std::string_view& text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

bool take(std::string_view& text, char c) {
  const bool is_there = text.starts_with(c);
  text.remove_prefix(is_there ? 1 : 0);
  return is_there;
}

cpp_int power_of_ten(std::size_t exponent) {
  return boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(exponent));
}

// boost takes a leading 0 for the sign of an octal number.
cpp_int integer(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits.empty() ? cpp_int(0) : cpp_int(std::string(digits));
}

// Digits with or without a point, at least one of them, at the beginning of text.
std::optional<Rational> take_plain_decimal(std::string_view& text) {
  const std::string_view whole = take_digits(text);
  const std::string_view decimals = take(text, '.') ? take_digits(text) : std::string_view();
  const std::size_t digits = whole.size() + decimals.size();
  if (digits == 0 || digits > kMostDigits) {
    return std::nullopt;
  }
  return Rational(integer(std::string(whole) + std::string(decimals)),
                  power_of_ten(decimals.size()));
}

// Two digits below `limit`, or one.
std::optional<std::uint64_t> take_clock_part(std::string_view& text, std::uint64_t limit) {
  const std::string_view digits = take_digits(text);
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || digits.size() > 2 || value >= limit) {
    return std::nullopt;
  }
  return value;
}

// hh:mm[:ss[.fffffff]], the whole text.
std::optional<Rational> parse_clock(std::string_view text) {
  const auto hours = take_clock_part(text, 24);
  if (!hours || !take(text, ':')) {
    return std::nullopt;
  }
  const auto minutes = take_clock_part(text, 60);
  if (!minutes) {
    return std::nullopt;
  }
  Rational duration = Rational(*hours) * kHour + Rational(*minutes) * kMinute;
  if (text.empty()) {
    return duration;
  }
  const auto seconds = take(text, ':') ? take_clock_part(text, 60) : std::nullopt;
  if (!seconds) {
    return std::nullopt;
  }
  duration += Rational(*seconds) * kSecond;
  if (take(text, '.')) {
    constexpr std::size_t kMostDecimals = 7;
    const std::string_view decimals = take_digits(text);
    if (decimals.empty() || decimals.size() > kMostDecimals) {
      return std::nullopt;
    }
    duration += Rational(integer(decimals), power_of_ten(decimals.size())) * kSecond;
  }
  return text.empty() ? std::optional(duration) : std::nullopt;
}

cpp_int floor_of(const Rational& number) {
  return boost::multiprecision::numerator(number) / boost::multiprecision::denominator(number);
}

}  // namespace

std::optional<Nanoseconds> parse_tick(std::string_view text) {
  static constexpr Unit kUnits[] = {{"ns", 1},      {"us", kMicrosecond}, {"ms", kMillisecond},
                                    {"s", kSecond}, {"min", kMinute},     {"h", kHour}};
  constexpr std::size_t kMostTickDigits = 6;
  const std::string_view digits = take_digits(text);
  const auto* const unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                        [&](const Unit& u) { return u.name == text; });
  if (digits.empty() || digits.size() > kMostTickDigits || digits.front() == '0' ||
      unit == std::end(kUnits)) {
    return std::nullopt;
  }
  Nanoseconds count = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return count * unit->length;
}

std::optional<Rational> parse_decimal(std::string_view text) {
  auto mantissa = take_plain_decimal(text);
  if (!mantissa || text.empty()) {
    return mantissa;
  }
  if (!take(text, 'e') && !take(text, 'E')) {
    return std::nullopt;
  }
  const bool is_negative = take(text, '-');
  if (!is_negative) {
    take(text, '+');
  }
  int exponent = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, exponent);
  if (error != std::errc() || stop != end || !is_digit(text.front()) || exponent > kMostExponent) {
    return std::nullopt;
  }
  const Rational scale(power_of_ten(static_cast<std::size_t>(exponent)));
  return is_negative ? Rational(*mantissa / scale) : Rational(*mantissa * scale);
}

std::optional<Rational> parse_go_duration(std::string_view text) {
  // Where one unit's name begins another's, the longer one stands first.
  static constexpr Unit kUnits[] = {{"ns", 1},
                                    {"us", kMicrosecond},
                                    {"µs", kMicrosecond},  // micro sign
                                    {"μs", kMicrosecond},  // Greek letter
                                    {"ms", kMillisecond},
                                    {"s", kSecond},
                                    {"m", kMinute},
                                    {"h", kHour}};
  if (text == "0") {
    return Rational(0);
  }
  if (text.empty() || text.size() > kMostDigits) {
    return std::nullopt;
  }
  Rational duration = 0;
  while (!text.empty()) {
    const auto number = take_plain_decimal(text);
    const auto* const unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                          [&](const Unit& u) { return text.starts_with(u.name); });
    if (!number || unit == std::end(kUnits)) {
      return std::nullopt;
    }
    duration += *number * unit->length;
    text.remove_prefix(unit->name.size());
  }
  return duration;
}

std::optional<Rational> parse_proto_duration(std::string_view text) {
  constexpr std::size_t kMostDecimals = 9;
  constexpr std::uint64_t kMostSeconds = 315'576'000'000;  // 10,000 years
  if (!text.ends_with('s')) {
    return std::nullopt;
  }
  text.remove_suffix(1);
  const auto point = text.find('.');
  if (point != std::string_view::npos && text.size() - point - 1 > kMostDecimals) {
    return std::nullopt;
  }
  const auto seconds = take_plain_decimal(text);
  if (!seconds || !text.empty() || *seconds > kMostSeconds) {
    return std::nullopt;
  }
  return Rational(*seconds * kSecond);
}

std::optional<Rational> parse_time_span(std::string_view text) {
  constexpr std::uint64_t kMostDays = 10'675'199;  // a TimeSpan holds no more
  std::uint64_t days = 0;
  std::string_view rest = text;
  const std::string_view digits = take_digits(rest);
  const bool has_days = !digits.empty() && (rest.empty() || take(rest, '.'));
  if (has_days) {
    const char* const end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, days).ec != std::errc() || days > kMostDays) {
      return std::nullopt;
    }
    text = rest;
  }
  const Rational whole_days = Rational(days) * kDay;
  if (has_days && text.empty()) {
    return digits.data() + digits.size() == text.data() ? std::optional(whole_days) : std::nullopt;
  }
  const auto clock = parse_clock(text);
  return clock ? std::optional(Rational(whole_days + *clock)) : std::nullopt;
}

std::optional<Rational> parse_number_of(Nanoseconds unit, std::string_view text) {
  const auto number = parse_decimal(text);
  return number ? std::optional(Rational(*number * unit)) : std::nullopt;
}

WholeTicks whole_ticks(std::string_view name, const Rational& duration, Nanoseconds tick,
                       std::uint32_t most) {
  const Rational exact = duration / tick;
  const cpp_int nearest = floor_of(exact + Rational(1, 2));
  if (nearest > most) {
    return {most, fmt::format("{} of {} is cut to {} ticks of {}", name, duration_text(duration),
                              most, duration_text(tick))};
  }
  const std::uint32_t ticks = std::max(1U, nearest.convert_to<std::uint32_t>());
  if (exact == ticks) {
    return {ticks, ""};
  }
  return {ticks, fmt::format("{} of {} becomes {} {} of {}", name, duration_text(duration), ticks,
                             ticks == 1 ? "tick" : "ticks", duration_text(tick))};
}

std::string duration_text(const Rational& duration) {
  static constexpr Unit kUnits[] = {
      {"s", kSecond}, {"ms", kMillisecond}, {"us", kMicrosecond}, {"ns", 1}};
  constexpr unsigned kDecimals = 6;
  if (duration == 0) {
    return "0";
  }
  const auto* const smallest = std::end(kUnits) - 1;
  const Unit& shown = *std::find_if(std::begin(kUnits), smallest,
                                    [&](const Unit& u) { return duration >= u.length; });
  const cpp_int scale = power_of_ten(kDecimals);
  const Rational scaled = duration / shown.length * scale;
  const cpp_int rounded = floor_of(scaled + Rational(1, 2));
  std::string decimals = cpp_int(rounded % scale).str();
  decimals.insert(0, kDecimals - decimals.size(), '0');
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return fmt::format("{}{}{}{} {}", scaled == rounded ? "" : "about ",
                     cpp_int(rounded / scale).str(), decimals.empty() ? "" : ".", decimals,
                     shown.name);
}

}  // namespace retrygarden::import_from
