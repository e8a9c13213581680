// A JSON text as a tree that loses nothing a validator needs: numbers keep their text (3 and 3.0
// differ), and members keep their order.
//
// Reading is nlohmann/json's; this tree exists because its own tree turns numbers into floating
// point and forgets repeated members.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "retrygarden/fault.h"

namespace retrygarden {

struct JsonMember;

struct JsonNumber {
  std::string text;
};

struct Json {
  using Array = std::vector<Json>;
  using Object = std::vector<JsonMember>;

  std::variant<std::nullptr_t, bool, JsonNumber, std::string, Array, Object> value;

  // The member of that name, or null if there is none or this is no object. Linear in the members.
  const Json* find(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  Json value;
};

// Objects and lists nested deeper than this are refused (docs/model.md, section 2).
inline constexpr std::size_t kMaxJsonDepth = 32;

// Reads a whole JSON text (UTF-8, a byte order mark is skipped). Faults: one for a syntax fault,
// with its position; or one for each member that repeats a name of its object. Linear in the text.
tl::expected<Json, Faults> parse_json(std::string_view text);

// The value as JSON text on one line; numbers keep their text.
std::string write_json(const Json& json);

// True for JSON numbers written without fraction and exponent.
bool is_integer_text(std::string_view number);

// pointer extended by one reference token, escaped as RFC 6901 asks. For messages: of a token of
// more than 200 bytes only the beginning is there, with an ellipsis.
std::string pointer_to(std::string_view pointer, std::string_view token);
std::string pointer_to(std::string_view pointer, std::size_t index);

// A value in few words, for messages: numbers and short strings as they are, other things by kind.
std::string describe(const Json& json);

// text made safe to print on one line: control characters and broken UTF-8 are escaped, and what
// exceeds max_bytes is cut and marked.
std::string printable(std::string_view text, std::size_t max_bytes);

}  // namespace retrygarden
