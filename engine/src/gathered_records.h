// GatheredRecords: the records of all shards of all processes, put into one order at the first
// process, which shows them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "attempt_records.h"
#include "record_merge.h"
#include "retrygarden/event_loop.h"
#include "team.h"

namespace retrygarden {

class GatheredRecords {
 public:
  GatheredRecords(const Observers& observers, Team& team, std::size_t shards)
      : observers_(observers), team_(team), by_shard_(shards), by_rank_(team.count()) {}

  // Takes the finished records of a shard and the ends of its clients. Later records are not before
  // the tick.
  void take(std::size_t shard, AttemptRecords& records, std::vector<ClientEnd>& ends, Tick later) {
    records.show_finished([&](const Attempt& record) { by_shard_.add(shard, record); });
    by_shard_.has_all_before(shard, records.first_tick().value_or(later));
    ends_.insert(ends_.end(), ends.begin(), ends.end());
    ends.clear();
  }

  // Takes all records of a shard: the run has ended.
  void take_rest(std::size_t shard, AttemptRecords& records) {
    records.show_all([&](const Attempt& record) { by_shard_.add(shard, record); });
    by_shard_.has_all_before(shard, kNever);
  }

  // Gives the first process what was taken. Returns the tick of the first record that may come
  // later, for show() there.
  Tick send() {
    const Tick open = by_shard_.show([this](const Attempt& record) { ready_.push_back(record); });
    team_.gather_at_first(std::span<const ClientEnd>(ends_), [this](auto ends) {
      if (observers_.client_end) {
        std::for_each(ends.begin(), ends.end(), observers_.client_end);
      }
    });
    std::size_t rank = 0;
    team_.gather_at_first(std::span<const Attempt>(ready_), [&](auto records) {
      for (const Attempt& record : records) {
        by_rank_.add(rank, record);
      }
      ++rank;
    });
    ends_.clear();
    ready_.clear();
    return open;
  }

  // Shows what nothing can come before, at the first process. open: of each, what send() returned.
  template <class Open>
  void show(Open open) {
    if (!team_.is_first()) {
      return;
    }
    for (std::uint32_t rank = 0; rank < team_.count(); ++rank) {
      by_rank_.has_all_before(rank, open(rank));
    }
    by_rank_.show([this](const Attempt& record) {
      if (observers_.attempt) {
        observers_.attempt(record);
      }
    });
  }

 private:
  const Observers& observers_;
  Team& team_;
  RecordMerge by_shard_;
  RecordMerge by_rank_;
  std::vector<Attempt> ready_;
  std::vector<ClientEnd> ends_;
};

}  // namespace retrygarden
