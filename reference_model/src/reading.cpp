#include "reading.h"

#include <set>

#include "reference_model/reference_model.h"

namespace reference_model {
namespace {

using boost::multiprecision::cpp_int;
using Type = JsonValue::Type;

constexpr std::size_t most_decimals = 6;

cpp_int value_of_digits(std::string_view digits) {
  cpp_int value = 0;
  for (const char digit : digits) {
    value = value * 10 + (digit - '0');
  }
  return value;
}

void refuse_beyond(const Place& place, const std::string& from, const std::string& to) {
  refuse(place.pointer, "must be from " + from + " to " + to);
}

}  // namespace

void refuse(const std::string& pointer, const std::string& fault) {
  throw InvalidScenario("\"" + pointer + "\": " + fault);
}

// RFC 6901: "~" and "/" within a name are written "~0" and "~1".
std::string child_pointer(const std::string& parent, std::string_view name) {
  std::string pointer = parent + "/";
  for (const char c : name) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

Members::Members(const Place& object, std::initializer_list<std::string_view> known)
    : object_(object) {
  if (object.value.type != Type::object) {
    refuse(object.pointer, "must be an object");
  }
  std::set<std::string_view> seen;
  for (const std::string& name : object.value.names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      refuse(child_pointer(object.pointer, name), "unknown member");
    }
    if (!seen.insert(name).second) {
      refuse(child_pointer(object.pointer, name), "the member stands twice");
    }
  }
}

std::optional<Place> Members::optional(std::string_view name) const {
  for (std::size_t i = 0; i < object_.value.names.size(); ++i) {
    if (object_.value.names[i] == name) {
      return Place{object_.value.children[i], child_pointer(object_.pointer, name)};
    }
  }
  return std::nullopt;
}

Place Members::required(std::string_view name) const {
  const std::optional<Place> member = optional(name);
  if (!member) {
    refuse(child_pointer(object_.pointer, name), "the member is required");
  }
  return *member;
}

std::int64_t read_integer(const Place& place, std::int64_t from, std::int64_t to) {
  std::string_view text = place.value.text;
  if (place.value.type != Type::number || text.find_first_of(".eE") != std::string_view::npos) {
    refuse(place.pointer, "must be an integer, without fraction and exponent");
  }
  const bool negative = text.starts_with('-');
  if (negative) {
    text.remove_prefix(1);
  }
  const cpp_int magnitude = value_of_digits(text);
  const cpp_int value = negative ? cpp_int(-magnitude) : magnitude;
  if (value < from || value > to) {
    refuse_beyond(place, std::to_string(from), std::to_string(to));
  }
  return value.convert_to<std::int64_t>();
}

cpp_int read_millionths(const Place& place) {
  std::string_view text = place.value.text;
  if (place.value.type != Type::number || text.find_first_of("eE") != std::string_view::npos) {
    refuse(place.pointer, "must be a number without exponent");
  }
  const bool negative = text.starts_with('-');
  if (negative) {
    text.remove_prefix(1);
  }
  const std::size_t point = text.find('.');
  const bool has_point = point != std::string_view::npos;
  std::string decimals(has_point ? text.substr(point + 1) : std::string_view());
  if (decimals.size() > most_decimals) {
    refuse(place.pointer, "must have at most six digits after the point");
  }
  decimals.resize(most_decimals, '0');
  const cpp_int magnitude =
      value_of_digits(text.substr(0, point)) * million + value_of_digits(decimals);
  return negative ? cpp_int(-magnitude) : magnitude;
}

Fraction read_fraction(const Place& place, const Fraction& from, const Fraction& to) {
  const cpp_int millionths = read_millionths(place);
  if (millionths < from.millionths || millionths > to.millionths) {
    refuse_beyond(place, shortest_form(from), shortest_form(to));
  }
  return {millionths.convert_to<std::int64_t>()};
}

std::string read_string(const Place& place) {
  if (place.value.type != Type::string) {
    refuse(place.pointer, "must be a string");
  }
  return place.value.text;
}

bool read_boolean(const Place& place) {
  if (place.value.type != Type::boolean) {
    refuse(place.pointer, "must be true or false");
  }
  return place.value.text == "true";
}

std::vector<Place> read_list(const Place& place) {
  if (place.value.type != Type::list) {
    refuse(place.pointer, "must be a list");
  }
  std::vector<Place> entries;
  for (std::size_t i = 0; i < place.value.children.size(); ++i) {
    entries.push_back({place.value.children[i], child_pointer(place.pointer, std::to_string(i))});
  }
  return entries;
}

std::optional<std::string> read_optional_string(const std::optional<Place>& place) {
  return place ? std::optional(read_string(*place)) : std::nullopt;
}

std::int64_t integer_or(std::int64_t otherwise, const std::optional<Place>& place,
                        std::int64_t from, std::int64_t to) {
  return place ? read_integer(*place, from, to) : otherwise;
}

std::optional<std::int64_t> read_optional_integer(const std::optional<Place>& place,
                                                  std::int64_t from, std::int64_t to) {
  return place ? std::optional(read_integer(*place, from, to)) : std::nullopt;
}

Fraction fraction_or(const Fraction& otherwise, const std::optional<Place>& place,
                     const Fraction& from, const Fraction& to) {
  return place ? read_fraction(*place, from, to) : otherwise;
}

bool boolean_or(bool otherwise, const std::optional<Place>& place) {
  return place ? read_boolean(*place) : otherwise;
}

std::optional<std::string> find_kind(const Place& object) {
  if (object.value.type != Type::object) {
    refuse(object.pointer, "must be an object");
  }
  const std::vector<std::string>& names = object.value.names;
  const auto found = std::find(names.begin(), names.end(), "kind");
  if (found == names.end()) {
    return std::nullopt;
  }
  const auto index = static_cast<std::size_t>(found - names.begin());
  return read_string({object.value.children[index], child_pointer(object.pointer, "kind")});
}

std::string required_kind(const Place& object) {
  const std::optional<std::string> kind = find_kind(object);
  if (!kind) {
    refuse(child_pointer(object.pointer, "kind"), "the member is required");
  }
  return *kind;
}

void refuse_kind(const Place& object) {
  refuse(child_pointer(object.pointer, "kind"), "unknown kind");
}

}  // namespace reference_model
