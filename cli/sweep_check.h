// Whether every point of a sweep is a scenario, before the first of them is run.
#pragma once

#include <cstdint>
#include <string>

#include "sweep_grid.h"

namespace retrygarden::cli {

// What the largest of the points needs.
struct SweepSize {
  std::uint64_t run_bytes = 0;
  std::size_t policies = 0;
};

// Throws Failure (invalid input), each fault with the first point that has it. Uses all threads
// that TBB has.
SweepSize check_points(const SweepGrid& grid, const std::string& path);

}  // namespace retrygarden::cli
