#include "draw.h"

#include <algorithm>

#include "check.h"

// Several versions of a function, the best of which for the processor is chosen when the program
// starts. Their results are the same: whole numbers.
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define RETRYGARDEN_VECTORS \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define RETRYGARDEN_VECTORS
#endif

namespace retrygarden {

namespace {

// Draws as if no word were ever rejected. True if all of these first words were certain to be
// taken.
RETRYGARDEN_VECTORS bool draw_by_first_words(std::uint32_t key0, std::uint32_t key1,
                                             std::uint32_t purpose, const DueAttempt* due,
                                             const Interval* intervals, std::uint32_t* values,
                                             std::size_t count) {
  std::uint32_t is_doubtful = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const r123::Philox4x32::ctr_type words =
        r123::Philox4x32()({{due[i].attempt, purpose, due[i].client, 0}}, {{key0, key1}});
    const std::uint32_t size = intervals[i].hi - intervals[i].lo + 1;
    const std::uint64_t product = std::uint64_t{words[0]} * size;
    values[i] = intervals[i].lo + static_cast<std::uint32_t>(product >> 32);
    is_doubtful |= static_cast<std::uint32_t>(product) < size ? 1U : 0U;
  }
  return is_doubtful == 0;
}

}  // namespace

void draw_all(std::uint64_t seed, Purpose purpose, std::span<const DueAttempt> due,
              std::span<const Interval> intervals, std::span<std::uint32_t> values) {
  RETRYGARDEN_CHECK(intervals.size() == due.size());
  RETRYGARDEN_CHECK(values.size() == due.size());
  const bool is_drawn = std::any_of(intervals.begin(), intervals.end(),
                                    [](Interval interval) { return interval.lo != interval.hi; });
  if (is_drawn &&
      draw_by_first_words(static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                          static_cast<std::uint32_t>(purpose), due.data(), intervals.data(),
                          values.data(), due.size())) {
    return;
  }
  for (std::size_t i = 0; i < due.size(); ++i) {
    values[i] = draw(seed, intervals[i], purpose, due[i].attempt, due[i].client);
  }
}

}  // namespace retrygarden
