// SweepThreads: the threads of this process run the jobs of a sweep (oneTBB).
#pragma once

#include "sweep_runners.h"

namespace retrygarden::cli {

class SweepThreads final : public SweepRunners {
 public:
  explicit SweepThreads(std::size_t count) : count_(count) {}

  Peers* peers() override { return nullptr; }
  void run_all(const Next& next, const Run& run, const Write& write) override;
  void help(const RunPlace& /*run*/) override {}

 private:
  std::size_t count_;
};

}  // namespace retrygarden::cli
