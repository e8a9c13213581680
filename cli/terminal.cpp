#include "terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "retrygarden/json.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kDefaultWidth = 80;
constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kColumnGap = 3;

std::string padded_left(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, display_width(text)), ' ').append(text);
}

}  // namespace

std::size_t terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0) {
    return kDefaultWidth;
  }
  return std::max<std::size_t>(size.ws_col, kNarrowest);
}

bool standard_error_is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

std::size_t display_width(std::string_view text) {
  // fmt pads by columns, so what it adds tells how many the text takes.
  const std::size_t wide = text.size() * 2;  // no character takes more columns than twice its bytes
  return wide - (fmt::format("{:<{}}", text, wide).size() - text.size());
}

std::string fitted(std::string_view text, std::size_t width) {
  std::string result = printable(text, 4 * width);
  if (display_width(result) <= width) {
    return result;
  }
  // fmt's precision counts columns, as its padding does.
  return fmt::format("{:.{}}…", result, width - 1);
}

std::string grouped(unsigned long long number) {
  std::string digits = fmt::to_string(number);
  for (std::size_t i = digits.size(); i > 3;) {
    i -= 3;
    digits.insert(i, 1, ' ');
  }
  return digits;
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
