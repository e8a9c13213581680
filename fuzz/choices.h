// Bytes read as a sequence of choices, so that a fuzzer that mutates bytes mutates structures.
//
// clang's FuzzedDataProvider does the same, but corpora are replayed under gcc too, where its
// header is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace retrygarden::fuzz {

// When the bytes are used up, every choice is its smallest.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}

  bool is_empty() const { return bytes_.empty(); }

  // A whole number from lo to hi, both included; it takes as few bytes as hold that range.
  std::uint64_t number(std::uint64_t lo, std::uint64_t hi) {
    const std::uint64_t range = hi - lo;
    std::uint64_t value = 0;
    for (std::uint64_t rest = range; rest > 0 && !bytes_.empty(); rest >>= 8) {
      value = value << 8 | static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
    }
    return range == UINT64_MAX ? value : lo + value % (range + 1);
  }

  // An index into something with that many entries, of which there is at least one.
  std::size_t index(std::size_t count) { return static_cast<std::size_t>(number(0, count - 1)); }

  bool chance(std::uint64_t one_in) { return number(1, one_in) == one_in; }

  template <class T, std::size_t N>
  const T& pick(const T (&values)[N]) {
    return values[index(N)];
  }

  // At most that many of the bytes to come, as they are.
  std::string_view bytes(std::size_t most) {
    const std::string_view taken = bytes_.substr(0, most);
    bytes_.remove_prefix(taken.size());
    return taken;
  }

 private:
  std::string_view bytes_;
};

}  // namespace retrygarden::fuzz
