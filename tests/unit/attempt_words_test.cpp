// Attempts in words: a sentence for each thing that can happen.
#include "retrygarden/attempt_words.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

Plan plan_of(const Scenario& scenario) {
  return make_plan(scenario, 0);
}

Scenario any_scenario() {
  return scenario(4, 50, 2, 3, FixedDelay{4}, 5);
}

// Made in tick 10, started in the same.
Attempt started(Effect effect, Response response) {
  return {.tick = 10, .started_tick = 10, .effect = effect, .response = response};
}
Attempt not_started(Outcome outcome) {
  return {.tick = 10, .outcome = outcome};
}

TEST(ServerWords, TellWhyNothingWasDone) {
  Scenario example = any_scenario();
  Plan plan = plan_of(example);
  EXPECT_EQ(server_words(plan, not_started(Outcome::kUnavailable)), "nothing: it is down");
  EXPECT_EQ(server_words(plan, not_started(Outcome::kOverloaded)), "nothing: over capacity");
  EXPECT_EQ(server_words(plan, not_started(Outcome::kRequestLost)), "nothing: it hangs");
  EXPECT_EQ(server_words(plan, not_started(Outcome::kShortCircuited)),
            "nothing: it was never sent");
  EXPECT_EQ(server_words(plan, not_started(Outcome::kAccepted)), "nothing yet: it waits");
  example.server.queue = 1;
  example.faults.request_loss = fraction("0.5");
  plan = plan_of(example);
  EXPECT_EQ(server_words(plan, not_started(Outcome::kOverloaded)), "nothing: its queue is full");
  EXPECT_EQ(server_words(plan, not_started(Outcome::kRequestLost)),
            "nothing: the request was lost");
}

TEST(ServerWords, TellWhatWasDone) {
  const Plan plan = plan_of(any_scenario());
  EXPECT_EQ(server_words(plan, started(Effect::kApplied, Response::kNone)),
            "applied the operation");
  EXPECT_EQ(server_words(plan, started(Effect::kDuplicate, Response::kNone)),
            "applied it again: a duplicate");
  EXPECT_EQ(server_words(plan, started(Effect::kSuppressed, Response::kNone)),
            "suppressed the repetition");
  Attempt later = started(Effect::kDuplicate, Response::kNone);
  later.started_tick = 12;
  EXPECT_EQ(server_words(plan, later), "applied it again at tick 12: a duplicate");
  later.effect = Effect::kApplied;
  EXPECT_EQ(server_words(plan, later), "applied the operation at tick 12");
  later.effect = Effect::kSuppressed;
  EXPECT_EQ(server_words(plan, later), "suppressed the repetition at tick 12");
}

TEST(ServerWords, TellWhyARequestWasDropped) {
  Scenario example = any_scenario();
  example.server.outages = {{.from = 20, .ticks = 2, .kind = OutageKind::kCrash}};
  const Plan plan = plan_of(example);
  Attempt dropped = not_started(Outcome::kAccepted);
  dropped.dropped_tick = 19;
  EXPECT_EQ(server_words(plan, dropped), "dropped it at tick 19: abandoned");
  dropped.dropped_tick = 20;
  EXPECT_EQ(server_words(plan, dropped), "lost it in the crash at tick 20");
}

TEST(ResponseWords, TellWhatBecameOfIt) {
  Scenario example = any_scenario();
  example.server.service_ticks = 3;
  const Plan plan = plan_of(example);
  EXPECT_EQ(response_words(plan, started(Effect::kApplied, Response::kAcknowledged)), "in time");
  EXPECT_EQ(response_words(plan, started(Effect::kApplied, Response::kLost)), "lost");
  EXPECT_EQ(response_words(plan, started(Effect::kApplied, Response::kLate)), "late, at tick 13");
  EXPECT_EQ(response_words(plan, started(Effect::kApplied, Response::kCrashed)), "crashed");
  EXPECT_EQ(response_words(plan, started(Effect::kApplied, Response::kNone)), "under way");
  EXPECT_EQ(response_words(plan, not_started(Outcome::kAccepted)), "none");
}

TEST(ClientWords, TellOfSuccess) {
  Scenario example = any_scenario();
  const Attempt attempt = started(Effect::kApplied, Response::kAcknowledged);
  EXPECT_EQ(client_words(plan_of(example), attempt), "acknowledged");
  example.server.service_ticks = 3;
  EXPECT_EQ(client_words(plan_of(example), attempt), "acknowledged at tick 13");
}

Attempt failed(Outcome outcome, Tick tick = 10) {
  Attempt attempt = not_started(outcome);
  attempt.failed_tick = tick;
  return attempt;
}

TEST(ClientWords, TellOfFailure) {
  Scenario example = any_scenario();
  Plan plan = plan_of(example);
  EXPECT_EQ(client_words(plan, not_started(Outcome::kAccepted)), "nothing yet");
  EXPECT_EQ(client_words(plan, failed(Outcome::kUnavailable)), "refused");
  EXPECT_EQ(client_words(plan, failed(Outcome::kOverloaded)), "refused");
  EXPECT_EQ(client_words(plan, failed(Outcome::kShortCircuited)), "stopped by its breaker");
  EXPECT_EQ(client_words(plan, failed(Outcome::kAccepted)), "no response came");
  EXPECT_EQ(client_words(plan, failed(Outcome::kRequestLost)), "no response came");
  EXPECT_EQ(client_words(plan, failed(Outcome::kAccepted, 15)), "timed out at tick 15");
  EXPECT_EQ(client_words(plan, failed(Outcome::kRequestLost, 15)), "timed out at tick 15");
  example.server.retry_after = 1;
  plan = plan_of(example);
  EXPECT_EQ(client_words(plan, failed(Outcome::kUnavailable)), "refused, retry after 1");
  EXPECT_EQ(client_words(plan, failed(Outcome::kOverloaded)), "refused, retry after 1");
}

TEST(NextStepWords, TellWhetherAndWhenItRetries) {
  const Plan plan = plan_of(any_scenario());
  EXPECT_EQ(next_step_words(plan, started(Effect::kApplied, Response::kAcknowledged),
                            ClientState::kAcknowledged),
            "done");
  EXPECT_EQ(next_step_words(plan, not_started(Outcome::kAccepted), std::nullopt), "still waits");
  Attempt retried = failed(Outcome::kOverloaded);
  retried.next_tick = 49;
  EXPECT_EQ(next_step_words(plan, retried, std::nullopt), "retries at tick 49");
  retried.next_tick = 50;
  EXPECT_EQ(next_step_words(plan, retried, std::nullopt), "retries at tick 50, not observed");
}

TEST(NextStepWords, TellWhyItGivesUp) {
  const Plan plan = plan_of(any_scenario());
  const Attempt last = failed(Outcome::kOverloaded);
  EXPECT_EQ(next_step_words(plan, last, std::nullopt), "gives up");
  EXPECT_EQ(next_step_words(plan, last, ClientState::kExhausted), "gives up: attempts used up");
  EXPECT_EQ(next_step_words(plan, last, ClientState::kDeadlineExceeded),
            "gives up: past its deadline");
  EXPECT_EQ(next_step_words(plan, last, ClientState::kBudgetDenied), "gives up: no retry budget");
}

}  // namespace
}  // namespace retrygarden::test
