// Processes that share a run, played by threads of this one.
#pragma once

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

#include "retrygarden/peers.h"

namespace retrygarden::test {

// Where so many of them meet.
class Meeting {
 public:
  explicit Meeting(std::uint32_t count) : pieces_(count), barrier_(count) {}

  std::uint32_t count() const { return static_cast<std::uint32_t>(pieces_.size()); }

  // Each brings a piece, and looks at those of all.
  template <class Look>
  void meet(std::uint32_t rank, std::span<const std::byte> mine, Look look) {
    pieces_[rank] = mine;
    barrier_.arrive_and_wait();
    look(pieces_);
    barrier_.arrive_and_wait();
  }

 private:
  std::vector<std::span<const std::byte>> pieces_;
  std::barrier<> barrier_;
};

class ThreadPeers final : public Peers {
 public:
  using Peers::all_gather;

  ThreadPeers(Meeting& meeting, std::uint32_t rank) : meeting_(meeting), rank_(rank) {}

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t count() const override { return meeting_.count(); }

  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    meeting_.meet(rank_, mine, [&](const auto& pieces) {
      auto out = all.begin();
      for (const auto& piece : pieces) {
        out = std::copy(piece.begin(), piece.end(), out);
      }
    });
  }

  void gather_at_first(std::span<const std::byte> mine,
                       const std::function<void(std::span<const std::byte>)>& take) override {
    meeting_.meet(rank_, mine, [&](const auto& pieces) {
      if (is_first()) {
        std::for_each(pieces.begin(), pieces.end(), take);
      }
    });
  }

 private:
  Meeting& meeting_;
  std::uint32_t rank_;
};

// Calls each(peers) for so many processes at the same time.
template <class Each>
void for_each_of_team(std::uint32_t count, Each each) {
  Meeting meeting(count);
  std::vector<std::jthread> threads;
  for (std::uint32_t rank = 0; rank < count; ++rank) {
    threads.emplace_back([&meeting, &each, rank] {
      ThreadPeers peers(meeting, rank);
      each(peers);
    });
  }
}

}  // namespace retrygarden::test
