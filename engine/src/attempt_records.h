// AttemptRecords: the records of attempts that are not finished, in the order in which they will be
// shown.
//
// An attempt's record is finished when the client has decided on it and the server is done with its
// request. Later ones that are finished wait for the ones before them.
#pragma once

#include <cstdint>
#include <optional>

#include "check.h"
#include "fifo.h"
#include "retrygarden/results.h"

namespace retrygarden {

class AttemptRecords {
 public:
  using Id = std::uint64_t;

  // Records are added in the order (tick, client).
  Id add(const Attempt& record) {
    entries_.push_back({record});
    return first_ + entries_.size() - 1;
  }

  Attempt& operator[](Id id) { return entry(id).record; }

  // The server has the request, and will say when it is done with it.
  void server_begins(Id id) { entry(id).server_is_done = false; }
  void server_is_done(Id id) { entry(id).server_is_done = true; }
  void client_is_done(Id id) { entry(id).client_is_done = true; }

  // The tick of the first record that is there, if any is.
  std::optional<Tick> first_tick() const {
    return entries_.empty() ? std::nullopt : std::optional(entries_.front().record.tick);
  }

  // Whether there is a first record, and it is finished; or the run has ended, which finishes all.
  bool is_first_finished(bool has_run_ended) const {
    return !entries_.empty() &&
           (has_run_ended || (entries_.front().client_is_done && entries_.front().server_is_done));
  }

  // Precondition: there is a first record.
  Attempt take_first() {
    ++first_;
    return entries_.take_front().record;
  }

 private:
  struct Entry {
    Attempt record;
    bool client_is_done = false;
    bool server_is_done = true;
  };

  Entry& entry(Id id) {
    RETRYGARDEN_CHECK(id - first_ < entries_.size());  // also where an id is below the first
    return entries_[static_cast<std::size_t>(id - first_)];
  }

  Fifo<Entry> entries_;
  Id first_ = 0;  // the id of the first entry
};

}  // namespace retrygarden
