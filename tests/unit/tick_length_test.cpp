// The length of a tick, and times that are exact.
#include "tick_length.h"

#include <gtest/gtest.h>

namespace retrygarden::cli {
namespace {

using import_from::kMillisecond;
using import_from::kSecond;

TEST(TickLength, IsThatOfTheScenario) {
  Scenario scenario;
  EXPECT_EQ(tick_length(scenario), std::nullopt);
  scenario.tick = "2ms";
  EXPECT_EQ(tick_length(scenario), 2 * kMillisecond);
  scenario.tick = "999999h";
  EXPECT_EQ(tick_length(scenario), 3'599'996'400'000'000'000U);
}

TEST(TimeText, HasTheLargestUnitOfWhichThereIsOne) {
  EXPECT_EQ(time_text(1, 999), "999 ns");
  EXPECT_EQ(time_text(1, 1'000), "1 µs");
  EXPECT_EQ(time_text(1, 999'999), "999.999 µs");
  EXPECT_EQ(time_text(1, 1'000'000), "1 ms");
  EXPECT_EQ(time_text(1, 1'000'000'000), "1 s");
  EXPECT_EQ(time_text(kMillisecond, 999), "999 ms");
  EXPECT_EQ(time_text(10 * kMillisecond, 250), "2.5 s");
  EXPECT_EQ(time_text(10 * kMillisecond, 8'640'001), "86 400.01 s");
}

TEST(TimeText, IsInMinutesAndHoursWhereTicksAre) {
  EXPECT_EQ(time_text(kSecond, 3600), "3 600 s");
  EXPECT_EQ(time_text(60 * kSecond, 1), "1 min");
  EXPECT_EQ(time_text(60 * kSecond, 90), "90 min");
  EXPECT_EQ(time_text(90 * kSecond, 2), "180 s");
  EXPECT_EQ(time_text(3600 * kSecond, 30), "30 h");
}

TEST(TimeText, OfNoTickIsInTheUnitOfATick) {
  EXPECT_EQ(time_text(10 * kMillisecond, 0), "0 ms");
  EXPECT_EQ(time_text(1500 * kMillisecond, 0), "0 s");
  EXPECT_EQ(time_text(3600 * kSecond, 0), "0 h");
}

// 1.000000001 s times 2^31: no digit is lost, though a double has too few.
TEST(TimeText, IsExact) {
  EXPECT_EQ(time_text(1'000'000'001, 2'147'483'648), "2 147 483 650.147483648 s");
  EXPECT_EQ(time_text(1, 9'007'199'254'740'993), "9 007 199.254740993 s");
  EXPECT_EQ(time_text(kSecond * 3600 * 999'999, 4'294'967'295), "4 294 963 000 032 705 h");
}

TEST(TimeUnit, IsTheSameForAll) {
  const TimeUnit unit(10 * kMillisecond, 250);
  EXPECT_EQ(unit.name(), "s");
  EXPECT_EQ(unit.time(1), "0.01 s");
  EXPECT_EQ(unit.time(250), "2.5 s");
  EXPECT_EQ(unit.time(100), "1 s");
  EXPECT_EQ(unit.time(1'000), "10 s");
}

TEST(TimeUnit, AlignsDecimals) {
  const TimeUnit unit(10 * kMillisecond, 250);
  EXPECT_EQ(unit.aligned(0), "0.00 s");
  EXPECT_EQ(unit.aligned(7), "0.07 s");
  EXPECT_EQ(unit.number(7), "0.07");
  EXPECT_EQ(unit.aligned(250), "2.50 s");
  EXPECT_EQ(unit.aligned(100'000), "1 000.00 s");
  EXPECT_EQ(TimeUnit(10 * kMillisecond, 99).aligned(7), "70 ms");
  EXPECT_EQ(TimeUnit(125'000, 8).aligned(3), "0.375 ms");
}

TEST(TicksText, HasTheTimeWhereATickHasALength) {
  EXPECT_EQ(ticks_text(std::nullopt, 1'250), "1 250");
  EXPECT_EQ(ticks_text(10 * kMillisecond, 1'250), "1 250 = 12.5 s");
  EXPECT_EQ(counted_ticks(std::nullopt, 1), "1 tick");
  EXPECT_EQ(counted_ticks(10 * kMillisecond, 1), "1 tick = 10 ms");
  EXPECT_EQ(counted_ticks(10 * kMillisecond, 250), "250 ticks = 2.5 s");
}

}  // namespace
}  // namespace retrygarden::cli
