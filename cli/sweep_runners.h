// SweepRunners: who runs the jobs of a sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "retrygarden/peers.h"
#include "retrygarden/scenario.h"
#include "sweep_rows.h"

namespace retrygarden::cli {

// A place in the grid's order.
struct SweepPlace {
  std::uint64_t point = 0;
  std::uint64_t seed_index = 0;
  std::uint64_t policy = 0;
};

// The policies of a point under one seed, from one of them on.
struct SweepJob {
  std::shared_ptr<const Scenario> scenario;
  SweepPlace first;
};

class SweepRunners {
 public:
  using Next = std::function<std::optional<SweepJob>()>;
  using Run = std::function<std::vector<SummaryValues>(const SweepJob&)>;
  using Write = std::function<void(const SweepJob&, std::vector<SummaryValues>)>;
  using RunPlace = std::function<std::vector<SummaryValues>(const SweepPlace&)>;

  // Rows that wait for their turn, so that a long run does not hold up the others.
  static constexpr std::size_t kJobsARunner = 16;

  virtual ~SweepRunners() = default;

  // The processes that run jobs; null if there is but one.
  virtual Peers* peers() = 0;

  // Asks for jobs until there is none, has several of them run at the same time, and writes what
  // they give in the order in which they came. next and write are never called at the same time;
  // write must not throw.
  virtual void run_all(const Next& next, const Run& run, const Write& write) = 0;

  // In another process than the first: runs what run_all() there hands out.
  virtual void help(const RunPlace& run) = 0;
};

}  // namespace retrygarden::cli
