// ShortTicks: a run whose attempts are decided in their tick, and share nothing but its capacity
// (docs/model.md, end of section 4). Shards of clients are taken at the same time; the capacity of
// a tick goes to the first of them first, so that ascending client numbers decide; likewise to the
// first of several processes. Processes exchange one message a tick, and none for ticks in which
// nobody has anything due.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "request_server.h"
#include "retrygarden/workers.h"
#include "run_totals.h"
#include "shard.h"
#include "team.h"
#include "threads.h"

namespace retrygarden {

template <class Draws, bool kRecords>
class ShortTicks {
 public:
  ShortTicks(const Plan& plan, const Observers& observers, Draws& draws, const Workers& workers)
      : observers_(observers),
        threads_(workers.threads),
        records_(threads_.count()),
        team_(workers.peers),
        messages_(team_.count()),
        server_(plan),
        totals_(plan),
        capacity_(plan.server.capacity) {
    const ClientSpan mine = team_.clients_of_mine(plan);
    shards_.resize(shard_count(mine.end - mine.begin, workers));
    threads_.for_each(0, shards_.size(), [&](std::size_t i) {
      const ClientSpan clients = mine.part(i, shards_.size());
      shards_[i] =
          std::make_unique<Shard<Draws, kRecords>>(plan, draws, clients.begin, clients.end);
    });
  }

  Summary run() {
    TickLoad load;
    for (;;) {
      const Turn turn = next_turn(load);
      if (turn.tick == kNever) {
        return team_.summary(totals_, shards_);
      }
      load = take(turn);
    }
  }

  static std::size_t shard_count(std::uint64_t clients, const Workers& workers) {
    const std::uint64_t shards =
        clients / workers.clients_per_shard + (clients % workers.clients_per_shard > 0 ? 1 : 0);
    return static_cast<std::size_t>(std::min<std::uint64_t>(kMostShards, shards));
  }

 private:
  // So that what shards hold beyond their clients stays small.
  static constexpr std::uint64_t kMostShards = 256;

  // Fewer attempts of a tick are not worth waking a thread.
  static constexpr std::uint64_t kManyAttempts = 1 << 14;

  // What processes tell each other before each tick: when their next attempts are due, and how
  // many; and what became of those of the tick before.
  struct Message {
    Tick tick = kNever;
    std::uint64_t attempts = 0;
    TickLoad load;
  };

  // A tick, and the attempts due in it of lower clients than those of this process.
  struct Turn {
    Tick tick = kNever;
    std::uint64_t attempts_before = 0;
  };

  struct Share {
    Shard<Draws, kRecords>* shard;
    std::size_t accepted;
  };

  // Agrees on the next tick, and shows the load of the one before.
  Turn next_turn(const TickLoad& load) {
    Message mine{.load = load};
    for (const auto& shard : shards_) {
      if (shard->next_tick() < mine.tick) {
        mine.tick = shard->next_tick();
        mine.attempts = 0;
      }
      mine.attempts += shard->next_tick() == mine.tick ? shard->due() : 0;
    }
    team_.all_gather(mine, messages_);
    Turn turn;
    TickLoad sum;
    for (const Message& message : messages_) {
      turn.tick = std::min(turn.tick, message.tick);
      if (message.load.attempts > 0) {
        sum.tick = message.load.tick;
        add(sum, message.load);
      }
    }
    for (std::uint32_t rank = 0; rank < team_.rank(); ++rank) {
      turn.attempts_before += messages_[rank].tick == turn.tick ? messages_[rank].attempts : 0;
    }
    totals_.add(sum, team_.is_first() ? observers_ : kNobody);
    return turn;
  }

  // Takes this process's attempts of the tick.
  TickLoad take(const Turn& turn) {
    server_.begin_tick(turn.tick);
    const bool refuses = server_.is_refusing();
    const Outcome refusal = refuses ? Outcome::kUnavailable : Outcome::kOverloaded;
    const std::uint64_t capacity =
        refuses ? 0 : capacity_ - std::min<std::uint64_t>(capacity_, turn.attempts_before);
    const std::uint64_t attempts = share_capacity(turn.tick, capacity);
    RETRYGARDEN_PROBE(kCapacityZero, !refuses && capacity_ == 0);
    RETRYGARDEN_PROBE(kCapacityReachedExactly, !refuses && attempts == capacity_);
    TickLoad load{.tick = turn.tick};
    // Where attempts are recorded, only as many shards at a time as there are threads.
    const std::size_t at_once =
        kRecords ? records_.size() : std::max<std::size_t>(1, shares_.size());
    for (std::size_t begin = 0; begin < shares_.size(); begin += at_once) {
      const std::size_t end = std::min(begin + at_once, shares_.size());
      const auto take_share = [&](std::size_t i) {
        shares_[i].shard->take(shares_[i].accepted, refusal, records_[kRecords ? i - begin : 0]);
      };
      if (attempts >= kManyAttempts) {
        threads_.for_each(begin, end, take_share);
      } else {
        for (std::size_t i = begin; i < end; ++i) {
          take_share(i);
        }
      }
      for (std::size_t i = begin; i < end; ++i) {
        add(load, shares_[i].shard->load());
        if constexpr (kRecords) {
          keep_or_show(records_[i - begin].finished);
        }
      }
    }
    if constexpr (kRecords) {
      show_of_all();
    }
    return load;
  }

  // Finds the shards that have attempts due in the tick, gives the capacity to the first of them
  // first, and returns how many attempts there are.
  std::uint64_t share_capacity(Tick tick, std::uint64_t capacity) {
    std::uint64_t attempts = 0;
    shares_.clear();
    for (const auto& shard : shards_) {
      if (shard->next_tick() == tick) {
        const auto accepted =
            static_cast<std::size_t>(std::min<std::uint64_t>(shard->due(), capacity));
        shares_.push_back({shard.get(), accepted});
        capacity -= accepted;
        attempts += shard->due();
      }
    }
    return attempts;
  }

  // The first process shows its own attempts as they come, and then those of the others.
  void keep_or_show(std::span<const FinishedAttempt> attempts) {
    if (team_.is_first()) {
      show(attempts);
    } else {
      kept_.insert(kept_.end(), attempts.begin(), attempts.end());
    }
  }

  void show_of_all() {
    team_.gather_at_first(std::span<const FinishedAttempt>(kept_),
                          [this](std::span<const FinishedAttempt> attempts) { show(attempts); });
    kept_.clear();
  }

  void show(std::span<const FinishedAttempt> attempts) {
    for (const FinishedAttempt& attempt : attempts) {
      if (attempt.end && observers_.client_end) {
        observers_.client_end({attempt.record.client, *attempt.end, attempt.record.tick});
      }
      if (observers_.attempt) {
        observers_.attempt(attempt.record);
      }
    }
  }

  inline static const Observers kNobody;

  const Observers& observers_;
  Threads threads_;
  std::vector<RecordedTick> records_;  // of as many shards as are taken at once
  Team team_;
  std::vector<Message> messages_;  // by rank
  RequestServer server_;
  RunTotals totals_;
  std::uint32_t capacity_;
  std::vector<std::unique_ptr<Shard<Draws, kRecords>>> shards_;
  std::vector<Share> shares_;
  std::vector<FinishedAttempt> kept_;  // of this tick, for the first process
};

}  // namespace retrygarden
