#include "sweep_check.h"

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <vector>

#include "failure.h"
#include "input.h"
#include "progress.h"
#include "retrygarden/event_loop.h"
#include "retrygarden/grouped.h"

namespace retrygarden::cli {

namespace {

constexpr std::uint64_t kPointsOfABlock = 64;
constexpr std::size_t kMostBlocks = 256;  // at once
constexpr std::size_t kMostFaultsShown = 50;

struct PointFault {
  std::uint64_t point;
  std::string fault;
};

struct CheckedBlock {
  std::uint64_t end = 0;
  SweepSize size;
  std::vector<PointFault> faults;
};

void enlarge(SweepSize& size, const SweepSize& other) {
  size.run_bytes = std::max(size.run_bytes, other.run_bytes);
  size.policies = std::max(size.policies, other.policies);
}

SweepSize size_of(const Scenario& scenario) {
  SweepSize size{.policies = scenario.policies.size()};
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    size.run_bytes = std::max(size.run_bytes, run_memory_bytes(make_plan(scenario, i)));
  }
  return size;
}

CheckedBlock check_block(const SweepGrid& grid, std::uint64_t begin) {
  CheckedBlock block{.end = std::min(begin + kPointsOfABlock, grid.points())};
  for (std::uint64_t point = begin; point < block.end; ++point) {
    const auto scenario = grid.scenario(point);
    if (scenario) {
      enlarge(block.size, size_of(*scenario));
      continue;
    }
    for (const Fault& fault : scenario.error()) {
      block.faults.push_back({point, to_string(fault)});
    }
  }
  return block;
}

// Neighbouring points mostly have the same fault; it is told once.
class FaultList {
 public:
  void add(const PointFault& fault) {
    ++count_;
    if (seen_.insert(fault.fault).second) {
      first_.push_back(fault);
    }
  }
  bool is_empty() const { return count_ == 0; }
  bool is_full() const { return count_ >= kMaxFaults; }

  [[noreturn]] void report(const SweepGrid& grid, const std::string& path) const {
    std::string message = fmt::format("{} is not valid:", input_name(path));
    for (std::size_t i = 0; i < std::min(first_.size(), kMostFaultsShown); ++i) {
      message += "\n  " + first_[i].fault;
      if (!grid.axes().empty()) {
        message += fmt::format("\n    at point {} of {}: {}", grouped(first_[i].point + 1),
                               grouped(grid.points()), grid.describe(first_[i].point));
      }
    }
    if (first_.size() > kMostFaultsShown) {
      message += fmt::format("\n  and {} more", first_.size() - kMostFaultsShown);
    }
    throw Failure(ExitCode::kInvalidInput, message);
  }

 private:
  std::size_t count_ = 0;
  std::set<std::string> seen_;
  std::vector<PointFault> first_;
};

}  // namespace

SweepSize check_points(const SweepGrid& grid, const std::string& path) {
  Progress progress;
  FaultList faults;
  SweepSize size;
  std::uint64_t next = 0;
  std::atomic<bool> has_enough_faults = false;
  const auto next_block = [&](tbb::flow_control& control) {
    if (next >= grid.points() || has_enough_faults) {
      control.stop();
    }
    const std::uint64_t begin = next;
    next += kPointsOfABlock;
    return begin;
  };
  // Blocks come in order, so what is told does not depend on threads.
  const auto gather = [&](const CheckedBlock& block) {
    enlarge(size, block.size);
    for (const PointFault& fault : block.faults) {
      if (!faults.is_full()) {
        faults.add(fault);
      }
    }
    has_enough_faults = faults.is_full();
    progress.update([&] {
      return fmt::format("checking point {} of {}", grouped(block.end), grouped(grid.points()));
    });
  };
  tbb::parallel_pipeline(
      kMostBlocks,
      tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order, next_block) &
          tbb::make_filter<std::uint64_t, CheckedBlock>(
              tbb::filter_mode::parallel,
              [&](std::uint64_t begin) { return check_block(grid, begin); }) &
          tbb::make_filter<CheckedBlock, void>(tbb::filter_mode::serial_in_order, gather));
  if (!faults.is_empty()) {
    faults.report(grid, path);
  }
  return size;
}

}  // namespace retrygarden::cli
