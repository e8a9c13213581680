// The systems whose retry configurations are read.
#pragma once

#include <span>
#include <string_view>

#include "import/imported.h"

namespace retrygarden::import_from {

inline constexpr std::size_t kMostPolicies = 64;  // as in a scenario

struct System {
  std::string_view name;
  std::string_view reads;    // one line
  std::string_view example;  // the text of cli/examples/NAME.*
  Reader read;
};

// In alphabetical order.
std::span<const System> systems();

// The system of that name; null if there is none.
const System* find_system(std::string_view name);

// Reads the text, and keeps the losses of each policy in its description.
tl::expected<Imported, Faults> import_text(const System& system, std::string_view text,
                                           Nanoseconds tick);

}  // namespace retrygarden::import_from
