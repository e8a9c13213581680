#include "retrygarden/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "json_text.h"
#include "retrygarden/fault.h"

namespace retrygarden {

namespace {

constexpr std::size_t kMaxQuotedBytes = 60;
constexpr std::size_t kMaxTokenBytes = 200;

// The length of the well-formed UTF-8 sequence that text begins with (Unicode standard, table 3-7),
// or 0.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](std::size_t i, unsigned lowest = 0x80, unsigned highest = 0xBF) {
    return byte(i) >= lowest && byte(i) <= highest;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xC2 && lead <= 0xDF) {
    return continues(1) ? 2 : 0;
  }
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = continues(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = continues(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    return second && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

// A byte inside a code point of UTF-8, behind its first.
bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The position of the byte at offset.
TextPosition position_of(std::string_view text, std::size_t offset) {
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
    offset -= std::min(offset, kByteOrderMark.size());
  }
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  TextPosition position;
  position.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  position.column += static_cast<std::size_t>(
      std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
                    [](char c) { return !is_continuation(c); }));
  return position;
}

// Builds the tree from nlohmann/json's events.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  bool null() override { return add({nullptr}); }
  bool boolean(bool value) override { return add({value}); }
  bool number_integer(number_integer_t value) override { return add_number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    return add_number(std::to_string(value));
  }
  // Also called for integers beyond 64 bits. nlohmann writes the decimal point of the process's
  // locale into the text.
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    std::string number = text;
    std::replace_if(
        number.begin(), number.end(),
        [](char c) { return std::string_view("+-0123456789eE").find(c) == std::string_view::npos; },
        '.');
    return add_number(std::move(number));
  }
  bool string(string_t& value) override { return add({std::move(value)}); }
  bool binary(binary_t& /*value*/) override { return false; }  // not in JSON texts

  bool start_object(std::size_t /*elements*/) override { return open({Json::Object{}}); }
  bool start_array(std::size_t /*elements*/) override { return open({Json::Array{}}); }

  bool key(string_t& name) override {
    std::get<Json::Object>(open_.back()->value).push_back({std::move(name), {}});
    return true;
  }

  bool end_object() override {
    report_repeated_members(std::get<Json::Object>(open_.back()->value));
    return close();
  }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const nlohmann::detail::exception& error) override {
    // nlohmann counts the bytes read, the offending one included.
    faults_.push_back(syntax_fault(position_of(text_, position - 1), error));
    return false;
  }

  tl::expected<Json, Faults> finish() && {
    if (!faults_.empty()) {
      return tl::unexpected(std::move(faults_));
    }
    return std::move(root_);
  }

 private:
  static constexpr std::string_view kLastRead = "; last read: ";
  static constexpr std::string_view kExpected = "; expected ";
  static constexpr std::string_view kUnexpected = "unexpected ";

  static Fault syntax_fault(TextPosition position, const nlohmann::detail::exception& error) {
    // "[json.exception.…] parse error at line 1, column 2: syntax error while parsing value - …"
    // or "[json.exception.…] number overflow parsing '…'".
    std::string message = error.what();
    message.erase(0, message.find("] ") + 2);
    if (const auto dash = message.find(" - "); dash != std::string::npos) {
      message.erase(0, dash + 3);
    }
    // What was read last may hold anything, also the words that are looked for below.
    std::string last_read;
    if (const auto begin = message.find(kLastRead); begin != std::string::npos) {
      const auto end = std::min(message.rfind("'; expected "), message.size() - 1);
      last_read = ", last read " +
                  message.substr(begin + kLastRead.size(), end + 1 - begin - kLastRead.size());
      message.erase(begin, end + 1 - begin);
    }
    std::string expected = "JSON";
    if (const auto split = message.rfind(kExpected); split != std::string::npos) {
      expected = message.substr(split + kExpected.size());
      message.erase(split);
    }
    if (message.starts_with(kUnexpected)) {
      message.erase(0, kUnexpected.size());
    }
    return {position, "", printable(expected, 2 * kMaxQuotedBytes),
            printable(message + last_read, 2 * kMaxQuotedBytes)};
  }

  bool add_number(std::string text) { return add({JsonNumber{std::move(text)}}); }

  bool add(Json json) {
    place(std::move(json));
    return true;
  }

  bool open(Json json) {
    if (open_.size() == kMaxJsonDepth) {
      faults_.push_back({{},
                         pointer(),
                         fmt::format("objects and lists nested at most {} deep", kMaxJsonDepth),
                         "one more"});
      return false;
    }
    open_.push_back(place(std::move(json)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  // Puts the value where the next one belongs. The address stays valid while the value is open: a
  // list or an object grows only after its last element is closed.
  Json* place(Json json) {
    if (open_.empty()) {
      root_ = std::move(json);
      return &root_;
    }
    if (auto* list = std::get_if<Json::Array>(&open_.back()->value)) {
      return &list->emplace_back(std::move(json));
    }
    Json& member = std::get<Json::Object>(open_.back()->value).back().value;
    member = std::move(json);
    return &member;
  }

  // The place of the value that is open innermost.
  std::string pointer() const {
    std::string result;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      if (const auto* list = std::get_if<Json::Array>(&open_[i]->value)) {
        result = pointer_to(result, list->size() - 1);
      } else {
        result = pointer_to(result, std::get<Json::Object>(open_[i]->value).back().name);
      }
    }
    return result;
  }

  void report_repeated_members(const Json::Object& object) {
    std::vector<std::string_view> names;
    names.reserve(object.size());
    for (const JsonMember& member : object) {
      names.push_back(member.name);
    }
    std::sort(names.begin(), names.end());
    const std::string place = pointer();
    for (auto it = names.begin(); (it = std::adjacent_find(it, names.end())) != names.end();) {
      const auto last = std::upper_bound(it, names.end(), *it);
      if (faults_.size() == kMaxFaults) {
        return;
      }
      faults_.push_back({{},
                         pointer_to(place, *it),
                         "a member once in its object",
                         fmt::format("it {} times", last - it)});
      it = last;
    }
  }

  std::string_view text_;
  Json root_;
  std::vector<Json*> open_;
  Faults faults_;
};

}  // namespace

std::string to_string(const Fault& fault) {
  std::string place = "the document";
  if (fault.position) {
    place = fmt::format("line {}, column {}", fault.position->line, fault.position->column);
  } else if (!fault.pointer.empty()) {
    place = printable(fault.pointer, 4 * kMaxQuotedBytes);
  }
  return fmt::format("{}: expected {}, found {}", place, fault.expected, fault.found);
}

const Json* Json::find(std::string_view name) const {
  const auto* object = std::get_if<Object>(&value);
  if (object == nullptr) {
    return nullptr;
  }
  const auto it = std::find_if(object->begin(), object->end(),
                               [&](const JsonMember& member) { return member.name == name; });
  return it == object->end() ? nullptr : &it->value;
}

tl::expected<Json, Faults> parse_json(std::string_view text) {
  // nlohmann/json takes a NUL byte for the end of the text.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    return tl::unexpected(Faults{{position_of(text, nul), "", "JSON", "a NUL byte"}});
  }
  TreeBuilder builder(text);
  nlohmann::json::sax_parse(text, &builder);
  return std::move(builder).finish();
}

std::string write_json(const Json& json) {
  struct JsonWriter {
    std::string operator()(std::nullptr_t /*null*/) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const JsonNumber& number) const { return number.text; }
    std::string operator()(const std::string& text) const { return json_string(text); }
    std::string operator()(const Json::Array& list) const {
      std::string text = "[";
      for (const Json& element : list) {
        text += (text.size() > 1 ? ", " : "") + write_json(element);
      }
      return text + "]";
    }
    std::string operator()(const Json::Object& object) const {
      std::string text = "{";
      for (const auto& [name, value] : object) {
        text += (text.size() > 1 ? ", " : "") + json_string(name) + ": " + write_json(value);
      }
      return text + "}";
    }
  };
  return std::visit(JsonWriter{}, json.value);
}

bool is_integer_text(std::string_view number) {
  return number.find_first_of(".eE") == std::string_view::npos;
}

std::string pointer_to(std::string_view pointer, std::string_view token) {
  std::string result(pointer);
  result += '/';
  const bool is_cut = token.size() > kMaxTokenBytes;
  if (is_cut) {
    std::size_t length = kMaxTokenBytes;
    while (is_continuation(token[length])) {
      --length;
    }
    token = token.substr(0, length);
  }
  for (const char c : token) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return is_cut ? result + "…" : result;
}

std::string pointer_to(std::string_view pointer, std::size_t index) {
  return fmt::format("{}/{}", pointer, index);
}

std::string describe(const Json& json) {
  struct Describer {
    std::string operator()(std::nullptr_t /*null*/) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const JsonNumber& number) const {
      return printable(number.text, kMaxQuotedBytes);
    }
    std::string operator()(const std::string& text) const {
      return fmt::format("\"{}\"", printable(text, kMaxQuotedBytes));
    }
    std::string operator()(const Json::Array& list) const {
      return list.empty() ? "an empty list" : "a list";
    }
    std::string operator()(const Json::Object& /*object*/) const { return "an object"; }
  };
  return std::visit(Describer{}, json.value);
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    // C1 controls (U+0080 … U+009F) steer terminals as the C0 controls do.
    const bool is_c1 = length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
    const bool is_control = byte < 0x20 || byte == 0x7F || is_c1;
    if (result.size() + length > max_bytes) {
      result += "…";
      break;
    }
    if (length == 0 || is_control) {
      fmt::format_to(std::back_inserter(result), "\\x{:02x}", byte);
      text.remove_prefix(1);
    } else {
      result += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return result;
}

}  // namespace retrygarden
