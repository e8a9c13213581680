#include "client_records.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

Lines lines_of(ClientRecords records) {
  Lines lines;
  for (const ClientRecord& client : records.take()) {
    lines.push_back(line_of(client));
  }
  return lines;
}

Plan spread_plan() {
  Scenario example = scenario(10, 40, 1, 3, FixedDelay{4});
  example.arrivals = SpreadArrivals{.over_ticks = 20};  // two ticks from one to the next
  return make_plan(example, 0);
}

TEST(ClientRecords, AreOfTheClientsAskedFor) {
  EXPECT_EQ(
      lines_of(ClientRecords(spread_plan(), 3, 5, 1)),
      (Lines{"c3 scheduled, arrival 6", "c4 scheduled, arrival 8", "c5 scheduled, arrival 10"}));
  EXPECT_EQ(
      lines_of(ClientRecords(spread_plan(), 1, 8, 3)),
      (Lines{"c1 scheduled, arrival 2", "c4 scheduled, arrival 8", "c7 scheduled, arrival 14"}));
}

TEST(ClientRecords, KnowWhomTheyHold) {
  const ClientRecords records(spread_plan(), 1, 7, 3);
  Lines held;
  for (Client client = 0; client < 10; ++client) {
    held.push_back(records.holds(client) ? "yes" : "no");
  }
  EXPECT_EQ(held, (Lines{"no", "yes", "no", "no", "yes", "no", "no", "yes", "no", "no"}));
}

TEST(ClientRecords, CountWhatTheyAreTold) {
  ClientRecords records(spread_plan(), 1, 7, 3);
  Attempt attempt{
      .tick = 8, .client = 4, .effect = Effect::kApplied, .failed_tick = 8, .next_tick = 12};
  records.add(attempt);
  attempt.attempt = 2;
  attempt.effect = Effect::kDuplicate;
  attempt.failed_tick = attempt.next_tick = std::nullopt;
  records.add(ClientEnd{.client = 4, .state = ClientState::kAcknowledged, .tick = 12});
  records.add(attempt);
  records.add(Attempt{.tick = 14, .client = 7});
  EXPECT_EQ(lines_of(records),
            (Lines{"c1 scheduled, arrival 2",
                   "c4 acknowledged, arrival 8, attempts 2, effects 2, acknowledged 12",
                   "c7 awaiting, arrival 14, attempts 1"}));
}

}  // namespace
}  // namespace retrygarden::test
