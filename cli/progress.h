// Progress of long work, on standard error when that is a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace retrygarden::cli {

// One line that is rewritten a few times a second, appears only when the work takes long, and is
// gone at the end.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // line() makes the text; it is called only when the text will be shown.
  void update(const std::function<std::string()>& line);

  // Tells how far the run of one of the policies is.
  void update_run(std::size_t policy_index, std::size_t policies, std::uint64_t tick,
                  std::uint64_t attempts);

  // Shows the text at once, before work that is long and cannot report how far it is.
  void announce(const std::string& line);

 private:
  void show(const std::string& line);

  using Clock = std::chrono::steady_clock;

  bool is_enabled_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

}  // namespace retrygarden::cli
