#include "retrygarden/event_loop.h"

#include <algorithm>

#include "loop.h"

namespace retrygarden {

namespace {

// The delay table, or each client's previous delay.
std::uint64_t delay_bytes(const Plan& plan) {
  const auto* table = std::get_if<DelayTable>(&plan.delay);
  return table != nullptr ? table->memory_bytes() : sizeof(std::uint32_t) * plan.clients;
}

}  // namespace

Summary run(const Plan& plan, const Observers& observers) {
  SeededDraws draws(plan.seed);
  return run_with(plan, observers, draws);
}

std::uint64_t run_memory_bytes(const Plan& plan) {
  // A tick's bucket may hold all clients, while those of earlier attempts still wait.
  const std::uint64_t per_client = DueAttempts::kBytesPerAttempt + sizeof(DueAttempt);
  const std::uint64_t wait_times =
      plan.horizon <= WaitTimes::kTableTicks ? 0 : std::uint64_t{sizeof(std::uint32_t)};
  return plan.clients * (per_client + wait_times) + DueAttempts::kSlackBytes +
         ServerMemory::bytes(plan) + delay_bytes(plan) + plan.down.size() * sizeof(DownWindow) +
         WaitTimes::kTableTicks * sizeof(std::uint32_t);
}

}  // namespace retrygarden
