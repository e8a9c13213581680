// The engine against the reference model on random scenarios: whole documents, and what is a valid
// scenario at all.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference_model/reference_model.h"
#include "support/documents.h"
#include "support/scenario_generator.h"

namespace retrygarden::test {
namespace {

RC_GTEST_PROP(Differential, EngineAndReferenceModelAgreeOnWholeDocuments, ()) {
  const std::string text = *scenario_texts();
  const Workers workers{.threads = *rc::gen::inRange(1U, 4U),
                        .clients_per_shard = *rc::gen::inRange(1U, 20U)};
  const auto engine = nlohmann::ordered_json::parse(export_text(scenario_of(text), workers));
  const auto reference = reference_model::export_document(text);
  const std::string found = difference(engine, reference);
  RC_LOG() << "engine against reference model: " << found;
  RC_ASSERT(found.empty());
}

bool engine_accepts(const std::string& text) {
  return read_scenario(text).has_value();
}

bool reference_model_accepts(const std::string& text) {
  try {
    reference_model::export_document(text);
    return true;
  } catch (const reference_model::InvalidScenario&) {
    return false;
  }
}

// One place of a valid scenario gets another value, disappears, or gets a companion.
std::string damaged(const std::string& text) {
  using nlohmann::ordered_json;
  ordered_json scenario = ordered_json::parse(text);
  std::vector<std::string> places;
  const ordered_json flat = scenario.flatten();
  for (const auto& [place, value] : flat.items()) {
    places.push_back(place);
  }
  ordered_json::json_pointer place(*rc::gen::elementOf(places));
  for (int up = *rc::gen::inRange(0, 3); up > 0 && !place.parent_pointer().empty(); --up) {
    place = place.parent_pointer();
  }
  static const std::vector<ordered_json> kValues = {-1,
                                                    0,
                                                    1,
                                                    2,
                                                    3,
                                                    40,
                                                    1.5,
                                                    2.0,
                                                    0.5,
                                                    true,
                                                    nullptr,
                                                    "",
                                                    "none",
                                                    "burst",
                                                    "exponential",
                                                    "hang",
                                                    "lifo",
                                                    std::uint64_t{1} << 53,
                                                    ordered_json::array(),
                                                    ordered_json::array({1}),
                                                    ordered_json::array({2, 1}),
                                                    ordered_json::object()};
  static const std::vector<std::string> kNames = {"kind",    "ticks",  "at",      "over",
                                                  "cap",     "jitter", "name",    "x",
                                                  "timeout", "budget", "breaker", "threshold"};
  ordered_json& parent = scenario[place.parent_pointer()];
  const int kind = *rc::gen::inRange(0, parent.is_object() ? 4 : 2);
  const ordered_json value = *rc::gen::elementOf(kValues);
  if (kind == 2) {
    parent.erase(place.back());
  } else if (kind == 3) {
    parent[*rc::gen::elementOf(kNames)] = value;
  } else {
    scenario[place] = value;
  }
  return scenario.dump(2);
}

RC_GTEST_PROP(Differential, EngineAndReferenceModelAgreeOnWhatIsValid, ()) {
  const std::string text = damaged(*scenario_texts());
  RC_LOG() << text;
  const bool accepts = engine_accepts(text);
  RC_CLASSIFY(accepts);
  RC_ASSERT(reference_model_accepts(text) == accepts);
}

}  // namespace
}  // namespace retrygarden::test
