#include "progress.h"

#include <fmt/format.h>

#include "terminal.h"

namespace retrygarden::cli {

namespace {

constexpr std::chrono::milliseconds kPatience{500};
constexpr std::chrono::milliseconds kInterval{100};
constexpr std::string_view kEraseLine = "\r\x1b[K";

}  // namespace

Progress::Progress() : is_enabled_(standard_error_is_terminal()), next_(Clock::now() + kPatience) {}

Progress::~Progress() {
  if (is_shown_) {
    fmt::print(stderr, "{}", kEraseLine);
  }
}

void Progress::update(const std::function<std::string()>& line) {
  if (!is_enabled_) {
    return;
  }
  const auto now = Clock::now();
  if (now < next_) {
    return;
  }
  next_ = now + kInterval;
  is_shown_ = true;
  fmt::print(stderr, "{}{}", kEraseLine, fitted(line(), 79));
  std::fflush(stderr);
}

}  // namespace retrygarden::cli
