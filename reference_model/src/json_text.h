// A JSON text as a tree that keeps what section 2 judges: the text of numbers, and every member.

#ifndef REFERENCE_MODEL_JSON_TEXT_H
#define REFERENCE_MODEL_JSON_TEXT_H

#include <string>
#include <string_view>
#include <vector>

namespace reference_model {

struct JsonValue {
  enum class Type { null, boolean, number, string, list, object };

  Type type = Type::null;
  std::string text;                 // a number or boolean as it was written, a string's content
  std::vector<std::string> names;   // an object's member names, duplicates included
  std::vector<JsonValue> children;  // a list's entries, or the values of `names`
};

// Throws InvalidScenario if the text is not JSON, holds a NUL byte, or is nested too deep.
JsonValue parse_json_text(std::string_view text);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_JSON_TEXT_H
