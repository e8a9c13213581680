// retrygarden sweep: every point of a grid, every seed and every policy, in parallel; one row each.
#include <fmt/format.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "commands.h"
#include "input.h"
#include "memory_limit.h"
#include "output.h"
#include "progress.h"
#include "resumable_file.h"
#include "retrygarden/event_loop.h"
#include "retrygarden/grouped.h"
#include "sweep_check.h"
#include "sweep_grid.h"
#include "sweep_rows.h"
#include "sweep_runners.h"
#include "sweep_statistics.h"
#include "sweep_threads.h"
#include "terminal.h"
#include "together.h"

namespace retrygarden::cli {

namespace {

// With more points, tables would hide more than they show.
constexpr std::uint64_t kMostTables = 20;

std::vector<std::string> policy_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const Policy& policy : scenario.policies) {
    names.push_back(policy.name);
  }
  return names;
}

std::string duration_text(std::chrono::seconds duration) {
  const auto seconds = static_cast<std::uint64_t>(duration.count());
  if (seconds < 60) {
    return fmt::format("{} s", seconds);
  }
  if (seconds < 3600) {
    return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  }
  return fmt::format("{} h {} min", grouped(seconds / 3600), seconds / 60 % 60);
}

// How far the sweep is, with a bar and the time left.
class SweepProgress {
 public:
  explicit SweepProgress(std::uint64_t rows) : rows_(rows) {}

  // The time left follows from the rows after these, which were there before.
  void start(std::uint64_t done) {
    first_ = done;
    start_ = Clock::now();
  }

  void update(std::uint64_t done) {
    progress_.update([&] { return line(done); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(std::uint64_t done) const {
    static constexpr std::uint64_t kCells = 20;
    const std::uint64_t filled = done * kCells / rows_;
    std::string bar;
    for (std::uint64_t i = 0; i < kCells; ++i) {
      bar += i < filled ? "█" : "░";
    }
    std::string text = fmt::format("{} {:>3} %  row {} of {}", bar, done * 100 / rows_,
                                   grouped(done), grouped(rows_));
    if (done > first_) {
      const auto left = (Clock::now() - start_) / (done - first_) * (rows_ - done);
      text += ", " + duration_text(std::chrono::ceil<std::chrono::seconds>(left)) + " left";
    }
    return text;
  }

  Progress progress_;
  std::uint64_t rows_;
  std::uint64_t first_ = 0;
  Clock::time_point start_ = Clock::now();
};

// Where rows go: a file that can be gone on with, or anything else that can be written.
class RowsOutput {
 public:
  RowsOutput(const std::string& path, const std::string& identity) {
    if (const auto target = replaceable_file(path)) {
      resumable_.emplace(*target, identity);
    } else {
      direct_.emplace(path);
    }
  }

  // See ResumableFile; nothing else has rows to be read.
  std::string_view read_row(std::string_view start) {
    return resumable_ ? resumable_->read_row(start) : std::string_view();
  }
  void end_reading() {
    if (resumable_) {
      resumable_->end_reading();
    }
  }
  [[noreturn]] void refuse() const { resumable_->refuse(); }

  void write(std::string_view text) {
    if (resumable_) {
      resumable_->append(text);
    } else {
      direct_->write(text);
    }
  }
  void commit() {
    if (resumable_) {
      resumable_->commit();
    } else {
      direct_->commit();
    }
  }

 private:
  std::optional<ResumableFile> resumable_;
  std::optional<Output> direct_;
};

// The statistics as far as they are asked for: as CSV, and as tables on standard output.
class StatisticsOutput {
 public:
  StatisticsOutput(const SweepGrid& grid, const SweepOptions& options) : grid_(grid) {
    if (!options.statistics.empty()) {
      csv_.emplace(options.statistics);
      csv_->write(statistics_csv_header(grid));
    }
    has_tables_ = options.output != "-" && options.statistics != "-";
    shows_tables_ = has_tables_ && grid.points() <= kMostTables;
  }

  bool needs_rows() const { return csv_ || shows_tables_; }

  void begin_point(const std::vector<std::string>& policies) { statistics_.begin(policies); }

  void add(SummaryValues values) {
    if (needs_rows()) {
      statistics_.add(std::move(values));
    }
  }

  void end_point(std::uint64_t point) {
    if (!needs_rows()) {
      return;
    }
    const std::vector<PolicyStatistics> statistics = statistics_.take();
    if (csv_) {
      csv_->write(statistics_csv(grid_, point, statistics));
    }
    if (shows_tables_) {
      tables_ += "\n" + statistics_tables(grid_, point, statistics, terminal_width(STDOUT_FILENO));
    }
  }

  void commit_csv() {
    if (csv_) {
      csv_->commit();
    }
  }

  void print_tables() const {
    if (has_tables_) {
      Output output("-");
      output.write(text());
      output.commit();
    }
  }

 private:
  std::string text() const {
    const std::size_t width = terminal_width(STDOUT_FILENO);
    const std::string counts = fmt::format("{}, {}", counted(grid_.points(), "point", "points"),
                                           counted(grid_.seeds(), "seed", "seeds"));
    if (!shows_tables_) {
      return wrapped(fmt::format("{}: no tables for more than {} points; --statistics FILE writes "
                                 "the statistics as CSV.",
                                 counts, kMostTables),
                     width);
    }
    return wrapped(counts +
                       ". 95 %: the interval that holds the median in at least 95 of 100 "
                       "sweeps with other seeds.",
                   width) +
           tables_;
  }

  const SweepGrid& grid_;
  std::optional<Output> csv_;
  bool has_tables_ = false;
  bool shows_tables_ = false;
  std::string tables_;
  PointStatistics statistics_;
};

// The scenarios of points, each put together once for rows that follow each other.
class SweepScenarios {
 public:
  explicit SweepScenarios(const SweepGrid& grid) : grid_(grid) {}

  const std::shared_ptr<const Scenario>& at(std::uint64_t point) {
    if (scenario_ == nullptr || point_ != point) {
      scenario_ = std::make_shared<const Scenario>(grid_.scenario(point).value());
      point_ = point;
    }
    return scenario_;
  }

 private:
  const SweepGrid& grid_;
  std::shared_ptr<const Scenario> scenario_;
  std::uint64_t point_ = 0;
};

std::vector<SummaryValues> run_job(const SweepJob& job) {
  std::vector<SummaryValues> values;
  for (std::size_t i = job.first.policy; i < job.scenario->policies.size(); ++i) {
    Plan plan = make_plan(*job.scenario, i);
    plan.seed = job.scenario->seed + job.first.seed_index;
    values.push_back(summary_values(retrygarden::run(plan)));
  }
  return values;
}

class Sweep {
 public:
  Sweep(const SweepGrid& grid, const RowFormat& format, RowsOutput& rows,
        StatisticsOutput& statistics)
      : grid_(grid),
        format_(format),
        rows_(rows),
        statistics_(statistics),
        progress_(grid.rows()),
        scenarios_(grid) {}

  // Takes the rows that are there already, and has those run that are missing.
  void complete(SweepRunners& runners) {
    read_rows();
    progress_.start(done_);
    runners.run_all([this] { return next_job(); }, [this](const SweepJob& job) { return run(job); },
                    [this](const SweepJob& job, std::vector<SummaryValues> values) {
                      write(job, std::move(values));
                    });
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  void read_rows() {
    std::string header = format_.header();
    if (!header.empty()) {
      header.pop_back();
      if (rows_.read_row(header).empty()) {
        rows_.end_reading();
        rows_.write(header + "\n");
        return;
      }
    }
    while (next_.point < grid_.points() && read_row()) {
    }
    if (next_.point == grid_.points() && !rows_.read_row("").empty()) {
      rows_.refuse();
    }
    rows_.end_reading();
  }

  // Reads the row of the next place. False if it is not there.
  bool read_row() {
    const Scenario& scenario = *scenarios_.at(next_.point);
    const std::string_view rest = rows_.read_row(format_.row_start(
        next_.point, scenario.seed + next_.seed_index, scenario.policies[next_.policy].name));
    if (rest.empty()) {
      return false;
    }
    auto values = format_.read_row_end(rest);
    if (!values) {
      rows_.refuse();
    }
    take(next_, scenario, *std::move(values));
    advance(next_, scenario, next_.policy + 1);
    return true;
  }

  std::optional<SweepJob> next_job() {
    if (next_.point == grid_.points() || has_failed_) {
      return std::nullopt;
    }
    SweepJob job{scenarios_.at(next_.point), next_};
    advance(next_, *job.scenario, job.scenario->policies.size());
    return job;
  }

  std::vector<SummaryValues> run(const SweepJob& job) const {
    return has_failed_ ? std::vector<SummaryValues>() : run_job(job);
  }

  // What goes wrong in writing is kept until no job is under way: who runs them may not be able to
  // stop in between.
  void write(const SweepJob& job, std::vector<SummaryValues> values) {
    if (has_failed_) {
      return;
    }
    try {
      write_rows(job, std::move(values));
    } catch (...) {
      failure_ = std::current_exception();
      has_failed_ = true;
    }
  }

  void write_rows(const SweepJob& job, std::vector<SummaryValues> values) {
    const Scenario& scenario = *job.scenario;
    SweepPlace place = job.first;
    std::string rows;
    for (const SummaryValues& row : values) {
      rows += format_.row_start(place.point, scenario.seed + place.seed_index,
                                scenario.policies[place.policy].name);
      rows += format_.row_end(row);
      ++place.policy;
    }
    rows_.write(rows);
    place = job.first;
    for (SummaryValues& row : values) {
      take(place, scenario, std::move(row));
      ++place.policy;
    }
    progress_.update(done_);
  }

  // A row of this place is written.
  void take(const SweepPlace& place, const Scenario& scenario, SummaryValues values) {
    ++done_;
    if (place.seed_index == 0 && place.policy == 0) {
      statistics_.begin_point(policy_names(scenario));
    }
    statistics_.add(std::move(values));
    if (place.seed_index + 1 == grid_.seeds() && place.policy + 1 == scenario.policies.size()) {
      statistics_.end_point(place.point);
    }
  }

  // policy: that of the next row, or one behind the last.
  void advance(SweepPlace& place, const Scenario& scenario, std::size_t policy) const {
    place.policy = policy % scenario.policies.size();
    if (place.policy == 0 && ++place.seed_index == grid_.seeds()) {
      place.seed_index = 0;
      ++place.point;
    }
  }

  const SweepGrid& grid_;
  const RowFormat& format_;
  RowsOutput& rows_;
  StatisticsOutput& statistics_;
  SweepProgress progress_;
  SweepPlace next_;         // of the row to be read or to be run
  std::uint64_t done_ = 0;  // rows
  SweepScenarios scenarios_;
  std::exception_ptr failure_;
  std::atomic<bool> has_failed_ = false;
};

// What the rows in a file belong to, as a line.
std::string identity_of(const SweepGrid& grid, const SweepOptions& options) {
  return fmt::format("{{\"version\": \"{}\", \"format\": \"{}\", \"sweep\": {}}}\n",
                     RETRYGARDEN_VERSION,
                     options.format == SweepOptions::Format::kCsv ? "csv" : "ndjson", grid.text());
}

// The threads for which the memory limit has room.
std::size_t affordable_threads(std::size_t threads, std::uint64_t run_bytes,
                               std::uint64_t other_bytes, std::uint64_t memory_limit) {
  require_memory(run_bytes + other_bytes, memory_limit, "the sweep");
  const std::uint64_t room = (memory_limit - other_bytes) / std::max<std::uint64_t>(run_bytes, 1);
  return static_cast<std::size_t>(std::min<std::uint64_t>(threads, room));
}

SweepGrid read_grid(const SweepOptions& options) {
  auto grid = SweepGrid::read(read_input(options.sweep, options.memory_limit));
  if (!grid) {
    throw_faults(options.sweep, grid.error());
  }
  return *std::move(grid);
}

// Has the whole sweep run and writes it. A runner of this process takes run_bytes.
void run_sweep(const SweepGrid& grid, const SweepSize& size, const SweepOptions& options,
               SweepRunners* runners) {
  StatisticsOutput statistics(grid, options);
  const std::size_t threads = affordable_threads(
      options.threads, size.run_bytes,
      statistics.needs_rows() ? PointStatistics::memory_bytes(grid.seeds() * size.policies) : 0,
      options.memory_limit);
  SweepThreads of_this_process(threads);
  RowsOutput rows(options.output, identity_of(grid, options));
  const RowFormat format(options.format, grid);
  Sweep(grid, format, rows, statistics).complete(runners != nullptr ? *runners : of_this_process);
  statistics.commit_csv();
  rows.commit();
  statistics.print_tables();
}

}  // namespace

void sweep_command(const SweepOptions& options) {
  if (options.output == "-" && options.statistics == "-") {
    throw Failure(ExitCode::kUsage,
                  "rows and statistics cannot both go to standard output: name a file with -o");
  }
  SweepRunners* const runners = options.runners;
  const auto [grid, size] = together(runners == nullptr ? nullptr : runners->peers(), [&] {
    SweepGrid read = read_grid(options);
    using tbb::global_control;
    const global_control limit(global_control::max_allowed_parallelism, options.threads);
    const SweepSize found = check_points(read, options.sweep);
    require_memory(found.run_bytes, options.memory_limit, "the sweep");
    return std::pair(std::move(read), found);
  });
  if (runners == nullptr || runners->peers()->is_first()) {
    run_sweep(grid, size, options, runners);
  } else {
    SweepScenarios scenarios(grid);
    runners->help(
        [&](const SweepPlace& place) { return run_job({scenarios.at(place.point), place}); });
  }
}

}  // namespace retrygarden::cli
