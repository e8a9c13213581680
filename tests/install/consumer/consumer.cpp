// Runs a scenario through the installed library. The figures are the published ones of "horizon".
#include <retrygarden/event_loop.h>
#include <retrygarden/scenario.h>

#include <cstdlib>

int main() {
  const auto scenario = retrygarden::read_scenario(R"({
    "retrygarden": 1, "clients": 80, "horizon": 80, "seed": 1, "server": {"capacity": 1},
    "policies": [{"name": "fixed delay", "attempts": 8, "delay": {"kind": "fixed", "ticks": 20}}]})");
  if (!scenario) {
    return EXIT_FAILURE;
  }
  const retrygarden::Summary summary = retrygarden::run(retrygarden::make_plan(*scenario, 0));
  const bool is_right =
      summary.acknowledged == 4 && summary.scheduled == 76 && summary.exhausted == 0;
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
