#include "load_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "terminal.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kMostBins = 4096;
constexpr std::size_t kRows = 8;
constexpr std::size_t kMostColumnsPerTick = 4;
constexpr std::size_t kLabelGap =
    12;  // columns from one label of the time axis to the next, at least

constexpr std::array<std::string_view, 9> kBars = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

// How ticks are laid out on columns: several ticks a column, or several columns a tick.
struct TimeAxis {
  std::uint64_t end_tick;
  std::uint64_t ticks_per_column;
  std::size_t columns_per_tick;

  std::size_t columns() const {
    return static_cast<std::size_t>((end_tick + ticks_per_column - 1) / ticks_per_column) *
           columns_per_tick;
  }
  // The ticks begin … end-1 of a column.
  std::uint64_t begin(std::size_t column) const {
    return column / columns_per_tick * ticks_per_column;
  }
  std::uint64_t end(std::size_t column) const { return begin(column) + ticks_per_column; }
  // Bars that are several columns wide leave one free.
  bool is_gap(std::size_t column) const {
    return columns_per_tick > 2 && column % columns_per_tick == columns_per_tick - 1;
  }
};

TimeAxis time_axis(const Scenario& scenario, const std::vector<LoadProfile>& profiles,
                   std::size_t width) {
  std::uint64_t end_tick = 1;
  std::uint64_t unit = 1;
  for (const LoadProfile& profile : profiles) {
    end_tick = std::max(end_tick, profile.end_tick());
    unit = std::max(unit, profile.ticks_per_bin());
  }
  if (scenario.horizon <= width) {
    end_tick = scenario.horizon;
  }
  const std::uint64_t units = (end_tick + unit - 1) / unit;
  const std::uint64_t units_per_column = (units + width - 1) / width;
  const std::size_t columns_per_tick =
      unit > 1 ? 1
               : std::clamp<std::size_t>(static_cast<std::size_t>(width / end_tick), 1,
                                         kMostColumnsPerTick);
  return {end_tick, units_per_column * unit, columns_per_tick};
}

// Eighths of a row that a load fills; a load that is not 0 never vanishes.
std::uint64_t eighths(std::uint64_t load, std::uint64_t top) {
  return (load * kRows * 8 + top - 1) / top;  // a load is at most the number of clients, below 2^32
}

bool is_down_within(const Scenario& scenario, std::uint64_t begin, std::uint64_t end) {
  return std::any_of(
      scenario.server.outages.begin(), scenario.server.outages.end(), [&](const Outage& outage) {
        return outage.from < end && begin < std::uint64_t{outage.from} + outage.ticks;
      });
}

std::uint64_t round_step(const TimeAxis& axis) {
  for (std::uint64_t power = 1;; power *= 10) {
    for (const std::uint64_t step : {power, 2 * power, 5 * power}) {
      if (step * axis.columns_per_tick >= kLabelGap * axis.ticks_per_column) {
        return step;
      }
    }
  }
}

std::string axis_labels(const TimeAxis& axis, std::size_t width) {
  std::string labels;
  const std::uint64_t step = round_step(axis);
  for (std::uint64_t tick = 0; tick < axis.end_tick; tick += step) {
    const std::size_t column =
        static_cast<std::size_t>(tick / axis.ticks_per_column) * axis.columns_per_tick;
    const std::string label = fmt::to_string(tick);
    if (column + label.size() <= width) {
      labels.append(column - std::min(column, labels.size()), ' ');
      labels += label;
    }
  }
  return labels;
}

// The row, counted from 1 at the bottom, that holds the level.
std::size_t row_of(std::uint64_t level, std::uint64_t top) {
  return static_cast<std::size_t>((eighths(level, top) + 7) / 8);
}

std::string chart(const Scenario& scenario, const LoadProfile& profile, const TimeAxis& axis,
                  std::uint64_t top, std::size_t label_width, std::size_t width) {
  const std::uint64_t capacity = scenario.server.capacity;
  const std::size_t capacity_row = capacity == 0 || capacity > top ? 0 : row_of(capacity, top);
  std::string text;
  for (std::size_t row = kRows; row >= 1; --row) {
    std::string label;
    if (row == capacity_row) {
      label = fmt::format("capacity {}", grouped(capacity));
    } else if (row == kRows) {
      label = grouped(top);
    }
    text += fmt::format("{:>{}} │", label, label_width);
    for (std::size_t column = 0; column < axis.columns(); ++column) {
      const std::uint64_t filled =
          axis.is_gap(column)
              ? 0
              : eighths(profile.peak_within(axis.begin(column), axis.end(column)), top);
      const std::uint64_t below = (row - 1) * 8;
      const std::uint64_t here = filled <= below ? 0 : std::min<std::uint64_t>(8, filled - below);
      text += here == 0 && row == capacity_row ? "┄" : kBars[here];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  std::string rule;
  bool any_down = false;
  for (std::size_t column = 0; column < axis.columns(); ++column) {
    const bool down = is_down_within(scenario, axis.begin(column), axis.end(column));
    any_down = any_down || down;
    rule += down ? "▒" : "─";
  }
  text += fmt::format("{:>{}} └{}\n", any_down ? "▒ down" : "", label_width, rule);
  text += fmt::format("{:>{}}  {}\n", "tick", label_width, axis_labels(axis, width));
  return text;
}

}  // namespace

void LoadProfile::add(const TickLoad& load) {
  end_tick_ = std::uint64_t{load.tick} + 1;
  while (load.tick / ticks_per_bin_ >= kMostBins) {
    ticks_per_bin_ *= 2;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      bins_[i / 2] = i % 2 == 0 ? bins_[i] : std::max(bins_[i / 2], bins_[i]);
    }
    bins_.resize((bins_.size() + 1) / 2);
  }
  const auto bin = static_cast<std::size_t>(load.tick / ticks_per_bin_);
  bins_.resize(std::max(bins_.size(), bin + 1));
  bins_[bin] = std::max(bins_[bin], load.attempts);
}

std::uint64_t LoadProfile::peak() const {
  return bins_.empty() ? 0 : *std::max_element(bins_.begin(), bins_.end());
}

std::uint64_t LoadProfile::peak_within(std::uint64_t begin, std::uint64_t end) const {
  std::uint64_t peak = 0;
  for (std::uint64_t bin = begin / ticks_per_bin_;
       bin < std::min<std::uint64_t>(end / ticks_per_bin_, bins_.size()); ++bin) {
    peak = std::max(peak, bins_[static_cast<std::size_t>(bin)]);
  }
  return peak;
}

std::string load_charts(const Scenario& scenario, const std::vector<std::string>& titles,
                        const std::vector<LoadProfile>& profiles, std::size_t width) {
  std::uint64_t top = 1;
  for (const LoadProfile& profile : profiles) {
    top = std::max(top, profile.peak());
  }
  const std::string capacity_label = fmt::format("capacity {}", grouped(scenario.server.capacity));
  const std::size_t label_width =
      scenario.server.capacity <= top
          ? std::max(capacity_label.size(), grouped(top).size())
          : std::max(std::string_view("▒ down").size(), grouped(top).size());
  const std::size_t chart_width = width - label_width - 2;
  const TimeAxis axis = time_axis(scenario, profiles, chart_width);
  std::string text;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    text += fmt::format("{}{}\n", i == 0 ? "" : "\n", fitted(titles[i], width));
    text += chart(scenario, profiles[i], axis, top, label_width, chart_width);
  }
  std::string note = "Attempts per tick";
  if (axis.ticks_per_column > 1) {
    note += fmt::format(": the highest of {} ticks in each column", grouped(axis.ticks_per_column));
  }
  note += '.';
  if (scenario.server.capacity > top) {
    note += fmt::format(" The capacity, {} a tick, is above the chart.",
                        grouped(scenario.server.capacity));
  }
  return text + '\n' + wrapped(note, width);
}

}  // namespace retrygarden::cli
