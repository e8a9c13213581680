#include "memory_limit.h"

#include <fmt/format.h>
#include <unistd.h>

#include "failure.h"

namespace retrygarden::cli {

namespace {

std::string mebibytes(std::uint64_t bytes) {
  return fmt::format("{} MiB", (bytes + (1U << 20) - 1) >> 20);
}

}  // namespace

std::uint64_t default_memory_limit() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  return pages * page_bytes / 5 * 4;
}

void require_memory(std::uint64_t needed, std::uint64_t limit, std::string_view what) {
  if (needed > limit) {
    throw Failure(ExitCode::kOverMemoryLimit,
                  fmt::format("{} would need about {} of memory; the limit is {} (--memory-limit)",
                              what, mebibytes(needed), mebibytes(limit)));
  }
}

}  // namespace retrygarden::cli
