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

TEST(Results, GiveTheNumbersOfASummaryByColumn) {
  const Summary summary{.clients = 7,
                        .applied_unacknowledged = 5,
                        .peak_load = {.tick = 3, .requests = 4},
                        .time_to_acknowledge = {.p50 = 1, .max = 9}};
  const std::vector<std::string> columns = summary_columns();
  const auto values = summary_values(summary);
  ASSERT_EQ(columns.size(), 30U);
  ASSERT_EQ(values.size(), 30U);
  EXPECT_EQ(columns.front(), "clients");
  EXPECT_EQ(values.front(), 7U);
  using Names = std::vector<std::string>;
  EXPECT_EQ(Names(columns.end() - 8, columns.end()),
            (Names{"applied_unacknowledged", "peak_load_tick", "peak_load_requests",
                   "last_acknowledged_tick", "time_to_acknowledge_p50", "time_to_acknowledge_p90",
                   "time_to_acknowledge_p99", "time_to_acknowledge_max"}));
  using Values = std::vector<std::optional<std::uint64_t>>;
  EXPECT_EQ(Values(values.end() - 8, values.end()),
            (Values{5, 3, 4, std::nullopt, 1, std::nullopt, std::nullopt, 9}));
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
