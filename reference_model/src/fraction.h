// Fractions (section 2): decimal numbers with at most six digits after the point, held exactly.

#ifndef REFERENCE_MODEL_FRACTION_H
#define REFERENCE_MODEL_FRACTION_H

#include <compare>
#include <cstdint>
#include <string>

namespace reference_model {

inline constexpr std::int64_t million = 1'000'000;

// "It means exactly that decimal number; implementations hold it in millionths."
struct Fraction {
  std::int64_t millionths = 0;

  auto operator<=>(const Fraction&) const = default;
};

constexpr Fraction whole_fraction(std::int64_t value) {
  return {value * million};
}

// "It is written in its shortest form without exponent: `1.5`, `2`, `0.05`." The fraction must not
// be negative; none in a scenario is.
std::string shortest_form(const Fraction& fraction);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_FRACTION_H
