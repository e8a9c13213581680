// Settings: configurations of one key and value a line, INI and Java's .properties.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "import/imported.h"

namespace retrygarden::import_from {

struct Setting {
  std::string section;  // empty where the format has none
  std::string key;
  std::string value;
  TextPosition position;        // of the key
  TextPosition value_position;  // of the value, or where it would be
};
using Settings = std::vector<Setting>;

// Python's configparser as the AWS tools use it: sections in brackets, comments on lines of their
// own, keys in lower case; lines that are indented belong to the value before them and are left
// out. A key that stands twice in its section is a fault.
tl::expected<Settings, Faults> read_ini(std::string_view text);

// java.util.Properties, lines that a backslash continues and escapes included. A key that stands
// twice is a fault, although Java takes the last.
tl::expected<Settings, Faults> read_properties(std::string_view text);

// The setting of that key in the section; null if there is none.
const Setting* find_setting(const Settings& settings, std::string_view section,
                            std::string_view key);

// The setting's value as an integer; a fault if it is none from least to most.
std::optional<std::uint64_t> integer_value(const Setting& setting, std::uint64_t least,
                                           std::uint64_t most, Faults& faults);

void report(Faults& faults, TextPosition position, std::string expected, std::string_view found);

}  // namespace retrygarden::import_from
