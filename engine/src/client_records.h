// The records of some clients, gathered from a run.
#pragma once

#include <cstddef>
#include <vector>

#include "retrygarden/event_loop.h"
#include "retrygarden/plan.h"
#include "retrygarden/results.h"

namespace retrygarden {

// The clients first, first + step, … up to last.
class ClientRecords {
 public:
  // Preconditions: first <= last < plan.clients, step at least 1.
  ClientRecords(const Plan& plan, Client first, Client last, std::uint32_t step)
      : first_(first), last_(last), step_(step), records_((last - first) / step + 1) {
    for (std::size_t i = 0; i < records_.size(); ++i) {
      records_[i].client = first + static_cast<Client>(i) * step;
      records_[i].arrival = arrival_tick(plan, records_[i].client);
    }
  }

  bool holds(Client client) const {
    return first_ <= client && client <= last_ && (client - first_) % step_ == 0;
  }

  // Both only with clients that are held.
  void add(const Attempt& attempt) {
    ClientRecord& client = record(attempt.client);
    client.attempts = attempt.attempt;
    client.effects += attempt.effect == Effect::kApplied || attempt.effect == Effect::kDuplicate;
    client.next_tick = attempt.next_tick;
    if (client.state == ClientState::kScheduled) {  // the end of a client comes before its record
      client.state = attempt.failed_tick ? ClientState::kScheduled : ClientState::kAwaiting;
    }
  }
  void add(const ClientEnd& end) {
    ClientRecord& client = record(end.client);
    client.state = end.state;
    if (end.state == ClientState::kAcknowledged) {
      client.acknowledged_tick = end.tick;
    }
  }

  std::vector<ClientRecord> take() { return std::move(records_); }

 private:
  ClientRecord& record(Client client) { return records_[(client - first_) / step_]; }

  Client first_;
  Client last_;
  std::uint32_t step_;
  std::vector<ClientRecord> records_;
};

}  // namespace retrygarden
