// A YAML file as a tree in which every node knows its place.
//
// Reading is yaml-cpp's; its own tree is not used, since it takes repeated keys, and lets a short
// text with aliases grow without bounds. Scalars keep their text: what a number or a duration is,
// the systems decide each for themselves.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "retrygarden/fault.h"

namespace retrygarden::import_from {

struct YamlMember;

struct YamlScalar {
  std::string text;
  bool is_quoted = false;  // "3" is a string, 3 a number
};

struct Yaml {
  using List = std::vector<Yaml>;
  using Map = std::vector<YamlMember>;  // in the order of the text, names distinct

  std::variant<std::nullptr_t, YamlScalar, List, Map> value;
  TextPosition position;  // of what an alias brings: where that stands, behind its anchor

  // The member of that name, or null if there is none or this is no map. Linear in the members.
  const Yaml* find(std::string_view name) const;

  // The first member of one of these names.
  const Yaml* find_any(std::initializer_list<std::string_view> names) const;
};

struct YamlMember {
  std::string name;
  TextPosition position;
  Yaml value;
};

// Lists and maps nested deeper than this are refused, aliases resolved.
inline constexpr std::size_t kMaxYamlDepth = 64;

// Aliases may bring so many nodes in all.
inline constexpr std::size_t kMaxAliasedNodes = 100'000;

// The documents of a text in UTF-8, in their order; documents that hold nothing are left out.
// Aliases are resolved, and the merge key << is carried out. Faults: the first, with its place.
// Time: linear in the text and in what its aliases bring, up to sorting keys.
tl::expected<std::vector<Yaml>, Faults> parse_yaml(std::string_view text);

// A node in few words, for messages.
std::string describe(const Yaml& yaml);

// That expected should stand where the node stands.
Fault fault_at(const Yaml& yaml, std::string_view expected);

}  // namespace retrygarden::import_from
