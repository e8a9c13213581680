// Threads: does things at the same time (oneTBB), where the build has threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace retrygarden {

class Threads {
 public:
  // Of this process, at least 1, the one that calls included.
  explicit Threads(unsigned count);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  unsigned count() const { return count_; }

  // Calls each(begin) … each(end-1), in any order. What one of them throws passes through.
  void for_each(std::size_t begin, std::size_t end, const std::function<void(std::size_t)>& each);

 private:
  struct Arena;

  unsigned count_;
  std::unique_ptr<Arena> arena_;  // null where there is but one
};

}  // namespace retrygarden
