// A reader that does not say where something is missing: the fuzzer must notice.
#include "oracles.h"
#include "target.h"

namespace retrygarden::fuzz {
namespace {

tl::expected<import_from::Imported, Faults> import_without_places(const import_from::System& system,
                                                                  std::string_view text,
                                                                  import_from::Nanoseconds tick) {
  auto imported = import_from::import_text(system, text, tick);
  if (!imported) {
    for (Fault& fault : imported.error()) {
      if (fault.found == "none") {
        fault.position.reset();
      }
    }
  }
  return imported;
}

}  // namespace
}  // namespace retrygarden::fuzz

void run_target(std::string_view bytes) {
  retrygarden::fuzz::Subject subject;
  subject.import_text = retrygarden::fuzz::import_without_places;
  retrygarden::fuzz::check_import(bytes, subject);
}
