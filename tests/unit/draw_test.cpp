// Random draws: docs/model.md, section 7.
#include "draw.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <vector>

#include "reference_model/draws.h"

namespace retrygarden {
namespace {

using Words = std::array<std::uint32_t, 4>;

Words philox(r123::Philox4x32::ctr_type counter, r123::Philox4x32::key_type key) {
  const auto block = r123::Philox4x32()(counter, key);
  return {block[0], block[1], block[2], block[3]};
}

TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({{0, 0, 0, 0}}, {{0, 0}}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({{ones, ones, ones, ones}}, {{ones, ones}}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Purpose 0, index 0, client 0, seed 0 is the all-zero counter and key, whose first word is
// 6627e8d5 hex, or 0.3990 of 2^32: the third of six values.
TEST(Draw, ScalesTheFirstWord) {
  EXPECT_EQ(draw(0, {1, 6}, Purpose::kDelay, 0, 0), 3U);
}

TEST(Draw, OfOneValueIsThatValue) {
  EXPECT_EQ(draw(1, {5, 5}, Purpose::kDelay, 1, 1), 5U);
  EXPECT_EQ(draw(1, {0, 0}, Purpose::kArrival, 0, 1), 0U);
}

// For 2^31 + 1 values, products below 2^32 mod (2^31 + 1) = 2^31 - 1 are rejected. The size is its
// own inverse mod 2^32, so the word whose low product is p is p·(2^31 + 1) mod 2^32.
TEST(Draw, RejectsExactlyTheProductsBelowTheBound) {
  const std::uint32_t size = (1U << 31) + 1;
  const std::uint32_t bound = (1U << 31) - 1;
  EXPECT_EQ(scaled((bound - 1) * size, size), std::nullopt);
  // The word is 2^32 - 1: floor((2^32 - 1)(2^31 + 1) / 2^32) = 2^31.
  EXPECT_EQ(scaled(bound * size, size), 1U << 31);
  EXPECT_EQ(scaled(0, size), std::nullopt);
}

TEST(Draw, RejectsNothingWhenTheSizeDividesTheWords) {
  EXPECT_EQ(scaled(0, 1U << 30), 0U);
  EXPECT_EQ(scaled(0xffffffffU, 1U << 30), (1U << 30) - 1);
}

// Worked out from the page in another language, with unbounded integers. A quarter of all words is
// rejected for 3 · 2^30 values: client 206 needs its fifth word, from block 1, client 27202 its
// ninth, from block 2.
TEST(Draw, GoesOnToTheNextWordsAndBlocks) {
  EXPECT_EQ(draw(9, {1, 3U << 30}, Purpose::kDelay, 1, 206), 2'412'779'017U);
  EXPECT_EQ(draw(9, {1, 3U << 30}, Purpose::kDelay, 1, 27202), 1'046'178'331U);
}

TEST(Draw, OfARunAreThoseOfItsSeed) {
  EXPECT_EQ(SeededDraws(9)({1, 3U << 30}, Purpose::kDelay, 1, 206), 2'412'779'017U);
}

TEST(Draw, UsesBothWordsOfTheSeedAndTheLargestClient) {
  const std::uint64_t seed = (std::uint64_t{1} << 53) - 1;
  EXPECT_EQ(draw(seed, {0, 79}, Purpose::kArrival, 0, 4'294'967'294U), 17U);
  EXPECT_EQ(draw(seed, {0, 4'294'967'294U}, Purpose::kArrival, 0, 4'294'967'294U), 941'942'357U);
}

// As above, of [0, 999999] with seed 7, index 2 and client 3.
TEST(Draw, EachPurposeHasItsOwnWords) {
  EXPECT_EQ(draw(7, {0, 999'999}, Purpose::kDelay, 2, 3), 372894U);
  EXPECT_EQ(draw(7, {0, 999'999}, Purpose::kResponseLoss, 2, 3), 411813U);
  EXPECT_EQ(draw(7, {0, 999'999}, Purpose::kRequestLoss, 2, 3), 871510U);
  EXPECT_EQ(draw(7, {0, 999'999}, Purpose::kArrival, 2, 3), 867076U);
  EXPECT_EQ(draw(7, {0, 999'999}, Purpose::kTieBreak, 2, 3), 480891U);
}

TEST(Draw, TheWordThatBreaksTiesIsTheFirstOfItsBlock) {
  EXPECT_EQ(tie_break_word(7, 1, 0), 0xf7803e6dU);
  EXPECT_EQ(tie_break_word(7, 2, 5), 0xee2a4fd1U);
  EXPECT_EQ(tie_break_word((std::uint64_t{1} << 53) - 1, 4'294'967'295U, 4'294'967'294U),
            0x6ead274U);
}

RC_GTEST_PROP(Draw, AgreesWithTheReferenceModelForAnyInterval, ()) {
  const auto any = [](std::uint64_t lo, std::uint64_t hi) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(lo, hi + 1));
  };
  const auto lo = static_cast<std::uint32_t>(any(0, 1'000'000));
  const auto size = static_cast<std::uint32_t>(any(1, 4'293'967'295U));
  const std::uint64_t seed = any(0, (std::uint64_t{1} << 53) - 1);
  const auto index = static_cast<std::uint32_t>(any(0, 4'294'967'295U));
  const auto client = static_cast<std::uint32_t>(any(0, 4'294'967'295U));
  const auto purpose = *rc::gen::element(Purpose::kDelay, Purpose::kResponseLoss,
                                         Purpose::kRequestLoss, Purpose::kArrival);
  const std::uint32_t hi = lo + size - 1;
  RC_ASSERT(
      draw(seed, {lo, hi}, purpose, index, client) ==
      reference_model::draw(lo, hi, seed, static_cast<std::uint32_t>(purpose), index, client));
}

// Sizes from one value to nearly all, so that some words are certain to be taken, some are not, and
// some are rejected.
RC_GTEST_PROP(DrawAll, GivesWhatSingleDrawsGive, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 53);
  const auto size = *rc::gen::inRange<std::size_t>(0, 130);
  std::vector<DueAttempt> due;
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i < size; ++i) {
    due.push_back({*rc::gen::arbitrary<Client>(), *rc::gen::inRange(1U, 99U)});
    const auto lo = *rc::gen::inRange(1U, 20U);
    const int bits = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 32));
    intervals.push_back({lo, lo + ((1U << bits) - 1)});
  }
  std::vector<std::uint32_t> values(size);
  draw_all(seed, Purpose::kDelay, due, intervals, values);
  for (std::size_t i = 0; i < size; ++i) {
    RC_ASSERT(values[i] ==
              draw(seed, intervals[i], Purpose::kDelay, due[i].attempt, due[i].client));
  }
}

TEST(DrawAll, DrawsAgainWhereAWordIsRejected) {
  constexpr std::uint32_t kSize = (1U << 31) + 1;  // nearly every second word is rejected
  const std::vector<DueAttempt> due = {{0, 1}, {1, 1}, {2, 1}, {3, 1},
                                       {4, 1}, {5, 1}, {6, 1}, {7, 1}};
  const std::vector<Interval> intervals(due.size(), {0, kSize - 1});
  std::vector<std::uint32_t> values(due.size());
  draw_all(9, Purpose::kDelay, due, intervals, values);
  int rejected = 0;
  for (std::size_t i = 0; i < due.size(); ++i) {
    EXPECT_EQ(values[i], draw(9, intervals[i], Purpose::kDelay, 1, due[i].client));
    const std::uint32_t first = random_words(9, Purpose::kDelay, 1, due[i].client, 0)[0];
    rejected += scaled(first, kSize) ? 0 : 1;
  }
  EXPECT_GT(rejected, 0);
  EXPECT_LT(rejected, 8);
}

TEST(DrawAll, MakesNoDrawWhereAllIntervalsHoldOneValue) {
  std::vector<std::uint32_t> values(2);
  draw_all(9, Purpose::kDelay, std::vector<DueAttempt>{{0, 1}, {1, 1}},
           std::vector<Interval>{{5, 5}, {7, 7}}, values);
  EXPECT_EQ(values, (std::vector<std::uint32_t>{5, 7}));
}

}  // namespace
}  // namespace retrygarden
