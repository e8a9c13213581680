// Explanation: one attempt, and why its client's next one falls where it does (docs/model.md,
// section 6), down to the random words.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "retrygarden/plan.h"
#include "retrygarden/results.h"

namespace retrygarden {

// A random word that a draw took. It rejects words that would favour some values (section 7).
struct DrawnWord {
  std::uint32_t word = 0;
  bool is_rejected = false;

  bool operator==(const DrawnWord&) const = default;
};

// How a delay came out. The first four are of the law and its jitter; where the server's hint
// replaced the delay, there are none.
struct DelayExplanation {
  std::optional<Interval> interval;       // what was drawn from; of one value nothing is drawn
  std::vector<DrawnWord> words;           // all but the last are rejected
  std::optional<std::uint32_t> drawn;     // decorrelated: cut at its cap
  std::optional<std::uint32_t> previous;  // decorrelated: the value before this one
  std::optional<std::uint32_t> hint;      // ticks, if the server sent one with this failure
  std::uint32_t ticks = 1;                // in the end

  bool operator==(const DelayExplanation&) const = default;
};

struct Explanation {
  Attempt attempt;
  std::optional<ClientState> end;         // the client's terminal state, if this was its last
  std::optional<DelayExplanation> delay;  // if the attempt failed, and was not the last allowed
};

// Of the client's attempt of that number, from 1; nothing if it made no such attempt. Time and
// memory: those of a run with an observer of attempts, and the attempts of the client.
std::optional<Explanation> explain(const Plan& plan, Client client, std::uint32_t attempt);

}  // namespace retrygarden
