// What the readers of a scenario's parts have in common: places, members, numbers and words.

#ifndef REFERENCE_MODEL_READING_H
#define REFERENCE_MODEL_READING_H

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fraction.h"
#include "json_text.h"
#include "words.h"

namespace reference_model {

// The ends of ranges that several tables have.
inline constexpr std::int64_t largest_count = (std::int64_t{1} << 32) - 1;
inline constexpr std::int64_t largest_tick = (std::int64_t{1} << 31) - 1;
inline constexpr std::int64_t largest_delay = std::int64_t{1} << 30;

// A value and where it stands (a JSON Pointer), for messages.
struct Place {
  const JsonValue& value;
  std::string pointer;
};

[[noreturn]] void refuse(const std::string& pointer, const std::string& fault);

std::string child_pointer(const std::string& parent, std::string_view name);

// An object of which exactly the members `known` are allowed, each at most once.
class Members {
 public:
  Members(const Place& object, std::initializer_list<std::string_view> known);

  std::optional<Place> optional(std::string_view name) const;
  Place required(std::string_view name) const;

 private:
  Place object_;
};

// Section 2: "An integer is a JSON number without fraction and without exponent, within its range."
std::int64_t read_integer(const Place& place, std::int64_t from, std::int64_t to);

// Section 2: "A fraction ... is a JSON number without exponent and with at most six digits after
// the point." Of any size.
boost::multiprecision::cpp_int read_millionths(const Place& place);

// A fraction within its range.
Fraction read_fraction(const Place& place, const Fraction& from, const Fraction& to);

std::string read_string(const Place& place);
bool read_boolean(const Place& place);
std::vector<Place> read_list(const Place& place);

// The same for members that have a default or may be absent.
std::optional<std::string> read_optional_string(const std::optional<Place>& place);
std::int64_t integer_or(std::int64_t otherwise, const std::optional<Place>& place,
                        std::int64_t from, std::int64_t to);
std::optional<std::int64_t> read_optional_integer(const std::optional<Place>& place,
                                                  std::int64_t from, std::int64_t to);
Fraction fraction_or(const Fraction& otherwise, const std::optional<Place>& place,
                     const Fraction& from, const Fraction& to);
bool boolean_or(bool otherwise, const std::optional<Place>& place);

template <typename Value, std::size_t count>
Value word_or(Value otherwise, const std::optional<Place>& place,
              const Words<Value, count>& words) {
  if (!place) {
    return otherwise;
  }
  const std::string text = read_string(*place);
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](const auto& entry) { return entry.second == text; });
  if (found == words.end()) {
    refuse(place->pointer, "unknown word");
  }
  return found->first;
}

// The `kind` of an object, nothing if it has none. Which further members are allowed depends on it,
// so they are checked afterwards.
std::optional<std::string> find_kind(const Place& object);
std::string required_kind(const Place& object);
[[noreturn]] void refuse_kind(const Place& object);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_READING_H
