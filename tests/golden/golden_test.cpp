// Each golden trace against both models: the engine's bytes, and the reference model's document.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "reference_model/draws.h"
#include "reference_model/reference_model.h"
#include "support/documents.h"

namespace retrygarden::test {
namespace {

std::vector<std::string> names(const std::string& folder) {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(GOLDEN_DIR "/" + folder)) {
    if (entry.is_regular_file()) {  // published/ has no traces
      result.push_back(entry.path().stem().string());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string scenario_text(const std::string& name) {
  return file_text(GOLDEN_DIR "/scenarios/" + name + ".json");
}
std::string trace_text(const std::string& name) {
  return file_text(GOLDEN_DIR "/traces/" + name + ".json");
}

std::string test_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, EngineWritesTheStoredBytes) {
  EXPECT_EQ(export_text(scenario_of(scenario_text(GetParam()))), trace_text(GetParam()));
}

TEST_P(Golden, ReferenceModelHasTheStoredDocument) {
  EXPECT_EQ(difference(nlohmann::ordered_json::parse(trace_text(GetParam())),
                       reference_model::export_document(scenario_text(GetParam()))),
            "");
}

TEST_P(Golden, TheExportedScenarioGivesTheSameExport) {
  const Scenario scenario = scenario_of(scenario_text(GetParam()));
  EXPECT_EQ(export_text(scenario_of(write_scenario(scenario))), trace_text(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Traces, Golden, testing::ValuesIn(names("scenarios")),
                         [](const auto& test) { return test_name(test.param); });

TEST(GoldenFiles, EveryScenarioHasATraceAndNoTraceIsLeftOver) {
  EXPECT_EQ(names("scenarios"), names("traces"));
  EXPECT_GE(names("scenarios").size(), 24U);
}

TEST(GoldenFiles, TracesStaySmall) {
  std::uintmax_t bytes = 0;
  for (const std::string& name : names("traces")) {
    bytes += trace_text(name).size();
  }
  EXPECT_LE(bytes, 5'000'000U);
}

// What the scenario is there for: at least one arrival whose first word is rejected.
TEST(GoldenFiles, DrawsRejectedRejectsWords) {
  const Scenario scenario = scenario_of(scenario_text("draws-rejected"));
  const std::uint64_t size = std::get<RandomArrivals>(scenario.arrivals).over_ticks;
  const std::array<std::uint32_t, 2> key = {static_cast<std::uint32_t>(scenario.seed),
                                            static_cast<std::uint32_t>(scenario.seed >> 32)};
  int rejected = 0;
  for (std::uint32_t client = 0; client < scenario.clients; ++client) {
    const std::uint64_t word =
        reference_model::philox_block({0, reference_model::arrival_purpose, client, 0}, key)[0];
    const std::uint64_t two_to_32 = std::uint64_t{1} << 32;
    rejected += word * size % two_to_32 < two_to_32 % size;
  }
  EXPECT_GE(rejected, 1);
}

// docs/model.md, section 10.
struct Published {
  std::string scenario;
  std::size_t policy;
  int attempts, effects, duplicates, acknowledged, exhausted, scheduled;
};

class PublishedFigures : public testing::TestWithParam<Published> {};

void expect_figures(const nlohmann::ordered_json& document, const Published& published) {
  const auto& summary = document.at("results").at(published.policy).at("summary");
  EXPECT_EQ(summary.at("attempts"), published.attempts);
  EXPECT_EQ(summary.at("effects"), published.effects);
  EXPECT_EQ(summary.at("duplicate_effects"), published.duplicates);
  EXPECT_EQ(summary.at("acknowledged"), published.acknowledged);
  EXPECT_EQ(summary.at("exhausted"), published.exhausted);
  EXPECT_EQ(summary.at("scheduled"), published.scheduled);
}

TEST_P(PublishedFigures, ComeFromTheEngine) {
  const Scenario scenario = scenario_of(scenario_text(GetParam().scenario));
  expect_figures(nlohmann::ordered_json::parse(export_text(scenario)), GetParam());
}

TEST_P(PublishedFigures, ComeFromTheReferenceModel) {
  expect_figures(reference_model::export_document(scenario_text(GetParam().scenario)), GetParam());
}

// The page gives attempts, effects, duplicates and acknowledged of the first four; nobody of the
// eight clients still waits, so the rest of them is exhausted. Attempts of the last: clients that
// are left in ticks 0, 20, 40 and 60, which are 80, 79, 78 and 77.
INSTANTIATE_TEST_SUITE_P(
    Section10, PublishedFigures,
    testing::Values(Published{"lost-responses", 0, 26, 9, 2, 6, 2, 0},
                    Published{"lost-responses", 1, 26, 10, 2, 7, 1, 0},
                    Published{"lost-responses-deduplicated", 0, 26, 7, 0, 6, 2, 0},
                    Published{"lost-responses-deduplicated", 1, 26, 8, 0, 7, 1, 0},
                    Published{"horizon", 0, 80 + 79 + 78 + 77, 4, 0, 4, 0, 76}),
    [](const auto& test) {
      return test_name(test.param.scenario) + "_policy_" + std::to_string(test.param.policy);
    });

}  // namespace
}  // namespace retrygarden::test
