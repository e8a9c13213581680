#include "terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cwchar>

#include "retrygarden/grouped.h"
#include "retrygarden/json.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kDefaultWidth = 80;
constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kColumnGap = 3;

// Calls visit(bytes, columns) for each character until that returns false. How wide characters are
// is told by the C library's tables, whatever locale the user has.
template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
  static const locale_t kUnicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  const locale_t before = uselocale(kUnicode);
  std::mbstate_t state{};
  while (!text.empty()) {
    wchar_t character = 0;
    const std::size_t read = std::mbrtowc(&character, text.data(), text.size(), &state);
    const bool is_valid = read > 0 && read <= text.size();
    const int columns = is_valid ? wcwidth(character) : 1;
    const std::size_t bytes = is_valid ? read : 1;
    state = is_valid ? state : std::mbstate_t{};
    if (!visit(text.substr(0, bytes), static_cast<std::size_t>(std::max(columns, 0)))) {
      break;
    }
    text.remove_prefix(bytes);
  }
  uselocale(before);
}

std::string padded_left(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, display_width(text)), ' ').append(text);
}

// The bytes up to the first blank that is not within a number.
std::size_t word_length(std::string_view text) {
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && '0' <= text[i] && text[i] <= '9';
  };
  std::size_t end = std::min(text.find(' '), text.size());
  while (end > 0 && end < text.size() && is_digit(end - 1) && is_digit(end + 1)) {
    end = std::min(text.find(' ', end + 1), text.size());
  }
  return end;
}

}  // namespace

std::size_t terminal_width(int descriptor) {
  winsize size{};
  if (isatty(descriptor) == 0 || ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return kDefaultWidth;
  }
  return std::max<std::size_t>(size.ws_col, kNarrowest);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for_each_character(text, [&](std::string_view, std::size_t columns) {
    width += columns;
    return true;
  });
  return width;
}

std::string fitted(std::string_view text, std::size_t width) {
  std::string whole = printable(text, 8 * width);
  if (display_width(whole) <= width) {
    return whole;
  }
  std::string result;
  std::size_t used = 0;
  for_each_character(whole, [&](std::string_view character, std::size_t columns) {
    used += columns;
    if (used >= width) {  // one column is the ellipsis's
      return false;
    }
    result += character;
    return true;
  });
  return result + "…";
}

std::string wrapped(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, word_length(text));
    const std::size_t columns = std::min(width, display_width(word));
    if (used > 0) {
      const bool fits = used + 1 + columns <= width;
      result += fits ? ' ' : '\n';
      used = fits ? used + 1 : 0;
    }
    result += fitted(word, width);
    used += columns;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return result + '\n';
}

std::string counted(unsigned long long count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

std::vector<std::size_t> Table::column_widths() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  return widths;
}

std::string Table::text(std::size_t max_width) const {
  const std::vector<std::size_t> widths = column_widths();
  std::string result;
  for (std::size_t begin = 1; begin < widths.size();) {
    std::size_t end = begin;
    std::size_t width = widths[0];
    while (end < widths.size() && (end == begin || width + kColumnGap + widths[end] <= max_width)) {
      width += kColumnGap + widths[end++];
    }
    result += begin == 1 ? "" : "\n";
    for (const auto& row : rows_) {
      result += row[0] + std::string(widths[0] - display_width(row[0]), ' ');
      for (std::size_t i = begin; i < end; ++i) {
        result += std::string(kColumnGap, ' ') + padded_left(row[i], widths[i]);
      }
      result += '\n';
    }
    begin = end;
  }
  return result;
}

}  // namespace retrygarden::cli
