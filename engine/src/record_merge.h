// Putting the records of several parts of the clients, each ordered by (tick, client), into that
// order for all. The parts are ascending by client.
#pragma once

#include <algorithm>

#include "due_attempt.h"

namespace retrygarden {

// Shows the records that no missing one comes before, and returns the tick of the first that is
// missing; kNever: nothing is. A part has next_tick(), the tick of its next record, which it may
// lack still, or one that is not after that (kNever: no more come); is_ready(), whether it has it;
// and take(), which gives it away. Time: the parts, for each tick of each of them.
template <class Parts, class Show>
Tick show_in_order(Parts& parts, Show show) {
  for (;;) {
    const auto next = std::min_element(
        parts.begin(), parts.end(),
        [](const auto& a, const auto& b) { return a.next_tick() < b.next_tick(); });
    if (next == parts.end() || !next->is_ready()) {
      return next == parts.end() ? kNever : next->next_tick();
    }
    for (const Tick tick = next->next_tick(); next->is_ready() && next->next_tick() == tick;) {
      show(next->take());
    }
  }
}

}  // namespace retrygarden
