// Runs with random losses, and with ties broken at random: docs/model.md, sections 4, 5 and 7. The
// draws and words were worked out from the page's definition in another language, with unbounded
// integers.
#include <gtest/gtest.h>

#include "retrygarden/event_loop.h"
#include "support/runs.h"

namespace retrygarden::test {
namespace {

// Seed 7. Draws from [0, 999999] for clients 0 … 3:
//   purpose 1 (responses), index 1: 237281,  50376, 610770, 261247
//                          index 2: 553540, 750342, 332756, 411813
//                          index 3: 155958, 732877, 749945, 639083
//   purpose 2 (requests),  index 1: 698378, 950388, 620523, 827139
//                          index 2: 920712, 675392,  77685, 871510
Scenario four_clients(std::uint32_t attempts, std::uint32_t timeout = 0) {
  Scenario example = scenario(4, 20, 4, attempts, FixedDelay{1}, timeout);
  example.seed = 7;
  return example;
}

TEST(EventLoopLosses, WithProbabilityOneEveryResponseIsLost) {
  Scenario example = four_clients(2);
  example.faults.response_loss = fraction("1");
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 4, attempts 8, accepted 8, started 8, effects 8, duplicate_effects 4, "
            "lost_responses 8, timeouts 8, exhausted 4, applied_unacknowledged 4, "
            "peak at 0, of 4");
}

// A request that is lost reaches no server, and its client waits for the timeout.
TEST(EventLoopLosses, WithProbabilityOneEveryRequestIsLost) {
  Scenario example = four_clients(2, 3);
  example.faults.request_loss = fraction("1");
  EXPECT_EQ(attempts_of(example).at(1), "t0 c1#1 request_lost, failed 3, next 4");
  EXPECT_EQ(attempts_of(example).at(5), "t4 c1#2 request_lost, failed 7");
  EXPECT_EQ(line_of(summary_of(example)),
            "clients 4, attempts 8, lost_requests 8, timeouts 8, exhausted 4");
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 4, lost_requests 4", "t4 attempts 4, lost_requests 4"}));
}

TEST(EventLoopLosses, WithProbabilityZeroNothingIsLost) {
  Scenario example = four_clients(2, 1);
  example.faults.response_loss = fraction("0");
  example.faults.request_loss = fraction("0");
  EXPECT_EQ(summary_of(example).acknowledged, 4U);
  EXPECT_EQ(summary_of(example).attempts, 4U);
}

TEST(EventLoopLosses, ResponsesAreLostByTheDrawOfTheirAttempt) {
  Scenario example = four_clients(3);
  example.faults.response_loss = fraction("0.5");
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, lost, failed 0, next 1",
                   "t0 c1#1 accepted, started 0, applied, lost, failed 0, next 1",
                   "t0 c2#1 accepted, started 0, applied, acknowledged",
                   "t0 c3#1 accepted, started 0, applied, lost, failed 0, next 1",
                   "t1 c0#2 accepted, started 1, duplicate, acknowledged",
                   "t1 c1#2 accepted, started 1, duplicate, acknowledged",
                   "t1 c3#2 accepted, started 1, duplicate, lost, failed 1, next 2",
                   "t2 c3#3 accepted, started 2, duplicate, acknowledged"}));
  EXPECT_EQ(summary_of(example).lost_responses, 4U);
}

TEST(EventLoopLosses, RequestsAreLostByTheDrawOfTheirAttempt) {
  Scenario example = four_clients(2);
  example.faults.request_loss = fraction("0.7");
  EXPECT_EQ(attempts_of(example), (Lines{"t0 c0#1 request_lost, failed 0, next 1",
                                         "t0 c1#1 accepted, started 0, applied, acknowledged",
                                         "t0 c2#1 request_lost, failed 0, next 1",
                                         "t0 c3#1 accepted, started 0, applied, acknowledged",
                                         "t1 c0#2 accepted, started 1, applied, acknowledged",
                                         "t1 c2#2 request_lost, failed 1"}));
}

// Lost when the draw is less than the probability in millionths.
TEST(EventLoopLosses, AreExactToOneMillionth) {
  Scenario example = four_clients(1);
  example.faults.response_loss = fraction("0.237281");
  EXPECT_EQ(attempts_of(example).at(0), "t0 c0#1 accepted, started 0, applied, acknowledged");
  example.faults.response_loss = fraction("0.237282");
  EXPECT_EQ(attempts_of(example).at(0), "t0 c0#1 accepted, started 0, applied, lost, failed 0");
  example.faults.response_loss = {};
  example.faults.request_loss = fraction("0.698378");
  EXPECT_EQ(attempts_of(example).at(0), "t0 c0#1 accepted, started 0, applied, acknowledged");
  example.faults.request_loss = fraction("0.698379");
  EXPECT_EQ(attempts_of(example).at(0), "t0 c0#1 request_lost, failed 0");
}

// The first response of clients 0 and 2 is lost for certain; the others by their draws.
TEST(EventLoopLosses, TheFirstResponseIsLostBesideRandomLosses) {
  Scenario example = four_clients(2);
  example.faults.first_response_lost = {2, 0};
  example.faults.response_loss = fraction("0.2");
  example.server.deduplication = DeduplicationForever{};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 accepted, started 0, applied, lost, failed 0, next 1",
                   "t0 c1#1 accepted, started 0, applied, lost, failed 0, next 1",
                   "t0 c2#1 accepted, started 0, applied, lost, failed 0, next 1",
                   "t0 c3#1 accepted, started 0, applied, acknowledged",
                   "t1 c0#2 accepted, started 1, suppressed, acknowledged",
                   "t1 c1#2 accepted, started 1, suppressed, acknowledged",
                   "t1 c2#2 accepted, started 1, suppressed, acknowledged"}));
  EXPECT_EQ(summary_of(example).lost_responses, 3U);
}

// A request that is lost is not refused, and takes no place.
TEST(EventLoopLosses, ALostRequestDoesNotReachTheServer) {
  Scenario example = four_clients(1, 1);
  example.faults.request_loss = fraction("0.7");
  example.server.outages = {{0, 1}};
  EXPECT_EQ(attempts_of(example),
            (Lines{"t0 c0#1 request_lost, failed 1", "t0 c1#1 unavailable, failed 0",
                   "t0 c2#1 request_lost, failed 1", "t0 c3#1 unavailable, failed 0"}));
  EXPECT_EQ(summary_of(example).peak_load, (PeakLoad{0, 2}));
  example.server.outages.clear();
  example.server.capacity = 1;
  EXPECT_EQ(load_of(example), Lines{"t0 attempts 4, accepted 1, overloaded 1, lost_requests 2, "
                                    "started 1, effects 1, acknowledged 1"});
}

// Seed 7, purpose 4: first words of clients 0 … 5
//   index 1: f7803e6d bcaa2188 97f0615e d891d5f2 1a6b8989 aa647a30, so 4, 2, 5, 1, 3, 0
//   index 2: 93e69774 d44f4b38 0eac13b3 7b1bb18a 233a8205 ee2a4fd1, so 3, 0, 1, 5 of those left
//   index 3: cbab7724 ce294c88 f1d073b8 e2485466 9626719a 43010c4c, so 5, 1
Scenario six_clients(std::uint32_t capacity, std::uint32_t attempts, std::uint32_t timeout) {
  Scenario example = scenario(6, 20, capacity, attempts, FixedDelay{1}, timeout);
  example.seed = 7;
  example.server.tie_break = TieBreak::kRandom;
  return example;
}

// Two places a tick, and one in the last. Records stand by client all the same.
TEST(EventLoopTies, AreBrokenByTheFirstWordOfTheAttempt) {
  EXPECT_EQ(attempts_of(six_clients(2, 3, 0)),
            (Lines{"t0 c0#1 overloaded, failed 0, next 1", "t0 c1#1 overloaded, failed 0, next 1",
                   "t0 c2#1 accepted, started 0, applied, acknowledged",
                   "t0 c3#1 overloaded, failed 0, next 1",
                   "t0 c4#1 accepted, started 0, applied, acknowledged",
                   "t0 c5#1 overloaded, failed 0, next 1",
                   "t1 c0#2 accepted, started 1, applied, acknowledged",
                   "t1 c1#2 overloaded, failed 1, next 2",
                   "t1 c3#2 accepted, started 1, applied, acknowledged",
                   "t1 c5#2 overloaded, failed 1, next 2",
                   "t2 c1#3 accepted, started 2, applied, acknowledged",
                   "t2 c5#3 accepted, started 2, applied, acknowledged"}));
}

TEST(EventLoopTies, AreBrokenTheSameWhenNobodyLooksAtAttempts) {
  Scenario example = six_clients(1, 3, 0);
  example.faults.first_response_lost = {6, 4};  // client 4's, which comes first
  EXPECT_EQ(load_of(example),
            (Lines{"t0 attempts 6, accepted 1, overloaded 5, started 1, effects 1",
                   "t1 attempts 6, accepted 1, overloaded 5, started 1, effects 1, acknowledged 1",
                   "t2 attempts 5, accepted 1, overloaded 4, started 1, effects 1, acknowledged "
                   "1"}));
  EXPECT_EQ(summary_of(example).applied_unacknowledged, 1U);
}

// One place, and room for all others: they start in the order of the words.
TEST(EventLoopTies, OrderTheQueue) {
  Scenario example = six_clients(1, 1, 9);
  example.server.queue = 9;
  std::vector<Tick> starts;
  run(make_plan(example, 0),
      {.tick_load = {},
       .attempt = [&](const Attempt& attempt) { starts.push_back(*attempt.started_tick); },
       .client_end = {}});
  EXPECT_EQ(starts, (std::vector<Tick>{5, 3, 1, 4, 0, 2}));
}

// Two tokens for two retries: clients 0 and 1 ask first, though 4 and 2 came first.
TEST(EventLoopTies, DoNotOrderDecisions) {
  Scenario example = six_clients(0, 2, 0);
  example.clients_per_host = 6;
  example.policies[0].budget = TokenBudget{.capacity = fraction("2"),
                                           .initial = fraction("2"),
                                           .retry_cost = fraction("1"),
                                           .timeout_cost = fraction("1"),
                                           .threshold = {}};
  EXPECT_EQ(clients_of(example),
            (Lines{"c0 exhausted, attempts 2", "c1 exhausted, attempts 2",
                   "c2 budget_denied, attempts 1", "c3 budget_denied, attempts 1",
                   "c4 budget_denied, attempts 1", "c5 budget_denied, attempts 1"}));
}

// With seed 298179, clients 8 and 108 have the same word, ccd0316f, and 90 of the first 109 clients
// a lower one.
TEST(EventLoopTies, EqualWordsGoByClientNumber) {
  Scenario example = scenario(109, 1, 91, 1, FixedDelay{1});
  example.seed = 298179;
  example.server.tie_break = TieBreak::kRandom;
  const Lines clients = clients_of(example);
  EXPECT_EQ(clients.at(8), "c8 acknowledged, attempts 1, effects 1, acknowledged 0");
  EXPECT_EQ(clients.at(108), "c108 exhausted, attempts 1");
  example.server.capacity = 90;
  EXPECT_EQ(clients_of(example).at(8), "c8 exhausted, attempts 1");
  example.server.capacity = 92;
  EXPECT_EQ(clients_of(example).at(108),
            "c108 acknowledged, attempts 1, effects 1, acknowledged 0");
}

}  // namespace
}  // namespace retrygarden::test
