// What holds for every system.
#include "import/systems.h"

#include <gtest/gtest.h>

#include "import/json_document.h"
#include "support/imports.h"

namespace retrygarden::test {
namespace {

using import_from::System;

class ImportSystems : public testing::TestWithParam<System> {};

INSTANTIATE_TEST_SUITE_P(All, ImportSystems, testing::ValuesIn(import_from::systems()),
                         [](const auto& system) { return std::string(system.param.name); });

// The scenario rules hold for what is imported: it can be written and read again.
TEST_P(ImportSystems, TheExampleBecomesPoliciesOfAScenario) {
  for (const Nanoseconds tick : {Nanoseconds{1000}, kMillisecond, kSecond, 3600 * kSecond}) {
    const Imported all = imported(GetParam().name, GetParam().example, tick);
    ASSERT_FALSE(all.policies.empty());
    Scenario scenario;
    scenario.policies = all.policies;
    if (all.deduplication) {
      scenario.server.deduplication = *all.deduplication;
    }
    const auto read = read_scenario(write_scenario(scenario));
    EXPECT_TRUE(read) << to_string(read.error().front());
    for (const Policy& policy : all.policies) {
      const bool is_lossy =
          std::any_of(all.losses.begin(), all.losses.end(),
                      [&](const auto& loss) { return loss.policy == policy.name; });
      EXPECT_EQ(policy.description.has_value(), is_lossy);
    }
  }
}

// In JSON; in the other formats every line is whole by itself.
TEST_P(ImportSystems, HalfTheExampleIsNoConfiguration) {
  const std::string_view example = GetParam().example;
  if (example.starts_with('{')) {
    const std::string faults = faults_of(GetParam().name, example.substr(0, example.size() / 2));
    EXPECT_TRUE(faults.starts_with("line ")) << faults;
  }
}

TEST_P(ImportSystems, OtherTextsAreRefusedWithTheirPlace) {
  const std::string deep(10'000, '[');
  const std::string deep_objects = [] {
    std::string text;
    for (int i = 0; i < 10'000; ++i) {
      text += "{\"a\": ";
    }
    return text;
  }();
  for (const std::string& text :
       {std::string(), std::string("\n"), std::string("{}"), std::string("[]"), std::string("null"),
        std::string("a: {b: [c]}"), std::string("<xml/>"), std::string("\0\xff{", 3),
        std::string("\xEF\xBB\xBF{"), deep, deep_objects}) {
    const std::string faults = faults_of(GetParam().name, text);
    EXPECT_TRUE(faults.starts_with("line ")) << text.substr(0, 20) << ": " << faults;
  }
}

// Envoy's retryPolicy may stand anywhere in its configuration, and in JSON too, as Temporal's does.
TEST_P(ImportSystems, ExamplesOfOthersAreRefused) {
  for (const System& other : import_from::systems()) {
    const bool is_alike = GetParam().name == "envoy" && other.name == "temporal";
    if (other.name != GetParam().name && !is_alike) {
      EXPECT_TRUE(faults_of(GetParam().name, other.example).starts_with("line "))
          << GetParam().name << " reads " << other.name;
    }
  }
}

TEST(ImportSystem, IsFoundByName) {
  EXPECT_EQ(import_from::find_system("grpc")->name, "grpc");
  EXPECT_EQ(import_from::find_system("GRPC"), nullptr);
}

TEST(ImportSystem, MembersThatStandTwiceAreRefused) {
  EXPECT_EQ(faults_of("temporal", "{\"initialInterval\": \"1s\",\n \"initialInterval\": \"2s\"}"),
            "line 2, column 21: expected a member once in its object, found it 2 times");
}

// The object and 31 lists are 32 deep; the place is the list in which there is one more.
TEST(ImportSystem, DeepTextsAreRefusedWhereTheyAreTooDeep) {
  EXPECT_EQ(faults_of("temporal", "{\"a\":\n" + std::string(10'000, '[')),
            "line 2, column 31: expected objects and lists nested at most 32 deep, found one more");
}

TEST(ImportSystem, MoreRulesThanAScenarioHasPoliciesAreRefused) {
  std::string text = "{";
  for (int i = 0; i < 65; ++i) {
    text += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": \"CrashLoopBackOff\"";
  }
  EXPECT_EQ(faults_of("kubernetes", text + "}"),
            "line 1, column 1: expected at most 64 retry rules, found 65");
}

std::string position(std::string_view text, std::string_view pointer) {
  const auto found = import_from::position_of(text, pointer);
  return found ? std::to_string(found->line) + ":" + std::to_string(found->column) : "none";
}

TEST(ImportJsonDocument, FindsThePlaceOfAPointer) {
  const std::string_view text =
      "{\"a\": [1, {\"b/~\\u0041\": \"]},\\\"\", \"c\" : 2}],\n \"ä\": null }";
  EXPECT_EQ(position(text, ""), "1:1");
  EXPECT_EQ(position(text, "/a"), "1:7");
  EXPECT_EQ(position(text, "/a/0"), "1:8");
  EXPECT_EQ(position(text, "/a/1"), "1:11");
  EXPECT_EQ(position(text, "/a/1/b~1~0A"), "1:25");
  EXPECT_EQ(position(text, "/a/1/c"), "1:40");
  EXPECT_EQ(position(text, "/ä"), "2:7");
  for (const std::string_view missing : {"/b", "/a/2", "/a/x", "/a/1/b", "/a/0/0"}) {
    EXPECT_EQ(position(text, missing), "none") << missing;
  }
  // A member that stands twice on the way, and one after what is no JSON any more.
  EXPECT_EQ(position("{\"a\": {\"b\": 1, \"b\": 2}, \"a\": 3}", "/a/b"), "1:21");
  EXPECT_EQ(position("{\"a\": [1] \"a\": 2}", "/a/0"), "1:8");
  for (std::size_t length = 0; length < text.size(); ++length) {
    position(text.substr(0, length), "/a/1/c");  // ends, whatever it finds
  }
}

}  // namespace
}  // namespace retrygarden::test
