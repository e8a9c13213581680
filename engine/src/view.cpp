#include "retrygarden/view.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "client_records.h"
#include "json_records.h"
#include "json_text.h"
#include "names.h"
#include "retrygarden/attempt_words.h"
#include "retrygarden/diagnosis.h"
#include "retrygarden/event_loop.h"

namespace retrygarden {

namespace {

constexpr std::uint32_t kMostRows = 100;  // of a density

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

// Both are columns of the same width.
void add(TickLoad& sum, const TickLoad& load) {
  sum.attempts += load.attempts;
  sum.accepted += load.accepted;
  sum.overloaded += load.overloaded;
  sum.unavailable += load.unavailable;
  sum.lost_requests += load.lost_requests;
  sum.short_circuited += load.short_circuited;
  sum.started += load.started;
  sum.dropped += load.dropped;
  sum.effects += load.effects;
  sum.acknowledged += load.acknowledged;
  sum.queued = std::max(sum.queued, load.queued);
}

// The load of a run in a limited number of columns: two become one as soon as there are more.
class LoadColumns {
 public:
  explicit LoadColumns(std::size_t most) : most_(most) {}

  void add(const TickLoad& load) {
    while (load.tick / ticks_per_column_ >= most_) {
      merge();
    }
    if (load.tick > end_tick_) {
      extend(load.tick - 1, queued_);  // nothing changes where there is no record
    }
    extend(load.tick, 0);
    retrygarden::add(columns_.back(), load);
    end_tick_ = load.tick + 1;
    queued_ = load.queued;
  }

  std::uint32_t ticks_per_column() const { return ticks_per_column_; }
  const std::vector<TickLoad>& columns() const { return columns_; }

 private:
  // Makes columns up to that of the tick. Requests wait in those that are new.
  void extend(Tick tick, std::uint64_t queued) {
    while (columns_.size() <= tick / ticks_per_column_) {
      columns_.push_back(
          {.tick = static_cast<Tick>(columns_.size()) * ticks_per_column_, .queued = queued});
    }
  }

  void merge() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i % 2 == 0) {
        columns_[i / 2] = columns_[i];
      } else {
        retrygarden::add(columns_[i / 2], columns_[i]);
      }
    }
    columns_.resize((columns_.size() + 1) / 2);
    ticks_per_column_ *= 2;
  }

  std::size_t most_;
  std::vector<TickLoad> columns_;  // the last one is that of the last record
  std::uint32_t ticks_per_column_ = 1;
  Tick end_tick_ = 0;         // behind the last tick with a record
  std::uint64_t queued_ = 0;  // at the end of that one
};

// The attempts of some clients.
class Lanes {
 public:
  Lanes(const Plan& plan, const LaneRange& range)
      : records_(plan, range.first, range.last, range.step), range_(range) {}

  void add(const Attempt& attempt) {
    if (!records_.holds(attempt.client)) {
      return;
    }
    records_.add(attempt);
    if (attempt.client <= range_.last && is_complete_) {
      attempts_.push_back(attempt);
      while (attempts_.size() > range_.most) {
        leave_out();
      }
    }
  }
  void add(const ClientEnd& end) {
    if (records_.holds(end.client)) {
      records_.add(end);
    }
  }

  void write(Writer& out) {
    std::vector<ClientRecord> clients = records_.take();
    clients.resize((range_.last - range_.first) / range_.step + 1);
    out << R"({"first": )" << range_.first << R"(, "last": )"
        << range_.first + (range_.last - range_.first) / range_.step * range_.step
        << R"(, "step": )" << range_.step << R"(, "complete": )"
        << (is_complete_ ? "true" : "false") << R"(, "clients": )";
    write_json_list(out, clients);
    out << R"(, "attempts": )";
    write_json_list(out, attempts_);
    out << "}";
  }

 private:
  // The upper half of the clients; of a single one, what comes now and later.
  void leave_out() {
    const std::uint32_t steps = (range_.last - range_.first) / range_.step;
    if (steps == 0) {
      attempts_.pop_back();
      is_complete_ = false;
      return;
    }
    range_.last = range_.first + (steps - 1) / 2 * range_.step;
    std::erase_if(attempts_, [&](const Attempt& attempt) { return attempt.client > range_.last; });
  }

  ClientRecords records_;
  LaneRange range_;  // last becomes lower when clients are left out
  std::vector<Attempt> attempts_;
  bool is_complete_ = true;
};

// How many attempts groups of clients make in each column of the load.
class Density {
 public:
  struct Cell {
    std::uint64_t attempts = 0;
    std::uint64_t effects = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t acknowledged = 0;
  };

  Density(std::uint32_t clients, const LoadColumns& load)
      : clients_per_row_(static_cast<std::uint32_t>(divided_up(clients, kMostRows))),
        ticks_per_column_(load.ticks_per_column()),
        columns_(load.columns().size()),
        cells_(static_cast<std::size_t>(divided_up(clients, clients_per_row_)) * columns_) {}

  void add(const Attempt& attempt) {
    Cell& cell =
        cells_[attempt.client / clients_per_row_ * columns_ + attempt.tick / ticks_per_column_];
    ++cell.attempts;
    cell.effects += attempt.effect == Effect::kApplied || attempt.effect == Effect::kDuplicate;
    cell.duplicates += attempt.effect == Effect::kDuplicate;
    cell.acknowledged += attempt.response == Response::kAcknowledged;
  }

  void write(Writer& out) const {
    out << R"({"clients_per_row": )" << clients_per_row_ << R"(, "cells": [)";
    std::string_view separator;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Cell& cell = cells_[i];
      if (cell.attempts > 0) {
        out << std::exchange(separator, ", ") << R"({"row": )" << i / columns_ << R"(, "column": )"
            << i % columns_ << R"(, "attempts": )" << cell.attempts << R"(, "effects": )"
            << cell.effects << R"(, "duplicates": )" << cell.duplicates << R"(, "acknowledged": )"
            << cell.acknowledged << "}";
      }
    }
    out << "]}";
  }

 private:
  std::uint32_t clients_per_row_;
  std::uint32_t ticks_per_column_;
  std::size_t columns_;
  std::vector<Cell> cells_;  // row after row
};

// As many clients as the size allows, evenly over all of them, by what a client sends on average.
// The step shares no factor with what depends on the clients' numbers, or the sample would be of
// those clients alone that a rule hits.
LaneRange sample(const Plan& plan, const ViewSize& size, std::uint64_t attempts) {
  const std::uint64_t fitting = size.attempts / divided_up(attempts, plan.clients);
  const std::uint64_t lanes = std::clamp<std::uint64_t>(fitting, 1, size.clients);
  const auto& rule = plan.faults.first_response_lost;
  const std::uint64_t every = rule ? rule->every : 1;
  std::uint64_t step = divided_up(plan.clients, lanes);
  while (std::gcd(step, every) != 1 || std::gcd(step, plan.clients_per_host) != 1) {
    ++step;
  }
  return {.first = 0,
          .last = plan.clients - 1,
          .step = static_cast<std::uint32_t>(std::min<std::uint64_t>(step, plan.clients)),
          .most = size.attempts};
}

void write_attempts(Writer& out, const Plan& plan, const ViewSize& size, const LoadColumns& load,
                    std::uint64_t attempts) {
  const bool holds_all =
      attempts <= size.whole || (plan.clients <= size.clients && attempts <= size.attempts);
  const LaneRange all{
      .first = 0, .last = plan.clients - 1, .step = 1, .most = std::max(size.attempts, size.whole)};
  Lanes lanes(plan, holds_all ? all : sample(plan, size, attempts));
  std::optional<Density> density;
  if (!holds_all) {
    density.emplace(plan.clients, load);
  }
  run(plan, {.attempt =
                 [&](const Attempt& attempt) {
                   lanes.add(attempt);
                   if (density) {
                     density->add(attempt);
                   }
                 },
             .client_end = [&](const ClientEnd& end) { lanes.add(end); }});
  out << R"(, "lanes": )";
  lanes.write(out);
  out << R"(, "density": )";
  if (density) {
    density->write(out);
  } else {
    out << "null";
  }
}

void write_delay(Writer& out, const Plan& plan, Tick failed_tick, const DelayExplanation& delay) {
  out << R"({"interval": )";
  if (delay.interval) {
    out << "[" << delay.interval->lo << ", " << delay.interval->hi << "]";
  } else {
    out << "null";
  }
  out << R"(, "words": [)";
  std::string_view separator;
  for (const DrawnWord& drawn : delay.words) {
    out << std::exchange(separator, ", ") << R"({"word": )" << drawn.word << R"(, "rejected": )"
        << (drawn.is_rejected ? "true}" : "false}");
  }
  out << R"(], "drawn": )";
  write_json_number(out, delay.drawn);
  out << R"(, "previous": )";
  write_json_number(out, delay.previous);
  out << R"(, "max_delay": )";
  write_json_number(out, plan.max_delay == ~0U ? std::nullopt : std::optional(plan.max_delay));
  out << R"(, "hint": )";
  write_json_number(out, delay.hint);
  out << R"(, "on_retry_after": ")" << name_of(kOnRetryAfter, plan.on_retry_after)
      << R"(", "delay": )" << delay.ticks << R"(, "due": )"
      << std::uint64_t{failed_tick} + delay.ticks << "}";
}

void write_explanation(Writer& out, const Plan& plan, const Explanation& explanation) {
  const Attempt& attempt = explanation.attempt;
  out << R"({"attempt": )";
  write_json_record(out, attempt);
  out << R"(, "server": )" << json_string(server_words(plan, attempt));
  out << R"(, "response": )" << json_string(response_words(plan, attempt));
  out << R"(, "client": )" << json_string(client_words(plan, attempt));
  out << R"(, "next": )" << json_string(next_step_words(plan, attempt, explanation.end));
  out << R"(, "delay": )";
  if (explanation.delay) {
    write_delay(out, plan, *attempt.failed_tick, *explanation.delay);
  } else {
    out << "null";
  }
  out << "}";
}

}  // namespace

void write_view_json(const Scenario& scenario, const ViewSize& size, const Sink& sink,
                     const ViewProgress& progress) {
  Writer out(sink);
  out << R"({"scenario": )" << write_scenario(scenario) << R"(, "results": [)";
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    const Plan plan = make_plan(scenario, i);
    LoadColumns load(size.columns);
    std::uint64_t attempts = 0;
    const Summary summary = run(plan, {.tick_load = [&](const TickLoad& tick) {
                                  load.add(tick);
                                  attempts += tick.attempts;
                                  if (progress) {
                                    progress(i, tick.tick, attempts);
                                  }
                                }});
    out << (i == 0 ? "" : ", ") << R"({"policy": )" << json_string(scenario.policies[i].name)
        << R"(, "summary": )";
    write_json_record(out, summary);
    out << R"(, "diagnosis": [)";
    std::string_view separator;
    for (const std::string& sentence : diagnose(scenario, i)) {
      out << std::exchange(separator, ", ") << json_string(sentence);
    }
    out << R"(], "ticks_per_column": )" << load.ticks_per_column() << R"(, "load": )";
    write_json_list(out, load.columns());
    write_attempts(out, plan, size, load, attempts);
    out << "}";
  }
  out << "]}";
  out.flush();
}

void write_lanes_json(const Scenario& scenario, std::size_t policy_index, const LaneRange& range,
                      const Sink& sink) {
  const Plan plan = make_plan(scenario, policy_index);
  Lanes lanes(plan, range);
  run(plan, {.attempt = [&](const Attempt& attempt) { lanes.add(attempt); },
             .client_end = [&](const ClientEnd& end) { lanes.add(end); }});
  Writer out(sink);
  lanes.write(out);
  out.flush();
}

void write_explanation_json(const Scenario& scenario, std::size_t policy_index, Client client,
                            std::uint32_t attempt, const Sink& sink) {
  const Plan plan = make_plan(scenario, policy_index);
  Writer out(sink);
  if (const auto explanation = explain(plan, client, attempt)) {
    write_explanation(out, plan, *explanation);
  } else {
    out << "null";
  }
  out.flush();
}

void write_faults_json(const Faults& faults, const Sink& sink) {
  Writer out(sink);
  out << "[";
  std::string_view separator;
  for (const Fault& fault : faults) {
    out << std::exchange(separator, ", ") << R"({"line": )";
    out << (fault.position ? fmt::to_string(fault.position->line) : "null");
    out << R"(, "column": )";
    out << (fault.position ? fmt::to_string(fault.position->column) : "null");
    out << R"(, "pointer": )" << json_string(fault.pointer);
    out << R"(, "expected": )" << json_string(fault.expected);
    out << R"(, "found": )" << json_string(fault.found);
    out << R"(, "text": )" << json_string(to_string(fault)) << "}";
  }
  out << "]";
  out.flush();
}

std::uint64_t view_memory_bytes(const Scenario& scenario, const ViewSize& size) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    const Plan plan = make_plan(scenario, i);
    most = std::max(
        {most, run_memory_bytes(plan) + records_memory_bytes(plan), diagnosis_memory_bytes(plan)});
  }
  // A run told whole has at least as many attempts as clients.
  const std::uint64_t clients = std::max<std::uint64_t>(size.clients, size.whole);
  const std::uint64_t attempts = std::max(size.attempts, size.whole);
  return most +
         size.columns * (sizeof(TickLoad) + kMostRows * std::uint64_t{sizeof(Density::Cell)}) +
         clients * sizeof(ClientRecord) + 2 * attempts * sizeof(Attempt);
}

}  // namespace retrygarden
