// Team: this process among those that share a run, or alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "retrygarden/peers.h"
#include "retrygarden/plan.h"
#include "run_totals.h"
#include "wait_times.h"

namespace retrygarden {

// Clients begin … end-1.
struct ClientSpan {
  Client begin;
  Client end;

  // One of so many parts, which follow each other and are about equally large.
  ClientSpan part(std::uint64_t index, std::uint64_t parts) const {
    const std::uint64_t clients = end - begin;
    return {static_cast<Client>(begin + clients * index / parts),
            static_cast<Client>(begin + clients * (index + 1) / parts)};
  }
};

class Team {
 public:
  // peers: null where there are none.
  explicit Team(Peers* peers) : peers_(peers) {}

  std::uint32_t rank() const { return peers_ == nullptr ? 0 : peers_->rank(); }
  std::uint32_t count() const { return peers_ == nullptr ? 1 : peers_->count(); }
  bool is_first() const { return rank() == 0; }

  ClientSpan clients_of_mine(const Plan& plan) const {
    return ClientSpan{0, plan.clients}.part(rank(), count());
  }

  template <class T>
  std::vector<T> all_gather(const T& mine) {
    return peers_ == nullptr ? std::vector<T>{mine} : peers_->all_gather(mine);
  }

  // Gives the first process what the others have.
  template <class T, class Take>
  void gather_at_first(std::span<const T> mine, Take take) {
    if (peers_ != nullptr) {
      peers_->gather_at_first(std::as_bytes(mine), [&](std::span<const std::byte> piece) {
        std::vector<T> values(piece.size() / sizeof(T));
        std::copy(piece.begin(), piece.end(), std::as_writable_bytes(std::span(values)).begin());
        take(std::span<const T>(values));
      });
    }
  }

  // The summary of all, when the run has ended.
  Summary summary(RunTotals& totals, const Summary& counts, WaitTimes& wait_times) {
    for (const Summary& theirs : all_gather(counts)) {
      totals.add(theirs);
    }
    const std::vector<std::uint32_t> mine = is_first() ? WaitTimes().packed() : wait_times.packed();
    gather_at_first(std::span(mine), [&](std::span<const std::uint32_t> packed) {
      wait_times.merge_packed(packed);
    });
    return all_gather(is_first() ? totals.summary(wait_times) : Summary()).front();
  }

 private:
  Peers* peers_;
};

}  // namespace retrygarden
