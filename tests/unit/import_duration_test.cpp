// Durations of other systems, exactly.
#include "import/duration.h"

#include <gtest/gtest.h>

namespace retrygarden::import_from {
namespace {

TEST(ImportDuration, TicksAreThoseOfAScenario) {
  EXPECT_EQ(parse_tick("1ms"), kMillisecond);
  EXPECT_EQ(parse_tick("250us"), 250 * kMicrosecond);
  EXPECT_EQ(parse_tick("7ns"), 7U);
  EXPECT_EQ(parse_tick("2min"), 120 * kSecond);
  EXPECT_EQ(parse_tick("999999h"), kSecond * 3600 * 999'999);
  for (const std::string_view bad :
       {"", "ms", "0ms", "01ms", "1", "1m", "1.5s", "-1s", "1000000s", "1 s", "1d", "1ms "}) {
    EXPECT_FALSE(parse_tick(bad)) << bad;
  }
}

TEST(ImportDuration, DecimalsAreExact) {
  EXPECT_EQ(parse_decimal("0.1"), Rational(1, 10));
  EXPECT_EQ(parse_decimal(".5"), Rational(1, 2));
  EXPECT_EQ(parse_decimal("010"), Rational(10));
  EXPECT_EQ(parse_decimal("1.25e3"), Rational(1250));
  EXPECT_EQ(parse_decimal("25E-1"), Rational(5, 2));
  EXPECT_EQ(*parse_decimal("1e308") / *parse_decimal("1e307"), 10);
  for (const std::string_view bad :
       {"", ".", "e1", "1e", "1e+", "1e401", "-1", "+1", "1x", "0x1", "nan", "1e-", "1e1.5"}) {
    EXPECT_FALSE(parse_decimal(bad)) << bad;
  }
}

TEST(ImportDuration, GoDurations) {
  EXPECT_EQ(parse_go_duration("1h30m"), Rational(5400 * kSecond));
  EXPECT_EQ(parse_go_duration("1.5s"), Rational(1500 * kMillisecond));
  EXPECT_EQ(parse_go_duration("1m5ms"), Rational(60'005 * kMillisecond));
  EXPECT_EQ(parse_go_duration("2us3µs4μs1ns"), Rational(9001));
  EXPECT_EQ(parse_go_duration("0"), Rational(0));
  EXPECT_EQ(parse_go_duration("0.0000001s"), Rational(100));
  for (const std::string_view bad : {"", "1", "s", "-1s", "1 s", "1e3s", "1d", "5s3"}) {
    EXPECT_FALSE(parse_go_duration(bad)) << bad;
  }
}

TEST(ImportDuration, ProtoDurations) {
  EXPECT_EQ(parse_proto_duration("0.1s"), Rational(100 * kMillisecond));
  EXPECT_EQ(parse_proto_duration(".01s"), Rational(10 * kMillisecond));
  EXPECT_EQ(parse_proto_duration("0.0000001s"), Rational(100));
  EXPECT_EQ(parse_proto_duration("9223372037s"), Rational(9223372037) * kSecond);
  EXPECT_EQ(parse_proto_duration("315576000000s"), Rational(315576000000) * kSecond);
  for (const std::string_view bad :
       {"", "s", ".s", "1", "-1s", "1e400s", "1.0000000001s", "315576000001s", "1ms", "1s "}) {
    EXPECT_FALSE(parse_proto_duration(bad)) << bad;
  }
}

TEST(ImportDuration, TimeSpans) {
  EXPECT_EQ(parse_time_span("00:00:02"), Rational(2 * kSecond));
  EXPECT_EQ(parse_time_span("1:2:3.5"), Rational(3723 * kSecond + 500 * kMillisecond));
  EXPECT_EQ(parse_time_span("00:01"), Rational(60 * kSecond));
  EXPECT_EQ(parse_time_span("2.00:00:00"), Rational(172'800 * kSecond));
  EXPECT_EQ(parse_time_span("2"), Rational(172'800 * kSecond));
  EXPECT_EQ(parse_time_span("00:00:00.0000001"), Rational(100));
  for (const std::string_view bad :
       {"", "2s", "-00:00:01", "24:00:00", "00:60:00", "00:00:60", "00:00:00.", "1.",
        "00:", "00:00:00.00000001", "000:00:01", "10675200.00:00:00", "1:2:3:4"}) {
    EXPECT_FALSE(parse_time_span(bad)) << bad;
  }
}

TEST(ImportDuration, BecomesTheNearestTick) {
  const auto ticks = [](const Rational& duration) {
    return whole_ticks("a delay", duration, kMillisecond);
  };
  EXPECT_EQ(ticks(5 * kMillisecond).ticks, 5U);
  EXPECT_EQ(ticks(5 * kMillisecond).loss, "");
  EXPECT_EQ(ticks(1'499'999).ticks, 1U);
  EXPECT_EQ(ticks(1'500'000).ticks, 2U);
  EXPECT_EQ(ticks(1'500'000).loss, "a delay of 1.5 ms becomes 2 ticks of 1 ms");
  EXPECT_EQ(ticks(0).ticks, 1U);
  EXPECT_EQ(ticks(0).loss, "a delay of 0 becomes 1 tick of 1 ms");
  EXPECT_EQ(ticks(Rational(1 << 30) * kMillisecond).loss, "");
  EXPECT_EQ(ticks(Rational(1U << 31) * kMillisecond).ticks, 1U << 30);
  EXPECT_EQ(ticks(Rational(1U << 31) * kMillisecond).loss,
            "a delay of 2147483.648 s is cut to 1073741824 ticks of 1 ms");
}

TEST(ImportDuration, IsShownInItsUnit) {
  EXPECT_EQ(duration_text(0), "0");
  EXPECT_EQ(duration_text(Rational(1, 3)), "about 0.333333 ns");
  EXPECT_EQ(duration_text(12'345'678), "12.345678 ms");
  EXPECT_EQ(duration_text(Rational(kSecond) * 5400), "5400 s");
  EXPECT_EQ(duration_text(Rational(kSecond) / 7), "about 142.857143 ms");
}

}  // namespace
}  // namespace retrygarden::import_from
