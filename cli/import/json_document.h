// Reading configurations in JSON: members by name and type, with every fault's line and column.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "import/imported.h"
#include "retrygarden/json.h"

namespace retrygarden::import_from {

// The place of what a JSON Pointer points to: of a value, the last one where a member stands twice.
// The text may end too early, or be nested too deep, behind that place. Linear in the text.
std::optional<TextPosition> position_of(std::string_view text, std::string_view pointer);

// A value in the document, and where it is.
struct JsonPlace {
  const Json* json;
  std::string pointer;
};

// An object of the document. Members are read by name; one of the wrong type or value is a fault,
// and one that is null counts as absent. What is read is remembered, for unread().
class JsonObject {
 public:
  enum class Case { kExact, kAny };  // of member names

  // A fault if it is no object; it then has no members.
  JsonObject(JsonPlace place, Faults& faults, Case names = Case::kExact);

  bool has(std::string_view name) const { return find(name) != nullptr; }

  std::optional<std::uint64_t> integer(std::string_view name, std::uint64_t least,
                                       std::uint64_t most);
  // least ≤ number ≤ most.
  std::optional<Rational> number(std::string_view name, std::uint64_t least, std::uint64_t most);
  std::optional<Rational> number_above_zero(std::string_view name);
  std::optional<Rational> number_of_at_least(std::string_view name, std::uint64_t least);
  std::optional<bool> boolean(std::string_view name);
  std::optional<std::string> string(std::string_view name);
  // A string that parse() takes.
  std::optional<Rational> duration(std::string_view name,
                                   std::optional<Rational> (*parse)(std::string_view),
                                   std::string_view notation);
  std::optional<JsonObject> object(std::string_view name);
  // The elements of a list; none if it is absent or no list.
  std::vector<JsonPlace> list(std::string_view name);
  // Any value.
  std::optional<JsonPlace> value(std::string_view name);

  // Whether the member is there, null or not; whether it is null.
  bool contains(std::string_view name) const { return has(name) || is_null(name); }
  bool is_null(std::string_view name) const;

  // All members, whether or not they were read.
  std::vector<std::pair<std::string, JsonPlace>> members() const;

  // Takes a member for read.
  void skip(std::string_view name) { find_and_mark(name); }
  // The names of the members that nothing read.
  std::vector<std::string> unread() const;

  // This object lacks, or this member has, something else than what was expected.
  void report(std::string_view expected, std::string_view found);
  void report_member(std::string_view name, std::string_view expected);

  const JsonPlace& place() const { return place_; }

 private:
  std::optional<Rational> accepted_number(std::string_view name,
                                          const std::function<bool(const Rational&)>& accept,
                                          std::string_view expected);
  const JsonMember* find(std::string_view name) const;
  const Json* find_and_mark(std::string_view name);
  std::string pointer_of(std::string_view name) const;

  JsonPlace place_;
  std::reference_wrapper<Faults> faults_;
  Case names_;
  std::vector<std::string_view> read_;
};

// Adds a fault at the place, unless there are kMaxFaults.
void report(Faults& faults, std::string pointer, std::string_view expected, std::string found);

// "a", "a, b and c": what is told of unread members; at most some of them.
std::string enumerated(const std::vector<std::string>& names);

// Says that members of the whole are not read.
void lose_unread(Imported& imported, const std::vector<std::string>& names);

// Reads the text as JSON and hands its object to `read`. Faults of both have line and column.
tl::expected<Imported, Faults> read_json_object(
    std::string_view text, JsonObject::Case names,
    const std::function<void(JsonObject& root, Imported& imported, Faults& faults)>& read);

}  // namespace retrygarden::import_from
