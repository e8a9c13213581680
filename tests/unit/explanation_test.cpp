// Explanations of delays, worked out by hand from docs/model.md, section 6; and for random
// scenarios, that they lead to what the run did.
#include "retrygarden/explanation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "reference_model/draws.h"
#include "retrygarden/event_loop.h"
#include "support/documents.h"
#include "support/runs.h"
#include "support/scenario_generator.h"

namespace retrygarden::test {
namespace {

// What is said of the delay after attempt number `attempt` of client 0, which must have one.
DelayExplanation delay_after(const Scenario& scenario, std::uint32_t attempt) {
  return explain(make_plan(scenario, 0), 0, attempt).value().delay.value();
}

// A server that refuses everything.
Scenario refusing(Delay delay, std::uint32_t attempts = 5) {
  return scenario(1, 1000, 0, attempts, std::move(delay));
}

TEST(Explanation, IsOfTheAttemptAskedFor) {
  const Scenario example = scenario(3, 10, 1, 3, FixedDelay{2});
  const auto second = explain(make_plan(example, 0), 2, 2);
  ASSERT_TRUE(second);
  EXPECT_EQ(line_of(second->attempt), "t2 c2#2 overloaded, failed 2, next 4");
  EXPECT_EQ(second->end, std::nullopt);
  const auto third = explain(make_plan(example, 0), 2, 3);
  ASSERT_TRUE(third);
  EXPECT_EQ(line_of(third->attempt), "t4 c2#3 accepted, started 4, applied, acknowledged");
  EXPECT_EQ(third->end, ClientState::kAcknowledged);
  EXPECT_EQ(third->delay, std::nullopt);
}

TEST(Explanation, IsNothingForAttemptsThatWereNotMade) {
  const Plan plan = make_plan(scenario(3, 10, 1, 3, FixedDelay{2}), 0);
  EXPECT_EQ(explain(plan, 0, 0), std::nullopt);
  EXPECT_EQ(explain(plan, 0, 2), std::nullopt);
  EXPECT_EQ(explain(plan, 3, 1), std::nullopt);
}

TEST(Explanation, HasNoDelayAfterTheLastAttempt) {
  const auto last = explain(make_plan(refusing(FixedDelay{2}, 2), 0), 0, 2);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->delay, std::nullopt);
  EXPECT_EQ(last->end, ClientState::kExhausted);
}

TEST(Explanation, HasNoDelayWhileTheClientWaits) {
  Scenario example = scenario(1, 5, 1, 3, FixedDelay{2}, 9);
  example.server.service_ticks = 9;
  const auto first = explain(make_plan(example, 0), 0, 1);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->delay, std::nullopt);
  EXPECT_EQ(first->end, std::nullopt);
}

// The delay is determined also where the deadline then stops the retry.
TEST(Explanation, HasTheDelayThatTheDeadlineStopped) {
  Scenario example = refusing(FixedDelay{7});
  example.policies[0].deadline = 6;
  const auto first = explain(make_plan(example, 0), 0, 1);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->end, ClientState::kDeadlineExceeded);
  EXPECT_EQ(first->delay.value().ticks, 7U);
}

TEST(Explanation, DrawsNothingFromOneValue) {
  const DelayExplanation delay = delay_after(refusing(LinearDelay{2, 3, 100}), 3);
  EXPECT_EQ(delay, (DelayExplanation{.interval = Interval{8, 8}, .drawn = 8, .ticks = 8}));
}

// After attempt 3 of client 6 in "lost responses" the delay is a draw from [1, 8], the raw delay
// being 8. The reference model has a generator of its own.
TEST(Explanation, TellsTheWordThatWasDrawn) {
  Scenario example = scenario(8, 80, 3, 4, ExponentialDelay{.base = 2, .cap = 16});
  example.seed = 9;
  example.server.outages = {{.from = 0, .ticks = 2}};
  example.faults.first_response_lost = FirstResponseLost{.every = 3};
  example.policies[0].jitter = FullJitter{};
  const auto third = explain(make_plan(example, 0), 6, 3);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->attempt.tick, 5U);
  const std::uint32_t word = reference_model::philox_block({3, 0, 6, 0}, {9, 0})[0];
  EXPECT_EQ(std::uint64_t{8} * word >> 32, 1U);
  EXPECT_EQ(third->delay,
            (DelayExplanation{
                .interval = Interval{1, 8}, .words = {{word, false}}, .drawn = 2, .ticks = 2}));
}

TEST(Explanation, CutsAtTheLargestDelay) {
  Scenario example = refusing(FixedDelay{9});
  example.policies[0].max_delay = 4;
  EXPECT_EQ(delay_after(example, 1),
            (DelayExplanation{.interval = Interval{9, 9}, .drawn = 9, .ticks = 4}));
}

TEST(Explanation, TellsWhatBecameOfTheHint) {
  Scenario example = refusing(FixedDelay{3});
  example.server.retry_after = 5;
  EXPECT_EQ(delay_after(example, 1),
            (DelayExplanation{.interval = Interval{3, 3}, .drawn = 3, .hint = 5, .ticks = 3}));
  example.policies[0].on_retry_after = OnRetryAfter::kAtLeast;
  EXPECT_EQ(delay_after(example, 1),
            (DelayExplanation{.interval = Interval{3, 3}, .drawn = 3, .hint = 5, .ticks = 5}));
  example.server.retry_after = 2;
  EXPECT_EQ(delay_after(example, 1),
            (DelayExplanation{.interval = Interval{3, 3}, .drawn = 3, .hint = 2, .ticks = 3}));
  example.policies[0].on_retry_after = OnRetryAfter::kReplace;
  EXPECT_EQ(delay_after(example, 1), (DelayExplanation{.hint = 2, .ticks = 2}));
}

// A response that is lost sends no hint.
TEST(Explanation, HasNoHintAfterATimeout) {
  Scenario example = scenario(1, 20, 1, 3, FixedDelay{3});
  example.server.retry_after = 5;
  example.faults.response_loss = fraction("1");
  example.policies[0].on_retry_after = OnRetryAfter::kReplace;
  EXPECT_EQ(delay_after(example, 1),
            (DelayExplanation{.interval = Interval{3, 3}, .drawn = 3, .ticks = 3}));
}

// Where the hint replaces the delay nothing is drawn, and the previous value stays.
TEST(Explanation, KeepsThePreviousValueOfDecorrelatedDelays) {
  Scenario example = refusing(DecorrelatedDelay{.base = 10, .cap = 40});
  const DelayExplanation first = delay_after(example, 1);
  EXPECT_EQ(first.previous, 10U);
  EXPECT_EQ(first.interval, (Interval{10, 30}));
  const DelayExplanation second = delay_after(example, 2);
  EXPECT_EQ(second.previous, first.drawn);
  EXPECT_EQ(second.interval, (Interval{10, 3 * first.ticks}));
  example.server.outages = {{.from = 0, .ticks = 1, .kind = OutageKind::kHang}};
  example.server.retry_after = 2;
  example.policies[0].on_retry_after = OnRetryAfter::kReplace;
  example.policies[0].timeout = 1;
  EXPECT_EQ(delay_after(example, 1).previous, 10U);  // a timeout, so the law's
  EXPECT_EQ(delay_after(example, 2), (DelayExplanation{.hint = 2, .ticks = 2}));
}

TEST(Explanation, CutsDecorrelatedDelaysAtTheirCap) {
  const DelayExplanation delay = delay_after(refusing(DecorrelatedDelay{.base = 50, .cap = 50}), 1);
  EXPECT_EQ(delay.interval, (Interval{50, 150}));
  EXPECT_EQ(delay.drawn, 50U);
  EXPECT_EQ(delay.words.size(), 1U);
}

// Section 7: a word w of s values is rejected when (w·s) mod 2^32 < 2^32 mod s.
bool is_rejected(std::uint32_t word, std::uint64_t size) {
  return (word * size) % (std::uint64_t{1} << 32) < (std::uint64_t{1} << 32) % size;
}

// Whether the words are those that a draw takes, and lead to what was drawn.
bool words_fit(const DelayExplanation& delay) {
  if (!delay.interval || delay.interval->lo == delay.interval->hi) {
    return delay.words.empty();
  }
  const std::uint64_t size = std::uint64_t{delay.interval->hi} - delay.interval->lo + 1;
  for (const DrawnWord& drawn : delay.words) {
    if (drawn.is_rejected != is_rejected(drawn.word, size) ||
        drawn.is_rejected != (&drawn != &delay.words.back())) {
      return false;
    }
  }
  return delay.previous ||
         *delay.drawn == delay.interval->lo + (delay.words.back().word * size >> 32);
}

RC_GTEST_PROP(Explanation, LeadsToTheNextAttempt, ()) {
  const Plan plan = make_plan(scenario_of(*scenario_texts()), 0);
  std::vector<Attempt> attempts;
  run(plan, {.attempt = [&](const Attempt& attempt) { attempts.push_back(attempt); }});
  attempts.resize(std::min<std::size_t>(attempts.size(), 50));
  for (const Attempt& attempt : attempts) {
    const auto explanation = explain(plan, attempt.client, attempt.attempt);
    RC_ASSERT(explanation.has_value());
    RC_ASSERT(explanation->attempt == attempt);
    RC_ASSERT(explanation->delay.has_value() ==
              (attempt.failed_tick.has_value() && attempt.attempt < plan.attempts));
    if (explanation->delay) {
      RC_ASSERT(words_fit(*explanation->delay));
    }
    if (attempt.next_tick) {
      RC_ASSERT(*attempt.failed_tick + explanation->delay->ticks == *attempt.next_tick);
    }
  }
}

// An interval of 2^31 + 1 values, for which about half of all words are rejected; so one of 16
// draws needs a second block of four.
TEST(Explanation, TellsRejectedWords) {
  constexpr std::uint32_t kLongest = 1U << 30;
  const Scenario example =
      scenario(200, 2147483647, 0, 6, DecorrelatedDelay{.base = kLongest, .cap = kLongest});
  const Plan plan = make_plan(example, 0);
  std::size_t most = 0;
  for (Client client = 0; client < 200; ++client) {
    const DelayExplanation delay = explain(plan, client, 1).value().delay.value();
    EXPECT_TRUE(words_fit(delay));
    most = std::max(most, delay.words.size());
  }
  EXPECT_GE(most, 5U);
}

}  // namespace
}  // namespace retrygarden::test
