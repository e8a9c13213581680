// What several processes do together, before a run: if one of them fails, all do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "failure.h"
#include "retrygarden/peers.h"

namespace retrygarden::cli {

// A failure that all processes know of; its message is empty in those that need not show it.
class SharedFailure : public Failure {
 public:
  using Failure::Failure;
};

// What each process makes of act(). peers: null where there is but one. Throws Failure.
template <class Act>
auto together(Peers* peers, Act act) -> decltype(act()) {
  if (peers == nullptr) {
    return act();
  }
  std::optional<decltype(act())> result;
  auto exit_code = ExitCode::kDone;
  std::string message;
  try {
    result = act();
  } catch (const Failure& failure) {
    exit_code = failure.exit_code();
    message = failure.what();
  }
  std::vector<ExitCode> exit_codes(peers->count());
  peers->all_gather(exit_code, exit_codes);
  for (std::uint32_t rank = 0; rank < peers->count(); ++rank) {
    if (exit_codes[rank] != ExitCode::kDone) {
      throw SharedFailure(exit_codes[rank], rank == peers->rank() ? message : std::string());
    }
  }
  return *std::move(result);
}

}  // namespace retrygarden::cli
