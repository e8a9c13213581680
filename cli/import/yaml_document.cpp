#include "import/yaml_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace retrygarden::import_from {

namespace {

// retry_on as retryOn.
std::string camel_case(std::string_view name) {
  std::string result;
  bool is_after_underscore = false;
  for (const char c : name) {
    if (c == '_') {
      is_after_underscore = true;
      continue;
    }
    const bool becomes_large = is_after_underscore && c >= 'a' && c <= 'z';
    result += becomes_large ? static_cast<char>(c - 'a' + 'A') : c;
    is_after_underscore = false;
  }
  return result;
}

const std::string* scalar_text(const Yaml* yaml) {
  const auto* scalar = yaml == nullptr ? nullptr : std::get_if<YamlScalar>(&yaml->value);
  return scalar == nullptr ? nullptr : &scalar->text;
}

std::string text_or(const Yaml* yaml, std::string_view otherwise) {
  const std::string* text = scalar_text(yaml);
  return text == nullptr ? std::string(otherwise) : *text;
}

}  // namespace

YamlMap::YamlMap(const Yaml& yaml, Faults& faults, Names names)
    : yaml_(&yaml), faults_(faults), names_(names) {
  if (!std::holds_alternative<Yaml::Map>(yaml.value)) {
    report(faults, fault_at(yaml, "a mapping"));
  }
}

const YamlMember* YamlMap::find(std::string_view name) const {
  const auto* members = std::get_if<Yaml::Map>(&yaml_->value);
  if (members == nullptr) {
    return nullptr;
  }
  const auto it = std::find_if(members->begin(), members->end(), [&](const YamlMember& member) {
    return member.name == name || (names_ == Names::kProto && member.name == camel_case(name)) ||
           (names_ == Names::kRelaxed && relaxed(member.name) == relaxed(name));
  });
  const bool is_there =
      it != members->end() && !std::holds_alternative<std::nullptr_t>(it->value.value);
  return is_there ? &*it : nullptr;
}

const Yaml* YamlMap::find_and_mark(std::string_view name) {
  const YamlMember* member = find(name);
  if (member == nullptr) {
    return nullptr;
  }
  read_.push_back(member->name);
  return &member->value;
}

std::optional<std::uint64_t> YamlMap::integer(std::string_view name, std::uint64_t least,
                                              std::uint64_t most) {
  const std::string* value = scalar_text(find_and_mark(name));
  if (value == nullptr) {
    if (has(name)) {
      report_member(name, fmt::format("an integer from {} to {}", least, most));
    }
    return std::nullopt;
  }
  const auto number = parse_decimal(*value);
  if (!number || boost::multiprecision::denominator(*number) != 1 || *number < least ||
      *number > most) {
    report_member(name, fmt::format("an integer from {} to {}", least, most));
    return std::nullopt;
  }
  return boost::multiprecision::numerator(*number).convert_to<std::uint64_t>();
}

std::optional<Rational> YamlMap::number(std::string_view name, const Rational& least,
                                        const Rational& most) {
  const Yaml* yaml = find_and_mark(name);
  const std::string* text = scalar_text(yaml);
  auto number = text == nullptr ? std::nullopt : parse_decimal(*text);
  if (yaml != nullptr && (!number || *number < least || *number > most)) {
    report_member(name, fmt::format("a number from {} to {}", least.str(), most.str()));
    return std::nullopt;
  }
  return number;
}

std::optional<bool> YamlMap::boolean(std::string_view name) {
  const Yaml* yaml = find_and_mark(name);
  if (yaml == nullptr) {
    return std::nullopt;
  }
  const std::string* text = scalar_text(yaml);
  const std::string value = text == nullptr ? "" : relaxed(*text);
  if (value == "true" || value == "yes" || value == "on") {
    return true;
  }
  if (value != "false" && value != "no" && value != "off") {
    report_member(name, "true or false");
    return std::nullopt;
  }
  return false;
}

std::optional<std::string> YamlMap::string(std::string_view name) {
  const Yaml* yaml = find_and_mark(name);
  const std::string* text = scalar_text(yaml);
  if (yaml != nullptr && text == nullptr) {
    report_member(name, "a string");
  }
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<Rational> YamlMap::duration(std::string_view name,
                                          std::optional<Rational> (*parse)(std::string_view),
                                          std::string_view notation) {
  const Yaml* yaml = find_and_mark(name);
  const std::string* text = scalar_text(yaml);
  const auto duration = text == nullptr ? std::nullopt : parse(*text);
  if (yaml != nullptr && !duration) {
    report_member(name, notation);
  }
  return duration;
}

std::optional<YamlMap> YamlMap::map(std::string_view name) {
  const Yaml* yaml = find_and_mark(name);
  return yaml == nullptr ? std::nullopt : std::optional(YamlMap(*yaml, faults_, names_));
}

std::vector<const Yaml*> YamlMap::list(std::string_view name) {
  const Yaml* yaml = find_and_mark(name);
  if (yaml == nullptr) {
    return {};
  }
  const auto* elements = std::get_if<Yaml::List>(&yaml->value);
  if (elements == nullptr) {
    report_member(name, "a list");
    return {};
  }
  std::vector<const Yaml*> result;
  for (const Yaml& element : *elements) {
    result.push_back(&element);
  }
  return result;
}

std::vector<std::string> YamlMap::unread() const {
  std::vector<std::string> names;
  if (const auto* members = std::get_if<Yaml::Map>(&yaml_->value)) {
    for (const YamlMember& member : *members) {
      if (std::find(read_.begin(), read_.end(), member.name) == read_.end()) {
        names.push_back(member.name);
      }
    }
  }
  return names;
}

void YamlMap::report_member(std::string_view name, std::string_view expected) {
  if (const YamlMember* member = find(name)) {
    report(faults_, fault_at(member->value, expected));
  } else {
    report(faults_, {yaml_->position, "", fmt::format("the member {}", name), "none"});
  }
}

std::string relaxed(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c != '-' && c != '_') {
      result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return result;
}

void report(Faults& faults, Fault fault) {
  if (faults.size() < kMaxFaults) {
    faults.push_back(std::move(fault));
  }
}

std::string place_text(const Yaml& yaml) {
  return fmt::format("line {}", yaml.position.line);
}

std::vector<const Yaml*> kubernetes_objects(const std::vector<Yaml>& documents, Faults& faults) {
  std::vector<const Yaml*> objects;
  const auto add = [&](const Yaml& yaml) {
    if (scalar_text(yaml.find("kind")) == nullptr) {
      report(faults, fault_at(yaml, "an object of Kubernetes, with apiVersion and kind"));
    } else {
      objects.push_back(&yaml);
    }
  };
  for (const Yaml& document : documents) {
    if (is_kubernetes_kind(document, "", "List")) {
      YamlMap list(document, faults);
      for (const Yaml* item : list.list("items")) {
        add(*item);
      }
    } else {
      add(document);
    }
  }
  return objects;
}

bool is_kubernetes_kind(const Yaml& object, std::string_view group, std::string_view kind) {
  const std::string version = text_or(object.find("apiVersion"), "");
  const auto slash = version.find('/');
  const std::string its_group = slash == std::string::npos ? "" : version.substr(0, slash);
  return text_or(object.find("kind"), "") == kind && its_group == group;
}

std::string kubernetes_name(const Yaml& object) {
  const Yaml* metadata = object.find("metadata");
  const std::string name = metadata == nullptr ? "" : text_or(metadata->find("name"), "");
  return name.empty() ? text_or(object.find("kind"), "object") : name;
}

tl::expected<Imported, Faults> read_yaml_documents(
    std::string_view text, const std::function<void(const std::vector<Yaml>& documents,
                                                    Imported& imported, Faults& faults)>& read) {
  const auto documents = parse_yaml(text);
  if (!documents) {
    return tl::unexpected(documents.error());
  }
  Faults faults;
  Imported imported;
  read(*documents, imported, faults);
  if (!faults.empty()) {
    return tl::unexpected(std::move(faults));
  }
  return imported;
}

}  // namespace retrygarden::import_from
