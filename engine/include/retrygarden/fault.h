// Faults: what is wrong with a text that was given to the engine, as values.
//
// Reading and validating return every fault they find, so that a writer can mend them all at once.
// Each fault names its place: as line and column when the text is not JSON at all, as JSON Pointer
// (RFC 6901) when a value does not fit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace retrygarden {

// A place in a text; both count from 1, columns in code points.
struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;

  bool operator==(const TextPosition&) const = default;
};

struct Fault {
  std::optional<TextPosition> position;  // set for syntax faults
  std::string pointer;                   // JSON Pointer; "" is the whole document
  std::string expected;
  std::string found;

  bool operator==(const Fault&) const = default;
};

// At most kMaxFaults of them: what follows would not help anybody, and could take more memory than
// the text.
using Faults = std::vector<Fault>;
inline constexpr std::size_t kMaxFaults = 1000;

// One line, for example: /clients: expected an integer from 1 to 4294967295, found "eight"
std::string to_string(const Fault& fault);

}  // namespace retrygarden
