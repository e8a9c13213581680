// Golden scenarios and random ones together reach every rare state that has a probe. One that
// nothing reaches is one that nothing tests. Writing an export runs the loop with attempts and
// without.
#include "probe.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include "support/documents.h"
#include "support/scenario_generator.h"

namespace retrygarden::test {
namespace {

TEST(Probes, AreAllReached) {
  for (const auto& entry : std::filesystem::directory_iterator(GOLDEN_DIR "/scenarios")) {
    if (entry.is_regular_file()) {
      export_text(scenario_of(file_text(entry.path().string())));
    }
  }
  rc::check("random scenarios", [] { export_text(scenario_of(*scenario_texts())); });
  for (std::size_t i = 0; i < kProbeNames.size(); ++i) {
    EXPECT_GT(probe_counts[i], 0U) << "never reached: " << kProbeNames[i];
    RecordProperty("reached_" + std::to_string(i), std::to_string(probe_counts[i]));
  }
}

}  // namespace
}  // namespace retrygarden::test
