// Statistics of a sweep: of each point, over its seeds, of each policy and of how it differs from
// the first one (docs/sweep.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "statistics.h"
#include "sweep_grid.h"
#include "sweep_rows.h"

namespace retrygarden::cli {

// One number of the summary, over the seeds in which it exists: a policy's own, or how much it
// exceeds another policy's under the same seed.
struct MemberStatistics {
  std::uint64_t seeds = 0;
  std::optional<MedianInterval> interval;
  SampleStatistics sample;  // unless there are no seeds
};

struct PolicyStatistics {
  std::string policy;
  std::string compared_with;              // empty for its own numbers
  std::vector<MemberStatistics> members;  // in the order of summary_columns()
};

// Gathers the rows of one point after the other.
class PointStatistics {
 public:
  void begin(const std::vector<std::string>& policies);

  // Rows come seed by seed, with the policies in their order.
  void add(SummaryValues values);

  // First the policies, then the differences.
  std::vector<PolicyStatistics> take();

  // What it holds at once for so many rows, in bytes.
  static std::uint64_t memory_bytes(std::uint64_t rows);

 private:
  MemberStatistics describe(std::vector<std::int64_t> sample);
  PolicyStatistics describe_policy(std::size_t policy);
  PolicyStatistics describe_difference(std::size_t policy);
  const std::optional<MedianInterval>& interval_for(std::uint64_t size);

  std::vector<std::string> policies_;
  std::vector<std::vector<SummaryValues>> values_;  // of each policy, by seed
  std::size_t next_policy_ = 0;
  std::map<std::uint64_t, std::optional<MedianInterval>> intervals_;  // by size, worked out once
};

std::string statistics_csv_header(const SweepGrid& grid);
std::string statistics_csv(const SweepGrid& grid, std::uint64_t point,
                           const std::vector<PolicyStatistics>& statistics);

// The main numbers as tables.
std::string statistics_tables(const SweepGrid& grid, std::uint64_t point,
                              const std::vector<PolicyStatistics>& statistics, std::size_t width);

}  // namespace retrygarden::cli
