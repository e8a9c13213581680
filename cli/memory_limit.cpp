#include "memory_limit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "failure.h"

namespace retrygarden::cli {

namespace {

std::string mebibytes(std::uint64_t bytes) {
  return fmt::format("{} MiB", (bytes + (1U << 20) - 1) >> 20);
}

}  // namespace

std::uint64_t default_memory_limit() {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  const auto page_bytes = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGE_SIZE)));
  std::uint64_t bytes = pages * page_bytes;
  // What a container may use; the file is missing, or says "max", where there is no bound.
  std::uint64_t container_bytes = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> container_bytes) {
    bytes = std::min(bytes, container_bytes);
  }
  return bytes / 5 * 4;
}

void require_memory(std::uint64_t needed, std::uint64_t limit, std::string_view what) {
  if (needed > limit) {
    throw Failure(ExitCode::kOverMemoryLimit,
                  fmt::format("{} would need about {} of memory; the limit is {} (--memory-limit)",
                              what, mebibytes(needed), mebibytes(limit)));
  }
}

}  // namespace retrygarden::cli
