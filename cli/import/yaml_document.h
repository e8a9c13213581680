// Reading configurations in YAML: members by name and type; every fault has its line and column.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "import/imported.h"
#include "import/yaml.h"

namespace retrygarden::import_from {

// A mapping of the document. Members are read by name; one of the wrong type or value is a fault,
// and one that is null counts as absent. What is read is remembered, for unread().
class YamlMap {
 public:
  // How names are written: as they are; or, as Protocol Buffers take them, retry_on or retryOn,
  // asked for as retry_on; or, as Spring takes them, max-attempts, maxAttempts or MAX_ATTEMPTS.
  enum class Names { kExact, kProto, kRelaxed };

  // A fault if it is no mapping; it then has no members.
  YamlMap(const Yaml& yaml, Faults& faults, Names names = Names::kExact);

  bool has(std::string_view name) const { return find(name) != nullptr; }

  // Numbers may stand in quotes.
  std::optional<std::uint64_t> integer(std::string_view name, std::uint64_t least,
                                       std::uint64_t most);
  std::optional<Rational> number(std::string_view name, const Rational& least,
                                 const Rational& most);
  std::optional<bool> boolean(std::string_view name);
  // Any scalar's text.
  std::optional<std::string> string(std::string_view name);
  // A scalar that parse() takes.
  std::optional<Rational> duration(std::string_view name,
                                   std::optional<Rational> (*parse)(std::string_view),
                                   std::string_view notation);
  std::optional<YamlMap> map(std::string_view name);
  // The elements of a list; none if it is absent or no list.
  std::vector<const Yaml*> list(std::string_view name);

  // Takes a member for read.
  void skip(std::string_view name) { find_and_mark(name); }
  // The names of the members that nothing read.
  std::vector<std::string> unread() const;

  // That something else stands in the member than what is expected, or that it is absent.
  void report_member(std::string_view name, std::string_view expected);

  const Yaml& yaml() const { return *yaml_; }

 private:
  const YamlMember* find(std::string_view name) const;
  const Yaml* find_and_mark(std::string_view name);
  const std::string* scalar(const Yaml* yaml, std::string_view name, std::string_view expected);

  const Yaml* yaml_;
  std::reference_wrapper<Faults> faults_;
  Names names_;
  std::vector<std::string_view> read_;
};

// The name as Spring compares it: in small letters, without - and _.
std::string relaxed(std::string_view name);

// Adds a fault, unless there are kMaxFaults.
void report(Faults& faults, Fault fault);

// Where the document is, for messages: "line 3".
std::string place_text(const Yaml& yaml);

// The objects of Kubernetes in the documents: those in a List too. Documents that are no objects
// are faults.
std::vector<const Yaml*> kubernetes_objects(const std::vector<Yaml>& documents, Faults& faults);

// Whether the object is of that kind and of that API group, whatever its version.
bool is_kubernetes_kind(const Yaml& object, std::string_view group, std::string_view kind);

// metadata.name, or the kind where there is none.
std::string kubernetes_name(const Yaml& object);

// Reads the text as YAML and hands its documents to `read`. Faults of both have line and column.
tl::expected<Imported, Faults> read_yaml_documents(
    std::string_view text, const std::function<void(const std::vector<Yaml>& documents,
                                                    Imported& imported, Faults& faults)>& read);

}  // namespace retrygarden::import_from
