// Workers: what a run is spread over. No result depends on it.
#pragma once

#include <cstdint>

#include "retrygarden/peers.h"

namespace retrygarden {

struct Workers {
  // Of this process, at least 1.
  unsigned threads = 1;

  // Clients whose attempts one thread takes together; more if there were too many such shards,
  // and where a few are faster.
  // At least 1.
  std::uint32_t clients_per_shard = 1U << 18;

  // Other processes that take part, null if there are none. Then only the first process shows
  // anything to observers, and the plan must be one that can be shared (Plan::can_be_shared()).
  Peers* peers = nullptr;

  // Whether this process shows what the run yields.
  bool shows() const { return peers == nullptr || peers->is_first(); }
};

}  // namespace retrygarden
