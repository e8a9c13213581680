// Peers by MPI: the processes that mpirun started.
#pragma once

#include "retrygarden/peers.h"

namespace retrygarden::cli {

// One at a time. What MPI finds wrong ends all processes.
class MpiPeers final : public Peers {
 public:
  using Peers::all_gather;

  MpiPeers(int& argc, char**& argv);
  ~MpiPeers();
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t count() const override { return count_; }
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override;
  void gather_at_first(std::span<const std::byte> mine,
                       const std::function<void(std::span<const std::byte>)>& take) override;

  // Ends all processes, which may wait for this one.
  [[noreturn]] static void end_all(int exit_code);

 private:
  std::uint32_t rank_ = 0;
  std::uint32_t count_ = 1;
};

}  // namespace retrygarden::cli
