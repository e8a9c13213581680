#include "delay_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "retrygarden/grouped.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kGap = 2;           // between the columns of a policy
constexpr std::size_t kPolicyGap = 3;     // before those of the next
constexpr std::size_t kNameColumns = 20;  // for a policy's name at least, if it is so long

bool can_cut(const Policy& policy) {
  return policy.max_delay.has_value() ||
         std::visit([](const auto& law) { return requires { law.cap; }; }, policy.delay);
}

// In percent, with a decimal where it is no whole number; only nothing is 0 %, only all is 100 %.
std::string percent(const Share& share) {
  const std::uint64_t hundred = std::uint64_t{share.part} * 100;
  if (hundred % share.whole == 0) {
    return fmt::to_string(hundred / share.whole);
  }
  constexpr std::uint64_t kMostTenths = 999;
  const std::uint64_t tenths = (hundred * 20 + share.whole) / (2 * std::uint64_t{share.whole});
  if (tenths < 1 || tenths > kMostTenths) {
    return tenths < 1 ? "<0.1" : ">99.9";
  }
  return fmt::format("{}.{}", tenths / 10, tenths % 10);
}

template <class Text>
std::string range_text(const Text& from, const Text& to) {
  return from == to ? from : from + "…" + to;
}

// Cells under a heading, aligned right.
class Column {
 public:
  explicit Column(std::string heading) { add(std::move(heading)); }

  void add(std::string cell) {
    width_ = std::max(width_, display_width(cell));
    cells_.push_back(std::move(cell));
  }

  std::size_t rows() const { return cells_.size(); }
  std::size_t width() const { return width_; }

  // Blank behind the last cell.
  std::string line(std::size_t row) const {
    const std::string cell = row < cells_.size() ? cells_[row] : "";
    return std::string(width_ - display_width(cell), ' ') + cell;
  }

 private:
  std::vector<std::string> cells_;
  std::size_t width_ = 0;
};

std::string padded_right(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, display_width(text)), ' ');
}

// Columns of one policy, with its name above, which may be a bit wider than they.
struct Block {
  std::string name;
  std::vector<Column> columns;

  std::size_t width() const {
    return std::max(line_width(), std::min(kNameColumns, display_width(name)));
  }
  std::string title() const { return padded_right(fitted(name, width()), width()); }
  std::string line(std::size_t row) const {
    std::string text;
    for (const Column& column : columns) {
      text += (text.empty() ? "" : std::string(kGap, ' ')) + column.line(row);
    }
    return padded_right(text, width());
  }
  std::size_t rows() const { return columns.front().rows(); }

 private:
  std::size_t line_width() const {
    std::size_t width = 0;
    for (const Column& column : columns) {
      width += column.width() + kGap;
    }
    return width - kGap;
  }
};

template <class Cell>
Column column(const std::string& heading, const Outlook& outlook, Cell cell) {
  Column column(heading);
  for (const PossibleAttempt& attempt : outlook.attempts) {
    column.add(cell(attempt));
  }
  return column;
}

Block block(const Outlook& outlook, const std::function<std::string(std::uint64_t)>& number) {
  Block block{outlook.name, {}};
  block.columns.push_back(column("delay", outlook, [&](const PossibleAttempt& attempt) {
    return attempt.delay
               ? range_text(number(attempt.delay->delay.lo), number(attempt.delay->delay.hi))
               : "-";
  }));
  block.columns.push_back(column("earliest", outlook, [&](const PossibleAttempt& attempt) {
    return number(attempt.earliest);
  }));
  block.columns.push_back(column(
      "latest", outlook, [&](const PossibleAttempt& attempt) { return number(attempt.latest); }));
  if (outlook.can_cut) {
    block.columns.push_back(column("cut", outlook, [](const PossibleAttempt& attempt) {
      return attempt.delay
                 ? range_text(percent(attempt.delay->least_cut), percent(attempt.delay->most_cut)) +
                       " %"
                 : "-";
    }));
  }
  return block;
}

// The block, or where it is wider than that its parts.
std::vector<Block> fitting(const Block& block, std::size_t width) {
  std::vector<Block> parts;
  for (const Column& column : block.columns) {
    if (!parts.empty() && parts.back().width() + kGap + column.width() <= width) {
      parts.back().columns.push_back(column);
    } else {
      parts.push_back({block.name, {column}});
    }
  }
  return parts;
}

// The numbers of attempts, left of all blocks.
Column numbers(std::size_t rows) {
  Column column("attempt");
  for (std::size_t number = 1; number < rows; ++number) {
    column.add(grouped(number));
  }
  return column;
}

std::string side_by_side(const std::vector<Block>& blocks) {
  std::size_t rows = 0;
  for (const Block& block : blocks) {
    rows = std::max(rows, block.rows());
  }
  const Column left = numbers(rows);
  const std::string gap(kPolicyGap, ' ');
  const auto line = [&](std::string text, auto part) {
    for (const Block& block : blocks) {
      text += gap + part(block);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
  };
  std::string text = line(std::string(left.width(), ' '), [](const Block& b) { return b.title(); });
  for (std::size_t row = 0; row < rows; ++row) {
    text += line(left.line(row), [&](const Block& b) { return b.line(row); });
  }
  return text;
}

}  // namespace

Outlook outlook(const Policy& policy, std::uint32_t most_attempts) {
  Outlook result{policy.name, {PossibleAttempt{}}, can_cut(policy), false};
  for (const DelayRange& range : delay_ranges(policy, most_attempts - 1)) {
    const PossibleAttempt& last = result.attempts.back();
    PossibleAttempt next{last.number + 1, range, last.earliest + range.delay.lo,
                         last.latest + policy.timeout + range.delay.hi};
    if (policy.deadline) {
      if (next.earliest > *policy.deadline) {
        result.ends_at_deadline = true;
        break;
      }
      next.latest = std::min<std::uint64_t>(next.latest, *policy.deadline);
    }
    result.attempts.push_back(next);
  }
  return result;
}

std::string delay_table(const std::vector<Outlook>& outlooks,
                        const std::function<std::string(std::uint64_t)>& number,
                        std::size_t width) {
  std::size_t rows = 0;
  for (const Outlook& outlook : outlooks) {
    rows = std::max(rows, outlook.attempts.size() + 1);
  }
  const std::size_t space = width - numbers(rows).width();
  std::string text;
  std::vector<Block> line;
  std::size_t used = 0;
  const auto flush = [&] {
    text += (text.empty() ? "" : "\n") + side_by_side(line);
    line.clear();
    used = 0;
  };
  for (const Outlook& outlook : outlooks) {
    for (const Block& part : fitting(block(outlook, number), space - kPolicyGap)) {
      if (!line.empty() && used + kPolicyGap + part.width() > space) {
        flush();
      }
      line.push_back(part);
      used += kPolicyGap + part.width();
    }
  }
  flush();
  return text;
}

}  // namespace retrygarden::cli
