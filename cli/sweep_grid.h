// The grid of a sweep (docs/sweep.md): a scenario in which members have alternatives, every
// combination of them, and a number of seeds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "retrygarden/scenario.h"

namespace retrygarden::cli {

// A member with alternatives.
struct Axis {
  std::string pointer;               // in the scenario of a point
  std::vector<std::size_t> place;    // from the root: which member or element, at each level
  std::vector<Json> values;          // at least one
  std::uint64_t points_a_value = 1;  // the points in a row that share a value

  const Json& value_at(std::uint64_t point) const {
    return values[point / points_a_value % values.size()];
  }
};

// Points are numbered in the order of the grid: the last axis varies fastest. None is stored; each
// is put together from its number.
class SweepGrid {
 public:
  // The faults are those of the grid itself; whether its points are scenarios is not looked at.
  static tl::expected<SweepGrid, Faults> read(std::string_view text);

  const std::vector<Axis>& axes() const { return axes_; }
  std::uint64_t points() const { return points_; }
  std::uint64_t seeds() const { return seeds_; }
  std::uint64_t rows() const { return rows_; }  // one for each point, seed and policy

  tl::expected<Scenario, Faults> scenario(std::uint64_t point) const;

  // The point in words: its varied members and their values.
  std::string describe(std::uint64_t point) const;

  // The whole sweep as JSON on one line; the same for texts that differ in white space only.
  const std::string& text() const { return text_; }

 private:
  SweepGrid() = default;

  std::uint64_t count_rows() const;

  Json scenario_;  // axes have no value in it
  std::vector<Axis> axes_;
  std::uint64_t points_ = 1;
  std::uint64_t seeds_ = 1;
  std::uint64_t rows_ = 0;
  std::string text_;
};

}  // namespace retrygarden::cli
