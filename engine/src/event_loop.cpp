#include "retrygarden/event_loop.h"

#include <algorithm>

#include "loop.h"

namespace retrygarden {

namespace {

// The delay table, or each client's previous delay.
std::uint64_t delay_bytes(const Plan& plan, ClientSpan clients) {
  const auto* table = std::get_if<DelayTable>(&plan.delay);
  return table != nullptr ? table->memory_bytes()
                          : sizeof(std::uint32_t) * std::uint64_t{clients.size()};
}

// A ring that grows is held twice while it is moved, at twice the size it had.
constexpr std::uint64_t kGrowth = 3;

// What is held where a tick has phases: for each client its attempt ahead and, in turn, in the
// lists of a tick; what the server knows of it, the attempt that it waits on, and its place among
// those that can time out; requests in the queue and in service, of which a client may have
// several.
template <bool kRecords>
std::uint64_t phases_bytes(const Plan& plan, const Workers& workers) {
  using Phased = PhasedTicks<SeededDraws, kRecords>;
  const ClientSpan clients = Team(workers.peers).clients_of_mine(plan, Phased::shard_unit(plan));
  using Ahead = TimingWheel<DueAttempt>;
  constexpr std::uint64_t kRequest = sizeof(Request<kRecords>);
  constexpr std::uint64_t kFailure = kRequest + sizeof(std::uint32_t);
  constexpr std::uint64_t kWord = sizeof(std::pair<std::uint32_t, Request<kRecords>>);
  const bool has_words = plan.server.tie_break == TieBreak::kRandom;
  const std::uint64_t per_client =
      Ahead::bytes_per_item(plan.horizon) + 2 * sizeof(DueAttempt) + sizeof(std::uint32_t) +
      kGrowth * kRequest + 2 * (kRequest + kFailure) + kFailure + sizeof(Outcome) +
      (has_words ? 2 * kWord : 0) + (kRecords ? 2 * sizeof(ClientEnd) : 0);
  const std::uint64_t most_attempts =
      std::uint64_t{clients.size()} * std::min(plan.attempts, plan.horizon);
  const std::uint64_t most_starts = std::uint64_t{plan.server.capacity} *
                                    (plan.server.service_ticks / plan.server.capacity_window + 2);
  const std::uint64_t in_service =
      std::min({most_attempts, most_starts,
                std::uint64_t{plan.server.concurrency.value_or(~0U)} + clients.size()});
  const std::uint64_t queued = std::min<std::uint64_t>(most_attempts, plan.server.queue);
  const Hosts hosts(plan, clients);
  return per_client * clients.size() + ServerMemory::bytes(plan, clients.size()) +
         kGrowth * kFailure * in_service + kGrowth * kRequest * queued +
         RetryBudgets::bytes(plan, hosts) + CircuitBreakers::bytes(plan, hosts) +
         Phased::shard_count(plan, clients.size(), workers) *
             (Ahead::slack_bytes(plan.horizon) + WaitTimes::kTableTicks * sizeof(std::uint32_t));
}

}  // namespace

Summary run(const Plan& plan, const Observers& observers, const Workers& workers) {
  if (workers.peers != nullptr) {
    RETRYGARDEN_CHECK(plan.can_be_shared());
  }
  SeededDraws draws(plan.seed);
  return run_with(plan, observers, draws, workers);
}

std::uint64_t run_memory_bytes(const Plan& plan, const Workers& workers) {
  using Short = ShortTicks<SeededDraws, false>;
  const ClientSpan clients = Team(workers.peers).clients_of_mine(plan);
  const std::uint64_t long_waits = plan.horizon <= WaitTimes::kTableTicks
                                       ? 0
                                       : sizeof(std::uint32_t) * std::uint64_t{plan.clients};
  const std::uint64_t ticks =
      plan.needs_phases()
          ? phases_bytes<false>(plan, workers)
          : Shard<SeededDraws, false>::bytes(plan, clients.begin, clients.end,
                                             Short::shard_count(clients.size(), workers));
  return ticks + long_waits + delay_bytes(plan, clients) +
         plan.outages.size() * sizeof(OutageWindow);
}

std::uint64_t records_memory_bytes(const Plan& plan, const Workers& workers,
                                   std::uint64_t attempts) {
  constexpr std::uint64_t kEntryBytes = kGrowth * (sizeof(Attempt) + 8);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 56;  // so that sums do not overflow
  if (!plan.needs_phases()) {
    const std::uint64_t clients = Team(workers.peers).clients_of_mine(plan).size();
    const std::uint64_t shards = ShortTicks<SeededDraws, true>::shard_count(clients, workers);
    const std::uint64_t at_once = std::min<std::uint64_t>(workers.threads, shards);
    const std::uint64_t clients_of_shard =
        shards == 0 ? 0 : (clients + shards - 1) / shards;  // some processes have no clients
    return RecordedTick::kBytesPerClient * at_once * clients_of_shard;
  }
  const std::uint64_t records = std::min(attempts, plan.most_attempts());
  const std::uint64_t larger_requests =
      phases_bytes<true>(plan, workers) - phases_bytes<false>(plan, workers);
  return records > kMost / kEntryBytes ? kMost : kEntryBytes * records + larger_requests;
}

}  // namespace retrygarden
