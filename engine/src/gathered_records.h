// GatheredRecords: the records of all shards of all processes, put into one order at the first
// process, which shows them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "attempt_records.h"
#include "fifo.h"
#include "record_merge.h"
#include "retrygarden/event_loop.h"
#include "team.h"

namespace retrygarden {

class GatheredRecords {
 public:
  GatheredRecords(const Observers& observers, Team& team)
      : observers_(observers), team_(team), by_rank_(team.count()) {}

  // A shard of this process, above those added before.
  void add(AttemptRecords& records) { by_shard_.push_back({&records, 0}); }

  void end(const ClientEnd& end) {
    if (team_.count() > 1) {
      ends_.push_back(end);
    } else if (observers_.client_end) {
      observers_.client_end(end);
    }
  }

  // Gives the first process what is finished. Later records are not before the tick; kNever: the
  // run has ended. Returns the tick of the first record that may come later, for show() there.
  Tick send(Tick later) {
    for (ShardRecords& shard : by_shard_) {
      shard.later = later;
    }
    if (team_.count() == 1) {
      return later;
    }
    team_.gather_at_first(std::span<const ClientEnd>(ends_), [this](auto ends) {
      if (observers_.client_end) {
        std::for_each(ends.begin(), ends.end(), observers_.client_end);
      }
    });
    ends_.clear();
    const Tick open =
        show_in_order(by_shard_, [this](const Attempt& record) { ready_.push_back(record); });
    std::size_t rank = 0;
    team_.gather_at_first(std::span<const Attempt>(ready_), [&](auto records) {
      for (const Attempt& record : records) {
        by_rank_[rank].records.push_back(record);
      }
      ++rank;
    });
    ready_.clear();
    return open;
  }

  // Shows what nothing can come before, at the first process. open: of each, what send() returned.
  template <class Open>
  void show_ready(Open open) {
    if (team_.count() == 1) {
      show_in_order(by_shard_, [this](const Attempt& record) { show(record); });
    } else if (team_.is_first()) {
      for (std::uint32_t rank = 0; rank < team_.count(); ++rank) {
        by_rank_[rank].open = open(rank);
      }
      show_in_order(by_rank_, [this](const Attempt& record) { show(record); });
    }
  }

 private:
  struct ShardRecords {
    AttemptRecords* records;
    Tick later;

    Tick next_tick() const { return records->first_tick().value_or(later); }
    bool is_ready() const { return records->is_first_finished(later == kNever); }
    Attempt take() const { return records->take_first(); }
  };

  struct RankRecords {
    Fifo<Attempt> records;
    Tick open = 0;

    Tick next_tick() const { return records.empty() ? open : records.front().tick; }
    bool is_ready() const { return !records.empty(); }
    Attempt take() { return records.take_front(); }
  };

  void show(const Attempt& record) {
    if (observers_.attempt) {
      observers_.attempt(record);
    }
  }

  const Observers& observers_;
  Team& team_;
  std::vector<ShardRecords> by_shard_;
  std::vector<RankRecords> by_rank_;
  std::vector<Attempt> ready_;
  std::vector<ClientEnd> ends_;
};

}  // namespace retrygarden
