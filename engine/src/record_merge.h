// RecordMerge: the records of several parts of the clients, each ordered by (tick, client), put
// into that order for all. The parts are ascending by client.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "check.h"
#include "due_attempt.h"
#include "fifo.h"
#include "retrygarden/results.h"

namespace retrygarden {

class RecordMerge {
 public:
  explicit RecordMerge(std::size_t parts) : parts_(parts) {}

  // Later records of the part are of this tick or later, kNever: there are none.
  void has_all_before(std::size_t part, Tick tick) { parts_[part].open = tick; }

  void add(std::size_t part, const Attempt& record) { parts_[part].records.push_back(record); }

  // Shows the records that no missing one comes before. Returns the tick such that later ones are
  // of this tick or later.
  template <class Show>
  Tick show(Show show) {
    for (;;) {
      const auto next = std::min_element(
          parts_.begin(), parts_.end(),
          [](const Part& a, const Part& b) { return a.next_tick() < b.next_tick(); });
      if (next == parts_.end()) {
        return kNever;
      }
      if (next->records.empty()) {
        return next->open;
      }
      const Tick tick = next->next_tick();
      while (!next->records.empty() && next->records.front().tick == tick) {
        show(next->records.take_front());
      }
    }
  }

 private:
  struct Part {
    Fifo<Attempt> records;
    Tick open = 0;

    Tick next_tick() const { return records.empty() ? open : records.front().tick; }
  };

  std::vector<Part> parts_;
};

}  // namespace retrygarden
