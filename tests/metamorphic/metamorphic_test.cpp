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

bool makes_draws(const Scenario& scenario) {
  const Policy& policy = scenario.policies[0];
  return has_own_jitter(policy.delay) || !std::holds_alternative<NoJitter>(policy.jitter) ||
         scenario.server.tie_break == TieBreak::kRandom ||
         scenario.faults.request_loss > Fraction() || scenario.faults.response_loss > Fraction();
}

// A scenario without what lets clients change what others get, but for the capacity.
Scenario any_scenario_of_strangers() {
  Scenario scenario = any_scenario();
  scenario.server.capacity_window = 1;
  scenario.server.queue = 0;
  scenario.server.concurrency.reset();
  scenario.server.tie_break = TieBreak::kClient;
  for (Policy& policy : scenario.policies) {
    policy.budget.reset();
    policy.breaker.reset();
  }
  return scenario;
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

// What was known of the attempts made by then: later facts are taken back.
std::vector<Attempt> as_known_at(std::vector<Attempt> attempts, Tick horizon, const Plan& plan) {
  std::erase_if(attempts, [&](const Attempt& attempt) { return attempt.tick >= horizon; });
  for (Attempt& attempt : attempts) {
    if (attempt.failed_tick >= horizon) {
      attempt.failed_tick.reset();
      attempt.next_tick.reset();
    }
    if (attempt.dropped_tick >= horizon) {
      attempt.dropped_tick.reset();
    }
    if (attempt.started_tick >= horizon) {
      attempt.started_tick.reset();
      attempt.effect = Effect::kNone;
      attempt.response = Response::kNone;
    }
    // A response comes when its request is served; a crash may end it earlier.
    const bool is_late = attempt.started_tick &&
                         *attempt.started_tick + plan.server.service_ticks >= horizon &&
                         attempt.response != Response::kLost;
    const bool crashed_later =
        attempt.response != Response::kCrashed ||
        std::none_of(plan.crashes.begin(), plan.crashes.end(),
                     [&](Tick crash) { return *attempt.started_tick < crash && crash < horizon; });
    if (is_late && crashed_later) {
      attempt.response = Response::kNone;
    }
  }
  return attempts;
}

RC_GTEST_PROP(Metamorphic, ALongerHorizonExtendsATraceWithoutChangingWhatWasThere, ()) {
  const Scenario scenario = any_short_scenario();
  Scenario longer = scenario;
  longer.horizon += number(1, 40);
  const Plan plan = make_plan(longer, 0);
  RC_ASSERT(as_known_at(attempts_of(longer), scenario.horizon, plan) == attempts_of(scenario));
}

RC_GTEST_PROP(Metamorphic, ClientsWithHigherNumbersNeverChangeTheTraceOfLowerOnes, ()) {
  const Scenario scenario = any_scenario_of_strangers();
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
  RC_PRE(!makes_draws(scenario));
  const auto expected = attempts_of(scenario);
  scenario.seed = number(0, 4294967294U);
  RC_ASSERT(attempts_of(scenario) == expected);
}

RC_GTEST_PROP(Metamorphic, AnOutageSplitInTwoIsTheSameOutage, ()) {
  Scenario scenario = any_scenario();
  // A crash, and what takes keys, happens in its first tick: two of them are not one.
  const Outage whole{number(0, 20), number(2, 20),
                     number(0, 1) == 1 ? OutageKind::kRefuse : OutageKind::kHang};
  scenario.server.outages.push_back(whole);
  const auto expected = attempts_of(scenario);
  const std::uint32_t first_ticks = number(1, whole.ticks - 1);
  scenario.server.outages.back().ticks = first_ticks;
  scenario.server.outages.push_back(
      {whole.from + first_ticks, whole.ticks - first_ticks, whole.kind});
  if (number(0, 1) == 1) {
    std::reverse(scenario.server.outages.begin(), scenario.server.outages.end());
  }
  RC_ASSERT(attempts_of(scenario) == expected);
}

RC_GTEST_PROP(Metamorphic, ShiftingArrivalsAndOutagesShiftsTheTrace, ()) {
  Scenario scenario = any_short_scenario();
  scenario.arrivals = BurstArrivals{number(0, scenario.horizon - 1)};
  scenario.policies[0].budget.reset();  // it may fill up before the first tick
  for (Outage& outage : scenario.server.outages) {
    outage.ticks = std::min(outage.ticks, 1000U);  // room to shift
  }
  auto expected = attempts_of(scenario);
  // Windows stay where they are.
  const std::uint32_t windows = 1000 / scenario.server.capacity_window;
  RC_PRE(windows > 0U);
  const std::uint32_t shift = scenario.server.capacity_window * number(1, windows);
  for (Attempt& attempt : expected) {
    attempt.tick += shift;
    for (auto tick : {&Attempt::started_tick, &Attempt::dropped_tick, &Attempt::failed_tick,
                      &Attempt::next_tick}) {
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
  const auto stop_tick = [&](const Attempt& attempt) {
    return attempt.failed_tick && !attempt.next_tick ? *attempt.failed_tick : scenario.horizon;
  };
  const auto exhausted = std::min_element(
      attempts.begin(), attempts.end(),
      [&](const Attempt& a, const Attempt& b) { return stop_tick(a) < stop_tick(b); });
  const Tick first_stop = stop_tick(*exhausted);
  const Plan plan = make_plan(scenario, 0);
  scenario.policies[0].attempts = 4294967295U;
  RC_ASSERT(as_known_at(attempts_of(scenario), first_stop, plan) ==
            as_known_at(attempts, first_stop, plan));
}

RC_GTEST_PROP(Metamorphic, NobodyIsOverloadedWhereThereIsAPlaceForEachClient, ()) {
  Scenario scenario = any_scenario();
  scenario.server.capacity = scenario.clients;
  scenario.server.capacity_window = 1;
  scenario.server.concurrency.reset();
  RC_ASSERT(run(make_plan(scenario, 0)).overloaded == 0U);
}

RC_GTEST_PROP(Metamorphic, WithoutFaultsAndWithAPlaceForEachClientOneAttemptIsEnough, ()) {
  Scenario scenario = any_scenario();
  scenario.server.capacity = scenario.clients;
  scenario.server.capacity_window = 1;
  scenario.server.concurrency.reset();
  scenario.server.outages.clear();
  scenario.faults = {};
  for (Policy& policy : scenario.policies) {
    policy.timeout = std::max(policy.timeout, scenario.server.service_ticks);
  }
  const Summary summary = run(make_plan(scenario, 0));
  RC_ASSERT(summary.attempts == summary.clients);
  RC_ASSERT(summary.acknowledged + summary.awaiting == summary.clients);
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

// Scaled jitter says what other jitters do, and pairs say any interval.
RC_GTEST_PROP(EqualLaws, ScaledJitterAndPairsSayWhatOtherJittersDo, ()) {
  Scenario scenario = any_short_scenario();
  const auto trace = [&](Delay delay, Jitter jitter) {
    scenario.policies[0].delay = std::move(delay);
    scenario.policies[0].jitter = jitter;
    return attempts_of(scenario);
  };
  const auto millionths = [](std::uint32_t number) { return Fraction::from_millionths(number); };
  const std::uint32_t x = number(1, 20);
  const auto full = trace(FixedDelay{x}, FullJitter{});
  RC_ASSERT(trace(FixedDelay{x}, ScaledJitter{millionths(0), millionths(1'000'000)}) == full);
  RC_ASSERT(trace(ListDelay{{Interval{1, x}}}, NoJitter{}) == full);
  const auto equal = trace(FixedDelay{x}, EqualJitter{});
  RC_ASSERT(trace(FixedDelay{x}, ScaledJitter{millionths(500'000), millionths(1'000'000)}) ==
            equal);
  const std::uint32_t f = number(0, 1'000'000);
  RC_ASSERT(
      trace(FixedDelay{x}, ScaledJitter{millionths(1'000'000 - f), millionths(1'000'000 + f)}) ==
      trace(FixedDelay{x}, ProportionalJitter{millionths(f)}));
}

// The scenario with everything that its first policy and its server need not say left out.
RC_GTEST_PROP(Metamorphic, WhatNeverBindsChangesNothing, ()) {
  Scenario scenario = any_short_scenario();
  scenario.policies[0].budget.reset();
  scenario.policies[0].breaker.reset();
  scenario.policies[0].deadline.reset();
  scenario.policies[0].max_delay = kLongestDelay;  // so that no retry is due beyond any deadline
  const auto expected = attempts_of(scenario);
  const auto trace = [&](auto change) {
    Scenario changed = scenario;
    change(changed.policies[0], changed.server);
    return attempts_of(changed);
  };
  const auto plenty = Fraction::from_millionths(1'000'000'000'000'000);
  RC_ASSERT(expected == trace([&](Policy& policy, Server&) {
              policy.budget = TokenBudget{.capacity = plenty, .initial = plenty};
            }));
  RC_ASSERT(expected == trace([&](Policy& policy, Server&) {
              policy.budget = ConcurrentBudget{Fraction(), 4294967295U};
            }));
  RC_ASSERT(expected == trace([&](Policy& policy, Server&) {
              policy.breaker = Breaker{1'000'000, 1'000'000, 1, 1};  // more than there are results
            }));
  RC_ASSERT(expected == trace([&](Policy& policy, Server&) { policy.deadline = 2147483647U; }));
  const auto with_hint = [&](OnRetryAfter on_retry_after, std::uint32_t hint) {
    return trace([&](Policy& policy, Server& server) {
      policy.on_retry_after = on_retry_after;
      server.retry_after = hint;
    });
  };
  const auto without_hint = with_hint(OnRetryAfter::kIgnore, 7);
  RC_ASSERT(with_hint(OnRetryAfter::kReplace, 0) == without_hint);
  RC_ASSERT(with_hint(OnRetryAfter::kAtLeast, 1) == without_hint);  // every delay is as long
}

RC_GTEST_PROP(Metamorphic, DroppingAbandonedRequestsChangesNothingWhenNobodyGivesUp, ()) {
  Scenario scenario = any_short_scenario();
  scenario.policies[0].timeout = scenario.horizon;
  scenario.server.drop_abandoned = false;
  const auto expected = attempts_of(scenario);
  scenario.server.drop_abandoned = true;
  RC_ASSERT(attempts_of(scenario) == expected);
}

RC_GTEST_PROP(Metamorphic, LifoAndFifoAgreeWhileAtMostOneRequestWaits, ()) {
  Scenario scenario = any_scenario();
  scenario.server.queue = number(0, 1);
  scenario.server.discipline = Discipline::kFifo;
  const auto expected = attempts_of(scenario);
  scenario.server.discipline = Discipline::kLifo;
  RC_ASSERT(attempts_of(scenario) == expected);
}

Scenario any_scenario_without_phases() {
  Scenario scenario = any_scenario_of_strangers();
  scenario.policies.resize(1);
  scenario.server.service_ticks = 0;
  scenario.faults.request_loss = scenario.faults.response_loss = Fraction();
  for (Outage& outage : scenario.server.outages) {
    outage = {outage.from, outage.ticks};
  }
  Policy& policy = scenario.policies[0];
  policy.timeout = 0;
  policy.deadline.reset();
  policy.on_retry_after = OnRetryAfter::kIgnore;
  RC_ASSERT(!make_plan(scenario, 0).needs_phases());
  return scenario;
}

// A run that nobody can tell from one in which nothing takes time: the loop takes attempts one by
// one in the one, and goes through the phases in the other.
RC_GTEST_PROP(Metamorphic, GoingThroughThePhasesChangesNothingByItself, ()) {
  Scenario scenario = any_scenario_without_phases();
  Policy& policy = scenario.policies[0];
  const auto expected = attempts_of(scenario);
  policy.breaker = Breaker{1'000'000, 1'000'000, 1, 1};  // more than there are results
  RC_ASSERT(make_plan(scenario, 0).needs_phases());
  RC_ASSERT(attempts_of(scenario) == expected);
  RC_ASSERT(run(make_plan(scenario, 0)).timeouts == run(make_plan(scenario, 0)).lost_responses);
}

RC_GTEST_PROP(Metamorphic, ThreadsAndShardsChangeNothing, ()) {
  const Scenario scenario = any_scenario();
  const Workers workers{.threads = *rc::gen::inRange(1U, 4U), .clients_per_shard = number(1, 20)};
  RC_ASSERT(export_text(scenario, workers) == export_text(scenario));
}

RC_GTEST_PROP(Metamorphic, ProcessesChangeNothing, ()) {
  Scenario scenario = *rc::gen::element(any_scenario_without_phases(), any_scenario());
  scenario.server.tie_break = TieBreak::kClient;
  const Workers workers{.threads = *rc::gen::inRange(1U, 3U), .clients_per_shard = number(1, 20)};
  RC_ASSERT(export_text_of_team(scenario, number(2, 5), workers) == export_text(scenario));
}

// Budgets and breakers belong to hosts: with capacity for all, what one host's clients do does not
// depend on whether there are others.
RC_GTEST_PROP(Metamorphic, ClientsOfOneHostNeverChangeAnotherHosts, ()) {
  Scenario scenario = any_scenario();
  RC_PRE(!std::holds_alternative<SpreadArrivals>(scenario.arrivals));
  RC_PRE(scenario.clients_per_host < 10U);
  scenario.server.capacity = 4294967295U;
  scenario.server.capacity_window = 1;
  scenario.server.concurrency.reset();
  scenario.server.queue = 0;
  scenario.clients = scenario.clients_per_host * number(1, 3);  // whole hosts
  const auto expected = attempts_of(scenario);
  const std::uint32_t before = scenario.clients;
  scenario.clients += number(1, 20);
  const auto is_old = [&](const Attempt& attempt) { return attempt.client < before; };
  RC_ASSERT(those(attempts_of(scenario), is_old) == expected);
}

RC_GTEST_PROP(Metamorphic, ReadingAnExportBackGivesTheSameBytes, ()) {
  const Scenario scenario = any_scenario();
  const std::string text = export_text(scenario);
  const auto document = parse_json(text);
  RC_ASSERT(export_text(*read_scenario(*document->find("scenario"), "/scenario")) == text);
}

}  // namespace
}  // namespace retrygarden::test
