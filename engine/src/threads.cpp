#include "threads.h"

#if defined(RETRYGARDEN_THREADS) && !defined(__SANITIZE_THREAD__)

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace retrygarden {

struct Threads::Arena {
  explicit Arena(unsigned count)
      : allowed(tbb::global_control::max_allowed_parallelism, count),
        tasks(static_cast<int>(count)) {}

  void for_each(std::size_t begin, std::size_t end, const std::function<void(std::size_t)>& each) {
    tasks.execute([&] { tbb::parallel_for(begin, end, each); });
  }

  tbb::global_control allowed;  // also more than the machine has cores
  tbb::task_arena tasks;
};

}  // namespace retrygarden

#elif defined(RETRYGARDEN_THREADS)

#include <atomic>
#include <thread>
#include <vector>

namespace retrygarden {

// ThreadSanitizer takes each hand-over of a library that was not built for it, as Debian's oneTBB,
// for a race. Plain threads show it those of our own.
struct Threads::Arena {
  explicit Arena(unsigned threads) : count(threads) {}

  void for_each(std::size_t begin, std::size_t end, const std::function<void(std::size_t)>& each) {
    std::atomic<std::size_t> next = begin;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < count; ++i) {
      threads.emplace_back([&] {
        for (std::size_t mine = next++; mine < end; mine = next++) {
          each(mine);
        }
      });
    }
  }

  unsigned count;
};

}  // namespace retrygarden

#else

namespace retrygarden {

struct Threads::Arena {
  explicit Arena(unsigned /*count*/) {}

  void for_each(std::size_t begin, std::size_t end, const std::function<void(std::size_t)>& each) {
    for (std::size_t i = begin; i < end; ++i) {
      each(i);
    }
  }
};

}  // namespace retrygarden

#endif

namespace retrygarden {

Threads::Threads(unsigned count)
    : count_(count), arena_(count > 1 ? std::make_unique<Arena>(count) : nullptr) {}

Threads::~Threads() = default;

void Threads::for_each(std::size_t begin, std::size_t end,
                       const std::function<void(std::size_t)>& each) {
  if (arena_ != nullptr && end - begin > 1) {
    arena_->for_each(begin, end, each);
    return;
  }
  for (std::size_t i = begin; i < end; ++i) {
    each(i);
  }
}

}  // namespace retrygarden
