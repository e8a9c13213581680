// Effects and deduplication (section 5).

#ifndef REFERENCE_MODEL_EFFECTS_H
#define REFERENCE_MODEL_EFFECTS_H

#include <cstdint>
#include <map>
#include <set>

#include "scenario.h"

namespace reference_model {

enum class Effect { none, applied, duplicate, suppressed };

class Effects {
 public:
  explicit Effects(const Deduplication& deduplication) : deduplication_(deduplication) {}

  // What happens when the server starts a request of the client.
  Effect of_start(std::int64_t client, std::int64_t tick);

  // "those with `loses_keys` remove them all"
  void lose_keys() { key_ticks_.clear(); }

 private:
  bool key_is_live(std::int64_t client, std::int64_t tick) const;

  const Deduplication& deduplication_;
  std::set<std::int64_t> applied_;                  // the clients whose operation was ever applied
  std::map<std::int64_t, std::int64_t> key_ticks_;  // by client: when its key was stored
};

}  // namespace reference_model

#endif  // REFERENCE_MODEL_EFFECTS_H
