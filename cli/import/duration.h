// Durations as configurations write them, exactly, and what they become in whole ticks.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace retrygarden::import_from {

using Nanoseconds = std::uint64_t;
using Rational = boost::multiprecision::cpp_rational;

inline constexpr Nanoseconds kMicrosecond = 1'000;
inline constexpr Nanoseconds kMillisecond = 1'000'000;
inline constexpr Nanoseconds kSecond = 1'000'000'000;

inline constexpr std::uint32_t kMostTicks = 1U << 30;  // of a delay or a timeout

// A tick's length as a scenario writes it: one to six digits, the first not 0, and ns, us, ms, s,
// min or h. Above 0, below 2^62.
std::optional<Nanoseconds> parse_tick(std::string_view text);

// A decimal number without a sign: 2, 0.5, .5, 2., 1.25e3. Nothing for anything else, and for more
// digits or a longer exponent than any floating point number needs.
std::optional<Rational> parse_decimal(std::string_view text);

// The next four give nanoseconds, 0 or more; nothing for a text of another notation.

// Go, Kubernetes, Envoy: numbers with units h, m, s, ms, us, µs, ns in a row, such as 1h30m
// or 1.5s, or a lone 0.
std::optional<Rational> parse_go_duration(std::string_view text);

// Protocol Buffers' JSON: seconds with at most nine decimals, and s: 1.5s. At most 10,000 years.
std::optional<Rational> parse_proto_duration(std::string_view text);

// .NET's TimeSpan: [d.]hh:mm[:ss[.fffffff]], or days alone.
std::optional<Rational> parse_time_span(std::string_view text);

// A number of a unit: milliseconds, seconds.
std::optional<Rational> parse_number_of(Nanoseconds unit, std::string_view text);

// A duration in whole ticks, and what that changes.
struct WholeTicks {
  std::uint32_t ticks = 1;
  std::string loss;  // a sentence without a full stop; empty where the duration is kept exactly
};

// The nearest number of ticks, half up, at least 1 and at most `most`. The name begins the
// sentence, for example: "a delay". Precondition: duration >= 0.
WholeTicks whole_ticks(std::string_view name, const Rational& duration, Nanoseconds tick,
                       std::uint32_t most = kMostTicks);

// A duration for people, in the largest unit that is below it: "1.5 ms", "about 12.3457 us".
std::string duration_text(const Rational& duration);

}  // namespace retrygarden::import_from
