// retrygarden sweep: every point of a grid, every seed and every policy, in parallel; one row each.
#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_pipeline.h>
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
#include "sweep_statistics.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

// With more points, tables would hide more than they show.
constexpr std::uint64_t kMostTables = 20;

// Rows that wait for their turn, so that a long run does not hold up the others.
constexpr std::size_t kJobsAThread = 16;

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

// A place in the grid's order.
struct Place {
  std::uint64_t point = 0;
  std::uint64_t seed_index = 0;
  std::size_t policy = 0;
};

// The policies of a point under one seed, from one of them on.
struct Job {
  std::shared_ptr<const Scenario> scenario;
  Place first;
};

struct JobResult {
  Job job;
  std::string rows;
  std::vector<SummaryValues> values;
};

class Sweep {
 public:
  Sweep(const SweepGrid& grid, const RowFormat& format, RowsOutput& rows,
        StatisticsOutput& statistics)
      : grid_(grid),
        format_(format),
        rows_(rows),
        statistics_(statistics),
        progress_(grid.rows()) {}

  // Takes the rows that are there already, and runs those that are missing.
  void complete(std::size_t threads) {
    read_rows();
    progress_.start(done_);
    // What goes wrong in writing is kept until the pipeline is empty: TBB does not free what is
    // under way when a filter throws.
    tbb::parallel_pipeline(
        threads * kJobsAThread,
        tbb::make_filter<void, Job>(tbb::filter_mode::serial_in_order,
                                    [&](tbb::flow_control& control) { return next_job(control); }) &
            tbb::make_filter<Job, JobResult>(tbb::filter_mode::parallel,
                                             [&](const Job& job) { return run_job(job); }) &
            tbb::make_filter<JobResult, void>(tbb::filter_mode::serial_in_order,
                                              [&](JobResult result) { write(std::move(result)); }));
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
    const Scenario& scenario = *scenario_at(next_.point);
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

  Job next_job(tbb::flow_control& control) {
    if (next_.point == grid_.points() || has_failed_) {
      control.stop();
      return {};
    }
    Job job{scenario_at(next_.point), next_};
    advance(next_, *job.scenario, job.scenario->policies.size());
    return job;
  }

  JobResult run_job(const Job& job) const {
    const Scenario& scenario = *job.scenario;
    const std::uint64_t seed = scenario.seed + job.first.seed_index;
    JobResult result{.job = job};
    for (std::size_t i = job.first.policy; i < scenario.policies.size() && !has_failed_; ++i) {
      Plan plan = make_plan(scenario, i);
      plan.seed = seed;
      const SummaryValues& values = result.values.emplace_back(summary_values(run(plan)));
      result.rows += format_.row_start(job.first.point, seed, scenario.policies[i].name);
      result.rows += format_.row_end(values);
    }
    return result;
  }

  void write(JobResult result) {
    if (has_failed_) {
      return;
    }
    try {
      write_rows(std::move(result));
    } catch (...) {
      failure_ = std::current_exception();
      has_failed_ = true;
    }
  }

  void write_rows(JobResult result) {
    rows_.write(result.rows);
    Place place = result.job.first;
    for (SummaryValues& values : result.values) {
      take(place, *result.job.scenario, std::move(values));
      ++place.policy;
    }
    progress_.update(done_);
  }

  // A row of this place is written.
  void take(const Place& place, const Scenario& scenario, SummaryValues values) {
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
  void advance(Place& place, const Scenario& scenario, std::size_t policy) const {
    place.policy = policy % scenario.policies.size();
    if (place.policy == 0 && ++place.seed_index == grid_.seeds()) {
      place.seed_index = 0;
      ++place.point;
    }
  }

  // Put together once for all rows of a point.
  const std::shared_ptr<const Scenario>& scenario_at(std::uint64_t point) {
    if (scenario_ == nullptr || scenario_point_ != point) {
      scenario_ = std::make_shared<const Scenario>(grid_.scenario(point).value());
      scenario_point_ = point;
    }
    return scenario_;
  }

  const SweepGrid& grid_;
  const RowFormat& format_;
  RowsOutput& rows_;
  StatisticsOutput& statistics_;
  SweepProgress progress_;
  Place next_;              // of the row to be read or to be run
  std::uint64_t done_ = 0;  // rows
  std::shared_ptr<const Scenario> scenario_;
  std::uint64_t scenario_point_ = 0;
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

}  // namespace

void sweep_command(const SweepOptions& options) {
  if (options.output == "-" && options.statistics == "-") {
    throw Failure(ExitCode::kUsage,
                  "rows and statistics cannot both go to standard output: name a file with -o");
  }
  const auto grid = SweepGrid::read(read_input(options.sweep, options.memory_limit));
  if (!grid) {
    throw_faults(options.sweep, grid.error());
  }
  const auto cores = static_cast<std::uint64_t>(tbb::info::default_concurrency());
  const std::size_t threads = std::min<std::size_t>(options.threads, cores);
  using tbb::global_control;
  const global_control limit(global_control::max_allowed_parallelism, threads);
  const SweepSize size = check_points(*grid, options.sweep);
  StatisticsOutput statistics(*grid, options);
  const std::size_t running = affordable_threads(
      threads, size.run_bytes,
      statistics.needs_rows() ? PointStatistics::memory_bytes(grid->seeds() * size.policies) : 0,
      options.memory_limit);
  const global_control running_limit(global_control::max_allowed_parallelism, running);
  RowsOutput rows(options.output, identity_of(*grid, options));
  const RowFormat format(options.format, *grid);
  Sweep(*grid, format, rows, statistics).complete(running);
  statistics.commit_csv();
  rows.commit();
  statistics.print_tables();
}

}  // namespace retrygarden::cli
