// WaitingRequests: the order of the server's queue (docs/model.md, section 4), as counts.
//
// The requests that came in one tick stand in the order of their clients, so those of a part of the
// clients, such as a shard, stand together. It is enough to know how many of each part came in each
// tick: the parts then know their own requests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "check.h"
#include "probe.h"
#include "retrygarden/plan.h"

namespace retrygarden {

class WaitingRequests {
 public:
  explicit WaitingRequests(Discipline discipline) : is_fifo_(discipline == Discipline::kFifo) {}

  std::uint64_t size() const { return size_; }

  // Adds counts[i] requests of part i, ascending by client, which came in the tick. Precondition:
  // no later ones are there.
  void add(Tick tick, std::span<const std::uint32_t> counts) {
    Batch batch{.tick = tick, .counts = {counts.begin(), counts.end()}};
    for (const std::uint32_t count : counts) {
      batch.size += count;
    }
    if (batch.size > 0) {
      size_ += batch.size;
      batches_.push_back(std::move(batch));
    }
  }

  // The tick in which the next ones by the discipline came. Precondition: size() > 0.
  Tick next_tick() const { return next().tick; }

  // How many came in that tick and still wait.
  std::uint64_t next_size() const { return next().size; }

  // Takes so many of the next ones: taken[i] of part i. Precondition: at most next_size().
  void take(std::uint64_t requests, std::span<std::uint32_t> taken) {
    RETRYGARDEN_PROBE(kLifoWithSeveralWaiting, !is_fifo_ && size_ > 1 && requests > 0);
    std::fill(taken.begin(), taken.end(), 0);
    if (requests == 0) {
      return;
    }
    Batch& batch = is_fifo_ ? batches_.front() : batches_.back();
    RETRYGARDEN_CHECK(requests <= batch.size);
    batch.size -= requests;
    size_ -= requests;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const std::size_t part = is_fifo_ ? i : taken.size() - 1 - i;
      taken[part] =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(batch.counts[part], requests));
      batch.counts[part] -= taken[part];
      requests -= taken[part];
    }
    if (batch.size == 0) {
      is_fifo_ ? batches_.pop_front() : batches_.pop_back();
    }
  }

  void clear() {
    batches_.clear();
    size_ = 0;
  }

 private:
  struct Batch {
    Tick tick;
    std::uint64_t size = 0;  // of all parts
    std::vector<std::uint32_t> counts;
  };

  const Batch& next() const { return is_fifo_ ? batches_.front() : batches_.back(); }

  bool is_fifo_;
  std::deque<Batch> batches_;  // ascending by tick; none is empty
  std::uint64_t size_ = 0;
};

}  // namespace retrygarden
