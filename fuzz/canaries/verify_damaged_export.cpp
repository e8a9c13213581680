// A comparison that takes null for a member that is missing: the fuzzer must notice.
#include <algorithm>

#include "generators.h"
#include "target.h"

namespace retrygarden::fuzz {
namespace {

std::optional<cli::Difference> difference_but_null(const cli::Places& documents) {
  auto difference = cli::first_difference(documents);
  const auto is_nothing = [](const Json* json) {
    return json == nullptr || std::holds_alternative<std::nullptr_t>(json->value);
  };
  if (difference && std::all_of(difference->values.begin(), difference->values.end(), is_nothing)) {
    difference.reset();
  }
  return difference;
}

}  // namespace
}  // namespace retrygarden::fuzz

void run_target(std::string_view bytes) {
  retrygarden::fuzz::Subject subject;
  subject.first_difference = retrygarden::fuzz::difference_but_null;
  const auto document = retrygarden::fuzz::damaged_export(bytes);
  retrygarden::fuzz::check_damaged_export(document.valid, document.damaged, subject);
}
