// What the fuzzer's bytes are turned into.
#pragma once

#include <string>
#include <string_view>

#include "oracles.h"

namespace retrygarden::fuzz {

// The text of a scenario that is valid and runs in well under a millisecond, with all arrivals,
// laws, jitters, kinds of deduplication and faults; every input yields one.
std::string valid_scenario(std::string_view bytes);

// A valid export, and the same text after the damage that the bytes tell.
struct DamagedExport {
  const ExportDocument& valid;
  std::string damaged;
};
DamagedExport damaged_export(std::string_view bytes);

}  // namespace retrygarden::fuzz
