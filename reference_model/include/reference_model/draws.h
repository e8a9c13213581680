// Random draws (section 7). Public so that tests can hold them against known answers.

#ifndef REFERENCE_MODEL_DRAWS_H
#define REFERENCE_MODEL_DRAWS_H

#include <array>
#include <cstdint>
#include <functional>

namespace reference_model {

// One block of Philox4x32-10: the words (w0, w1, w2, w3) for counter (c0, c1, c2, c3) and key
// (k0, k1).
std::array<std::uint32_t, 4> philox_block(const std::array<std::uint32_t, 4>& counter,
                                          const std::array<std::uint32_t, 2>& key);

// The `purpose` of a draw, as in the last table of section 7.
inline constexpr std::uint32_t delay_purpose = 0;
inline constexpr std::uint32_t response_loss_purpose = 1;
inline constexpr std::uint32_t request_loss_purpose = 2;
inline constexpr std::uint32_t arrival_purpose = 3;
inline constexpr std::uint32_t tie_break_purpose = 4;

// A draw from [lo, hi], exactly uniform. It is a function of its arguments alone.
// Throws std::invalid_argument unless lo <= hi and hi - lo + 1 < 2^32. Expected time is constant:
// fewer than two words are taken on average.
std::int64_t draw(std::int64_t lo, std::int64_t hi, std::uint64_t seed, std::uint32_t purpose,
                  std::uint32_t index, std::uint64_t client);

// The first word of block 0 for a purpose and an index: what the order within a tick is made of. "A
// word, not a draw".
std::uint32_t first_word(std::uint64_t seed, std::uint32_t purpose, std::uint32_t index,
                         std::uint64_t client);

// Where a run takes its draws from: called with lo, hi (at least two values), purpose, index,
// client.
using DrawSource =
    std::function<std::int64_t(std::int64_t lo, std::int64_t hi, std::uint32_t purpose,
                               std::uint32_t index, std::uint64_t client)>;

// The draws that section 7 gives a seed.
DrawSource seeded_draws(std::uint64_t seed);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_DRAWS_H
