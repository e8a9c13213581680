// ServerMemory: what the server knows of operations (docs/model.md, section 5).
#pragma once

#include <vector>

#include "probe.h"
#include "retrygarden/plan.h"
#include "retrygarden/results.h"

namespace retrygarden {

class ServerMemory {
 public:
  // Of so many clients, who are known by their place among them.
  ServerMemory(const Plan& plan, std::uint32_t clients)
      : deduplication_(plan.server.deduplication), applied_(clients) {
    if (stores_ticks(plan)) {
      key_stored_.resize(clients);
    }
  }

  // The server starts a request of the client: the effect it has.
  Effect start(Tick tick, Client client) {
    if (!applied_[client]) {
      applied_[client] = true;
      store_key(tick, client);
      return Effect::kApplied;
    }
    if (holds_live_key(tick, client)) {
      return Effect::kSuppressed;
    }
    store_key(tick, client);
    return Effect::kDuplicate;
  }

  // Empties the deduplication store: only keys stored in this tick or later are there.
  void lose_keys(Tick tick) { keys_lost_ = tick; }

  static std::uint64_t bytes(const Plan& plan, std::uint32_t clients) {
    return clients / 8 + (stores_ticks(plan) ? sizeof(Tick) * std::uint64_t{clients} : 0);
  }

 private:
  // Whether it matters when a key was stored.
  static bool stores_ticks(const Plan& plan) {
    return std::holds_alternative<DeduplicationTtl>(plan.server.deduplication) ||
           (std::holds_alternative<DeduplicationForever>(plan.server.deduplication) &&
            !plan.key_losses.empty());
  }

  // Precondition: the operation was applied, so a key was stored if keys are.
  bool holds_live_key(Tick tick, Client client) const {
    if (!key_stored_.empty() && key_stored_[client] < keys_lost_) {
      RETRYGARDEN_PROBE(kKeyLost, true);
      return false;
    }
    if (const auto* ttl = std::get_if<DeduplicationTtl>(&deduplication_)) {
      const std::uint32_t age = tick - key_stored_[client];
      RETRYGARDEN_PROBE(kKeyJustExpired, age == ttl->ticks);
      RETRYGARDEN_PROBE(kKeyInItsLastTick, age + 1 == ttl->ticks);
      return age < ttl->ticks;
    }
    return std::holds_alternative<DeduplicationForever>(deduplication_);
  }

  void store_key(Tick tick, Client client) {
    if (!key_stored_.empty()) {
      key_stored_[client] = tick;
    }
  }

  Deduplication deduplication_;
  std::vector<bool> applied_;
  std::vector<Tick> key_stored_;  // where keys expire or can be lost
  Tick keys_lost_ = 0;
};

}  // namespace retrygarden
