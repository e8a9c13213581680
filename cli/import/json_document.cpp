#include "import/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace retrygarden::import_from {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kSpace = " \t\r\n";
constexpr std::size_t kMostNames = 12;

bool is_same_in_any_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// Walks over a JSON text without checking it: parse_json() did, as far as it got.
class Scanner {
 public:
  explicit Scanner(std::string_view text)
      : text_(text), next_(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0) {
    skip_space();
  }

  std::size_t next() const { return next_; }
  bool is_at(char c) const { return next_ < text_.size() && text_[next_] == c; }
  bool is_at_end() const { return next_ >= text_.size(); }

  void step() {
    ++next_;
    skip_space();
  }

  void skip_string() {
    for (++next_; next_ < text_.size() && text_[next_] != '"'; ++next_) {
      next_ += text_[next_] == '\\' ? 1 : 0;
    }
    step();
  }

  void skip_value() {
    std::size_t depth = 0;
    do {
      if (is_at('"')) {
        skip_string();
        continue;
      }
      if (is_at('{') || is_at('[')) {
        ++depth;
      } else if (is_at('}') || is_at(']')) {
        if (depth == 0) {
          return;
        }
        --depth;
      } else if (depth == 0) {
        next_ = std::min(text_.find_first_of(",]}", next_), text_.size());
        return;
      }
      step();
    } while (depth > 0 && !is_at_end());
  }

  // The string that begins here, with its escapes resolved.
  std::string string() {
    const std::size_t begin = next_;
    skip_string();
    const std::size_t end = text_.substr(0, next_).rfind('"') + 1;
    const std::string_view quoted = text_.substr(begin, std::max(end, begin) - begin);
    if (quoted.size() > 1 && quoted.find('\\') == std::string_view::npos) {
      return std::string(quoted.substr(1, quoted.size() - 2));
    }
    const auto json = parse_json(quoted);
    const auto* value = json ? std::get_if<std::string>(&json->value) : nullptr;
    return value == nullptr ? std::string() : *value;
  }

  void go_to(std::size_t next) { next_ = next; }

 private:
  void skip_space() { next_ = std::min(text_.find_first_not_of(kSpace, next_), text_.size()); }

  std::string_view text_;
  std::size_t next_;
};

// A member's reference token as pointer_to() writes it, which cuts long ones.
std::string token_of(std::string_view name) {
  return pointer_to("", name).substr(1);
}

// Where the values of the members of that name begin, the last one first.
std::vector<std::size_t> members_at(Scanner scanner, std::string_view token) {
  std::vector<std::size_t> found;
  bool goes_on = true;
  for (scanner.step(); goes_on && scanner.is_at('"');) {
    const std::size_t key = scanner.next();
    const bool is_meant = token_of(scanner.string()) == token;
    if (scanner.is_at(':')) {
      scanner.step();
    }
    if (is_meant) {
      found.insert(found.begin(), scanner.is_at_end() ? key : scanner.next());
    }
    scanner.skip_value();
    goes_on = scanner.is_at(',');
    if (goes_on) {
      scanner.step();
    }
  }
  return found;
}

// Where the element begins, if it is there.
std::vector<std::size_t> element_at(Scanner scanner, std::string_view token) {
  std::size_t index = 0;
  const char* const end = token.data() + token.size();
  if (std::from_chars(token.data(), end, index).ptr != end) {
    return {};
  }
  scanner.step();
  for (; index > 0; --index) {
    scanner.skip_value();
    if (!scanner.is_at(',')) {
      return {};
    }
    scanner.step();
  }
  return scanner.is_at_end() ? std::vector<std::size_t>() : std::vector{scanner.next()};
}

// Where the value begins to which the pointer leads from here. Members may stand twice on the way,
// so all of that name are tried.
std::optional<std::size_t> offset_of(const Scanner& scanner, std::string_view pointer) {
  if (pointer.empty()) {
    return scanner.next();
  }
  pointer.remove_prefix(1);
  const std::string_view token = pointer.substr(0, pointer.find('/'));
  pointer.remove_prefix(token.size());
  std::vector<std::size_t> places;
  if (scanner.is_at('{')) {
    places = members_at(scanner, token);
  } else if (scanner.is_at('[')) {
    places = element_at(scanner, token);
  }
  for (const std::size_t place : places) {
    Scanner inner = scanner;
    inner.go_to(place);
    if (const auto found = offset_of(inner, pointer)) {
      return found;
    }
  }
  return std::nullopt;
}

TextPosition position_at(std::string_view text, std::size_t offset) {
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
    offset -= std::min(offset, kByteOrderMark.size());
  }
  const std::string_view before = text.substr(0, offset);
  const auto line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  const auto is_lead = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return {.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
          .column = 1 + static_cast<std::size_t>(std::count_if(line.begin(), line.end(), is_lead))};
}

// Gives faults their line and column instead of their pointer; the first ones, as each takes a walk
// over the text.
void locate(Faults& faults, std::string_view text) {
  constexpr std::size_t kMostLocated = 64;
  for (std::size_t i = 0; i < std::min(faults.size(), kMostLocated); ++i) {
    Fault& fault = faults[i];
    if (!fault.position) {
      fault.position = position_of(text, fault.pointer);
      fault.pointer = fault.position ? "" : fault.pointer;
    }
  }
}

}  // namespace

std::optional<TextPosition> position_of(std::string_view text, std::string_view pointer) {
  const auto offset = offset_of(Scanner(text), pointer);
  return offset ? std::optional(position_at(text, *offset)) : std::nullopt;
}

JsonObject::JsonObject(JsonPlace place, Faults& faults, Case names)
    : place_(std::move(place)), faults_(faults), names_(names) {
  if (!std::holds_alternative<Json::Object>(place_.json->value)) {
    report("an object", describe(*place_.json));
  }
}

const JsonMember* JsonObject::find(std::string_view name) const {
  const auto* members = std::get_if<Json::Object>(&place_.json->value);
  if (members == nullptr) {
    return nullptr;
  }
  const auto it = std::find_if(members->begin(), members->end(), [&](const JsonMember& member) {
    return names_ == Case::kAny ? is_same_in_any_case(member.name, name) : member.name == name;
  });
  const bool is_there =
      it != members->end() && !std::holds_alternative<std::nullptr_t>(it->value.value);
  return is_there ? &*it : nullptr;
}

const Json* JsonObject::find_and_mark(std::string_view name) {
  const JsonMember* member = find(name);
  if (member == nullptr) {
    return nullptr;
  }
  read_.push_back(member->name);
  return &member->value;
}

std::string JsonObject::pointer_of(std::string_view name) const {
  const JsonMember* member = find(name);
  return member == nullptr ? place_.pointer : pointer_to(place_.pointer, member->name);
}

std::optional<Rational> JsonObject::accepted_number(
    std::string_view name, const std::function<bool(const Rational&)>& accept,
    std::string_view expected) {
  const Json* json = find_and_mark(name);
  if (json == nullptr) {
    return std::nullopt;
  }
  const auto* number = std::get_if<JsonNumber>(&json->value);
  auto value = number == nullptr ? std::nullopt : parse_decimal(number->text);
  if (!value || !accept(*value)) {
    report_member(name, expected);
    return std::nullopt;
  }
  return value;
}

std::optional<std::uint64_t> JsonObject::integer(std::string_view name, std::uint64_t least,
                                                 std::uint64_t most) {
  const auto accept = [&](const Rational& number) {
    return boost::multiprecision::denominator(number) == 1 && number >= least && number <= most;
  };
  const auto value =
      accepted_number(name, accept, fmt::format("an integer from {} to {}", least, most));
  return value ? std::optional(boost::multiprecision::numerator(*value).convert_to<std::uint64_t>())
               : std::nullopt;
}

std::optional<Rational> JsonObject::number(std::string_view name, std::uint64_t least,
                                           std::uint64_t most) {
  return accepted_number(
      name, [&](const Rational& number) { return number >= least && number <= most; },
      fmt::format("a number from {} to {}", least, most));
}

std::optional<Rational> JsonObject::number_above_zero(std::string_view name) {
  return accepted_number(
      name, [](const Rational& number) { return number > 0; }, "a number above 0");
}

std::optional<Rational> JsonObject::number_of_at_least(std::string_view name, std::uint64_t least) {
  return accepted_number(
      name, [&](const Rational& number) { return number >= least; },
      fmt::format("a number of at least {}", least));
}

std::optional<bool> JsonObject::boolean(std::string_view name) {
  const Json* json = find_and_mark(name);
  const auto* value = json == nullptr ? nullptr : std::get_if<bool>(&json->value);
  if (json != nullptr && value == nullptr) {
    report_member(name, "true or false");
  }
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<std::string> JsonObject::string(std::string_view name) {
  const Json* json = find_and_mark(name);
  const auto* value = json == nullptr ? nullptr : std::get_if<std::string>(&json->value);
  if (json != nullptr && value == nullptr) {
    report_member(name, "a string");
  }
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<Rational> JsonObject::duration(std::string_view name,
                                             std::optional<Rational> (*parse)(std::string_view),
                                             std::string_view notation) {
  const Json* json = find_and_mark(name);
  if (json == nullptr) {
    return std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&json->value);
  auto value = text == nullptr ? std::nullopt : parse(*text);
  if (!value) {
    report_member(name, notation);
  }
  return value;
}

std::optional<JsonObject> JsonObject::object(std::string_view name) {
  const Json* json = find_and_mark(name);
  return json == nullptr
             ? std::nullopt
             : std::optional(JsonObject({json, pointer_of(name)}, faults_.get(), names_));
}

std::vector<JsonPlace> JsonObject::list(std::string_view name) {
  const Json* json = find_and_mark(name);
  if (json == nullptr) {
    return {};
  }
  const auto* elements = std::get_if<Json::Array>(&json->value);
  if (elements == nullptr) {
    report_member(name, "a list");
    return {};
  }
  std::vector<JsonPlace> places;
  for (const Json& element : *elements) {
    places.push_back({&element, pointer_to(pointer_of(name), places.size())});
  }
  return places;
}

std::optional<JsonPlace> JsonObject::value(std::string_view name) {
  const Json* json = find_and_mark(name);
  return json == nullptr ? std::nullopt : std::optional(JsonPlace{json, pointer_of(name)});
}

bool JsonObject::is_null(std::string_view name) const {
  const Json* json = place_.json->find(name);
  return json != nullptr && std::holds_alternative<std::nullptr_t>(json->value);
}

std::vector<std::pair<std::string, JsonPlace>> JsonObject::members() const {
  std::vector<std::pair<std::string, JsonPlace>> places;
  if (const auto* members = std::get_if<Json::Object>(&place_.json->value)) {
    for (const JsonMember& member : *members) {
      places.push_back({member.name, {&member.value, pointer_to(place_.pointer, member.name)}});
    }
  }
  return places;
}

std::vector<std::string> JsonObject::unread() const {
  std::vector<std::string> names;
  for (const auto& [name, place] : members()) {
    if (std::find(read_.begin(), read_.end(), name) == read_.end()) {
      names.push_back(name);
    }
  }
  return names;
}

void JsonObject::report(std::string_view expected, std::string_view found) {
  import_from::report(faults_, place_.pointer, expected, std::string(found));
}

void JsonObject::report_member(std::string_view name, std::string_view expected) {
  const JsonMember* member = find(name);
  if (member == nullptr) {
    report(fmt::format("the member {}", name), "none");
  } else {
    import_from::report(faults_, pointer_of(name), expected, describe(member->value));
  }
}

void report(Faults& faults, std::string pointer, std::string_view expected, std::string found) {
  if (faults.size() < kMaxFaults) {
    faults.push_back({{}, std::move(pointer), std::string(expected), std::move(found)});
  }
}

void lose_unread(Imported& imported, const std::vector<std::string>& names) {
  if (!names.empty()) {
    imported.losses.push_back({"", "what is not read: " + enumerated(names)});
  }
}

std::string enumerated(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNameBytes = 100;
  std::string text;
  const std::size_t shown = std::min(names.size(), kMostNames);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) {
      text += i + 1 == names.size() ? " and " : ", ";
    }
    text += printable(names[i], kMostNameBytes);
  }
  return shown < names.size() ? text + fmt::format(" and {} more", names.size() - shown) : text;
}

tl::expected<Imported, Faults> read_json_object(
    std::string_view text, JsonObject::Case names,
    const std::function<void(JsonObject& root, Imported& imported, Faults& faults)>& read) {
  auto json = parse_json(text);
  Faults faults;
  Imported imported;
  if (json) {
    JsonObject root({&*json, ""}, faults, names);
    if (faults.empty()) {
      read(root, imported, faults);
    }
  } else {
    faults = std::move(json.error());
  }
  if (faults.empty()) {
    return imported;
  }
  locate(faults, text);
  return tl::unexpected(std::move(faults));
}

}  // namespace retrygarden::import_from
