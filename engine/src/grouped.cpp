#include "retrygarden/grouped.h"

#include <fmt/format.h>

namespace retrygarden {

std::string grouped(std::uint64_t number) {
  std::string digits = fmt::to_string(number);
  for (std::size_t i = digits.size(); i > 3;) {
    i -= 3;
    digits.insert(i, 1, ' ');
  }
  return digits;
}

}  // namespace retrygarden
