// An import that takes a delay below one tick for none: the fuzzer must notice.
#include "oracles.h"
#include "target.h"

namespace retrygarden::fuzz {
namespace {

tl::expected<import_from::Imported, Faults> import_short_delays(const import_from::System& system,
                                                                std::string_view text,
                                                                import_from::Nanoseconds tick) {
  auto imported = import_from::import_text(system, text, tick);
  if (imported) {
    for (Policy& policy : imported->policies) {
      auto* fixed = std::get_if<FixedDelay>(&policy.delay);
      if (fixed != nullptr && fixed->ticks == 1 && policy.attempts > 1) {
        fixed->ticks = 0;
      }
    }
  }
  return imported;
}

}  // namespace
}  // namespace retrygarden::fuzz

void run_target(std::string_view bytes) {
  retrygarden::fuzz::Subject subject;
  subject.import_text = retrygarden::fuzz::import_short_delays;
  retrygarden::fuzz::check_import(bytes, subject);
}
