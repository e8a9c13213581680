// Any bytes, read as the configuration of some system.
#include "oracles.h"
#include "target.h"

void run_target(std::string_view bytes) {
  retrygarden::fuzz::check_import(bytes);
}
