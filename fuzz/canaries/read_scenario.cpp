// A reader that overlooks a member that it does not know: the fuzzer must notice.
#include "oracles.h"
#include "target.h"

namespace retrygarden::fuzz {
namespace {

tl::expected<Scenario, Faults> read_any_member(std::string_view text) {
  auto scenario = read_scenario(text);
  if (!scenario && scenario.error().size() == 1 &&
      scenario.error().front().expected.starts_with("only the members")) {
    return Scenario{};
  }
  return scenario;
}

}  // namespace
}  // namespace retrygarden::fuzz

void run_target(std::string_view bytes) {
  retrygarden::fuzz::Subject subject;
  subject.read_scenario = retrygarden::fuzz::read_any_member;
  retrygarden::fuzz::check_read_scenario(bytes, subject);
}
