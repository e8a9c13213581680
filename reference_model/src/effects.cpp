#include "effects.h"

namespace reference_model {

// "A key stored at tick s is live at tick t with `forever`; with `ttl` it is live while
// t - s < ticks." Without deduplication no key ever counts.
bool Effects::key_is_live(std::int64_t client, std::int64_t tick) const {
  const auto key = key_ticks_.find(client);
  if (key == key_ticks_.end()) {
    return false;
  }
  return std::visit(Overloaded{
                        [](const NoDeduplication&) { return false; },
                        [](const ForeverDeduplication&) { return true; },
                        [&](const TtlDeduplication& ttl) { return tick - key->second < ttl.ticks; },
                    },
                    deduplication_);
}

Effect Effects::of_start(std::int64_t client, std::int64_t tick) {
  // "A suppressed effect does not renew the key."
  if (key_is_live(client, tick)) {
    return Effect::suppressed;
  }
  key_ticks_[client] = tick;
  return applied_.insert(client).second ? Effect::applied : Effect::duplicate;
}

}  // namespace reference_model
