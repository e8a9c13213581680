// PhasedTicks: a run whose ticks go through all five phases (docs/model.md, section 4).
//
// Shards of clients, whole hosts each, are taken at the same time, also by several processes. What
// they share is the server, and of that only counts: which requests start, and which places in its
// queue they get, follows from how many requests of each shard reach it. Every process keeps the
// same counts; they tell each other, once a tick, when and how many attempts are due next, and
// once more how many of them reach the server where that is not all of them.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "client_span.h"
#include "gathered_records.h"
#include "phased_shard.h"
#include "request_server.h"
#include "retrygarden/workers.h"
#include "run_totals.h"
#include "short_ticks.h"
#include "team.h"
#include "threads.h"
#include "waiting_requests.h"

namespace retrygarden {

template <class Draws, bool kRecords>
class PhasedTicks {
 public:
  PhasedTicks(const Plan& plan, const Observers& observers, Draws& draws, const Workers& workers)
      : plan_(plan),
        observers_(observers),
        threads_(workers.threads),
        team_(workers.peers),
        messages_(team_.count()),
        reaching_(team_.count()),
        server_(plan),
        waiting_by_rank_(plan.server.discipline),
        waiting_by_shard_(plan.server.discipline),
        crashes_(plan.crashes),
        key_losses_(plan.key_losses),
        totals_(plan),
        clients_(team_.clients_of_mine(plan, shard_unit(plan))),
        shards_(shard_count(plan, clients_.size(), workers)),
        shares_(shards_.size()),
        records_(observers, team_) {
    threads_.for_each(0, shards_.size(), [&](std::size_t i) {
      shards_[i] = std::make_unique<PhasedShard<Draws, kRecords>>(
          plan, draws, clients_.part(i, shards_.size(), shard_unit(plan)));
    });
    for (const auto& shard : shards_) {
      records_.add(shard->records());
    }
  }

  Summary run() {
    tell();
    for (now_ = next_tick(); now_ < plan_.horizon; now_ = next_tick()) {
      take();
      tell();
      add_load();
    }
    if constexpr (kRecords) {
      records_.send(kNever);
      records_.show_ready([](std::uint32_t /*rank*/) { return kNever; });
    }
    return team_.summary(totals_, shards_);
  }

  // Clients that stay together: those that share something beside the server.
  static std::uint32_t shard_unit(const Plan& plan) {
    return plan.budget || plan.breaker ? plan.clients_per_host : 1;
  }

  // Of so many clients: two for each thread, so that all have something to do. More would only
  // spread the attempts of a tick over more memory. Where ties are broken by random words, one
  // shard takes them all.
  static std::size_t shard_count(const Plan& plan, std::uint64_t clients, const Workers& workers) {
    const std::uint64_t units = (clients + shard_unit(plan) - 1) / shard_unit(plan);
    const bool is_one = workers.threads == 1 || plan.server.tie_break == TieBreak::kRandom;
    return static_cast<std::size_t>(
        std::min<std::uint64_t>({units, is_one ? 1 : 2 * std::uint64_t{workers.threads},
                                 ShortTicks<Draws, kRecords>::shard_count(clients, workers)}));
  }

 private:
  // Less to do in a tick is not worth waking a thread.
  static constexpr std::size_t kMuchWork = 1 << 14;

  // What processes tell each other before each tick.
  struct Message {
    Tick tick = kNever;          // when attempts are due or time out next
    Tick records_open = 0;       // records to come are of this tick or later
    std::uint64_t attempts = 0;  // due in it
    TickLoad load;               // of the tick before
  };

  // What phase 2 takes out of the queue of requests that came in one tick.
  struct Serving {
    bool is_dropped = false;
    std::vector<std::uint32_t> of_shard;
  };

  // A shard's part in a tick.
  struct Share {
    std::uint64_t reaching = 0;  // requests that reach the server
    Reception reception;
  };

  void tell() {
    Message mine{.records_open = records_open_, .load = load_};
    for (const auto& shard : shards_) {
      mine.tick = std::min(mine.tick, shard->next_tick());
    }
    for (const auto& shard : shards_) {
      mine.attempts += shard->due(mine.tick);
    }
    team_.all_gather(mine, messages_);
  }

  // The next tick in which anything can happen.
  Tick next_tick() const {
    Tick next = std::min(
        {server_.next_event(waiting_by_rank_.size() > 0), crashes_.next(), key_losses_.next()});
    for (const Message& message : messages_) {
      next = std::min(next, message.tick);
    }
    return next;
  }

  // Adds what became of the tick, and shows it.
  void add_load() {
    TickLoad sum{.tick = now_, .queued = waiting_by_rank_.size()};
    for (const Message& message : messages_) {
      add(sum, message.load);
    }
    totals_.add(sum, team_.is_first() ? observers_ : kNobody);
    if constexpr (kRecords) {
      records_.show_ready([this](std::uint32_t rank) { return messages_[rank].records_open; });
    }
  }

  void take() {
    server_.begin_tick(now_);
    const bool crashes = crashes_.take(now_);
    const bool loses_keys = key_losses_.take(now_);
    if (crashes) {
      server_.crash();
      waiting_by_rank_.clear();
      waiting_by_shard_.clear();
    }
    serve();
    for_each_shard([&](std::size_t i) {
      PhasedShard<Draws, kRecords>& shard = *shards_[i];
      shard.begin_tick(now_, crashes, loses_keys);
      serve(shard, i);
      shares_[i].reaching = shard.send();
    });
    receive();
    for_each_shard([&](std::size_t i) { shards_[i]->finish_tick(shares_[i].reception); });
    load_ = {};
    for (const auto& shard : shards_) {
      add(load_, shard->load());
    }
    if constexpr (kRecords) {
      for (const auto& shard : shards_) {
        shard->take_ends([this](const ClientEnd& end) { records_.end(end); });
      }
      records_open_ = records_.send(now_ + 1);
    }
  }

  // Phase 2, as counts.
  void serve() {
    servings_ = 0;
    while (waiting_by_rank_.size() > 0 && server_.can_start() > 0) {
      if (plan_.server.drop_abandoned && is_abandoned(waiting_by_rank_.next_tick())) {
        take_waiting(true, waiting_by_rank_.next_size());
      } else {
        const auto starts = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(server_.can_start(), waiting_by_rank_.next_size()));
        take_waiting(false, starts);
        server_.start(starts);
      }
    }
  }

  // Whether the clients of what came in that tick have given up on it: of a request that still
  // waits, a client learns nothing, so they all do when their time is over.
  bool is_abandoned(Tick came) const { return now_ - came > plan_.timeout; }

  void take_waiting(bool is_dropped, std::uint64_t requests) {
    if (servings_ == serving_.size()) {
      serving_.emplace_back();
      serving_.back().of_shard.resize(shards_.size());
    }
    Serving& serving = serving_[servings_++];
    serving.is_dropped = is_dropped;
    of_rank_.resize(team_.count());
    waiting_by_rank_.take(requests, of_rank_);
    waiting_by_shard_.take(of_rank_[team_.rank()], serving.of_shard);
  }

  // The same in a shard.
  void serve(PhasedShard<Draws, kRecords>& shard, std::size_t index) const {
    for (const Serving& serving : std::span(serving_).first(servings_)) {
      if (serving.is_dropped) {
        shard.drop_waiting(serving.of_shard[index]);
      } else {
        shard.start_waiting(serving.of_shard[index]);
      }
    }
  }

  // Phase 3 at the server: the first requests that reach it start, the next ones wait.
  void receive() {
    count_reaching();
    const std::uint32_t starts = server_.can_start();
    const std::uint64_t places =
        server_.is_refusing() ? 0 : plan_.server.queue - waiting_by_rank_.size();
    std::uint64_t before = 0;
    of_rank_.clear();
    for (std::uint32_t rank = 0; rank < team_.count(); ++rank) {
      if (rank == team_.rank()) {
        receive_mine(before, starts, places);
      }
      of_rank_.push_back(reception(before, reaching_[rank], starts, places).queued);
      before += reaching_[rank];
    }
    waiting_by_rank_.add(now_, of_rank_);
    server_.start(reception(0, before, starts, places).starts);
  }

  void receive_mine(std::uint64_t before, std::uint64_t starts, std::uint64_t places) {
    std::vector<std::uint32_t>& queued = of_shard_;
    queued.clear();
    for (Share& share : shares_) {
      share.reception = reception(before, share.reaching, starts, places);
      queued.push_back(share.reception.queued);
      before += share.reaching;
    }
    waiting_by_shard_.add(now_, queued);
  }

  // What becomes of so many requests, which come after so many others.
  Reception reception(std::uint64_t before, std::uint64_t requests, std::uint64_t starts,
                      std::uint64_t places) const {
    const auto among_first = [&](std::uint64_t first) {
      return static_cast<std::uint32_t>(std::min(requests, first - std::min(first, before)));
    };
    const std::uint32_t started = among_first(starts);
    return {started, among_first(starts + places) - started, rest()};
  }

  // What becomes of requests that neither start nor wait.
  Outcome rest() const {
    if (server_.is_refusing()) {
      return Outcome::kUnavailable;
    }
    return server_.is_hanging() ? Outcome::kRequestLost : Outcome::kOverloaded;
  }

  // How many requests of each process reach the server.
  void count_reaching() {
    if (PhasedShard<Draws, kRecords>::may_not_reach_server(plan_)) {
      std::uint64_t mine = 0;
      for (const Share& share : shares_) {
        mine += share.reaching;
      }
      team_.all_gather(mine, reaching_);
    } else {
      for (std::uint32_t rank = 0; rank < team_.count(); ++rank) {
        reaching_[rank] = messages_[rank].tick == now_ ? messages_[rank].attempts : 0;
      }
    }
  }

  template <class Each>
  void for_each_shard(Each each) {
    std::size_t work = 0;
    for (const auto& shard : shards_) {
      work += shard->work(now_);
    }
    if (work >= kMuchWork) {
      threads_.for_each(0, shards_.size(), each);
    } else {
      for (std::size_t i = 0; i < shards_.size(); ++i) {
        each(i);
      }
    }
  }

  inline static const Observers kNobody;

  const Plan& plan_;
  const Observers& observers_;
  Threads threads_;
  Team team_;
  std::vector<Message> messages_;        // by rank
  std::vector<std::uint64_t> reaching_;  // by rank: requests of this tick that reach the server
  RequestServer server_;
  WaitingRequests waiting_by_rank_;
  WaitingRequests waiting_by_shard_;  // of this process
  ComingTicks crashes_;
  ComingTicks key_losses_;
  RunTotals totals_;
  ClientSpan clients_;  // of this process
  std::vector<std::unique_ptr<PhasedShard<Draws, kRecords>>> shards_;
  std::vector<Share> shares_;  // by shard
  GatheredRecords records_;
  Tick now_ = 0;
  TickLoad load_;          // of this process in the tick
  Tick records_open_ = 0;  // its records to come are of this tick or later
  std::vector<Serving> serving_;
  std::size_t servings_ = 0;  // of this tick, at the begin of serving_
  std::vector<std::uint32_t> of_rank_;
  std::vector<std::uint32_t> of_shard_;
};

}  // namespace retrygarden
