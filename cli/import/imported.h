// Imported: what a retry configuration of another system becomes here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "import/duration.h"
#include "retrygarden/scenario.h"

namespace retrygarden::import_from {

// What stands in the configuration and cannot be kept, of one policy or, where policy is empty, of
// the whole.
struct Loss {
  std::string policy;
  std::string what;  // a sentence without a full stop, for people

  bool operator==(const Loss&) const = default;
};

struct Imported {
  std::vector<Policy> policies;                // names distinct, taken from the file
  std::optional<Deduplication> deduplication;  // where the configuration says how long keys live
  std::vector<Loss> losses;
};

// Reads a configuration, with a tick of that length. The errors hold every fault found, with line
// and column wherever the format has them. A policy's timeout is 0 where the configuration does not
// say how long an attempt waits.
using Reader = tl::expected<Imported, Faults> (*)(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
