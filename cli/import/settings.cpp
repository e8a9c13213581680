#include "import/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <utility>

#include "retrygarden/json.h"

namespace retrygarden::import_from {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlank = " \t\f\r";
constexpr std::size_t kMostShownBytes = 60;

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

// The lines of a text, each with its number.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {
    if (rest_.starts_with(kByteOrderMark)) {
      rest_.remove_prefix(kByteOrderMark.size());
    }
  }

  // The next line, without its end.
  std::optional<std::string_view> next() {
    if (rest_.empty()) {
      return std::nullopt;
    }
    const std::string_view line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
    ++number_;
    return line;
  }

  std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

// Of the byte at `offset` in a line.
TextPosition position_in(std::size_t number, std::string_view line, std::size_t offset) {
  const std::string_view before = line.substr(0, std::min(offset, line.size()));
  const auto is_lead = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  const auto columns = std::count_if(before.begin(), before.end(), is_lead);
  return {.line = number, .column = 1 + static_cast<std::size_t>(columns)};
}

// Gathers settings, and reports what stands twice.
class Collector {
 public:
  void add(Setting setting) {
    if (!seen_.insert({setting.section, setting.key}).second) {
      report(faults, setting.position, "a key once in its section",
             printable(setting.key, kMostShownBytes) + " again");
      return;
    }
    settings_.push_back(std::move(setting));
  }

  tl::expected<Settings, Faults> finish() && {
    if (!faults.empty()) {
      return tl::unexpected(std::move(faults));
    }
    return std::move(settings_);
  }

  Faults faults;

 private:
  Settings settings_;
  std::set<std::pair<std::string, std::string>> seen_;
};

std::string shown(std::string_view text) {
  return text.empty() ? "nothing" : fmt::format("\"{}\"", printable(text, kMostShownBytes));
}

void lower_case(std::string& text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

// A .properties line that others may continue.
struct LogicalLine {
  std::string text;
  std::size_t number;
  std::string_view first;  // its first line, for columns
};

bool is_continued(std::string_view line) {
  const auto last = line.find_last_not_of('\\');
  const std::size_t backslashes = line.size() - (last == std::string_view::npos ? 0 : last + 1);
  return backslashes % 2 == 1;
}

std::string_view without_return(std::string_view line) {
  return line.substr(0, line.ends_with('\r') ? line.size() - 1 : line.size());
}

std::optional<LogicalLine> next_logical_line(Lines& lines) {
  for (auto line = lines.next(); line; line = lines.next()) {
    std::string_view part = without_return(*line);
    const std::size_t begin = std::min(part.find_first_not_of(kBlank), part.size());
    if (begin == part.size() || part[begin] == '#' || part[begin] == '!') {
      continue;
    }
    LogicalLine logical{"", lines.number(), part};
    while (is_continued(part)) {
      logical.text += part.substr(0, part.size() - 1);
      const auto following = lines.next();
      if (!following) {
        return logical;
      }
      part = without_return(*following);
      part.remove_prefix(std::min(part.find_first_not_of(kBlank), part.size()));
    }
    logical.text += part;
    return logical;
  }
  return std::nullopt;
}

// The end of the key: the first of = : and blanks that no backslash precedes.
std::size_t end_of_key(std::string_view text, std::size_t begin) {
  std::size_t i = begin;
  while (i < text.size() && std::string_view("=: \t\f").find(text[i]) == std::string_view::npos) {
    i += text[i] == '\\' ? 2 : 1;
  }
  return std::min(i, text.size());
}

// Escapes resolved, but for those of code points, which no key that is read has.
std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    i += text[i] == '\\' && i + 1 < text.size() && text[i + 1] != 'u' ? 1 : 0;
    result += text[i];
  }
  return result;
}

}  // namespace

tl::expected<Settings, Faults> read_ini(std::string_view text) {
  Collector collector;
  std::string section;
  bool has_key = false;  // that an indented line can belong to
  Lines lines(text);
  for (auto line = lines.next(); line; line = lines.next()) {
    const std::string_view content = trimmed(*line);
    const std::size_t indent = std::min(line->find_first_not_of(kBlank), line->size());
    if (content.empty() || content.front() == '#' || content.front() == ';' ||
        (indent > 0 && has_key)) {
      continue;
    }
    const TextPosition position = position_in(lines.number(), *line, indent);
    if (content.front() == '[') {
      const auto end = content.find(']');
      if (end == std::string_view::npos) {
        report(collector.faults, position, "a section in brackets", shown(content));
        continue;
      }
      // A name may be shown: bytes that are no UTF-8 are escaped.
      const std::string_view name = trimmed(content.substr(1, end - 1));
      section = printable(name, 4 * name.size());
      has_key = false;
      continue;
    }
    const auto separator = content.find_first_of("=:");
    if (section.empty() || separator == std::string_view::npos || separator == 0) {
      report(collector.faults, position,
             section.empty() ? "a section such as [default]" : "a key, = and a value",
             shown(content));
      continue;
    }
    std::string key(trimmed(content.substr(0, separator)));
    lower_case(key);
    const std::string_view value = trimmed(content.substr(separator + 1));
    const std::size_t value_offset =
        value.empty() ? line->size() : static_cast<std::size_t>(value.data() - line->data());
    collector.add({section, std::move(key), std::string(value), position,
                   position_in(lines.number(), *line, value_offset)});
    has_key = true;
  }
  return std::move(collector).finish();
}

tl::expected<Settings, Faults> read_properties(std::string_view text) {
  Collector collector;
  Lines lines(text);
  for (auto line = next_logical_line(lines); line; line = next_logical_line(lines)) {
    const std::string_view content = line->text;
    const std::size_t begin = std::min(content.find_first_not_of(kBlank), content.size());
    const std::size_t key_end = end_of_key(content, begin);
    std::size_t value = std::min(content.find_first_not_of(kBlank, key_end), content.size());
    if (value < content.size() && (content[value] == '=' || content[value] == ':')) {
      value = std::min(content.find_first_not_of(kBlank, value + 1), content.size());
    }
    collector.add({"", unescaped(content.substr(begin, key_end - begin)),
                   unescaped(trimmed(content.substr(value))),
                   position_in(line->number, line->first, begin),
                   position_in(line->number, line->first, value)});
  }
  return std::move(collector).finish();
}

const Setting* find_setting(const Settings& settings, std::string_view section,
                            std::string_view key) {
  const auto it = std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) {
    return setting.section == section && setting.key == key;
  });
  return it == settings.end() ? nullptr : &*it;
}

std::optional<std::uint64_t> integer_value(const Setting& setting, std::uint64_t least,
                                           std::uint64_t most, Faults& faults) {
  std::uint64_t value = 0;
  const char* const end = setting.value.data() + setting.value.size();
  const auto [stop, error] = std::from_chars(setting.value.data(), end, value);
  if (error != std::errc() || stop != end || value < least || value > most) {
    report(faults, setting.value_position, fmt::format("an integer from {} to {}", least, most),
           shown(setting.value));
    return std::nullopt;
  }
  return value;
}

void report(Faults& faults, TextPosition position, std::string expected, std::string_view found) {
  if (faults.size() < kMaxFaults) {
    faults.push_back({position, "", std::move(expected), std::string(found)});
  }
}

}  // namespace retrygarden::import_from
