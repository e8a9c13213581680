// Any bytes that are a scenario, read, written and read again.
#include "oracles.h"
#include "target.h"

void run_target(std::string_view bytes) {
  retrygarden::fuzz::check_read_write_read(bytes);
}
