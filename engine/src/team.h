// Team: this process among those that share a run, or alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "check.h"
#include "client_span.h"
#include "retrygarden/peers.h"
#include "retrygarden/plan.h"
#include "run_totals.h"
#include "wait_times.h"

namespace retrygarden {

class Team {
 public:
  // peers: null where there are none.
  explicit Team(Peers* peers) : peers_(peers) {}

  std::uint32_t rank() const { return peers_ == nullptr ? 0 : peers_->rank(); }
  std::uint32_t count() const { return peers_ == nullptr ? 1 : peers_->count(); }
  bool is_first() const { return rank() == 0; }

  ClientSpan clients_of_mine(const Plan& plan, std::uint32_t unit = 1) const {
    return ClientSpan{0, plan.clients}.part(rank(), count(), unit);
  }

  // Collects what each process gives, by rank. all: one for each of them.
  template <class T>
  void all_gather(const T& mine, std::vector<T>& all) {
    RETRYGARDEN_CHECK(all.size() == count());
    if (peers_ == nullptr) {
      all.front() = mine;
    } else {
      peers_->all_gather(mine, all);
    }
  }

  // Gives the first process what each has, by rank.
  template <class T, class Take>
  void gather_at_first(std::span<const T> mine, Take take) {
    if (peers_ == nullptr) {
      take(mine);
    } else {
      peers_->gather_at_first(std::as_bytes(mine), [&](std::span<const std::byte> piece) {
        std::vector<T> values(piece.size() / sizeof(T));
        std::copy(piece.begin(), piece.end(), std::as_writable_bytes(std::span(values)).begin());
        take(std::span<const T>(values));
      });
    }
  }

  // The summary of all, when the run has ended. shards: pointers to those of this process, each of
  // which has counts() and wait_times().
  template <class Shards>
  Summary summary(RunTotals& totals, const Shards& shards) {
    Summary counts;
    WaitTimes wait_times;
    for (const auto& shard : shards) {
      add_unticked(counts, shard->counts());
      wait_times.merge(shard->wait_times());
    }
    std::vector<Summary> all(count());
    all_gather(counts, all);
    for (const Summary& theirs : all) {
      totals.add(theirs);
    }
    const std::vector<std::uint32_t> mine = is_first() ? WaitTimes().packed() : wait_times.packed();
    gather_at_first(std::span(mine), [&](std::span<const std::uint32_t> packed) {
      wait_times.merge_packed(packed);
    });
    all_gather(is_first() ? totals.summary(wait_times) : Summary(), all);
    return all.front();
  }

 private:
  Peers* peers_;
};

}  // namespace retrygarden
