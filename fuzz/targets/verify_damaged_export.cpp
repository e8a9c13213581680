// A damaged export, compared as `retrygarden verify` does.
#include "generators.h"
#include "target.h"

void run_target(std::string_view bytes) {
  const auto document = retrygarden::fuzz::damaged_export(bytes);
  retrygarden::fuzz::check_damaged_export(document.valid, document.damaged);
}
