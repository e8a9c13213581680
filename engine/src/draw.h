// Random draws: docs/model.md, section 7. Counter-based, so a draw depends only on what it is for.
//
// Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011), as in
// Random123.
#pragma once

#include <Random123/philox.h>

#include <cstdint>
#include <optional>
#include <span>

#include "due_attempt.h"
#include "probe.h"
#include "retrygarden/plan.h"
#include "retrygarden/scenario.h"

namespace retrygarden {

enum class Purpose : std::uint32_t {
  kDelay = 0,
  kResponseLoss = 1,
  kRequestLoss = 2,
  kArrival = 3,
  kTieBreak = 4,
};

// The four words of a block.
inline r123::Philox4x32::ctr_type random_words(std::uint64_t seed, Purpose purpose,
                                               std::uint32_t index, Client client,
                                               std::uint32_t block) {
  return r123::Philox4x32()(
      {{index, static_cast<std::uint32_t>(purpose) + 256 * block, client, 0}},
      {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}});
}

// A word scaled to 0 … size-1, or nothing if the word is rejected: rejecting the low products below
// 2^32 mod size makes the draw exactly uniform. That bound is below size, so the division is needed
// only for products that are.
inline std::optional<std::uint32_t> scaled(std::uint32_t word, std::uint32_t size) {
  const std::uint64_t product = std::uint64_t{word} * size;
  const auto low = static_cast<std::uint32_t>(product);
  if (low >= size || low >= -size % size) {
    return static_cast<std::uint32_t>(product >> 32);
  }
  RETRYGARDEN_PROBE(kRejectedWord, true);
  return std::nullopt;
}

// A draw from the whole numbers lo … hi; lo, without a draw, when there is but one.
// Precondition: lo <= hi, and not all of 0 … 2^32-1.
inline std::uint32_t draw(std::uint64_t seed, Interval interval, Purpose purpose,
                          std::uint32_t index, Client client) {
  const std::uint32_t size = interval.hi - interval.lo + 1;
  if (size == 1) {
    return interval.lo;
  }
  for (std::uint32_t block = 0;; ++block) {
    RETRYGARDEN_PROBE(kSecondBlockOfWords, block == 1);
    for (const std::uint32_t word : random_words(seed, purpose, index, client, block)) {
      if (const auto value = scaled(word, size)) {
        return interval.lo + *value;
      }
    }
  }
}

// What orders the attempts of a tick where ties are broken at random (section 4).
inline std::uint32_t tie_break_word(std::uint64_t seed, std::uint32_t attempt, Client client) {
  return random_words(seed, Purpose::kTieBreak, attempt, client, 0)[0];
}

// The draws of many attempts at once, values[i] from intervals[i] with due[i]'s number and client:
// the same values as by draw(), worked out with the machine's widest vectors. Preconditions: those
// of draw(); the three are equally long.
void draw_all(std::uint64_t seed, Purpose purpose, std::span<const DueAttempt> due,
              std::span<const Interval> intervals, std::span<std::uint32_t> values);

// The draws of a run: those of its seed.
class SeededDraws {
 public:
  explicit SeededDraws(std::uint64_t seed) : seed_(seed) {}

  std::uint32_t operator()(Interval interval, Purpose purpose, std::uint32_t index,
                           Client client) const {
    return draw(seed_, interval, purpose, index, client);
  }

  void all(Purpose purpose, std::span<const DueAttempt> due, std::span<const Interval> intervals,
           std::span<std::uint32_t> values) const {
    draw_all(seed_, purpose, due, intervals, values);
  }

 private:
  std::uint64_t seed_;
};

}  // namespace retrygarden
