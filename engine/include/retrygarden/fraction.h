// Fractions: exact decimal numbers with at most six digits after the point (docs/model.md, section
// 2).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace retrygarden {

class Fraction {
 public:
  static constexpr std::uint32_t kOne = 1'000'000;

  constexpr Fraction() = default;
  static constexpr Fraction from_millionths(std::uint64_t millionths) {
    return Fraction(millionths);
  }

  // Reads the text of a JSON number. Nothing if it has an exponent, more than six digits after the
  // point, is negative, or is 10^12 or more.
  static std::optional<Fraction> parse(std::string_view text);

  constexpr std::uint64_t millionths() const { return millionths_; }

  // The shortest decimal text: 2, 1.5, 0.05.
  std::string to_string() const;

  constexpr auto operator<=>(const Fraction&) const = default;

 private:
  explicit constexpr Fraction(std::uint64_t millionths) : millionths_(millionths) {}

  std::uint64_t millionths_ = 0;
};

}  // namespace retrygarden
