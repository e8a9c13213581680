#include "sweep_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "retrygarden/export.h"
#include "retrygarden/results.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

constexpr unsigned kCsvDecimals = 6;
constexpr unsigned kTableDecimals = 2;

// The numbers that the tables show: the names of their columns, and of their rows.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kTableMembers = {{
    {"attempts", "attempts"},
    {"effects", "effects"},
    {"duplicate_effects", "  duplicates"},
    {"acknowledged", "clients acknowledged"},
    {"exhausted", "clients exhausted"},
    {"scheduled", "clients scheduled"},
    {"applied_unacknowledged", "applied, not acknowledged"},
    {"peak_load_requests", "peak load"},
    {"time_to_acknowledge_p50", "ticks to acknowledge, p50"},
    {"time_to_acknowledge_p99", "  p99"},
}};

// A count is below 2^63: see Plan::most_attempts().
std::int64_t as_signed(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

std::string mean_text(const MemberStatistics& member, unsigned decimals) {
  return rounded_quotient(member.sample.sum, member.seeds, decimals);
}

// Whole, or with one decimal.
std::string median_text(const SampleStatistics& sample) {
  const boost::multiprecision::cpp_int sum =
      boost::multiprecision::cpp_int(sample.middle_low) + sample.middle_high;
  return rounded_quotient(sum, 2, bit_test(abs(sum), 0) ? 1 : 0);
}

// The parts of a cell of a table, to be aligned each by itself.
using CellParts = std::array<std::string, 3>;
constexpr const char* kAbsent = "–";

CellParts cell_parts(const MemberStatistics& member) {
  if (member.seeds == 0) {
    return {kAbsent, kAbsent, kAbsent};
  }
  const SampleStatistics& sample = member.sample;
  return {mean_text(member, kTableDecimals), median_text(sample),
          member.interval ? fmt::format("{}…{}", sample.low, sample.high) : kAbsent};
}

// The cells of a column under its name.
std::vector<std::string> column(const std::string& name, const PolicyStatistics& statistics,
                                const std::vector<std::size_t>& members) {
  std::vector<CellParts> rows = {{"mean", "median", "95 %"}};
  for (const std::size_t member : members) {
    rows.push_back(cell_parts(statistics.members[member]));
  }
  std::vector<std::string> cells(rows.size());
  for (std::size_t part = 0; part < rows.front().size(); ++part) {
    std::size_t width = 0;
    for (const CellParts& row : rows) {
      width = std::max(width, display_width(row[part]));
    }
    const std::size_t gap = part == 0 ? 0 : 2;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      cells[i] += std::string(gap + width - display_width(rows[i][part]), ' ') + rows[i][part];
    }
  }
  cells.insert(cells.begin(), name);
  return cells;
}

// A row of the tables: its name, and where its numbers stand among all.
struct TableRows {
  std::vector<std::string> names = {"", ""};  // two rows of heads first
  std::vector<std::size_t> members;
};

// Rows with nothing but 0 are left out.
TableRows table_rows(const std::vector<PolicyStatistics>& statistics) {
  const std::vector<std::string> columns = summary_columns();
  TableRows rows;
  for (const auto& [column_name, label] : kTableMembers) {
    const auto member = static_cast<std::size_t>(
        std::find(columns.begin(), columns.end(), column_name) - columns.begin());
    const auto tells = [&](const PolicyStatistics& policy) {
      const MemberStatistics& own = policy.members[member];
      return policy.compared_with.empty() && (own.seeds == 0 || own.sample.sum != 0);
    };
    if (std::any_of(statistics.begin(), statistics.end(), tells)) {
      rows.names.emplace_back(label);
      rows.members.push_back(member);
    }
  }
  return rows;
}

std::string table(const std::vector<std::string>& row_names,
                  const std::vector<std::vector<std::string>>& columns, std::size_t width) {
  const auto row = [&](std::size_t i) {
    std::vector<std::string> cells = {row_names[i]};
    for (const auto& cells_of_column : columns) {
      cells.push_back(cells_of_column[i]);
    }
    return cells;
  };
  Table result(row(0));
  for (std::size_t i = 1; i < row_names.size(); ++i) {
    result.add_row(row(i));
  }
  return result.text(width);
}

}  // namespace

void PointStatistics::begin(const std::vector<std::string>& policies) {
  policies_ = policies;
  values_.assign(policies.size(), {});
  next_policy_ = 0;
}

void PointStatistics::add(SummaryValues values) {
  values_[next_policy_].push_back(std::move(values));
  next_policy_ = (next_policy_ + 1) % policies_.size();
}

std::vector<PolicyStatistics> PointStatistics::take() {
  std::vector<PolicyStatistics> result;
  for (std::size_t i = 0; i < policies_.size(); ++i) {
    result.push_back(describe_policy(i));
  }
  for (std::size_t i = 1; i < policies_.size(); ++i) {
    result.push_back(describe_difference(i));
  }
  values_.clear();
  return result;
}

std::uint64_t PointStatistics::memory_bytes(std::uint64_t rows) {
  constexpr std::uint64_t kAroundARow = 64;  // the row's own vector, and its place in a sample
  return rows * (summary_columns().size() * sizeof(SummaryValues::value_type) + kAroundARow);
}

PolicyStatistics PointStatistics::describe_policy(std::size_t policy) {
  PolicyStatistics result{.policy = policies_[policy]};
  for (std::size_t member = 0; member < values_[policy].front().size(); ++member) {
    std::vector<std::int64_t> sample;
    for (const SummaryValues& row : values_[policy]) {
      if (row[member]) {
        sample.push_back(as_signed(*row[member]));
      }
    }
    result.members.push_back(describe(std::move(sample)));
  }
  return result;
}

PolicyStatistics PointStatistics::describe_difference(std::size_t policy) {
  PolicyStatistics result{.policy = policies_[policy], .compared_with = policies_.front()};
  for (std::size_t member = 0; member < values_[policy].front().size(); ++member) {
    std::vector<std::int64_t> sample;
    for (std::size_t seed = 0; seed < values_[policy].size(); ++seed) {
      const auto& own = values_[policy][seed][member];
      const auto& first = values_.front()[seed][member];
      if (own && first) {
        sample.push_back(as_signed(*own) - as_signed(*first));
      }
    }
    result.members.push_back(describe(std::move(sample)));
  }
  return result;
}

MemberStatistics PointStatistics::describe(std::vector<std::int64_t> sample) {
  MemberStatistics result{.seeds = sample.size()};
  if (!sample.empty()) {
    result.interval = interval_for(sample.size());
    result.sample = sample_statistics(std::move(sample), result.interval);
  }
  return result;
}

const std::optional<MedianInterval>& PointStatistics::interval_for(std::uint64_t size) {
  const auto it = intervals_.find(size);
  return it != intervals_.end() ? it->second
                                : intervals_.emplace(size, median_interval(size)).first->second;
}

std::string statistics_csv_header(const SweepGrid& grid) {
  return csv_axes(grid) + "policy,compared_with,member,seeds,mean,median,low,high,coverage\n";
}

std::string statistics_csv(const SweepGrid& grid, std::uint64_t point,
                           const std::vector<PolicyStatistics>& statistics) {
  const std::string start = csv_point(grid, point);
  const std::vector<std::string> columns = summary_columns();
  std::string text;
  for (const PolicyStatistics& policy : statistics) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const MemberStatistics& member = policy.members[i];
      text += fmt::format("{}{},{},{},{},", start, csv_field(policy.policy),
                          csv_field(policy.compared_with), columns[i], member.seeds);
      text += member.seeds > 0 ? mean_text(member, kCsvDecimals) + "," + median_text(member.sample)
                               : ",";
      text += member.interval ? fmt::format(",{},{},0.{:04}\n", member.sample.low,
                                            member.sample.high, member.interval->coverage)
                              : ",,,\n";
    }
  }
  return text;
}

std::string statistics_tables(const SweepGrid& grid, std::uint64_t point,
                              const std::vector<PolicyStatistics>& statistics, std::size_t width) {
  const TableRows rows = table_rows(statistics);
  std::vector<std::vector<std::string>> own;
  std::vector<std::vector<std::string>> differences;
  const std::size_t name_width = width / 2;
  for (const PolicyStatistics& policy : statistics) {
    const bool is_own = policy.compared_with.empty();
    (is_own ? own : differences)
        .push_back(column(fitted(policy.policy, name_width), policy, rows.members));
  }
  std::string text;
  if (!grid.axes().empty()) {
    text += wrapped(grid.describe(point), width) + "\n";
  }
  text += table(rows.names, own, width);
  if (!differences.empty()) {
    text += "\n" + wrapped("difference from " + fitted(statistics.front().policy, width) +
                               ", seed by seed:",
                           width);
    text += table(rows.names, differences, width);
  }
  return text;
}

}  // namespace retrygarden::cli
