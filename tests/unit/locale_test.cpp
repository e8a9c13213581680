// Both models read and write the same in a locale whose decimal point is a comma. The test runs
// with such a locale, de_DE.UTF-8, made for it.
#include <gtest/gtest.h>

#include <clocale>

#include "reference_model/reference_model.h"
#include "support/documents.h"

namespace retrygarden::test {
namespace {

constexpr std::string_view kText = R"({
  "retrygarden": 1, "clients": 3, "clients_per_host": 3, "horizon": 90, "seed": 3, "server": {"capacity": 1},
  "faults": {"response_loss": 0.25, "request_loss": 0.125},
  "policies": [{"name": "p", "attempts": 9, "delay": {"kind": "exponential", "base": 2, "multiplier": 1.5, "cap": 30},
                "jitter": {"kind": "proportional", "fraction": 0.25},
                "budget": {"kind": "tokens", "capacity": 2.5, "tick_refill": 0.05, "retry_cost": 1.5, "threshold": 0.1}},
               {"name": "q", "attempts": 9, "delay": {"kind": "fixed", "ticks": 9},
                "jitter": {"kind": "scaled", "from": 0.5, "to": 1.5},
                "budget": {"kind": "concurrent", "fraction": 0.5, "minimum": 0}}]})";

constexpr std::string_view kNotAnInteger = R"({
  "retrygarden": 1, "clients": 3.0, "horizon": 90, "seed": 3, "server": {"capacity": 0},
  "policies": [{"name": "p", "attempts": 9, "delay": {"kind": "fixed", "ticks": 2}}]})";

class Locale : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr) << "LOCPATH must name its folder";
    ASSERT_STREQ(std::localeconv()->decimal_point, ",");
  }
  void TearDown() override { std::setlocale(LC_ALL, "C"); }
};

TEST_F(Locale, TheEngineIsTheSame) {
  const std::string here = export_text(scenario_of(kText));
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(export_text(scenario_of(kText)), here);
}

TEST_F(Locale, TheReferenceModelIsTheSame) {
  const auto here = reference_model::export_document(kText);
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(difference(reference_model::export_document(kText), here), "");
}

TEST_F(Locale, FractionsAreNotIntegersAnywhere) {
  EXPECT_FALSE(read_scenario(kNotAnInteger));
  EXPECT_EQ(read_scenario(kNotAnInteger).error().front().found, "3.0");
  EXPECT_THROW(reference_model::export_document(kNotAnInteger), reference_model::InvalidScenario);
}

}  // namespace
}  // namespace retrygarden::test
