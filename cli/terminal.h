// What is known of the terminal, and text that is aligned for it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace retrygarden::cli {

// Columns of the terminal at a file descriptor; 80 when there is none.
std::size_t terminal_width(int descriptor);

// Columns that text takes: two for wide characters, none for combining ones.
std::size_t display_width(std::string_view text);

// The text cut to that many columns, with an ellipsis where something is missing. Control
// characters are escaped.
std::string fitted(std::string_view text, std::size_t width);

// The words of text in lines of at most width columns, each ended by a line feed.
std::string wrapped(std::string_view text, std::size_t width);

// A number with its noun: 1 client, 12 345 clients.
std::string counted(unsigned long long count, std::string_view one, std::string_view many);

// A table whose first column holds names and is aligned left, the others right. If it is wider than
// the terminal, its columns are laid out in several tables, one under the other.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}

  // One cell for each column.
  void add_row(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string text(std::size_t max_width) const;

 private:
  std::vector<std::size_t> column_widths() const;

  std::vector<std::vector<std::string>> rows_;
};

}  // namespace retrygarden::cli
