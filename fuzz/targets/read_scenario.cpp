// Any bytes, read as a scenario.
#include "oracles.h"
#include "target.h"

void run_target(std::string_view bytes) {
  retrygarden::fuzz::check_read_scenario(bytes);
}
