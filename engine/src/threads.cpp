#include "threads.h"

#ifdef RETRYGARDEN_THREADS

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace retrygarden {

struct Threads::Arena {
  tbb::task_arena tasks;
};

Threads::Threads(unsigned count) : count_(count) {
  if (count > 1) {
    arena_ = std::make_unique<Arena>(Arena{tbb::task_arena(static_cast<int>(count))});
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
  arena_->tasks.execute([&] { tbb::parallel_for(begin, end, each); });
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
