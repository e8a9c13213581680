#include "fraction.h"

namespace reference_model {

std::string shortest_form(const Fraction& fraction) {
  std::string whole = std::to_string(fraction.millionths / million);
  const std::int64_t rest = fraction.millionths % million;
  if (rest == 0) {
    return whole;
  }
  std::string decimals = std::to_string(million + rest).substr(1);  // with leading zeros
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return whole + "." + decimals;
}

}  // namespace reference_model
