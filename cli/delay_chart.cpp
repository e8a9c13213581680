#include "delay_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "retrygarden/grouped.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

// Up to this ratio of the longest delays, a linear scale shows them well.
constexpr std::uint64_t kMostLinear = 16;
constexpr std::size_t kLabelGap = 3;

// Where a delay stands in the chart.
class Scale {
 public:
  Scale(const std::vector<Outlook>& outlooks, std::size_t columns) : columns_(columns) {
    std::uint64_t smallest = 0;
    for (const Outlook& outlook : outlooks) {
      for (const PossibleAttempt& attempt : outlook.attempts) {
        if (attempt.delay) {
          const std::uint64_t hi = attempt.delay->delay.hi;
          longest_ = std::max(longest_, hi);
          smallest = smallest == 0 ? hi : std::min(smallest, hi);
        }
      }
    }
    is_logarithmic_ = longest_ > kMostLinear * smallest;
  }

  bool is_empty() const { return longest_ == 0; }
  bool is_logarithmic() const { return is_logarithmic_; }
  std::uint64_t longest() const { return longest_; }
  std::size_t columns() const { return columns_; }

  // Of 1 … longest, and on a linear scale of 0. A place in a picture: rounding does no harm.
  std::size_t column(std::uint64_t ticks) const {
    const auto last = static_cast<double>(columns_ - 1);
    const auto of = [](std::uint64_t number) { return static_cast<double>(number); };
    const double share =
        is_logarithmic_ ? std::log2(of(ticks)) / std::log2(of(longest_)) : of(ticks) / of(longest_);
    return static_cast<std::size_t>(std::lround(share * last));
  }

 private:
  std::size_t columns_;
  std::uint64_t longest_ = 0;
  bool is_logarithmic_ = false;
};

// The labels of these delays where they stand; nothing if they do not fit beside one another.
std::string labels_of(const Scale& scale, const std::vector<std::uint64_t>& delays,
                      const std::function<std::string(std::uint64_t)>& label) {
  std::string text;
  std::size_t used = 0;
  for (const std::uint64_t delay : delays) {
    const std::size_t column = scale.column(delay);
    const std::string words = label(delay);
    const std::size_t end = column + display_width(words);
    if (end > scale.columns()) {
      break;
    }
    if (used > 0 && column < used + kLabelGap) {
      return "";
    }
    text.append(column - used, ' ');
    text += words;
    used = end;
  }
  return text;
}

// 0, step, 2·step, … on a linear scale.
std::vector<std::uint64_t> even_marks(std::uint64_t longest, std::uint64_t step) {
  std::vector<std::uint64_t> delays;
  for (std::uint64_t delay = 0; delay <= longest; delay += step) {
    delays.push_back(delay);
  }
  return delays;
}

// 1, ratio, ratio², … on a logarithmic one, each times these factors.
std::vector<std::uint64_t> growing_marks(std::uint64_t longest, std::uint64_t ratio,
                                         const std::vector<std::uint64_t>& factors) {
  std::vector<std::uint64_t> delays;
  for (std::uint64_t power = 1; power <= longest; power *= ratio) {
    for (const std::uint64_t factor : factors) {
      if (factor * power <= longest) {
        delays.push_back(factor * power);
      }
    }
  }
  return delays;
}

// As many round delays as fit.
std::string axis_labels(const Scale& scale,
                        const std::function<std::string(std::uint64_t)>& label) {
  const std::uint64_t longest = scale.longest();
  if (scale.is_logarithmic()) {
    std::string text = labels_of(scale, growing_marks(longest, 10, {1, 2, 5}), label);
    for (std::uint64_t ratio = 10; text.empty(); ratio *= 10) {
      text = labels_of(scale, growing_marks(longest, ratio, {1}), label);
    }
    return text;
  }
  std::string text;
  for (std::uint64_t power = 1; text.empty(); power *= 10) {
    for (const std::uint64_t step : {power, 2 * power, 5 * power}) {
      if (text.empty() && longest / step <= scale.columns()) {
        text = labels_of(scale, even_marks(longest, step), label);
      }
    }
  }
  return text;
}

std::string bar(const Scale& scale, const Interval& delay) {
  const std::size_t begin = scale.column(delay.lo);
  const std::size_t end = scale.column(delay.hi) + 1;
  std::string text(begin, ' ');
  for (std::size_t column = begin; column < end; ++column) {
    text += "█";
  }
  return text;
}

std::string rule(std::size_t columns) {
  std::string text;
  for (std::size_t column = 0; column < columns; ++column) {
    text += "─";
  }
  return text;
}

}  // namespace

DelayChart delay_chart(const std::vector<Outlook>& outlooks,
                       const std::function<std::string(std::uint64_t)>& label, std::size_t width) {
  std::size_t label_width = std::string_view("attempt").size();
  for (const Outlook& outlook : outlooks) {
    label_width = std::max(label_width, grouped(outlook.attempts.back().number).size());
  }
  const Scale scale(outlooks, width - label_width - 2);
  if (scale.is_empty()) {
    return {};
  }
  std::string text;
  for (const Outlook& outlook : outlooks) {
    text += (text.empty() ? "" : "\n") + fitted(outlook.name, width) + '\n';
    for (const PossibleAttempt& attempt : outlook.attempts) {
      if (attempt.delay) {
        text += fmt::format("{:>{}} │{}\n", grouped(attempt.number), label_width,
                            bar(scale, attempt.delay->delay));
      }
    }
    text += fmt::format("{:>{}} └{}\n", "attempt", label_width, rule(scale.columns()));
    text += fmt::format("{:>{}}  {}\n", "delay", label_width, axis_labels(scale, label));
  }
  return {text, scale.is_logarithmic()};
}

}  // namespace retrygarden::cli
