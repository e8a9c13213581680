// How a run must change when its scenario changes, on random scenarios. Each relation follows from
// docs/model.md without computing a single run by hand; docs/verification.md explains them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

#include "support/documents.h"
#include "support/scenario_generator.h"

namespace retrygarden::test {
namespace {

std::uint32_t number(std::uint32_t lo, std::uint32_t hi) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(lo, hi + 1));
}

Scenario any_scenario() {
  return scenario_of(*scenario_texts());
}

// A scenario whose runs of a few dozen ticks may be observed for longer.
Scenario any_short_scenario() {
  Scenario scenario = any_scenario();
  RC_PRE(scenario.horizon <= 40U);
  return scenario;
}

std::vector<Attempt> attempts_of(const Scenario& scenario, std::size_t policy = 0) {
  std::vector<Attempt> attempts;
  run(make_plan(scenario, policy),
      {.attempt = [&](const Attempt& attempt) { attempts.push_back(attempt); }});
  return attempts;
}

template <class Keep>
std::vector<Attempt> those(std::vector<Attempt> attempts, Keep keep) {
  std::erase_if(attempts, [&](const Attempt& attempt) { return !keep(attempt); });
  return attempts;
}

bool makes_draws(const Policy& policy) {
  return std::holds_alternative<DecorrelatedDelay>(policy.delay) ||
         !std::holds_alternative<NoJitter>(policy.jitter);
}

RC_GTEST_PROP(Metamorphic, DeduplicationChangesNoAttemptAndNoAcknowledgement, ()) {
  Scenario scenario = any_scenario();
  const auto without_effects = [&](Deduplication deduplication) {
    scenario.server.deduplication = deduplication;
    auto attempts = attempts_of(scenario);
    for (Attempt& attempt : attempts) {
      attempt.effect = Effect::kNone;
    }
    return attempts;
  };
  const auto expected = without_effects(NoDeduplication{});
  RC_ASSERT(without_effects(DeduplicationForever{}) == expected);
  RC_ASSERT(without_effects(DeduplicationTtl{number(1, 12)}) == expected);
}

RC_GTEST_PROP(Metamorphic, ALongerHorizonExtendsATraceWithoutChangingWhatWasThere, ()) {
  const Scenario scenario = any_short_scenario();
  Scenario longer = scenario;
  longer.horizon += number(1, 40);
  const auto in_both = [&](const Attempt& attempt) { return attempt.tick < scenario.horizon; };
  RC_ASSERT(those(attempts_of(longer), in_both) == attempts_of(scenario));
}

RC_GTEST_PROP(Metamorphic, ClientsWithHigherNumbersNeverChangeTheTraceOfLowerOnes, ()) {
  const Scenario scenario = any_scenario();
  RC_PRE(
      !std::holds_alternative<SpreadArrivals>(scenario.arrivals));  // depend on how many there are
  Scenario more = scenario;
  more.clients += number(1, 20);
  const auto is_old = [&](const Attempt& attempt) { return attempt.client < scenario.clients; };
  RC_ASSERT(those(attempts_of(more), is_old) == attempts_of(scenario));
}

RC_GTEST_PROP(Metamorphic, TheSeedChangesNothingWhenNoDrawIsMade, ()) {
  Scenario scenario = any_scenario();
  scenario.arrivals = SpreadArrivals{number(1, scenario.horizon)};
  RC_PRE(!makes_draws(scenario.policies[0]));
  const auto expected = attempts_of(scenario);
  scenario.seed = number(0, 4294967294U);
  RC_ASSERT(attempts_of(scenario) == expected);
}

RC_GTEST_PROP(Metamorphic, AnOutageSplitInTwoIsTheSameOutage, ()) {
  Scenario scenario = any_scenario();
  const Outage whole{number(0, 20), number(2, 20)};
  scenario.server.outages.push_back(whole);
  const auto expected = attempts_of(scenario);
  const std::uint32_t first_ticks = number(1, whole.ticks - 1);
  scenario.server.outages.back().ticks = first_ticks;
  scenario.server.outages.push_back({whole.from + first_ticks, whole.ticks - first_ticks});
  if (number(0, 1) == 1) {
    std::reverse(scenario.server.outages.begin(), scenario.server.outages.end());
  }
  RC_ASSERT(attempts_of(scenario) == expected);
}

RC_GTEST_PROP(Metamorphic, ShiftingArrivalsAndOutagesShiftsTheTrace, ()) {
  Scenario scenario = any_short_scenario();
  scenario.arrivals = BurstArrivals{number(0, scenario.horizon - 1)};
  for (Outage& outage : scenario.server.outages) {
    outage.ticks = std::min(outage.ticks, 1000U);  // room to shift
  }
  auto expected = attempts_of(scenario);
  const std::uint32_t shift = number(1, 1000);
  for (Attempt& attempt : expected) {
    attempt.tick += shift;
    for (auto tick : {&Attempt::started_tick, &Attempt::failed_tick, &Attempt::next_tick}) {
      if (attempt.*tick) {
        *(attempt.*tick) += shift;
      }
    }
  }
  std::get<BurstArrivals>(scenario.arrivals).at += shift;
  scenario.horizon += shift;
  for (Outage& outage : scenario.server.outages) {
    outage.from += shift;
  }
  RC_ASSERT(attempts_of(scenario) == expected);
}

RC_GTEST_PROP(Metamorphic, ALargerBudgetChangesNothingUpToTheFirstExhaustion, ()) {
  Scenario scenario = any_short_scenario();
  const auto attempts = attempts_of(scenario);
  const auto exhausted = std::find_if(attempts.begin(), attempts.end(), [](const Attempt& attempt) {
    return attempt.failed_tick && !attempt.next_tick;
  });
  const Tick first_exhaustion = exhausted == attempts.end() ? scenario.horizon : exhausted->tick;
  scenario.policies[0].attempts = 4294967295U;
  const auto is_before = [&](const Attempt& attempt) { return attempt.tick < first_exhaustion; };
  RC_ASSERT(those(attempts_of(scenario), is_before) == those(attempts, is_before));
}

RC_GTEST_PROP(Metamorphic, NobodyIsOverloadedWhereThereIsAPlaceForEachClient, ()) {
  Scenario scenario = any_scenario();
  scenario.server.capacity = scenario.clients;
  RC_ASSERT(run(make_plan(scenario, 0)).overloaded == 0U);
}

RC_GTEST_PROP(Metamorphic,
              WithoutOutagesAndWithAPlaceForEachClientNobodyTriesTwiceButForLostResponses, ()) {
  Scenario scenario = any_scenario();
  scenario.server.capacity = scenario.clients;
  scenario.server.outages.clear();
  const Summary summary = run(make_plan(scenario, 0));
  RC_ASSERT(summary.attempts ==
            summary.clients + summary.lost_responses - summary.scheduled - summary.exhausted);
}

RC_GTEST_PROP(Metamorphic, PoliciesDoNotKnowOfOneAnother, ()) {
  Scenario scenario = any_scenario();
  scenario.policies.push_back(scenario.policies[0]);
  scenario.policies.insert(scenario.policies.begin(), any_scenario().policies[0]);
  RC_ASSERT(attempts_of(scenario, 1) == attempts_of(scenario, scenario.policies.size() - 1));
}

// Two laws that say the same give the same trace, under any jitter.
void expect_equal_laws(const Delay& one, const Delay& other) {
  Scenario scenario = any_short_scenario();
  RC_PRE(!std::holds_alternative<DecorrelatedDelay>(scenario.policies[0].delay));
  scenario.policies[0].delay = one;
  const auto expected = attempts_of(scenario);
  scenario.policies[0].delay = other;
  RC_ASSERT(attempts_of(scenario) == expected);
}

constexpr std::uint32_t kLongestDelay = 1U << 30;

RC_GTEST_PROP(EqualLaws, FixedIsAListOfOne, ()) {
  const std::uint32_t ticks = number(1, 9);
  expect_equal_laws(FixedDelay{ticks}, ListDelay{{ticks}});
}

RC_GTEST_PROP(EqualLaws, FixedIsExponentialWithMultiplierOne, ()) {
  const std::uint32_t ticks = number(1, 9);
  expect_equal_laws(
      FixedDelay{ticks},
      ExponentialDelay{ticks, Fraction::from_millionths(Fraction::kOne), ticks + number(0, 5)});
}

RC_GTEST_PROP(EqualLaws, FixedIsLinearWithStepZero, ()) {
  const std::uint32_t ticks = number(1, 9);
  expect_equal_laws(FixedDelay{ticks}, LinearDelay{ticks, 0, ticks + number(0, 5)});
}

RC_GTEST_PROP(EqualLaws, FixedIsAnythingCappedAtItsBase, ()) {
  const std::uint32_t ticks = number(1, 9);
  expect_equal_laws(FixedDelay{ticks}, LinearDelay{ticks, number(0, kLongestDelay), ticks});
  expect_equal_laws(
      FixedDelay{ticks},
      ExponentialDelay{ticks, Fraction::from_millionths(number(1'010'000, 1'000'000'000)), ticks});
}

RC_GTEST_PROP(EqualLaws, LinearIsTheListOfItsDelays, ()) {
  const std::uint32_t base = number(1, 9);
  const std::uint32_t step = number(0, 5);
  const std::uint32_t cap = base + number(0, 30);
  ListDelay list;
  for (std::uint32_t k = 0; k < 40; ++k) {  // ticks there are at most
    list.ticks.push_back(std::min(cap, base + step * k));
  }
  expect_equal_laws(LinearDelay{base, step, cap}, list);
}

RC_GTEST_PROP(EqualLaws, DoublingIsTheListOfItsDelays, ()) {
  const std::uint32_t base = number(1, 9);
  const std::uint32_t cap = base + number(0, 200);
  ListDelay list;
  for (std::uint32_t k = 0; k < 40; ++k) {
    list.ticks.push_back(std::min(cap, base << std::min(k, 10U)));
  }
  expect_equal_laws(ExponentialDelay{base, Fraction::from_millionths(2'000'000), cap}, list);
}

// Jitters whose intervals are the same.
RC_GTEST_PROP(EqualLaws, JittersWithEqualIntervalsGiveEqualTraces, ()) {
  Scenario scenario = any_short_scenario();
  const auto trace = [&](Delay delay, Jitter jitter) {
    scenario.policies[0].delay = std::move(delay);
    scenario.policies[0].jitter = jitter;
    return attempts_of(scenario);
  };
  const auto proportional = [](std::uint32_t millionths) {
    return ProportionalJitter{Fraction::from_millionths(millionths)};
  };
  // [x, x]
  const std::uint32_t ticks = number(1, 9);
  RC_ASSERT(trace(FixedDelay{ticks}, proportional(0)) == trace(FixedDelay{ticks}, NoJitter{}));
  RC_ASSERT(trace(FixedDelay{1}, FullJitter{}) == trace(FixedDelay{1}, NoJitter{}));
  RC_ASSERT(trace(FixedDelay{1}, EqualJitter{}) == trace(FixedDelay{1}, NoJitter{}));
  // [1, 2]
  RC_ASSERT(trace(FixedDelay{2}, EqualJitter{}) == trace(FixedDelay{2}, FullJitter{}));
  // [2, 4]: 3 less and plus a third, which is rounded inwards, so a little more
  RC_ASSERT(trace(FixedDelay{4}, EqualJitter{}) == trace(FixedDelay{3}, proportional(333'334)));
  // [1, 2x]
  RC_ASSERT(trace(FixedDelay{ticks}, proportional(1'000'000)) ==
            trace(FixedDelay{2 * ticks}, FullJitter{}));
}

RC_GTEST_PROP(Metamorphic, ReadingAnExportBackGivesTheSameBytes, ()) {
  const Scenario scenario = any_scenario();
  const std::string text = export_text(scenario);
  const auto document = parse_json(text);
  RC_ASSERT(export_text(*read_scenario(*document->find("scenario"), "/scenario")) == text);
}

}  // namespace
}  // namespace retrygarden::test
