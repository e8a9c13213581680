// Workers: what a run is spread over. No result depends on it.
#pragma once

#include <cstdint>

namespace retrygarden {

struct Workers {
  // Of this process, at least 1. A run whose attempts depend on one another by more than the
  // capacity of their tick (Plan::needs_phases()) takes one.
  unsigned threads = 1;

  // Clients whose attempts one thread takes together; more if there were too many such shards.
  // At least 1.
  std::uint32_t clients_per_shard = 1U << 18;
};

}  // namespace retrygarden
