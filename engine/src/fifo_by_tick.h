// FifoByTick: things in the order of their ticks, with each tick kept once for all of its things.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check.h"
#include "due_attempt.h"
#include "fifo.h"

namespace retrygarden {

template <class T>
class FifoByTick {
 public:
  bool empty() const { return things_.empty(); }
  std::size_t size() const { return things_.size(); }
  T& operator[](std::size_t index) { return things_[index]; }

  // The tick of the first, kNever if there is none.
  Tick front_tick() const { return ticks_.empty() ? kNever : ticks_.front().tick; }

  // How many there are of the first one's tick, if that is `tick`.
  std::size_t count(Tick tick) const { return front_tick() == tick ? ticks_.front().count : 0; }

  // Precondition: no later tick is there.
  void push_back(Tick tick, const T& thing) {
    if (ticks_.empty() || ticks_.back().tick < tick) {
      ticks_.push_back({tick, 0});
    }
    RETRYGARDEN_CHECK(ticks_.back().tick == tick);
    ++ticks_.back().count;
    things_.push_back(thing);
  }

  T take_front() {
    if (--ticks_.front().count == 0) {
      ticks_.take_front();
    }
    return things_.take_front();
  }

 private:
  struct Count {
    Tick tick;
    std::size_t count;
  };

  Fifo<Count> ticks_;  // ascending; no count is 0
  Fifo<T> things_;
};

}  // namespace retrygarden
