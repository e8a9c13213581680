#include "summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "retrygarden/grouped.h"
#include "retrygarden/plan.h"
#include "scenario_features.h"
#include "terminal.h"
#include "tick_length.h"

namespace retrygarden::cli {

namespace {

// Columns of a policy's name: few enough that the narrowest terminal has room for the names of the
// rows, too.
constexpr std::size_t kMostNameColumns = 32;
constexpr std::size_t kRowNameColumns = 29;

// Attempts per client with two decimals, rounded half up.
std::string amplification(const Summary& summary) {
  const std::uint64_t rest = summary.attempts % summary.clients;  // below 2^32
  const std::uint64_t hundredths = (rest * 200 + summary.clients) / (2 * summary.clients);
  return fmt::format("{}.{:02}", grouped(summary.attempts / summary.clients + hundredths / 100),
                     hundredths % 100);
}

bool needs_phases(const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    if (make_plan(scenario, i).needs_phases()) {
      return true;
    }
  }
  return false;
}

// A column for each policy.
class SummaryTable {
 public:
  SummaryTable(const Scenario& scenario, const std::vector<Summary>& summaries, std::size_t width)
      : summaries_(summaries),
        width_(width),
        has_extra_rows_(needs_phases(scenario)),
        tick_(tick_length(scenario)),
        table_(header(scenario, width)) {}

  template <class Cell>
  void add_row(std::string name, Cell cell) {
    std::vector<std::string> cells = {std::move(name)};
    for (const Summary& summary : summaries_) {
      cells.push_back(cell(summary));
    }
    table_.add_row(std::move(cells));
  }

  // count(summary) is a number, or count a member.
  template <class Count>
  void add_count(std::string name, Count count) {
    add_row(std::move(name), [&](const Summary& s) { return grouped(std::invoke(count, s)); });
  }

  // ticks(summary) is a number of ticks, if there is one.
  template <class Ticks>
  void add_ticks(std::string name, Ticks ticks) {
    add_row(std::move(name), [&](const Summary& summary) {
      const std::optional<Tick> count = ticks(summary);
      return count ? ticks_text(tick_, *count) : "-";
    });
  }

  // Whether a row beyond the usual ones is worth its place: it is expected, or not 0 everywhere.
  template <class Count>
  bool tells(bool is_expected, Count count) const {
    const auto is_not_0 = [&](const Summary& s) { return std::invoke(count, s) > 0; };
    return has_extra_rows_ &&
           (is_expected || std::any_of(summaries_.begin(), summaries_.end(), is_not_0));
  }

  template <class Count>
  void add_extra_count(bool is_expected, std::string name, Count count) {
    if (tells(is_expected, count)) {
      add_count(std::move(name), count);
    }
  }

  std::string text() const { return table_.text(width_); }

 private:
  static std::vector<std::string> header(const Scenario& scenario, std::size_t width) {
    std::vector<std::string> names = {""};
    for (const Policy& policy : scenario.policies) {
      names.push_back(fitted(policy.name, std::min(kMostNameColumns, width - kRowNameColumns)));
    }
    return names;
  }

  const std::vector<Summary>& summaries_;
  std::size_t width_;
  bool has_extra_rows_;  // where every attempt is decided at once, the usual ones tell it all
  std::optional<Nanoseconds> tick_;
  Table table_;
};

// Requests that the server worked on for nobody.
std::uint64_t started_in_vain(const Summary& summary) {
  return summary.started - summary.acknowledged;
}

}  // namespace

std::string summary_table(const Scenario& scenario, const std::vector<Summary>& summaries,
                          std::size_t width) {
  const bool hangs = has_outage(scenario.server, OutageKind::kHang);
  const bool crashes = has_outage(scenario.server, OutageKind::kCrash);
  const bool has_time = takes_time(scenario);
  const auto has_breaker = [](const Policy& policy) { return policy.breaker.has_value(); };
  const auto has_budget = [](const Policy& policy) { return policy.budget.has_value(); };
  const auto has_deadline = [](const Policy& policy) { return policy.deadline.has_value(); };

  SummaryTable table(scenario, summaries, width);
  table.add_count("attempts", &Summary::attempts);
  table.add_extra_count(any_policy(scenario, has_breaker), "  short-circuited",
                        &Summary::short_circuited);
  table.add_extra_count(scenario.faults.request_loss > Fraction() || hangs, "  requests lost",
                        &Summary::lost_requests);
  table.add_extra_count(scenario.server.drop_abandoned, "  dropped from the queue",
                        &Summary::dropped);
  table.add_extra_count(has_time, "  timed out", &Summary::timeouts);
  if (table.tells(has_time, started_in_vain)) {
    table.add_count("requests started", &Summary::started);
    table.add_count("  in vain", started_in_vain);
  }
  table.add_extra_count(scenario.faults.response_loss > Fraction(), "  responses lost",
                        &Summary::lost_responses);
  table.add_extra_count(crashes, "  responses crashed", &Summary::crashed_responses);
  table.add_extra_count(has_time, "  responses late", &Summary::late_responses);
  table.add_count("effects", &Summary::effects);
  table.add_count("  duplicates", &Summary::duplicate_effects);
  table.add_count("clients acknowledged", &Summary::acknowledged);
  table.add_count("clients exhausted", &Summary::exhausted);
  table.add_extra_count(any_policy(scenario, has_deadline), "clients over deadline",
                        &Summary::deadline_exceeded);
  table.add_extra_count(any_policy(scenario, has_budget), "clients out of budget",
                        &Summary::budget_denied);
  table.add_extra_count(has_time, "clients awaiting", &Summary::awaiting);
  table.add_count("clients scheduled", &Summary::scheduled);
  table.add_count("applied but unacknowledged", &Summary::applied_unacknowledged);
  table.add_row("amplification", amplification);
  table.add_row("peak load", [](const Summary& s) { return grouped(s.peak_load.requests); });
  table.add_ticks("  in tick", [](const Summary& s) { return s.peak_load.tick; });
  table.add_ticks("ticks to acknowledge, p50",
                  [](const Summary& s) { return s.time_to_acknowledge.p50; });
  table.add_ticks("  p90", [](const Summary& s) { return s.time_to_acknowledge.p90; });
  table.add_ticks("  p99", [](const Summary& s) { return s.time_to_acknowledge.p99; });
  table.add_ticks("  max", [](const Summary& s) { return s.time_to_acknowledge.max; });
  return table.text();
}

}  // namespace retrygarden::cli
