#include "sweep_threads.h"

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>

#include <utility>

namespace retrygarden::cli {

void SweepThreads::run_all(const Next& next, const Run& run, const Write& write) {
  using Result = std::pair<SweepJob, std::vector<SummaryValues>>;
  using tbb::filter_mode;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, count_);
  tbb::parallel_pipeline(
      count_ * kJobsARunner,
      tbb::make_filter<void, SweepJob>(filter_mode::serial_in_order,
                                       [&](tbb::flow_control& control) {
                                         std::optional<SweepJob> job = next();
                                         if (!job) {
                                           control.stop();
                                           return SweepJob();
                                         }
                                         return *std::move(job);
                                       }) &
          tbb::make_filter<SweepJob, Result>(
              filter_mode::parallel, [&](const SweepJob& job) { return Result(job, run(job)); }) &
          tbb::make_filter<Result, void>(filter_mode::serial_in_order, [&](Result result) {
            write(result.first, std::move(result.second));
          }));
}

}  // namespace retrygarden::cli
