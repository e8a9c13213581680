#include "sweep_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "retrygarden/export.h"
#include "retrygarden/results.h"

namespace retrygarden::cli {

namespace {

std::string csv_value(const Json& json) {
  const auto* text = std::get_if<std::string>(&json.value);
  return csv_field(text != nullptr ? *text : write_json(json));
}

std::string json_string(std::string_view text) {
  return write_json({std::string(text)});
}

// Takes the expected text off the front.
bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) {
    return false;
  }
  text.remove_prefix(expected.size());
  return true;
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string csv_axes(const SweepGrid& grid) {
  std::string text;
  for (const Axis& axis : grid.axes()) {
    text += csv_field(axis.pointer) + ",";
  }
  return text;
}

std::string csv_point(const SweepGrid& grid, std::uint64_t point) {
  std::string text;
  for (const Axis& axis : grid.axes()) {
    text += csv_value(axis.value_at(point)) + ",";
  }
  return text;
}

RowFormat::RowFormat(SweepOptions::Format format, const SweepGrid& grid)
    : grid_(grid),
      is_csv_(format == SweepOptions::Format::kCsv),
      absent_(is_csv_ ? "" : "null"),
      line_end_(is_csv_ ? "\n" : "}\n") {
  for (const std::string& name : summary_columns()) {
    before_values_.push_back(is_csv_ ? "," : fmt::format(", \"{}\": ", name));
  }
}

std::string RowFormat::header() const {
  return is_csv_
             ? fmt::format("{}seed,policy,{}\n", csv_axes(grid_), fmt::join(summary_columns(), ","))
             : "";
}

std::string RowFormat::row_start(std::uint64_t point, std::uint64_t seed,
                                 std::string_view policy) const {
  if (is_csv_) {
    return fmt::format("{}{},{}", csv_point(grid_, point), seed, csv_field(policy));
  }
  std::string text = "{";
  for (const Axis& axis : grid_.axes()) {
    text += json_string(axis.pointer) + ": " + write_json(axis.value_at(point)) + ", ";
  }
  return text + fmt::format(R"("seed": {}, "policy": {})", seed, json_string(policy));
}

std::string RowFormat::row_end(const SummaryValues& values) const {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += before_values_[i];
    text += values[i] ? std::to_string(*values[i]) : std::string(absent_);
  }
  return text.append(line_end_);
}

std::optional<SummaryValues> RowFormat::read_row_end(std::string_view text) const {
  SummaryValues values;
  std::string_view rest = text;
  for (const std::string& before : before_values_) {
    if (!take(rest, before)) {
      return std::nullopt;
    }
    values.push_back(take_number(rest));
    take(rest, values.back() ? "" : absent_);
  }
  return row_end(values) == text ? std::optional(std::move(values)) : std::nullopt;
}

}  // namespace retrygarden::cli
