// Random draws: docs/model.md, section 7. Counter-based, so a draw depends only on what it is for.
//
// Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011), as in
// Random123.
#pragma once

#include <Random123/philox.h>

#include <cstdint>

#include "retrygarden/plan.h"
#include "retrygarden/scenario.h"

namespace retrygarden {

enum class Purpose : std::uint32_t { kDelay = 0, kArrival = 3 };

// A draw from the whole numbers lo … hi; lo, without a draw, when there is but one.
// Precondition: lo <= hi, and not all of 0 … 2^32-1.
inline std::uint32_t draw(std::uint64_t seed, Interval interval, Purpose purpose,
                          std::uint32_t index, Client client) {
  const std::uint32_t size = interval.hi - interval.lo + 1;
  if (size == 1) {
    return interval.lo;
  }
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  for (std::uint32_t block = 0;; ++block) {
    const r123::Philox4x32::ctr_type counter = {
        {index, static_cast<std::uint32_t>(purpose) + 256 * block, client, 0}};
    const r123::Philox4x32::ctr_type words = r123::Philox4x32()(counter, key);
    for (const std::uint32_t word : words) {
      // Rejecting the low products below 2^32 mod size makes the draw exactly uniform. That bound
      // is below size, so the division is needed only for products that are.
      const std::uint64_t product = std::uint64_t{word} * size;
      const auto low = static_cast<std::uint32_t>(product);
      if (low >= size || low >= -size % size) {
        return interval.lo + static_cast<std::uint32_t>(product >> 32);
      }
    }
  }
}

// The draws of a run: those of its seed.
class SeededDraws {
 public:
  explicit SeededDraws(std::uint64_t seed) : seed_(seed) {}

  std::uint32_t operator()(Interval interval, Purpose purpose, std::uint32_t index,
                           Client client) const {
    return draw(seed_, interval, purpose, index, client);
  }

 private:
  std::uint64_t seed_;
};

}  // namespace retrygarden
