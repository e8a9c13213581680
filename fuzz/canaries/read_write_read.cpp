// A writer that mixes up outages that stand in no order: the fuzzer must notice.
#include <utility>

#include "oracles.h"
#include "target.h"

namespace retrygarden::fuzz {
namespace {

// Outages that do not stand in order come out turned around, each time anew.
std::string write_outages_turned(const Scenario& scenario) {
  Scenario turned = scenario;
  auto& outages = turned.server.outages;
  if (outages.size() > 1 && outages.front().from > outages.back().from) {
    std::swap(outages.front().ticks, outages.back().ticks);
  }
  return write_scenario(turned);
}

}  // namespace
}  // namespace retrygarden::fuzz

void run_target(std::string_view bytes) {
  retrygarden::fuzz::Subject subject;
  subject.write_scenario = retrygarden::fuzz::write_outages_turned;
  retrygarden::fuzz::check_read_write_read(bytes, subject);
}
