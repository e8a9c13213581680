#include "import/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <exception>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

#include "retrygarden/json.h"

namespace retrygarden::import_from {

namespace {

constexpr std::size_t kMaxQuotedBytes = 100;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Thrown through yaml-cpp, which has no other way to be stopped.
class Stop : public std::exception {
 public:
  Stop(TextPosition position, std::string expected, std::string found)
      : fault_{position, "", std::move(expected), std::move(found)} {}

  const Fault& fault() const { return fault_; }

 private:
  Fault fault_;
};

bool begins_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

// Turns yaml-cpp's marks, which count bytes, into positions, which count code points. Marks mostly
// ascend, so each line is counted once.
class Positions {
 public:
  explicit Positions(std::string_view text) : text_(text) {}

  TextPosition of(const YAML::Mark& mark) {
    if (mark.is_null()) {
      return {};
    }
    // After a backslash at its end the library counts on behind the text.
    const auto pos = static_cast<std::size_t>(mark.pos);
    const auto end = std::min(pos, text_.size());
    const auto line_begin =
        std::min(end, pos - std::min(pos, static_cast<std::size_t>(mark.column)));
    if (line_begin != line_begin_ || end < end_) {
      line_begin_ = line_begin;
      end_ = line_begin;
      code_points_ = 0;
    }
    const std::string_view added = text_.substr(end_, end - end_);
    code_points_ +=
        static_cast<std::size_t>(std::count_if(added.begin(), added.end(), begins_code_point));
    end_ = end;
    return {static_cast<std::size_t>(mark.line) + 1, code_points_ + 1};
  }

 private:
  std::string_view text_;
  std::size_t line_begin_ = 0;
  std::size_t end_ = 0;
  std::size_t code_points_ = 0;  // between the two
};

struct Extent {
  std::size_t nodes = 1;
  std::size_t height = 0;  // levels of lists and maps
};

Extent extent(const Yaml& yaml) {
  Extent whole;
  const auto add = [&](const Yaml& part) {
    const Extent inner = extent(part);
    whole.nodes += inner.nodes;
    whole.height = std::max(whole.height, inner.height);
  };
  if (const auto* list = std::get_if<Yaml::List>(&yaml.value)) {
    std::for_each(list->begin(), list->end(), add);
    ++whole.height;
  } else if (const auto* map = std::get_if<Yaml::Map>(&yaml.value)) {
    std::for_each(map->begin(), map->end(), [&](const YamlMember& member) { add(member.value); });
    ++whole.height;
  }
  return whole;
}

void refuse_repeated_names(const Yaml::Map& map) {
  std::vector<const YamlMember*> by_name;
  by_name.reserve(map.size());
  for (const YamlMember& member : map) {
    by_name.push_back(&member);
  }
  std::sort(by_name.begin(), by_name.end(), [](const auto* a, const auto* b) {
    return std::tie(a->name, a) < std::tie(b->name, b);
  });
  const auto first =
      std::adjacent_find(by_name.begin(), by_name.end(),
                         [](const auto* a, const auto* b) { return a->name == b->name; });
  if (first != by_name.end()) {
    throw Stop((*std::next(first))->position, "each key once in its mapping",
               fmt::format("\"{}\" again, which stands in line {} already",
                           printable((*first)->name, kMaxQuotedBytes), (*first)->position.line));
  }
}

// Builds the trees of all documents from events.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text) : positions_(text) {}

  std::vector<Yaml> finish() && { return std::move(documents_); }

  TextPosition position_of(const YAML::Mark& mark) { return positions_.of(mark); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    // yaml-cpp offers what cannot begin a node as an empty document, for ever.
    if (document_pos_ == mark.pos) {
      throw Stop(positions_.of(mark), "a document", "what no document can begin with");
    }
    document_pos_ = mark.pos;
    anchored_.clear();
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add({nullptr, positions_.of(mark)}, anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const bool is_quoted = tag == "!";
    add({YamlScalar{value, is_quoted}, positions_.of(mark)}, anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) {
      throw Stop(positions_.of(mark), "an alias of what stands before it", "one of what holds it");
    }
    const Extent size = extent(found->second);
    aliased_nodes_ += size.nodes;
    if (aliased_nodes_ > kMaxAliasedNodes) {
      throw Stop(positions_.of(mark),
                 fmt::format("aliases that bring at most {} values in all", kMaxAliasedNodes),
                 "more");
    }
    refuse_depth(open_.size() + size.height, mark);
    add(found->second, YAML::NullAnchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(Yaml::List{}, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(Yaml::Map{}, mark, anchor);
  }
  void OnMapEnd() override {
    auto& map = std::get<Yaml::Map>(open_.back().node.value);
    refuse_repeated_names(map);
    merge(map);
    close();
  }

 private:
  struct Open {
    Yaml node;
    YAML::anchor_t anchor;
    std::optional<YamlMember> key;  // of a map, until its value comes
  };

  void refuse_depth(std::size_t depth, const YAML::Mark& mark) {
    if (depth > kMaxYamlDepth) {
      throw Stop(positions_.of(mark),
                 fmt::format("lists and mappings nested at most {} deep", kMaxYamlDepth),
                 "one more");
    }
  }

  template <typename Collection>
  void open(Collection collection, const YAML::Mark& mark, YAML::anchor_t anchor) {
    refuse_depth(open_.size() + 1, mark);
    open_.push_back({{std::move(collection), positions_.of(mark)}, anchor, {}});
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    add(std::move(closed.node), closed.anchor);
  }

  void add(Yaml node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      anchored_.insert_or_assign(anchor, node);
    }
    if (open_.empty()) {
      if (!std::holds_alternative<std::nullptr_t>(node.value)) {
        documents_.push_back(std::move(node));
      }
    } else if (auto* list = std::get_if<Yaml::List>(&open_.back().node.value)) {
      list->push_back(std::move(node));
    } else {
      add_to_map(std::move(node));
    }
  }

  void add_to_map(Yaml node) {
    Open& open = open_.back();
    if (open.key) {
      open.key->value = std::move(node);
      std::get<Yaml::Map>(open.node.value).push_back(*std::exchange(open.key, std::nullopt));
    } else if (auto* name = std::get_if<YamlScalar>(&node.value)) {
      open.key = YamlMember{std::move(name->text), node.position, {}};
    } else {
      throw Stop(node.position, "a scalar as key", describe(node));
    }
  }

  // Puts the members of << in its place, where the map has none of that name.
  static void merge(Yaml::Map& map) {
    const auto key = std::find_if(map.begin(), map.end(),
                                  [](const YamlMember& member) { return member.name == "<<"; });
    if (key == map.end()) {
      return;
    }
    const Yaml merged = std::move(key->value);
    map.erase(key);
    if (const auto* list = std::get_if<Yaml::List>(&merged.value)) {
      for (const Yaml& part : *list) {
        merge_from(part, map);
      }
    } else {
      merge_from(merged, map);
    }
  }

  static void merge_from(const Yaml& from, Yaml::Map& map) {
    const auto* members = std::get_if<Yaml::Map>(&from.value);
    if (members == nullptr) {
      throw Stop(from.position, "a mapping to merge", describe(from));
    }
    std::vector<std::string> names;
    for (const YamlMember& member : map) {
      names.push_back(member.name);
    }
    std::sort(names.begin(), names.end());
    for (const YamlMember& member : *members) {
      if (!std::binary_search(names.begin(), names.end(), member.name)) {
        map.push_back(member);
      }
    }
  }

  Positions positions_;
  std::vector<Yaml> documents_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Yaml> anchored_;  // of this document
  std::size_t aliased_nodes_ = 0;
  int document_pos_ = -1;
};

bool is_allowed(boost::locale::utf::code_point c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0x7F);
}

// yaml-cpp takes some control characters for its own marks. Throws Stop.
void refuse_what_is_no_text(std::string_view text) {
  using Decoder = boost::locale::utf::utf_traits<char>;
  TextPosition position;
  const char* next = text.data();
  const char* const end = next + text.size();
  while (next != end) {
    const char first = *next;
    const auto c = Decoder::decode(next, end);
    if (!boost::locale::utf::is_valid_codepoint(c) || !is_allowed(c)) {
      throw Stop(position, "text in UTF-8 without control characters",
                 fmt::format("the byte {:#04x}", static_cast<unsigned char>(first)));
    }
    if (c == '\n') {
      ++position.line;
      position.column = 1;
    } else {
      ++position.column;
    }
  }
}

std::vector<Yaml> build_trees(std::string_view text) {
  refuse_what_is_no_text(text);
  std::istringstream stream{std::string(text)};
  TreeBuilder builder(text);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    throw Stop(builder.position_of(error.mark), "well-formed YAML",
               printable(error.msg, kMaxQuotedBytes));
  }
  return std::move(builder).finish();
}

}  // namespace

const Yaml* Yaml::find(std::string_view name) const {
  return find_any({name});
}

const Yaml* Yaml::find_any(std::initializer_list<std::string_view> names) const {
  const auto* map = std::get_if<Map>(&value);
  if (map == nullptr) {
    return nullptr;
  }
  const auto it = std::find_if(map->begin(), map->end(), [&](const YamlMember& member) {
    return std::find(names.begin(), names.end(), member.name) != names.end();
  });
  return it == map->end() ? nullptr : &it->value;
}

tl::expected<std::vector<Yaml>, Faults> parse_yaml(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  try {
    return build_trees(text);
  } catch (const Stop& stop) {
    return tl::unexpected(Faults{stop.fault()});
  }
}

std::string describe(const Yaml& yaml) {
  struct Describer {
    std::string operator()(std::nullptr_t /*null*/) const { return "nothing"; }
    std::string operator()(const YamlScalar& scalar) const {
      return fmt::format("\"{}\"", printable(scalar.text, kMaxQuotedBytes));
    }
    std::string operator()(const Yaml::List& list) const {
      return list.empty() ? "an empty list" : "a list";
    }
    std::string operator()(const Yaml::Map& /*map*/) const { return "a mapping"; }
  };
  return std::visit(Describer{}, yaml.value);
}

Fault fault_at(const Yaml& yaml, std::string_view expected) {
  return {yaml.position, "", std::string(expected), describe(yaml)};
}

}  // namespace retrygarden::import_from
