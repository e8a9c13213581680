// FirstResponseLosers: which clients of a range lose the first response (docs/model.md, section 5).
#pragma once

#include <cstdint>

#include "retrygarden/plan.h"

namespace retrygarden {

class FirstResponseLosers {
 public:
  // Of clients begin … end-1.
  FirstResponseLosers(const Plan& plan, Client begin, Client end) {
    const auto& lost = plan.faults.first_response_lost;
    if (!lost) {
      return;
    }
    every_ = lost->every;
    offset_ = lost->offset;
    const std::uint32_t place = begin % every_;
    const std::uint64_t first =
        std::uint64_t{begin} + offset_ - place + (place <= offset_ ? 0 : every_);
    if (first < end) {
      first_ = static_cast<Client>(first);
      count_ = (end - 1 - first_) / every_ + 1;
    }
  }

  std::uint32_t count() const { return count_; }

  // The losers, ascending. Precondition: index is below count().
  Client operator[](std::uint32_t index) const { return first_ + index * every_; }

  // Precondition for both: the client is in the range; and for the second, a loser.
  bool has(Client client) const { return count_ > 0 && client % every_ == offset_; }
  std::uint32_t index_of(Client client) const { return (client - first_) / every_; }

 private:
  std::uint32_t every_ = 1;
  std::uint32_t offset_ = 0;
  Client first_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace retrygarden
