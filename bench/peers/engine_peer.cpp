// This engine, one thread, without observers; and, as `engine_peer copy`, the bandwidth of memory.
#include <cstring>
#include <memory>
#include <string_view>

#include "lost_responses.h"
#include "peer.h"
#include "retrygarden/event_loop.h"

namespace retrygarden::bench {
namespace {

Totals simulate(std::uint32_t clients, int policy) {
  const Summary summary =
      run(make_plan(lost_responses(clients, kHorizon), static_cast<std::size_t>(policy)));
  return {summary.attempts, summary.effects, summary.duplicate_effects, summary.acknowledged,
          summary.exhausted};
}

// Bytes read and written in a second by a copy that no cache holds.
void measure_copy() {
  constexpr std::size_t kBytes = std::size_t{1} << 30;
  const auto from = std::make_unique<std::byte[]>(kBytes);
  const auto to = std::make_unique<std::byte[]>(kBytes);
  std::memset(from.get(), 1, kBytes);
  std::memset(to.get(), 2, kBytes);
  const auto begin = std::chrono::steady_clock::now();
  std::memcpy(to.get(), from.get(), kBytes);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  fmt::print(R"({{"bytes_per_second": {}, "last": {}}})"
             "\n",
             2 * static_cast<double>(kBytes) / time.count(), static_cast<int>(to[kBytes - 1]));
}

}  // namespace
}  // namespace retrygarden::bench

int main(int argc, char** argv) {
  using namespace retrygarden::bench;
  if (argc == 2 && std::string_view(argv[1]) == "copy") {
    measure_copy();
    return EXIT_SUCCESS;
  }
  return participate(argc, argv, simulate);
}
