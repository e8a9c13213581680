// YAML as a tree: places, documents, aliases, and what is refused.
#include "import/yaml.h"

#include <gtest/gtest.h>

#include <string>

namespace retrygarden::import_from {
namespace {

Yaml only_document(std::string_view text) {
  auto documents = parse_yaml(text);
  EXPECT_TRUE(documents.has_value());
  EXPECT_EQ(documents->size(), 1U);
  return documents->at(0);
}

Fault only_fault(std::string_view text) {
  const auto documents = parse_yaml(text);
  EXPECT_FALSE(documents.has_value());
  return documents.error().at(0);
}

std::string text_of(const Yaml* yaml) {
  return yaml == nullptr ? "absent" : std::get<YamlScalar>(yaml->value).text;
}

std::string repeated(std::string_view part, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) {
    result += part;
  }
  return result;
}

TEST(Yaml, ScalarsKeepTheirTextAndPlace) {
  const Yaml yaml = only_document("a: 1.50\nb:\n  - \"3\"\n  - ~\nc: 'x'\n");
  EXPECT_EQ(text_of(yaml.find("a")), "1.50");
  EXPECT_EQ(yaml.find("a")->position, (TextPosition{1, 4}));
  const auto& list = std::get<Yaml::List>(yaml.find("b")->value);
  EXPECT_EQ(text_of(&list[0]), "3");
  EXPECT_TRUE(std::get<YamlScalar>(list[0].value).is_quoted);
  EXPECT_EQ(list[0].position, (TextPosition{3, 5}));
  EXPECT_TRUE(std::holds_alternative<std::nullptr_t>(list[1].value));
  EXPECT_FALSE(std::get<YamlScalar>(yaml.find("a")->value).is_quoted);
  EXPECT_EQ(yaml.find("d"), nullptr);
  EXPECT_EQ(text_of(yaml.find_any({"d", "c"})), "x");
}

TEST(Yaml, ColumnsCountCodePoints) {
  const Yaml yaml = only_document("\xEF\xBB\xBF{\"höhe\": 1, \"größe\": 2}\n");
  EXPECT_EQ(yaml.find("höhe")->position, (TextPosition{1, 10}));
  EXPECT_EQ(yaml.find("größe")->position, (TextPosition{1, 22}));
}

TEST(Yaml, LinesMayEndLikeWindowsLines) {
  EXPECT_EQ(only_document("a: 1\r\nb: 2\r\n").find("b")->position, (TextPosition{2, 4}));
}

TEST(Yaml, DocumentsThatHoldNothingAreLeftOut) {
  const auto documents = parse_yaml("---\na: 1\n---\n---\nb: 2\n...\n# nothing\n");
  ASSERT_TRUE(documents.has_value());
  ASSERT_EQ(documents->size(), 2U);
  EXPECT_EQ(text_of(documents->at(1).find("b")), "2");
  EXPECT_EQ(documents->at(1).position, (TextPosition{5, 1}));
  EXPECT_TRUE(parse_yaml("")->empty());
  EXPECT_TRUE(parse_yaml("# nothing\n")->empty());
}

TEST(Yaml, AliasesBringWhatStandsBehindTheirAnchor) {
  const Yaml yaml = only_document("a: &x {k: 1}\nb: *x\n");
  EXPECT_EQ(text_of(yaml.find("b")->find("k")), "1");
  EXPECT_EQ(yaml.find("b")->find("k")->position, (TextPosition{1, 11}));
}

TEST(Yaml, MergedMembersGiveWayToOwnOnes) {
  const Yaml yaml = only_document(
      "x: &x {k: 1, l: 2}\ny: &y {l: 3, m: 4}\na: {<<: *x, k: 5}\nb: {<<: [*x, *y]}\n");
  EXPECT_EQ(text_of(yaml.find("a")->find("k")), "5");
  EXPECT_EQ(text_of(yaml.find("a")->find("l")), "2");
  EXPECT_EQ(text_of(yaml.find("b")->find("l")), "2");
  EXPECT_EQ(text_of(yaml.find("b")->find("m")), "4");
  EXPECT_EQ(yaml.find("b")->find("<<"), nullptr);
  EXPECT_EQ(to_string(only_fault("a: {<<: 3}")),
            "line 1, column 9: expected a mapping to merge, found \"3\"");
}

TEST(Yaml, RepeatedKeysAreRefused) {
  EXPECT_EQ(to_string(only_fault("a:\n  k: 1\n  l: 2\n  \"k\": 3\n")),
            "line 4, column 3: expected each key once in its mapping, found \"k\" again, which "
            "stands in line 2 already");
}

TEST(Yaml, KeysAreScalars) {
  EXPECT_EQ(to_string(only_fault("? [a]\n: 1\n")),
            "line 1, column 3: expected a scalar as key, found a list");
  EXPECT_EQ(to_string(only_fault("~: 1\n")),
            "line 1, column 1: expected a scalar as key, found nothing");
}

TEST(Yaml, SixtyFourLevelsAreEnough) {
  const auto nested = [](int depth) { return repeated("[", depth) + repeated("]", depth); };
  EXPECT_TRUE(parse_yaml(nested(64)).has_value());
  EXPECT_EQ(
      to_string(only_fault(nested(65))),
      "line 1, column 65: expected lists and mappings nested at most 64 deep, found one more");
  for (const std::string_view part : {"[", "{a: ", "- ", "? ", "[a: "}) {
    const Fault fault = only_fault(repeated(part, 10'000));
    EXPECT_EQ(fault.found, "one more") << part;
    EXPECT_EQ(fault.position->line, 1U) << part;
  }
}

TEST(Yaml, AliasesCountForTheDepth) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 100; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
            "]\n";
  }
  const Fault fault = only_fault(text);
  EXPECT_EQ(fault.expected, "lists and mappings nested at most 64 deep");
  EXPECT_EQ(fault.position->line, 64U);
}

TEST(Yaml, AMillionLaughsAreRefused) {
  std::string text = "a: &a [l, l, l, l, l, l, l, l, l, l]\n";
  for (char c = 'b'; c <= 'i'; ++c) {
    const std::string alias = std::string("*") + static_cast<char>(c - 1);
    text += std::string(1, c) + ": &" + c + " [" + alias + repeated("," + alias, 9) + "]\n";
  }
  // Each alias of lines b, c, d brings 11, 111, 1111 values, 12,330 in all; the eighth of line e,
  // 11,111 each, is too much.
  EXPECT_EQ(to_string(only_fault(text)),
            "line 5, column 29: expected aliases that bring at most 100000 values in all, found "
            "more");
}

TEST(Yaml, AliasesNeedTheirAnchorBeforeThem) {
  EXPECT_EQ(only_fault("a: *b\nb: &b 1\n").position, (TextPosition{1, 4}));
  EXPECT_EQ(to_string(only_fault("a: &a [*a]\n")),
            "line 1, column 8: expected an alias of what stands before it, found one of what holds "
            "it");
  EXPECT_FALSE(parse_yaml("a: &a 1\n---\nb: *a\n").has_value());
}

TEST(Yaml, WhatIsNoYamlHasItsPlace) {
  EXPECT_EQ(only_fault("a: [1, 2\nb: 3\n").expected, "well-formed YAML");
  EXPECT_EQ(to_string(only_fault("a: b: c\n")),
            "line 1, column 5: expected well-formed YAML, found illegal map value");
  EXPECT_EQ(only_fault("a:\n\t- b\n").position->line, 2U);
  EXPECT_EQ(only_fault("a: \"x").expected, "well-formed YAML");
  EXPECT_EQ(only_fault("ä: {").position->line, 1U);
}

TEST(Yaml, WhatIsNoTextHasItsPlace) {
  EXPECT_EQ(to_string(only_fault(std::string_view("ä: \0", 5))),
            "line 1, column 4: expected text in UTF-8 without control characters, found the byte "
            "0x00");
  EXPECT_EQ(only_fault("a: 1\nb: \x04").position, (TextPosition{2, 4}));
  EXPECT_EQ(only_fault("a: \xFF").found, "the byte 0xff");
  EXPECT_EQ(only_fault("a: \xC3").found, "the byte 0xc3");
  EXPECT_EQ(only_fault("\xFE\xFF").position, (TextPosition{1, 1}));
}

// Texts of which the parser would make documents without end.
TEST(Yaml, WhatNoDocumentCanBeginWithIsRefused) {
  for (const std::string_view text : {",", "a: 1\n...\n,", "- x\n]", "\"a\" , b", "}"}) {
    EXPECT_FALSE(parse_yaml(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace retrygarden::import_from
