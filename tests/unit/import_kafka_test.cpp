// A Kafka producer's properties. Vectors: apache/kafka ExponentialBackoffTest.java, and the same
// formula worked out for the defaults.
#include <gtest/gtest.h>

#include "support/imports.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

// (100 ms, ×2, 1000 ms, jitter .2): with .8, 80 160 320 640 800 800; with 1, 100 200 400 800 1000;
// with 1.2, 120 240 480 960 1000 1000, as the cap holds after jitter too.
TEST(ImportKafka, HasTheProducersDefaults) {
  const Policy policy = imported_policy("kafka", "retries=2147483647\n");
  EXPECT_EQ(policy.attempts, 2'147'483'648U);
  EXPECT_EQ(least_delays(policy, 6), (std::vector<std::uint32_t>{80, 160, 320, 640, 800, 800}));
  std::vector<std::uint32_t> greatest = greatest_delays(policy, 6);
  for (std::uint32_t& ticks : greatest) {
    ticks = std::min(ticks, policy.max_delay.value());
  }
  EXPECT_EQ(greatest, (std::vector<std::uint32_t>{120, 240, 480, 960, 1000, 1000}));
  const DelayTable middle(policy.delay, NoJitter{}, policy.attempts);
  EXPECT_EQ(middle.after(4).hi, 800U);
  EXPECT_EQ(middle.after(5).hi, 1000U);
  EXPECT_EQ(middle.after(policy.attempts - 1).hi, 1000U);
  EXPECT_EQ(policy.timeout, 30'000U);
  EXPECT_EQ(policy.deadline, 120'000U);
}

// (100, 2, 400, 0): 100 200 400 400.
TEST(ImportKafka, GrowsAsExponentialBackoffDoes) {
  const Policy policy =
      imported_policy("kafka", "retry.backoff.ms=100\nretry.backoff.max.ms=400\n");
  const DelayTable table(policy.delay, NoJitter{}, policy.attempts);
  std::vector<std::uint32_t> delays;
  for (std::uint32_t attempt = 1; attempt <= 4; ++attempt) {
    delays.push_back(table.after(attempt).hi);
  }
  EXPECT_EQ(delays, (std::vector<std::uint32_t>{100, 200, 400, 400}));
}

TEST(ImportKafka, HasNoJitterWhereTheCapIsNotAboveTheBase) {
  const Policy policy =
      imported_policy("kafka", "retry.backoff.ms: 2000\nretry.backoff.max.ms 1000\n");
  EXPECT_EQ(delays(policy).after(1), (Interval{1000, 1000}));
  EXPECT_EQ(delays(policy).after(9), (Interval{1000, 1000}));
}

TEST(ImportKafka, IdempotenceIsDeduplicationForADay) {
  const Imported all = imported("kafka", "retries=3\nlinger.ms=5\n", kSecond);
  const auto* ttl = std::get_if<DeduplicationTtl>(&*all.deduplication);
  ASSERT_NE(ttl, nullptr);
  EXPECT_EQ(ttl->ticks, 86'400U);
  EXPECT_EQ(losses_of(all).back(), "what is not read: linger.ms");
  EXPECT_FALSE(imported("kafka", "retries=3\nenable.idempotence=false\n").deduplication);
}

TEST(ImportKafka, ReadsPropertiesAsJavaDoes) {
  const Policy policy = imported_policy("kafka",
                                        "! comment\n# comment\n\n  retries \\\n    = 7\r\n"
                                        "retry.backoff.ms\\\n.ignored = 9\nretry\\.backoff.ms:50");
  EXPECT_EQ(policy.attempts, 8U);
  EXPECT_EQ(std::get<ExponentialDelay>(policy.delay).base, 50U);
}

TEST(ImportKafka, SaysWhereAFaultIs) {
  EXPECT_EQ(faults_of("kafka", "a=b\nretries = many\n"),
            "line 2, column 11: expected an integer from 0 to 2147483647, found \"many\"");
  EXPECT_EQ(faults_of("kafka", "retries=\n"),
            "line 1, column 9: expected an integer from 0 to 2147483647, found nothing");
  EXPECT_EQ(faults_of("kafka", "retries=1\nenable.idempotence=yes\n"),
            "line 2, column 20: expected true or false, found \"yes\"");
  EXPECT_EQ(faults_of("kafka", "retries=1\nretries=2\n"),
            "line 2, column 1: expected a key once in its section, found retries again");
  EXPECT_EQ(
      faults_of("kafka", "bootstrap.servers=x\n"),
      "line 1, column 1: expected a property such as retries or retry.backoff.ms, found none");
}

}  // namespace
}  // namespace retrygarden::test
