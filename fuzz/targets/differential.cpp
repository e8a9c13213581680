// A valid scenario, run by the engine and by the reference model.
#include "generators.h"
#include "target.h"

void run_target(std::string_view bytes) {
  retrygarden::fuzz::check_differential(retrygarden::fuzz::valid_scenario(bytes));
}
