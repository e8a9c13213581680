// Reading JSON: what is kept, where faults are, and text that is safe to print.
#include "retrygarden/json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace retrygarden {
namespace {

Fault only_fault(std::string_view text) {
  const auto json = parse_json(text);
  if (json || json.error().size() != 1) {
    ADD_FAILURE() << "not exactly one fault in: " << text.substr(0, 100);
    return {};
  }
  return json.error().front();
}

TextPosition position_of_fault(std::string_view text) {
  return only_fault(text).position.value_or(TextPosition{0, 0});
}

TEST(Json, KeepsTheTextOfNumbers) {
  const auto json = parse_json("[3, 3.0, 3e0, 3E+1, 3e-1, 1.50, 18446744073709551616]");
  ASSERT_TRUE(json);
  std::vector<std::string> texts;
  for (const Json& item : std::get<Json::Array>(json->value)) {
    texts.push_back(std::get<JsonNumber>(item.value).text);
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"3", "3.0", "3e0", "3E+1", "3e-1", "1.50",
                                             "18446744073709551616"}));
}

TEST(Json, KeepsTheOrderOfMembersAndFindsThemByName) {
  const auto json = parse_json(R"({"b": 1, "a": {"c": true}})");
  ASSERT_TRUE(json);
  EXPECT_EQ(std::get<Json::Object>(json->value)[0].name, "b");
  ASSERT_NE(json->find("a"), nullptr);
  EXPECT_TRUE(std::get<bool>(json->find("a")->find("c")->value));
  EXPECT_EQ(json->find("c"), nullptr);
  EXPECT_EQ(json->find("b")->find("b"), nullptr);  // no object
}

TEST(Json, SkipsAByteOrderMark) {
  EXPECT_TRUE(parse_json("\xEF\xBB\xBF{}"));
  EXPECT_EQ(position_of_fault("\xEF\xBB\xBF{\n x}"), (TextPosition{2, 2}));
  EXPECT_EQ(position_of_fault("\xEF\xBB\xBFx"), (TextPosition{1, 1}));
}

TEST(Json, NamesLineAndColumnOfSyntaxFaults) {
  EXPECT_EQ(position_of_fault(""), (TextPosition{1, 1}));
  EXPECT_EQ(position_of_fault("x"), (TextPosition{1, 1}));
  EXPECT_EQ(position_of_fault("{\n  \"a\": 1,\n  b\n}"), (TextPosition{3, 3}));
  EXPECT_EQ(position_of_fault("{} x"), (TextPosition{1, 4}));
  EXPECT_EQ(position_of_fault("[1, 2"), (TextPosition{1, 6}));
}

TEST(Json, CountsColumnsInCodePoints) {
  EXPECT_EQ(position_of_fault("\"äöü\" x"), (TextPosition{1, 7}));
}

TEST(Json, SaysWhatWasExpected) {
  const Fault fault = only_fault("{\"a\" 1}");
  EXPECT_EQ(fault.expected, "':'");
  EXPECT_EQ(to_string(fault), "line 1, column 6: expected ':', found number literal");
}

TEST(Json, SaysWhatIsWrongWithNumbersThatAreTooLarge) {
  EXPECT_EQ(to_string(only_fault("[1e400]")),
            "line 1, column 6: expected JSON, found number overflow parsing '1e400'");
}

TEST(Json, NamesANumberThatIsTooLarge) {
  EXPECT_EQ(only_fault("1e400").found, "number overflow parsing '1e400'");
}

TEST(Json, EscapesTheLastOfTheControls) {
  EXPECT_EQ(printable("\x1f", 60), "\\x1f");
  EXPECT_EQ(printable(" ", 60), " ");
}

TEST(Json, ShowsPointersOf240BytesWhole) {
  const std::string pointer = "/" + std::string(239, 'a');
  EXPECT_TRUE(to_string(Fault{{}, pointer, "x", "y"}).starts_with(pointer + ": "));
  EXPECT_TRUE(to_string(Fault{{}, pointer + "a", "x", "y"}).starts_with(pointer + "…: "));
}

TEST(Json, CutsWhatWasReadLast) {
  const Fault fault = only_fault("[\"" + std::string(500, 'x') + '\x01');
  EXPECT_TRUE(fault.found.starts_with("invalid string: control character U+0001"));
  EXPECT_TRUE(fault.found.ends_with("xxx…"));
  EXPECT_EQ(fault.found.size(), 120 + std::string("…").size());
}

// A place in 240 bytes, which the longest pointer of two cut tokens exceeds.
TEST(Json, CutsTheLongestPlaces) {
  const auto message = [](std::size_t size) {
    return to_string({{}, std::string(size, '/'), "a", "b"});
  };
  EXPECT_EQ(message(240), std::string(240, '/') + ": expected a, found b");
  EXPECT_EQ(message(241), std::string(240, '/') + "…: expected a, found b");
  EXPECT_EQ(to_string({{}, "", "a", "b"}), "the document: expected a, found b");
}

TEST(Json, ShowsWhatWasReadLastSoThatItCanBePrinted) {
  EXPECT_EQ(
      to_string(only_fault("1.\x7f")),
      "line 1, column 3: expected digit after '.', found invalid number, last read '1.\\x7f'");
  EXPECT_EQ(
      to_string(only_fault("[1.\xC3\xA9]")),
      "line 1, column 4: expected digit after '.', found invalid number, last read '1.\\xc3'");
  EXPECT_EQ(to_string(only_fault("{\"; expected 'x'\x01")),
            "line 1, column 17: expected string literal, found invalid string: control character "
            "U+0001 (SOH) must be escaped to \\u0001, last read '\"; expected 'x'<U+0001>'");
}

TEST(Json, RefusesNulBytesWhereverTheyStand) {
  using namespace std::string_view_literals;
  EXPECT_EQ(position_of_fault("{}\0"sv), (TextPosition{1, 3}));
  EXPECT_EQ(position_of_fault("{}\n\0{"sv), (TextPosition{2, 1}));
  EXPECT_EQ(position_of_fault("\"a\0b\""sv), (TextPosition{1, 3}));
}

TEST(Json, RefusesInvalidUtf8AndLoneSurrogates) {
  EXPECT_FALSE(parse_json("\"\xC3\x28\""));
  EXPECT_FALSE(parse_json("\"\xFF\""));
  EXPECT_FALSE(parse_json(R"("\ud800")"));
  EXPECT_FALSE(parse_json("\xC3"));
}

TEST(Json, RefusesWhatOtherParsersAdd) {
  for (const std::string_view text :
       {"NaN", "Infinity", "-Infinity", "[1,]", "{\"a\":1,}", "// x\n1", "'a'", "01", "+1", "1.",
        ".5", "0x10", "1e400", "tru"}) {
    EXPECT_FALSE(parse_json(text)) << text;
  }
}

TEST(Json, RefusesNestingBeyondItsDepth) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(parse_json(nested(kMaxJsonDepth)));
  EXPECT_FALSE(parse_json(nested(kMaxJsonDepth + 1)));
  const Fault fault = only_fault(std::string(100'000, '['));
  EXPECT_EQ(fault.expected, "objects and lists nested at most 32 deep");
}

TEST(Json, ReportsEveryRepeatedMemberOnce) {
  const auto json = parse_json(R"({"a": 1, "b": {"c": 1, "c": 2, "c": 3}, "\u0061": 2})");
  ASSERT_FALSE(json);
  ASSERT_EQ(json.error().size(), 2U);
  EXPECT_EQ(json.error()[0].pointer, "/b/c");
  EXPECT_EQ(json.error()[0].found, "it 3 times");
  EXPECT_EQ(json.error()[1].pointer, "/a");
}

TEST(Json, ReportsAtMostSoManyFaultsInLittleMemory) {
  std::string text = "{\"" + std::string(100'000, 'k') + "\": {";
  for (int i = 0; i < 5000; ++i) {
    text += "\"" + std::to_string(i) + "\": 1, \"" + std::to_string(i) + "\": 1, ";
  }
  const auto json = parse_json(text + "\"end\": 1}}");
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error().size(), kMaxFaults);
  EXPECT_EQ(json.error().front().pointer, "/" + std::string(200, 'k') + "…/0");
}

TEST(Json, PointersCutTokensOfMoreThanTwoHundredBytes) {
  const std::string longest(200, 'x');
  EXPECT_EQ(pointer_to("/a", longest), "/a/" + longest);
  EXPECT_EQ(pointer_to("/a", longest + "x"), "/a/" + longest + "…");
  EXPECT_EQ(pointer_to("", std::string(199, 'x') + "ä"), "/" + std::string(199, 'x') + "…");
}

TEST(Json, PointsIntoListsAndEscapesNames) {
  const auto json = parse_json(R"({"a/b": [0, {"~": 1, "~": 2}]})");
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error()[0].pointer, "/a~1b/1/~0");
}

TEST(Json, DescribesValuesShortly) {
  const auto described = [](std::string_view text) { return describe(*parse_json(text)); };
  EXPECT_EQ(described("null"), "null");
  EXPECT_EQ(described("true"), "true");
  EXPECT_EQ(described("false"), "false");
  EXPECT_EQ(described("3.0"), "3.0");
  EXPECT_EQ(described("\"a\""), "\"a\"");
  EXPECT_EQ(described("[]"), "an empty list");
  EXPECT_EQ(described("[1]"), "a list");
  EXPECT_EQ(described("{}"), "an object");
  EXPECT_EQ(described('"' + std::string(100, 'x') + '"'), '"' + std::string(60, 'x') + "…\"");
}

TEST(Printable, KeepsTextAndEscapesWhatSteersTerminals) {
  EXPECT_EQ(printable("Grüße 再 🌱", 60), "Grüße 再 🌱");
  EXPECT_EQ(printable("a\nb\x1b[1mc\x7f", 60), "a\\x0ab\\x1b[1mc\\x7f");
  EXPECT_EQ(printable("\x01\x1f ~", 60), "\\x01\\x1f ~");
  EXPECT_EQ(printable("\xC2\x9B", 60), "\\xc2\\x9b");  // a C1 control, CSI
  EXPECT_EQ(printable("\xC2\xA0", 60), "\xC2\xA0");  // the first code point behind the C1 controls
}

TEST(Printable, EscapesBrokenUtf8) {
  EXPECT_EQ(printable("\xFF", 60), "\\xff");
  EXPECT_EQ(printable("\xC3", 60), "\\xc3");
  EXPECT_EQ(printable("\xC0\xAF", 60), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(printable("\xE0\x80\x80", 60), "\\xe0\\x80\\x80");           // overlong
  EXPECT_EQ(printable("\xED\xA0\x80", 60), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80", 60), "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
  EXPECT_EQ(printable("\xF0\x9F\x8C", 60), "\\xf0\\x9f\\x8c");           // cut off
}

// Unicode standard, table 3-7: the first and last of each form, and what is just outside.
TEST(Printable, KeepsTheFirstAndLastOfEachFormOfUtf8) {
  for (const std::string_view text :
       {"\xC2\xA0", "\xC3\xBF", "\xDF\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xE0\xBF\xBF",
        "\xE1\x80\x80", "\xEC\xBF\xBF", "\xED\x80\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF0\xBF\xBF\xBF", "\xF1\x80\x80\x80",
        "\xF3\xBF\xBF\xBF", "\xF4\x80\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(printable(text, 60), text);
  }
}

std::string escaped(std::string_view bytes) {
  std::string result;
  for (const char c : bytes) {
    result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return result;
}

TEST(Printable, EscapesWhatIsJustOutsideEachFormOfUtf8) {
  for (const std::string_view text :
       {"\xC1\xBF", "\xC2\xC0", "\xDF\xC0", "\xE0\x9F\xBF", "\xE0\xC0\x80", "\xE1\x80\xC0",
        "\xE1\xC0\x80", "\xED\xA0\x80", "\xEF\xBF\xC0", "\xF0\x8F\xBF\xBF", "\xF0\x90\xC0\x80",
        "\xF0\x90\x80\xC0", "\xF1\xC0\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_EQ(printable(text, 60), escaped(text));
  }
  EXPECT_EQ(printable("\xDF\x7F", 60), "\\xdf\\x7f");
  EXPECT_EQ(printable("\xE1\x80\x7F", 60), "\\xe1\\x80\\x7f");
  EXPECT_EQ(printable("\xF0\x90\x28\x80", 60), "\\xf0\\x90(\\x80");
}

TEST(Json, IsWrittenOnOneLine) {
  const auto written = [](std::string_view text) { return write_json(*parse_json(text)); };
  EXPECT_EQ(written("[ ]"), "[]");
  EXPECT_EQ(written("{ }"), "{}");
  EXPECT_EQ(written("[null,true,false,1.50,3e1,\"a\\n\\\"\"]"),
            "[null, true, false, 1.50, 3e1, \"a\\n\\\"\"]");
  EXPECT_EQ(written("{\"b\":[1,[2]],\n\"a\":{\"c\":{}}}"), "{\"b\": [1, [2]], \"a\": {\"c\": {}}}");
}

TEST(Printable, CutsBetweenCodePoints) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdefg", 6), "abcdef…");
  EXPECT_EQ(printable("aaaä", 4), "aaa…");
}

}  // namespace
}  // namespace retrygarden
