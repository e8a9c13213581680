#include "retrygarden/fraction.h"

#include <fmt/format.h>

#include <charconv>

namespace retrygarden {

namespace {

constexpr std::size_t kDigits = 6;
constexpr std::uint64_t kLimit = 1'000'000'000'000;  // in millionths still far below 2^64

std::optional<std::uint64_t> parse_digits(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value >= kLimit) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<Fraction> Fraction::parse(std::string_view text) {
  const bool negative = text.starts_with('-');
  text.remove_prefix(negative ? 1 : 0);
  const auto point = text.find('.');
  const auto whole = parse_digits(text.substr(0, point));
  std::string decimals =
      point == std::string_view::npos ? "0" : std::string(text.substr(point + 1));
  if (!whole || decimals.size() > kDigits) {
    return std::nullopt;
  }
  decimals.resize(kDigits, '0');
  const auto parts = parse_digits(decimals);
  if (!parts) {
    return std::nullopt;
  }
  const std::uint64_t millionths = *whole * kOne + *parts;
  if (negative && millionths != 0) {
    return std::nullopt;
  }
  return Fraction(millionths);
}

std::string Fraction::to_string() const {
  std::string text = fmt::format("{}.{:06}", millionths_ / kOne, millionths_ % kOne);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') {
    text.pop_back();
  }
  return text;
}

}  // namespace retrygarden
