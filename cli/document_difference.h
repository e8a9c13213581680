// Where an export's document, the engine's and the reference model's differ.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "retrygarden/json.h"

namespace retrygarden::cli {

// The same place in the document, in the engine's and in the reference model's; null where it is
// missing.
using Places = std::array<const Json*, 3>;

struct Difference {
  std::string pointer;
  Places values;
};

// The first difference below three places that are there; nothing if they hold equal values.
// Members are compared by name, since JSON gives their order no meaning. Numbers are equal if both
// are integers of the same text, or both are fractions of the same value. O(n log n) in the
// documents.
std::optional<Difference> first_difference(const Places& places, const std::string& pointer = "");

}  // namespace retrygarden::cli
