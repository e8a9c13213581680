// Parses a JSON text into a JsonValue tree, from the events of nlohmann's parser: its own tree
// would keep a number's value only and drop duplicate members.

#include "json_text.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "reference_model/reference_model.h"

namespace reference_model {
namespace {

// Section 2: "Objects and lists nested more than 32 deep are refused."
constexpr std::size_t deepest_nesting = 32;

class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonValue take_root() { return std::move(root_); }

  bool null() override { return add({JsonValue::Type::null, {}, {}, {}}); }

  bool boolean(bool value) override {
    return add({JsonValue::Type::boolean, value ? "true" : "false", {}, {}});
  }

  // The parser calls these two only for numbers without fraction and exponent, so the value's
  // digits are the text, except that -0 has become 0, which section 2 declares to be the same.
  bool number_integer(number_integer_t value) override { return add_number(std::to_string(value)); }

  bool number_unsigned(number_unsigned_t value) override {
    return add_number(std::to_string(value));
  }

  // Also called for an integer that 64 bits cannot hold. The parser puts the decimal point of the
  // process's locale into the text; JSON's is always ".".
  bool number_float(number_float_t, const string_t& text) override {
    std::string number;
    for (const char c : text) {
      const bool is_digit = c >= '0' && c <= '9';
      number += is_digit || c == '-' || c == '+' || c == 'e' || c == 'E' ? c : '.';
    }
    return add_number(number);
  }

  bool string(string_t& text) override {
    return add({JsonValue::Type::string, std::move(text), {}, {}});
  }

  // Only binary formats hold such values.
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(JsonValue::Type::object); }

  bool key(string_t& name) override {
    open_.back().names.push_back(std::move(name));
    return true;
  }

  bool end_object() override { return close(); }

  bool start_array(std::size_t) override { return open(JsonValue::Type::list); }

  bool end_array() override { return close(); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& e) override {
    throw InvalidScenario(std::string("not a JSON text: ") + e.what());
  }

 private:
  bool add_number(std::string text) {
    return add({JsonValue::Type::number, std::move(text), {}, {}});
  }

  bool open(JsonValue::Type type) {
    if (open_.size() == deepest_nesting) {
      throw InvalidScenario("objects and lists are nested more than 32 deep");
    }
    open_.push_back({type, {}, {}, {}});
    return true;
  }

  bool close() {
    JsonValue finished = std::move(open_.back());
    open_.pop_back();
    return add(std::move(finished));
  }

  bool add(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else {
      open_.back().children.push_back(std::move(value));
    }
    return true;
  }

  JsonValue root_;
  std::vector<JsonValue> open_;  // the objects and lists that are not closed yet, outermost first
};

}  // namespace

JsonValue parse_json_text(std::string_view text) {
  // Section 2: "A NUL byte anywhere is a syntax error"; the parser would take it for the end.
  if (text.find('\0') != std::string_view::npos) {
    throw InvalidScenario("not a JSON text: it holds a NUL byte");
  }
  // The parser skips a byte order mark itself.
  TreeBuilder builder;
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take_root();
}

}  // namespace reference_model
