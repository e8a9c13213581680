// Records by themselves: the names of their values (docs/model.md, section 8), and what they hold
// before anything happens.
#include "retrygarden/results.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

TEST(Results, HaveTheNamesOfThePage) {
  EXPECT_EQ(to_string(Outcome::kAccepted), "accepted");
  EXPECT_EQ(to_string(Outcome::kOverloaded), "overloaded");
  EXPECT_EQ(to_string(Outcome::kUnavailable), "unavailable");
  EXPECT_EQ(to_string(Outcome::kRequestLost), "request_lost");
  EXPECT_EQ(to_string(Outcome::kShortCircuited), "short_circuited");
  EXPECT_EQ(to_string(Effect::kNone), "none");
  EXPECT_EQ(to_string(Effect::kApplied), "applied");
  EXPECT_EQ(to_string(Effect::kDuplicate), "duplicate");
  EXPECT_EQ(to_string(Effect::kSuppressed), "suppressed");
  EXPECT_EQ(to_string(Response::kNone), "none");
  EXPECT_EQ(to_string(Response::kAcknowledged), "acknowledged");
  EXPECT_EQ(to_string(Response::kLost), "lost");
  EXPECT_EQ(to_string(Response::kLate), "late");
  EXPECT_EQ(to_string(Response::kCrashed), "crashed");
  EXPECT_EQ(to_string(ClientState::kAcknowledged), "acknowledged");
  EXPECT_EQ(to_string(ClientState::kExhausted), "exhausted");
  EXPECT_EQ(to_string(ClientState::kDeadlineExceeded), "deadline_exceeded");
  EXPECT_EQ(to_string(ClientState::kBudgetDenied), "budget_denied");
  EXPECT_EQ(to_string(ClientState::kAwaiting), "awaiting");
  EXPECT_EQ(to_string(ClientState::kScheduled), "scheduled");
}

TEST(Results, OfNothingAreEmpty) {
  EXPECT_EQ(line_of(Attempt{}), "t0 c0#1 accepted");
  EXPECT_EQ(line_of(TickLoad{}), "t0");
  EXPECT_EQ(line_of(ClientRecord{}), "c0 scheduled");
  EXPECT_EQ(line_of(Summary{}), "");
  EXPECT_EQ(ClientEnd{}.client, 0U);
  EXPECT_EQ(ClientEnd{}.state, ClientState::kAcknowledged);
  EXPECT_EQ(ClientEnd{}.tick, 0U);
}

}  // namespace
}  // namespace retrygarden::test
