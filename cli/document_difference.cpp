#include "document_difference.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

namespace retrygarden::cli {

namespace {

bool is_equal_number(const std::string& a, const std::string& b) {
  if (is_integer_text(a) || is_integer_text(b)) {
    return a == b;
  }
  // Only the fractions of a scenario have a point, and 0.000001 may also be written 1e-06.
  const auto value = [](const std::string& text) {
    double result = 0;
    std::from_chars(text.data(), text.data() + text.size(), result);
    return result;
  };
  return value(a) == value(b);
}

// Precondition: both are of the same kind, and neither is a list or an object.
bool is_equal_scalar(const Json& a, const Json& b) {
  if (const auto* number = std::get_if<JsonNumber>(&a.value)) {
    return is_equal_number(number->text, std::get<JsonNumber>(b.value).text);
  }
  if (const auto* text = std::get_if<std::string>(&a.value)) {
    return *text == std::get<std::string>(b.value);
  }
  if (const auto* boolean = std::get_if<bool>(&a.value)) {
    return *boolean == std::get<bool>(b.value);
  }
  return true;  // null
}

std::optional<Difference> first_difference_in_lists(const Places& places,
                                                    const std::string& pointer) {
  std::size_t length = 0;
  for (const Json* place : places) {
    length = std::max(length, std::get<Json::Array>(place->value).size());
  }
  for (std::size_t i = 0; i < length; ++i) {
    Places items{};
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto& list = std::get<Json::Array>(places[k]->value);
      items[k] = i < list.size() ? &list[i] : nullptr;
    }
    if (auto difference = first_difference(items, pointer_to(pointer, i))) {
      return difference;
    }
  }
  return std::nullopt;
}

// The engine's members come first, in the order of the page, then what only the others have.
std::optional<Difference> first_difference_in_objects(const Places& places,
                                                      const std::string& pointer) {
  std::array<std::map<std::string_view, const Json*>, 3> members;
  for (std::size_t k = 0; k < places.size(); ++k) {
    for (const JsonMember& member : std::get<Json::Object>(places[k]->value)) {
      members[k].emplace(member.name, &member.value);
    }
  }
  std::set<std::string_view> seen;
  for (const std::size_t source : {1U, 0U, 2U}) {
    for (const JsonMember& member : std::get<Json::Object>(places[source]->value)) {
      if (!seen.insert(member.name).second) {
        continue;
      }
      Places values{};
      for (std::size_t k = 0; k < places.size(); ++k) {
        const auto it = members[k].find(member.name);
        values[k] = it == members[k].end() ? nullptr : it->second;
      }
      if (auto difference = first_difference(values, pointer_to(pointer, member.name))) {
        return difference;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Difference> first_difference(const Places& places, const std::string& pointer) {
  for (const Json* place : places) {
    if (place == nullptr || places[0] == nullptr ||
        place->value.index() != places[0]->value.index()) {
      return Difference{pointer, places};
    }
  }
  if (std::holds_alternative<Json::Array>(places[0]->value)) {
    return first_difference_in_lists(places, pointer);
  }
  if (std::holds_alternative<Json::Object>(places[0]->value)) {
    return first_difference_in_objects(places, pointer);
  }
  for (const Json* place : places) {
    if (!is_equal_scalar(*places[0], *place)) {
      return Difference{pointer, places};
    }
  }
  return std::nullopt;
}

}  // namespace retrygarden::cli
