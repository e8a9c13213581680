#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "retrygarden/grouped.h"
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

void Progress::update_run(std::size_t policy_index, std::size_t policies, std::uint64_t tick,
                          std::uint64_t attempts) {
  update([&] {
    return fmt::format("policy {} of {}: tick {}, {} attempts", policy_index + 1, policies,
                       grouped(tick), grouped(attempts));
  });
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
