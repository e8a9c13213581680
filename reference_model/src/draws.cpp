// Random draws (section 7), in integers of unlimited length so that every step reads like the page.

#include "reference_model/draws.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <stdexcept>

namespace reference_model {
namespace {

using boost::multiprecision::cpp_int;
using Words = std::array<cpp_int, 4>;
using Key = std::array<cpp_int, 2>;

const cpp_int two_to_32 = cpp_int(1) << 32;
const cpp_int lower_32_bits = two_to_32 - 1;

// Section 7: "hi and lo the upper and lower 32 bits of the 64-bit product".
cpp_int hi(const cpp_int& product) {
  return product >> 32;
}

cpp_int lo(const cpp_int& product) {
  return product & lower_32_bits;
}

// Section 7: "One of the ten rounds maps (c0, c1, c2, c3), with round key (k0, k1), to ...".
Words philox_round(const Words& c, const Key& k) {
  static const cpp_int a = 0xD2511F53;
  static const cpp_int b = 0xCD9E8D57;
  const cpp_int a_product = a * c[0];
  const cpp_int b_product = b * c[2];
  return {hi(b_product) ^ c[1] ^ k[0], lo(b_product), hi(a_product) ^ c[3] ^ k[1], lo(a_product)};
}

Words philox(Words counter, Key key) {
  static const cpp_int k0_growth = 0x9E3779B9;
  static const cpp_int k1_growth = 0xBB67AE85;
  for (int round = 1; round <= 10; ++round) {
    counter = philox_round(counter, key);
    key[0] = (key[0] + k0_growth) % two_to_32;
    key[1] = (key[1] + k1_growth) % two_to_32;
  }
  return counter;
}

// Section 7: the key, and the counter of block r.
Key key_of(const cpp_int& seed) {
  return {seed % two_to_32, seed / two_to_32};
}

Words counter_of(std::uint32_t purpose, std::uint32_t index, const cpp_int& client,
                 const cpp_int& r) {
  return {index, purpose + 256 * r, client % two_to_32, client / two_to_32};
}

}  // namespace

std::array<std::uint32_t, 4> philox_block(const std::array<std::uint32_t, 4>& counter,
                                          const std::array<std::uint32_t, 2>& key) {
  const Words words =
      philox({counter[0], counter[1], counter[2], counter[3]}, {cpp_int(key[0]), cpp_int(key[1])});
  std::array<std::uint32_t, 4> block{};
  for (std::size_t i = 0; i < block.size(); ++i) {
    block[i] = words[i].convert_to<std::uint32_t>();
  }
  return block;
}

std::int64_t draw(std::int64_t lo, std::int64_t hi, std::uint64_t seed, std::uint32_t purpose,
                  std::uint32_t index, std::uint64_t client) {
  const cpp_int s = cpp_int(hi) - lo + 1;
  if (s < 1 || s >= two_to_32) {
    throw std::invalid_argument("a draw needs 1 <= hi - lo + 1 < 2^32");
  }
  const cpp_int lowest_accepted = two_to_32 % s;
  for (cpp_int r = 0;; ++r) {
    for (const cpp_int& w : philox(counter_of(purpose, index, client, r), key_of(seed))) {
      const cpp_int product = w * s;
      if (product % two_to_32 >= lowest_accepted) {
        return cpp_int(lo + product / two_to_32).convert_to<std::int64_t>();
      }
    }
  }
}

std::uint32_t first_word(std::uint64_t seed, std::uint32_t purpose, std::uint32_t index,
                         std::uint64_t client) {
  return philox(counter_of(purpose, index, client, 0), key_of(seed))[0].convert_to<std::uint32_t>();
}

DrawSource seeded_draws(std::uint64_t seed) {
  return [seed](std::int64_t lo, std::int64_t hi, std::uint32_t purpose, std::uint32_t index,
                std::uint64_t client) { return draw(lo, hi, seed, purpose, index, client); };
}

}  // namespace reference_model
