#include "progress.h"

#include <unistd.h>

#include <cstdio>

#include "terminal.h"

namespace retrygarden::cli {

namespace {

constexpr std::chrono::milliseconds kPatience{500};
constexpr std::chrono::milliseconds kInterval{100};
constexpr const char* kEraseLine = "\r\x1b[K";

}  // namespace

Progress::Progress() : is_enabled_(isatty(STDERR_FILENO) != 0), next_(Clock::now() + kPatience) {}

Progress::~Progress() {
  if (is_shown_) {
    std::fputs(kEraseLine, stderr);
  }
}

void Progress::update(const std::function<std::string()>& line) {
  if (!is_enabled_) {
    return;
  }
  const auto now = Clock::now();
  if (now >= next_) {
    next_ = now + kInterval;
    show(line());
  }
}

void Progress::announce(const std::string& line) {
  if (is_enabled_) {
    show(line);
  }
}

void Progress::show(const std::string& line) {
  is_shown_ = true;
  std::fputs((kEraseLine + fitted(line, terminal_width(STDERR_FILENO) - 1)).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace retrygarden::cli
