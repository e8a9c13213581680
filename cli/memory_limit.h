// Refusing work that would need more memory than allowed, before it starts.
#pragma once

#include <cstdint>
#include <string_view>

namespace retrygarden::cli {

// 80 % of the memory of the machine or the container, in bytes.
std::uint64_t default_memory_limit();

// Throws Failure (over the memory limit) if needed exceeds limit; both in bytes.
void require_memory(std::uint64_t needed, std::uint64_t limit, std::string_view what);

}  // namespace retrygarden::cli
