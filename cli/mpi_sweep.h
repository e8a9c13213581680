// MpiSweep: the processes that mpirun started run the jobs of a sweep, handed out as they become
// free.
#pragma once

#include "mpi_peers.h"
#include "sweep_runners.h"

namespace retrygarden::cli {

// The first process writes, hands out, and runs jobs itself beside that.
class MpiSweep final : public SweepRunners {
 public:
  explicit MpiSweep(MpiPeers& peers) : peers_(peers) {}

  Peers* peers() override { return &peers_; }
  void run_all(const Next& next, const Run& run, const Write& write) override;
  void help(const RunPlace& run) override;

 private:
  MpiPeers& peers_;
};

}  // namespace retrygarden::cli
