// The names that values of enumerations have in texts, told once for reading and writing.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace retrygarden {

// Section 2: in the order of their enumerations in scenario.h.
inline constexpr std::array<std::string_view, 2> kDisciplines = {"fifo", "lifo"};
inline constexpr std::array<std::string_view, 2> kTieBreaks = {"client", "random"};
inline constexpr std::array<std::string_view, 3> kOutageKinds = {"refuse", "hang", "crash"};
inline constexpr std::array<std::string_view, 3> kOnRetryAfter = {"ignore", "at_least", "replace"};

// The name of a value, by its number.
template <class Enum, std::size_t count>
std::string_view name_of(const std::array<std::string_view, count>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

}  // namespace retrygarden
