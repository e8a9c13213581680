// ShortTicks: a run whose attempts are decided in their tick, and share nothing but its capacity
// (docs/model.md, end of section 4). Shards of clients are taken at the same time; the capacity of
// a tick goes to the first of them first, so that ascending client numbers decide.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "request_server.h"
#include "retrygarden/workers.h"
#include "run_totals.h"
#include "shard.h"
#include "threads.h"

namespace retrygarden {

template <class Draws, bool kRecords>
class ShortTicks {
 public:
  ShortTicks(const Plan& plan, const Observers& observers, Draws& draws, const Workers& workers)
      : observers_(observers),
        threads_(workers.threads),
        server_(plan),
        totals_(plan),
        capacity_(plan.server.capacity) {
    shards_.resize(shard_count(plan, workers));
    threads_.for_each(0, shards_.size(), [&](std::size_t i) {
      const auto begin_of = [&](std::size_t shard) {
        return static_cast<Client>(std::uint64_t{plan.clients} * shard / shards_.size());
      };
      shards_[i] =
          std::make_unique<Shard<Draws, kRecords>>(plan, draws, begin_of(i), begin_of(i + 1));
    });
  }

  Summary run() {
    for (Tick tick = next_tick(); tick != kNever; tick = next_tick()) {
      take(tick);
    }
    WaitTimes wait_times;
    for (const auto& shard : shards_) {
      totals_.add(shard->counts());
      wait_times.merge(shard->wait_times());
    }
    return totals_.summary(wait_times);
  }

  static std::uint64_t shard_count(const Plan& plan, const Workers& workers) {
    return std::min<std::uint64_t>(kMostShards, (plan.clients - 1) / workers.clients_per_shard + 1);
  }

 private:
  // So that what shards hold beyond their clients stays small.
  static constexpr std::uint64_t kMostShards = 256;

  // Fewer attempts of a tick are not worth waking a thread.
  static constexpr std::uint64_t kManyAttempts = 1 << 14;

  struct Share {
    Shard<Draws, kRecords>* shard;
    std::uint64_t accepted;
  };

  Tick next_tick() const {
    Tick tick = kNever;
    for (const auto& shard : shards_) {
      tick = std::min(tick, shard->next_tick());
    }
    return tick;
  }

  void take(Tick tick) {
    server_.begin_tick(tick);
    const bool refuses = server_.is_refusing();
    const Outcome refusal = refuses ? Outcome::kUnavailable : Outcome::kOverloaded;
    const std::uint64_t attempts = share_capacity(tick, refuses ? 0 : capacity_);
    RETRYGARDEN_PROBE(kCapacityZero, !refuses && capacity_ == 0);
    RETRYGARDEN_PROBE(kCapacityReachedExactly, !refuses && attempts == capacity_);
    const auto take_share = [&](std::size_t i) {
      shares_[i].shard->take(shares_[i].accepted, refusal);
    };
    TickLoad load{.tick = tick};
    // Where attempts are recorded, only as many shards at a time as there are threads.
    const std::size_t at_once = kRecords ? threads_.count() : shares_.size();
    for (std::size_t begin = 0; begin < shares_.size(); begin += at_once) {
      const std::size_t end = std::min(begin + at_once, shares_.size());
      if (attempts >= kManyAttempts) {
        threads_.for_each(begin, end, take_share);
      } else {
        for (std::size_t i = begin; i < end; ++i) {
          take_share(i);
        }
      }
      for (std::size_t i = begin; i < end; ++i) {
        add(load, shares_[i].shard->load());
        show(shares_[i].shard->finished());
      }
    }
    totals_.add(load, observers_);
  }

  // Finds the shards that have attempts due in the tick, gives the capacity to the first of them
  // first, and returns how many attempts there are.
  std::uint64_t share_capacity(Tick tick, std::uint64_t capacity) {
    std::uint64_t attempts = 0;
    shares_.clear();
    for (const auto& shard : shards_) {
      if (shard->next_tick() == tick) {
        const std::uint64_t accepted = std::min(shard->due(), capacity);
        shares_.push_back({shard.get(), accepted});
        capacity -= accepted;
        attempts += shard->due();
      }
    }
    return attempts;
  }

  static void add(TickLoad& load, const TickLoad& more) {
    load.attempts += more.attempts;
    load.accepted += more.accepted;
    load.overloaded += more.overloaded;
    load.unavailable += more.unavailable;
    load.started += more.started;
    load.effects += more.effects;
    load.acknowledged += more.acknowledged;
  }

  void show(const std::vector<FinishedAttempt>& attempts) {
    for (const FinishedAttempt& attempt : attempts) {
      if (attempt.end && observers_.client_end) {
        observers_.client_end({attempt.record.client, *attempt.end, attempt.record.tick});
      }
      if (observers_.attempt) {
        observers_.attempt(attempt.record);
      }
    }
  }

  const Observers& observers_;
  Threads threads_;
  RequestServer<DueAttempt> server_;
  RunTotals totals_;
  std::uint32_t capacity_;
  std::vector<std::unique_ptr<Shard<Draws, kRecords>>> shards_;
  std::vector<Share> shares_;
};

}  // namespace retrygarden
