// The engine against the reference model on random scenarios: whole documents.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference_model/reference_model.h"
#include "support/documents.h"
#include "support/scenario_generator.h"

namespace retrygarden::test {
namespace {

RC_GTEST_PROP(Differential, EngineAndReferenceModelAgreeOnWholeDocuments, ()) {
  const std::string text = *scenario_texts();
  const auto engine = nlohmann::ordered_json::parse(export_text(scenario_of(text)));
  const auto reference = reference_model::export_document(text);
  const std::string found = difference(engine, reference);
  RC_LOG() << "engine against reference model: " << found;
  RC_ASSERT(found.empty());
}

}  // namespace
}  // namespace retrygarden::test
