// The rows of a sweep as text: the varied members, the seed, the policy, and the summary's numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "sweep_grid.h"

namespace retrygarden::cli {

using SummaryValues = std::vector<std::optional<std::uint64_t>>;

// The varied members' values, each as a CSV field with a comma behind it; and their names.
std::string csv_point(const SweepGrid& grid, std::uint64_t point);
std::string csv_axes(const SweepGrid& grid);

// A row has two parts: what is known of it before the run, and what the run yields. So the rows
// that stand in a file can be held against the grid, and the numbers be read back.
class RowFormat {
 public:
  RowFormat(SweepOptions::Format format, const SweepGrid& grid);

  // The text before the first row.
  std::string header() const;

  std::string row_start(std::uint64_t point, std::uint64_t seed, std::string_view policy) const;
  std::string row_end(const SummaryValues& values) const;

  // What row_end() was made of; nothing for any other text.
  std::optional<SummaryValues> read_row_end(std::string_view text) const;

 private:
  const SweepGrid& grid_;
  bool is_csv_;
  std::vector<std::string> before_values_;  // the text before each number
  std::string_view absent_;                 // in place of a number that does not exist
  std::string_view line_end_;
};

}  // namespace retrygarden::cli
