// Tables of the words that a scenario or a document has for the values of an enumeration.

#ifndef REFERENCE_MODEL_WORDS_H
#define REFERENCE_MODEL_WORDS_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace reference_model {

template <typename Value, std::size_t count>
using Words = std::array<std::pair<Value, std::string_view>, count>;

// The table must have the value.
template <typename Value, std::size_t count>
std::string_view word_for(Value value, const Words<Value, count>& words) {
  return std::find_if(words.begin(), words.end(),
                      [&](const auto& entry) { return entry.first == value; })
      ->second;
}

}  // namespace reference_model

#endif  // REFERENCE_MODEL_WORDS_H
