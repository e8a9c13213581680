#include "threads.h"

#ifdef RETRYGARDEN_THREADS

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace retrygarden {

namespace {

// Debian's oneTBB is not built for ThreadSanitizer, which has to be told where work is handed over:
// whatever was done before hand_over() is seen after take_over().
void hand_over([[maybe_unused]] void* work) {
#ifdef __SANITIZE_THREAD__
  __tsan_release(work);
#endif
}
void take_over([[maybe_unused]] void* work) {
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(work);
#endif
}

}  // namespace

struct Threads::Arena {
  explicit Arena(unsigned count)
      : allowed(tbb::global_control::max_allowed_parallelism, count),
        tasks(static_cast<int>(count)) {}

  tbb::global_control allowed;  // also more than the machine has cores
  tbb::task_arena tasks;
};

Threads::Threads(unsigned count) : count_(count) {
  if (count > 1) {
    arena_ = std::make_unique<Arena>(count);
  }
}

void Threads::for_each(std::size_t begin, std::size_t end,
                       const std::function<void(std::size_t)>& each) {
  if (arena_ == nullptr || end - begin <= 1) {
    for (std::size_t i = begin; i < end; ++i) {
      each(i);
    }
    return;
  }
  hand_over(this);
  arena_->tasks.execute([&] {
    tbb::parallel_for(begin, end, [&](std::size_t i) {
      take_over(this);
      each(i);
      hand_over(this);
    });
  });
  take_over(this);
}

}  // namespace retrygarden

#else

namespace retrygarden {

struct Threads::Arena {};

Threads::Threads(unsigned /*count*/) : count_(1) {}

void Threads::for_each(std::size_t begin, std::size_t end,
                       const std::function<void(std::size_t)>& each) {
  for (std::size_t i = begin; i < end; ++i) {
    each(i);
  }
}

}  // namespace retrygarden

#endif

retrygarden::Threads::~Threads() = default;
