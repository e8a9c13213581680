// An engine that overlooks a single lost response: the fuzzer must notice.
#include <string>

#include "generators.h"
#include "support/documents.h"
#include "target.h"

namespace retrygarden::fuzz {
namespace {

std::string write_wrong_export(const Scenario& scenario) {
  std::string text = test::export_text(scenario);
  const std::string_view member = "\"lost_responses\": 1";
  if (const auto at = text.find(member); at != std::string::npos) {
    text[at + member.size() - 1] = '0';
  }
  return text;
}

}  // namespace
}  // namespace retrygarden::fuzz

void run_target(std::string_view bytes) {
  retrygarden::fuzz::Subject subject;
  subject.write_export = retrygarden::fuzz::write_wrong_export;
  retrygarden::fuzz::check_differential(retrygarden::fuzz::valid_scenario(bytes), subject);
}
