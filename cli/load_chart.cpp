#include "load_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "retrygarden/grouped.h"
#include "scenario_features.h"
#include "terminal.h"
#include "tick_length.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kMostBins = 4096;
constexpr std::size_t kMostColumnsPerTick = 4;
constexpr std::size_t kLabelGap =
    12;  // columns from one label of the time axis to the next, at least

constexpr std::array<std::string_view, 9> kBars = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

// What one of the charts under each other shows of a run.
struct Panel {
  std::string_view name;
  std::string_view meaning;
  std::uint64_t Peaks::* value;
  std::size_t rows;
  std::uint64_t peak = 0;  // of all runs

  std::uint64_t top() const { return std::max<std::uint64_t>(peak, 1); }

  // Eighths of a row that requests / ticks fill, at most all; what is not 0 never vanishes.
  std::uint64_t eighths(std::uint64_t requests, std::uint64_t ticks = 1) const {
    const std::uint64_t whole = top() * ticks;  // below 2^63
    return (requests * rows * 8 + whole - 1) / whole;
  }
};

std::vector<Panel> panels_of(const Scenario& scenario, const std::vector<LoadProfile>& profiles) {
  std::vector<Panel> panels = {{"load", "requests that reach the server", &Peaks::load, 8}};
  if (takes_time(scenario)) {
    panels.push_back({"goodput", "clients acknowledged", &Peaks::goodput, 3});
  }
  if (scenario.server.queue > 0) {
    panels.push_back({"queued", "requests that wait", &Peaks::queued, 3});
  }
  for (Panel& panel : panels) {
    for (const LoadProfile& profile : profiles) {
      panel.peak = std::max(panel.peak, profile.peaks().*panel.value);
    }
  }
  return panels;
}

// What the server can start in the long run.
struct Rate {
  std::uint64_t requests;
  std::uint64_t ticks;
  bool is_mean;  // a single tick can take more

  bool is_above(const Panel& panel) const { return requests > panel.top() * ticks; }
  bool is_on(const Panel& panel) const { return requests > 0 && !is_above(panel); }
  std::string label() const {
    return is_mean ? "mean capacity" : fmt::format("capacity {}", grouped(requests));
  }
  std::string text(std::optional<Nanoseconds> tick) const {
    return is_mean ? fmt::format("{} in {}", counted(requests, "request", "requests"),
                                 counted_ticks(tick, ticks))
                   : fmt::format("{} a tick", grouped(requests));
  }
};

// Each of the requests that are in service at once takes its place for the service time.
Rate sustained_rate(const Server& server) {
  const std::uint64_t at_once = server.concurrency.value_or(0);
  if (server.concurrency &&
      at_once * server.capacity_window < std::uint64_t{server.capacity} * server.service_ticks) {
    return {at_once, server.service_ticks, true};
  }
  return {server.capacity, server.capacity_window, server.capacity_window > 1};
}

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

// A round number of ticks that takes at least that many columns.
std::uint64_t round_step(const TimeAxis& axis, std::size_t columns) {
  for (std::uint64_t power = 1;; power *= 10) {
    for (const std::uint64_t step : {power, 2 * power, 5 * power}) {
      if (step * axis.columns_per_tick >= columns * axis.ticks_per_column) {
        return step;
      }
    }
  }
}

// label(tick) under every step ticks.
template <class Label>
std::string axis_labels(const TimeAxis& axis, std::uint64_t step, std::size_t width, Label label) {
  std::string labels;
  std::size_t used = 0;
  for (std::uint64_t tick = 0; tick < axis.end_tick; tick += step) {
    const std::size_t column =
        static_cast<std::size_t>(tick / axis.ticks_per_column) * axis.columns_per_tick;
    const std::string text = label(tick);
    const std::size_t end = column + display_width(text);
    if (end <= width) {
      labels.append(column - used, ' ');
      labels += text;
      used = end;
    }
  }
  return labels;
}

// The labels of the time axis: ticks, and below them times where a tick has a length.
std::string axis_lines(const TimeAxis& axis, std::optional<Nanoseconds> tick,
                       std::size_t label_width, std::size_t width) {
  const auto line = [&](std::string_view name, const std::string& labels) {
    return fmt::format("{:>{}}  {}\n", name, label_width, labels);
  };
  const auto number = [](std::uint64_t ticks) { return fmt::to_string(ticks); };
  if (!tick) {
    return line("tick", axis_labels(axis, round_step(axis, kLabelGap), width, number));
  }
  const TimeUnit unit(*tick, axis.end_tick);
  const auto time = [&](std::uint64_t ticks) { return unit.time(ticks); };
  const std::size_t widest = display_width(unit.aligned(axis.end_tick));
  const std::uint64_t step = round_step(axis, std::max(kLabelGap, widest + 2));
  return line("tick", axis_labels(axis, step, width, number)) +
         line("time", axis_labels(axis, step, width, time));
}

// Outages on the time axis. Where several share a column, the last of these stands there.
struct OutageMark {
  OutageKind kind;
  std::string_view mark;
  std::string_view text;
};
constexpr std::array<OutageMark, 3> kOutageMarks = {{{OutageKind::kHang, "░", "░ hangs"},
                                                     {OutageKind::kRefuse, "▒", "▒ down"},
                                                     {OutageKind::kCrash, "▓", "▓ crashed"}}};

bool is_within(const Outage& outage, std::uint64_t begin, std::uint64_t end) {
  return outage.from < end && begin < std::uint64_t{outage.from} + outage.ticks;
}

std::string_view mark_within(const Scenario& scenario, std::uint64_t begin, std::uint64_t end) {
  std::string_view result = "─";
  for (const OutageMark& mark : kOutageMarks) {
    if (std::any_of(scenario.server.outages.begin(), scenario.server.outages.end(),
                    [&](const Outage& outage) {
                      return outage.kind == mark.kind && is_within(outage, begin, end);
                    })) {
      result = mark.mark;
    }
  }
  return result;
}

std::string axis_rule(const Scenario& scenario, const TimeAxis& axis) {
  std::string rule;
  for (std::size_t column = 0; column < axis.columns(); ++column) {
    rule += mark_within(scenario, axis.begin(column), axis.end(column));
  }
  return rule;
}

// What the marks mean that stand on the rule.
std::vector<std::string_view> legend(std::string_view rule) {
  std::vector<std::string_view> texts;
  for (const OutageMark& mark : kOutageMarks) {
    if (rule.find(mark.mark) != std::string_view::npos) {
      texts.push_back(mark.text);
    }
  }
  return texts;
}

// What the charts of all runs have in common.
struct Frame {
  std::vector<Panel> panels;
  Rate rate;
  std::size_t label_width;
  std::size_t width;  // right of the labels
  TimeAxis axis;
  std::string rule;
  std::string_view rule_label;  // where there is one panel, which needs no name
  std::optional<Nanoseconds> tick;

  std::string_view label_below(const Panel& panel) const {
    return panels.size() == 1 ? rule_label : panel.name;
  }
};

std::size_t widest_label(const std::vector<Panel>& panels, const Rate& rate) {
  std::size_t width = 0;
  for (const OutageMark& mark : kOutageMarks) {
    width = std::max(width, display_width(mark.text));
  }
  if (rate.is_on(panels.front())) {
    width = std::max(width, rate.label().size());
  }
  for (const Panel& panel : panels) {
    width = std::max({width, panel.name.size(), grouped(panel.peak).size()});
  }
  return width;
}

Frame make_frame(const Scenario& scenario, const std::vector<LoadProfile>& profiles,
                 std::size_t width) {
  std::vector<Panel> panels = panels_of(scenario, profiles);
  const Rate rate = sustained_rate(scenario.server);
  const std::size_t label_width = widest_label(panels, rate);
  const std::size_t chart_width = width - label_width - 2;
  const TimeAxis axis = time_axis(scenario, profiles, chart_width);
  Frame frame{std::move(panels),         rate, label_width,          chart_width, axis,
              axis_rule(scenario, axis), "",   tick_length(scenario)};
  if (const auto texts = legend(frame.rule); texts.size() == 1) {
    frame.rule_label = texts.front();
  }
  return frame;
}

// The row of the panel, counted from 1 at the bottom, in which the capacity is marked; 0 if in
// none.
std::size_t capacity_row(const Frame& frame, const Panel& panel) {
  const Rate& rate = frame.rate;
  return &panel == &frame.panels.front() && rate.is_on(panel)
             ? static_cast<std::size_t>((panel.eighths(rate.requests, rate.ticks) + 7) / 8)
             : 0;
}

// The panel's heights in eighths of a row, by column.
std::vector<std::uint64_t> heights(const Frame& frame, const Panel& panel,
                                   const LoadProfile& profile) {
  std::vector<std::uint64_t> heights(frame.axis.columns());
  for (std::size_t column = 0; column < heights.size(); ++column) {
    if (!frame.axis.is_gap(column)) {
      heights[column] = panel.eighths(
          profile.peaks_within(frame.axis.begin(column), frame.axis.end(column)).*panel.value);
    }
  }
  return heights;
}

std::string panel_rows(const Frame& frame, const Panel& panel, const LoadProfile& profile) {
  const std::size_t marked_row = capacity_row(frame, panel);
  const std::vector<std::uint64_t> filled = heights(frame, panel, profile);
  std::string text;
  for (std::size_t row = panel.rows; row >= 1; --row) {
    std::string label;
    if (row == marked_row) {
      label = frame.rate.label();
    } else if (row == panel.rows) {
      label = grouped(panel.peak);
    }
    text += fmt::format("{:>{}} │", label, frame.label_width);
    const std::uint64_t below = (row - 1) * 8;
    for (const std::uint64_t height : filled) {
      const std::uint64_t here = height <= below ? 0 : std::min<std::uint64_t>(8, height - below);
      text += here == 0 && row == marked_row ? "┄" : kBars[here];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string chart(const Frame& frame, const LoadProfile& profile) {
  std::string text;
  for (const Panel& panel : frame.panels) {
    const bool is_last = &panel == &frame.panels.back();
    text += panel_rows(frame, panel, profile);
    text += fmt::format("{:>{}} {}{}\n", frame.label_below(panel), frame.label_width,
                        is_last ? "└" : "├", frame.rule);
  }
  return text + axis_lines(frame.axis, frame.tick, frame.label_width, frame.width);
}

bool every_attempt_reaches_the_server(const Scenario& scenario) {
  return scenario.faults.request_loss == Fraction() &&
         !has_outage(scenario.server, OutageKind::kHang) &&
         !any_policy(scenario, [](const Policy& policy) { return policy.breaker.has_value(); });
}

// What the bars are.
std::string bars_note(const Scenario& scenario, const Frame& frame) {
  if (frame.panels.size() == 1) {
    return every_attempt_reaches_the_server(scenario) ? "Attempts per tick"
                                                      : "Requests that reach the server, per tick";
  }
  std::vector<std::string> parts;
  for (const Panel& panel : frame.panels) {
    parts.push_back(fmt::format("{} ({})", panel.name, panel.meaning));
  }
  return fmt::format("Per tick: {}", fmt::join(parts, ", "));
}

std::string capacity_note(const Frame& frame) {
  const Rate& rate = frame.rate;
  if (rate.is_above(frame.panels.front())) {
    return fmt::format(" The {}capacity, {}, is above the chart.", rate.is_mean ? "mean " : "",
                       rate.text(frame.tick));
  }
  return rate.is_mean && rate.is_on(frame.panels.front())
             ? fmt::format(" Mean capacity: {}; a single tick can take more.",
                           rate.text(frame.tick))
             : "";
}

std::string note(const Scenario& scenario, const Frame& frame) {
  std::string text = bars_note(scenario, frame);
  if (frame.axis.ticks_per_column > 1) {
    text += fmt::format("{} the highest of {} in each column", frame.panels.size() == 1 ? ":" : ";",
                        counted_ticks(frame.tick, frame.axis.ticks_per_column));
  }
  text += '.' + capacity_note(frame);
  const auto texts = legend(frame.rule);
  if (!texts.empty() && frame.label_below(frame.panels.back()) != texts.front()) {
    text += fmt::format(" On the time axis: {}.", fmt::join(texts, ", "));
  }
  return text;
}

Peaks higher(const Peaks& a, const Peaks& b) {
  return {std::max(a.load, b.load), std::max(a.goodput, b.goodput), std::max(a.queued, b.queued)};
}

}  // namespace

void LoadProfile::add(const TickLoad& load) {
  raise(end_tick_, load.tick, {.queued = queued_});  // nothing changes where there is no record
  end_tick_ = std::uint64_t{load.tick} + 1;
  queued_ = load.queued;
  raise(load.tick, end_tick_,
        {load.accepted + load.overloaded + load.unavailable, load.acknowledged, load.queued});
}

void LoadProfile::raise(std::uint64_t begin, std::uint64_t end, const Peaks& peaks) {
  if (begin == end) {
    return;
  }
  while ((end - 1) / ticks_per_bin_ >= kMostBins) {
    ticks_per_bin_ *= 2;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      bins_[i / 2] = i % 2 == 0 ? bins_[i] : higher(bins_[i / 2], bins_[i]);
    }
    bins_.resize((bins_.size() + 1) / 2);
  }
  const auto last = static_cast<std::size_t>((end - 1) / ticks_per_bin_);
  bins_.resize(std::max(bins_.size(), last + 1));
  for (auto bin = static_cast<std::size_t>(begin / ticks_per_bin_); bin <= last; ++bin) {
    bins_[bin] = higher(bins_[bin], peaks);
  }
}

Peaks LoadProfile::peaks() const {
  Peaks result;
  for (const Peaks& bin : bins_) {
    result = higher(result, bin);
  }
  return result;
}

Peaks LoadProfile::peaks_within(std::uint64_t begin, std::uint64_t end) const {
  Peaks result{.queued = end > end_tick_ ? queued_ : 0};
  for (std::uint64_t bin = begin / ticks_per_bin_;
       bin < std::min<std::uint64_t>(end / ticks_per_bin_, bins_.size()); ++bin) {
    result = higher(result, bins_[static_cast<std::size_t>(bin)]);
  }
  return result;
}

std::string load_charts(const Scenario& scenario, const std::vector<std::string>& titles,
                        const std::vector<LoadProfile>& profiles, std::size_t width) {
  const Frame frame = make_frame(scenario, profiles, width);
  std::string text;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    text += fmt::format("{}{}\n", i == 0 ? "" : "\n", fitted(titles[i], width));
    text += chart(frame, profiles[i]);
  }
  return text + '\n' + wrapped(note(scenario, frame), width);
}

}  // namespace retrygarden::cli
