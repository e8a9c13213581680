// Sentences whose numbers are worked out by hand from docs/model.md, and scenarios right beside
// them of which nothing is said.
#include "retrygarden/diagnosis.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "retrygarden/event_loop.h"

namespace retrygarden {
namespace {

using Sentences = std::vector<std::string>;

const Sentences kNothing;

Scenario scenario(std::uint32_t clients, std::uint32_t horizon, std::uint32_t capacity,
                  std::uint32_t attempts, Delay delay = FixedDelay{1}) {
  Scenario result;
  result.clients = clients;
  result.horizon = horizon;
  result.server.capacity = capacity;
  result.policies = {{.name = "policy", .attempts = attempts, .delay = std::move(delay)}};
  return result;
}

Sentences diagnosis(const Scenario& scenario) {
  return diagnose(scenario, 0);
}

bool says(const Sentences& sentences, std::string_view sentence) {
  return std::find(sentences.begin(), sentences.end(), sentence) != sentences.end();
}

constexpr Fraction kAlways = Fraction::from_millionths(Fraction::kOne);

TEST(Diagnosis, SaysNothingWhereAllIsWell) {
  EXPECT_EQ(diagnosis(scenario(100, 10, 100, 3)), kNothing);
}

TEST(Diagnosis, IsOfThePolicyAskedFor) {
  Scenario example = scenario(1, 20, 1, 1);
  example.server.service_ticks = 5;
  example.policies[0].timeout = 5;
  example.policies.push_back(example.policies[0]);
  example.policies[1].timeout = 1;
  EXPECT_EQ(diagnose(example, 0), kNothing);
  EXPECT_EQ(diagnose(example, 1),
            (Sentences{"No response can be in time: the timeout of 1 tick is shorter than the "
                       "service time of 5 ticks."}));
}

// A failure that outlives its cause.

std::string outlived(std::string_view before, std::string_view after, std::string_view ticks,
                     Tick up_since) {
  return fmt::format(
      "The failure outlived its cause: {} clients a tick were acknowledged before the first "
      "outage, but {} in the last tenth of the arrivals, ticks {}, although the server was up "
      "again from tick {} on.",
      before, after, ticks, up_since);
}

std::string wasted(std::string_view part, std::string_view whole, int percent) {
  return fmt::format(
      "Wasted work: when the server started {} of {} requests ({} %), their clients had already "
      "given up on them.",
      part, whole, percent);
}

// A breaker opens in an outage, for good, and lets nobody of its one host through any more.
Scenario breaker_that_stays_open(std::uint32_t clients, Arrivals arrivals) {
  Scenario example = scenario(clients, 3000, clients, 1);
  example.clients_per_host = clients;
  example.arrivals = arrivals;
  example.policies[0].breaker = Breaker{.window = 1, .failures = 1, .open_ticks = 10000};
  return example;
}

// 150 or 1.9 or two clients a tick for 100 ticks, and the server is down in 30 … 39.
TEST(Diagnosis, TellsTheGoodputBeforeTheFirstOutage) {
  Scenario example = breaker_that_stays_open(15000, SpreadArrivals{.over_ticks = 100});
  example.server.outages = {{.from = 30, .ticks = 10}};
  EXPECT_TRUE(says(diagnosis(example), outlived("150.00", "0.00", "90 to 99", 40)));
  example.clients = example.clients_per_host = 200;
  EXPECT_TRUE(says(diagnosis(example), outlived("2.00", "0.00", "90 to 99", 40)));
}

// Of 190 clients 19 arrive in the last tenth: their rate may be chance.
TEST(Diagnosis, SaysNothingOfTooFewArrivals) {
  Scenario example = breaker_that_stays_open(190, SpreadArrivals{.over_ticks = 100});
  example.server.outages = {{.from = 30, .ticks = 10}};
  EXPECT_EQ(diagnosis(example), kNothing);
}

// Random arrivals of which none is at tick 0, for some seed. Three clients a tick come before the
// outage, so that a tick more or less changes the rate by a tenth.
TEST(Diagnosis, CountsFromTheFirstArrival) {
  Scenario example = breaker_that_stays_open(300, RandomArrivals{.over_ticks = 100});
  example.server.outages = {{.from = 30, .ticks = 10}};
  std::vector<Tick> arrivals(300);
  do {
    ++example.seed;
    const Plan plan = make_plan(example, 0);
    for (Client client = 0; client < 300; ++client) {
      arrivals[client] = arrival_tick(plan, client);
    }
    std::sort(arrivals.begin(), arrivals.end());
  } while (arrivals.front() == 0);
  const Tick first = arrivals.front();
  const Tick last = arrivals.back();
  const auto before = static_cast<std::uint64_t>(
      std::lower_bound(arrivals.begin(), arrivals.end(), 30) - arrivals.begin());
  const std::uint64_t hundredths = (200 * before + 30 - first) / (2 * (30 - first));
  EXPECT_TRUE(says(diagnosis(example),
                   outlived(fmt::format("{}.{:02}", hundredths / 100, hundredths % 100), "0.00",
                            fmt::format("{} to {}", last - (last - first) / 10, last), 40)));
}

// Four clients a tick in ticks 0 … 999, all acknowledged at once until the server hangs in 100 …
// 159. By then the queue is full, and stays so while clients arrive: each that is not acknowledged
// makes four attempts, so that 16 a tick compete for the 5 places that become free. What is started
// has waited behind some 400 others, 80 ticks, when its client waits 20. With horizon 1000, 400
// requests are started for somebody, and 5 in each of the ticks 160 … 999 for nobody: 4200 of 4600,
// 91.3 %. The raw delays are 10, 20, 40, 80, and 100 after attempt 5.
TEST(Diagnosis, OfThePublishedStorm) {
  Scenario example = scenario(4000, 1200, 5, 4, ExponentialDelay{.base = 10, .cap = 100});
  example.seed = 1;
  example.arrivals = SpreadArrivals{1000};
  example.server.queue = 400;
  example.server.outages = {{100, 60, OutageKind::kHang}};
  example.policies[0].timeout = 20;
  example.policies[0].jitter = FullJitter{};
  EXPECT_EQ(run(make_plan(example, 0)).acknowledged, 400U);
  for (const std::uint32_t horizon : {1000U, 1200U}) {
    example.horizon = horizon;
    const Sentences sentences = diagnosis(example);
    ASSERT_FALSE(sentences.empty());
    EXPECT_EQ(sentences[0], outlived("4.00", "0.00", "900 to 999", 160));
    EXPECT_TRUE(says(sentences,
                     "The raw delay would reach its cap of 100 ticks only after attempt 5; a "
                     "client's last delay is the one after attempt 3."));
    EXPECT_EQ(says(sentences, wasted("4 200", "4 600", 91)), horizon == 1000);
  }
}

// `rate` clients a tick in ticks 0 … ticks-1, with one attempt each, on a host whose breaker opens
// in the tick `from`, in which the server is down. It lets `rate` probes through in the tick
// `again`; they succeed, and from there on all clients are acknowledged in their ticks.
Scenario broken(std::uint32_t rate, std::uint32_t ticks, Tick from, Tick again) {
  Scenario result = scenario(rate * ticks, ticks, rate, 1);
  result.clients_per_host = rate * ticks;
  result.arrivals = SpreadArrivals{ticks};
  result.server.outages = {{from, 1}};
  result.policies[0].breaker =
      Breaker{.window = 1, .failures = 1, .open_ticks = again - from - 1, .probes = rate};
  return result;
}

// The last tenth of ticks 0 … 199 is 180 … 199, with 40 arrivals. Before, 2 a tick; half of that
// are 20 clients, those of ticks 190 … 199. Without tick 190 there are 18 in 20 ticks.
TEST(Diagnosis, AFailureOutlivesItsCauseBelowHalfTheGoodput) {
  EXPECT_EQ(diagnosis(broken(2, 200, 10, 190)), kNothing);
  EXPECT_EQ(diagnosis(broken(2, 200, 10, 191)),
            (Sentences{outlived("2.00", "0.90", "180 to 199", 11)}));
}

// Of ticks 0 … 339 the last tenth is 306 … 339: 2 clients in each of its last 3 ticks are 6 / 34 =
// 0.176. Of 0 … 399 it is 360 … 399: 1 / 40 = 0.025.
TEST(Diagnosis, RatesAreRoundedHalfUp) {
  EXPECT_EQ(diagnosis(broken(2, 340, 10, 337)),
            (Sentences{outlived("2.00", "0.18", "306 to 339", 11)}));
  EXPECT_EQ(diagnosis(broken(1, 400, 20, 399)),
            (Sentences{outlived("1.00", "0.03", "360 to 399", 21)}));
}

// Ticks 0 … 9 acknowledge 20, ticks 0 … 8 acknowledge 18.
TEST(Diagnosis, AFewAcknowledgementsAreNoBaseline) {
  EXPECT_EQ(diagnosis(broken(2, 200, 10, 199)),
            (Sentences{outlived("2.00", "0.10", "180 to 199", 11)}));
  EXPECT_EQ(diagnosis(broken(2, 200, 9, 199)), kNothing);
}

// Of ticks 0 … 199 the last tenth has 20 arrivals; of 0 … 189 it is 171 … 189, with 19.
TEST(Diagnosis, AFewArrivalsAreNoLastTenth) {
  EXPECT_EQ(diagnosis(broken(1, 200, 20, 500)),
            (Sentences{outlived("1.00", "0.00", "180 to 199", 21)}));
  EXPECT_EQ(diagnosis(broken(1, 190, 20, 500)), kNothing);
}

TEST(Diagnosis, AnOutageInTheLastTenthIsACauseOfItsOwn) {
  Scenario example = broken(1, 200, 20, 500);
  const auto with_second = [&](Outage outage) {
    example.server.outages = {outage, {20, 1}};
    return diagnosis(example);
  };
  EXPECT_EQ(with_second({179, 1}), (Sentences{outlived("1.00", "0.00", "180 to 199", 180)}));
  EXPECT_EQ(with_second({179, 2}), kNothing);
  EXPECT_EQ(with_second({180, 1}), kNothing);
  EXPECT_EQ(with_second({199, 9}), kNothing);
  EXPECT_EQ(with_second({200, 9}), (Sentences{outlived("1.00", "0.00", "180 to 199", 21)}));
}

TEST(Diagnosis, WithoutAnOutageBeforeTheLastTenthNothingOutlivesIt) {
  Scenario example = broken(1, 200, 20, 500);
  example.server.outages = {};
  EXPECT_EQ(diagnosis(example), kNothing);
  example.server.outages = {{200, 9}};
  EXPECT_EQ(diagnosis(example), kNothing);
}

TEST(Diagnosis, WithoutArrivalsBeforeTheOutageThereIsNoBaseline) {
  Scenario example = broken(1, 200, 20, 500);
  example.server.outages = {{0, 21}};
  EXPECT_EQ(diagnosis(example), kNothing);
  // All arrive after the outage.
  example = scenario(40, 60, 0, 1);
  example.arrivals = BurstArrivals{50};
  example.server.outages = {{20, 1}};
  EXPECT_EQ(diagnosis(example), kNothing);
}

// Seeds in which, by chance, less than half as many arrive in the last tenth as before the outage,
// a tick. All of them are acknowledged when they arrive.
TEST(Diagnosis, FewerArrivalsAreNoFailure) {
  Scenario example = scenario(250, 100, 250, 1);
  example.arrivals = RandomArrivals{100};
  example.server.outages = {{10, 1}};
  int seen = 0;
  for (example.seed = 0; example.seed < 20'000 && seen < 3; ++example.seed) {
    const Plan plan = make_plan(example, 0);
    std::vector<std::uint64_t> arrivals(100);
    for (Client client = 0; client < 250; ++client) {
      ++arrivals[arrival_tick(plan, client)];
    }
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    for (std::size_t i = 0; i < 10; ++i) {
      before += arrivals[i];
      after += arrivals[90 + i];
    }
    if (arrivals.front() > 0 && arrivals.back() > 0 && after >= 20 && 2 * after < before) {
      ++seen;
      EXPECT_EQ(diagnosis(example), kNothing) << example.seed;
    }
  }
  EXPECT_EQ(seen, 3);
}

// A timeout shorter than the service time.

TEST(Diagnosis, AResponseIsInTimeInTheTickOfTheTimeout) {
  Scenario example = scenario(1, 20, 1, 1);
  example.server.service_ticks = 5;
  example.policies[0].timeout = 4;
  EXPECT_EQ(diagnosis(example),
            (Sentences{"No response can be in time: the timeout of 4 ticks is shorter than the "
                       "service time of 5 ticks."}));
  EXPECT_EQ(run(make_plan(example, 0)).acknowledged, 0U);
  example.policies[0].timeout = 5;
  EXPECT_EQ(diagnosis(example), kNothing);
  EXPECT_EQ(run(make_plan(example, 0)).acknowledged, 1U);
}

// Duplicates.

std::uint64_t duplicates_of(const Scenario& scenario) {
  return run(make_plan(scenario, 0)).duplicate_effects;
}

// The first response is lost: starts in ticks 0 and 4.
TEST(Diagnosis, DuplicatesWithoutDeduplication) {
  Scenario example = scenario(1, 20, 1, 5, FixedDelay{4});
  example.faults.first_response_lost = {1, 0};
  EXPECT_EQ(diagnosis(example),
            (Sentences{"Deduplication that keeps keys longer than 4 ticks would have suppressed "
                       "all duplicate effects (1)."}));
  example.server.deduplication = DeduplicationTtl{5};
  EXPECT_EQ(diagnosis(example), kNothing);
  example.server.deduplication = DeduplicationForever{};
  EXPECT_EQ(diagnosis(example), kNothing);
}

// All responses are lost: starts in 0, 4, 8, 12. With a TTL of 5 the key of tick 0 suppresses 4 but
// not 8, and that of 8 suppresses 12. To suppress 12 as well, the key of tick 0 must live 13 ticks:
// suppressing 8 stores no new one.
TEST(Diagnosis, TheTtlMustReachFromTheFirstStartToTheLast) {
  Scenario example = scenario(2, 20, 2, 4, FixedDelay{4});
  example.faults.response_loss = kAlways;
  example.server.deduplication = DeduplicationTtl{5};
  EXPECT_EQ(diagnosis(example),
            (Sentences{"A TTL above 12 ticks, in place of 5 ticks, would have suppressed all "
                       "duplicate effects (2)."}));
  example.server.deduplication = DeduplicationTtl{12};
  EXPECT_EQ(diagnosis(example),
            (Sentences{"A TTL above 12 ticks, in place of 12 ticks, would have suppressed all "
                       "duplicate effects (2)."}));
  example.server.deduplication = DeduplicationTtl{13};
  EXPECT_EQ(diagnosis(example), kNothing);
}

// The same starts, and an outage in tick 6 that loses the keys: 8 is a duplicate whatever is kept,
// 4 and 12 come 4 ticks after a key was stored.
TEST(Diagnosis, NoTtlKeepsKeysThatAnOutageLoses) {
  Scenario example = scenario(1, 20, 1, 4, FixedDelay{4});
  example.faults.response_loss = kAlways;
  example.server.outages = {{6, 1, OutageKind::kRefuse, true}};
  EXPECT_EQ(diagnosis(example),
            (Sentences{"Deduplication that keeps keys longer than 4 ticks would have suppressed 2 "
                       "of 3 duplicate effects (67 %); of the others an outage loses the keys."}));
  example.server.deduplication = DeduplicationTtl{4};
  EXPECT_EQ(diagnosis(example),
            (Sentences{"A TTL above 4 ticks, in place of 4 ticks, would have suppressed 2 of 3 "
                       "duplicate effects (67 %); of the others an outage loses the keys."}));
  const Sentences lost = {
      "No TTL would have suppressed any of the duplicate effects (1): outages lose the keys."};
  example.server.deduplication = DeduplicationTtl{5};
  EXPECT_EQ(diagnosis(example), lost);
  example.server.deduplication = DeduplicationForever{};
  EXPECT_EQ(diagnosis(example), lost);
}

// The server hangs in ticks 0 … 3, where attempts come in ticks 0 and 2; then the second one is
// started in tick 4, before the first one in tick 5.
TEST(Diagnosis, DuplicatesAreCountedInTheOrderOfTheirStarts) {
  Scenario example = scenario(1, 20, 1, 2, FixedDelay{1});
  example.server.queue = 2;
  example.server.discipline = Discipline::kLifo;
  example.server.outages = {{0, 4, OutageKind::kHang}};
  example.policies[0].timeout = 1;
  EXPECT_EQ(diagnosis(example),
            (Sentences{"Deduplication that keeps keys longer than 1 tick would have suppressed all "
                       "duplicate effects (1)."}));
}

// Against runs with every TTL there is: the shortest one that leaves no more duplicates than
// keeping keys forever.
TEST(Diagnosis, TheTtlItNamesIsTheShortestThatHelps) {
  constexpr std::uint32_t kHorizon = 40;
  Scenario example = scenario(4, kHorizon, 1, 5, ListDelay{{1U, Interval{2, 9}}});
  example.arrivals = RandomArrivals{5};
  example.server.queue = 3;
  example.faults.response_loss = Fraction::from_millionths(700'000);
  example.policies[0].timeout = 1;
  int all = 0;
  int some = 0;
  int none = 0;
  for (example.seed = 0; example.seed < 400; ++example.seed) {
    example.server.discipline = example.seed % 2 == 0 ? Discipline::kFifo : Discipline::kLifo;
    example.server.outages = {{8, 3, OutageKind::kHang, example.seed % 3 == 0},
                              {14, 1, OutageKind::kCrash, example.seed % 5 == 0}};
    example.server.deduplication = DeduplicationForever{};
    const std::uint64_t forever = duplicates_of(example);
    std::uint32_t shortest = 1;
    while (example.server.deduplication = DeduplicationTtl{shortest},
           duplicates_of(example) > forever) {
      ++shortest;
    }
    const DeduplicationTtl ttl{static_cast<std::uint32_t>(1 + example.seed % 9)};
    example.server.deduplication = ttl;
    const std::uint64_t duplicates = duplicates_of(example);
    std::string expected;
    const std::string ticks = shortest == 2 ? "1 tick" : fmt::format("{} ticks", shortest - 1);
    const std::string in_place = ttl.ticks == 1 ? "1 tick" : fmt::format("{} ticks", ttl.ticks);
    if (duplicates == 0) {
      EXPECT_EQ(diagnosis(example), kNothing);
      continue;
    }
    if (duplicates == forever) {
      ++none;
      expected = fmt::format(
          "No TTL would have suppressed any of the duplicate effects ({}): outages lose the keys.",
          duplicates);
    } else if (forever == 0) {
      ++all;
      expected = fmt::format(
          "A TTL above {}, in place of {}, would have suppressed all duplicate effects ({}).",
          ticks, in_place, duplicates);
    } else {
      ++some;
      const auto percent = static_cast<int>(100.0 * static_cast<double>(duplicates - forever) /
                                                static_cast<double>(duplicates) +
                                            0.5);
      expected = fmt::format(
          "A TTL above {}, in place of {}, would have suppressed {} of {} duplicate effects ({} "
          "%); of the others an outage loses the keys.",
          ticks, in_place, duplicates - forever, duplicates, percent);
    }
    EXPECT_EQ(diagnosis(example), Sentences{expected}) << example.seed;
  }
  EXPECT_GT(all, 10);
  EXPECT_GT(some, 10);
  EXPECT_GT(none, 10);
}

// Requests started for nobody.

// One client a tick from tick 0 on; the server hangs in 0 … up-1, and starts in `up` whatever came
// until then. The clients wait 3 ticks: who came in up-4 or earlier has given up, who came in up-3
// is acknowledged in the tick of its timeout.
Scenario hanging(std::uint32_t clients, Tick up) {
  Scenario result = scenario(clients, 30, clients, 1);
  result.arrivals = SpreadArrivals{clients};
  result.server.queue = clients;
  result.server.outages = {{0, up, OutageKind::kHang}};
  result.policies[0].timeout = 3;
  return result;
}

TEST(Diagnosis, AServerThatWorksForNobody) {
  EXPECT_EQ(diagnosis(hanging(20, 8)), (Sentences{wasted("5", "20", 25)}));
  EXPECT_EQ(diagnosis(hanging(20, 7)), kNothing);  // 4 of 20
  EXPECT_EQ(diagnosis(hanging(19, 8)), kNothing);  // 5 of too few
  Scenario example = hanging(20, 8);
  example.server.drop_abandoned = true;
  EXPECT_EQ(diagnosis(example), kNothing);
}

// Ties.

std::string unfair(int lower, int upper) {
  return fmt::format(
      "Ties are broken by client, and the lowest numbers win: {} clients of the lower half of "
      "numbers were acknowledged, {} of the upper half.",
      lower, upper);
}

// 100 clients with one attempt, all at once: as many of the lowest as there is capacity are
// acknowledged.
TEST(Diagnosis, TheLowestClientsWin) {
  EXPECT_EQ(diagnosis(scenario(100, 10, 20, 1)), (Sentences{unfair(20, 0)}));
  EXPECT_EQ(diagnosis(scenario(100, 10, 19, 1)), kNothing);
  EXPECT_EQ(diagnosis(scenario(100, 10, 62, 1)), (Sentences{unfair(50, 12)}));
  EXPECT_EQ(diagnosis(scenario(100, 10, 63, 1)), kNothing);  // 13 are more than a quarter of 50
}

// 25 of 101 are less than a quarter. By then 76 were acknowledged, 50 of them of the lower half.
TEST(Diagnosis, TiesDoNotMatterWhereFewAreStopped) {
  EXPECT_EQ(diagnosis(scenario(101, 10, 76, 1)), kNothing);
}

TEST(Diagnosis, TiesBrokenAtRandomAreFair) {
  Scenario example = scenario(100, 10, 30, 1);
  example.server.tie_break = TieBreak::kRandom;
  EXPECT_EQ(diagnosis(example), kNothing);
}

// The lower half arrives before the outage, in tick 0, the upper half in it.
TEST(Diagnosis, WhereArrivalsAreSpreadNumbersSayNothingOfTies) {
  Scenario example = scenario(100, 10, 100, 1);
  example.arrivals = SpreadArrivals{2};
  example.server.outages = {{1, 1}};
  EXPECT_EQ(diagnosis(example), kNothing);
}

TEST(Diagnosis, TiesMatterWhereArrivalsAreRandom) {
  Scenario example = scenario(100, 10, 20, 1);
  example.arrivals = RandomArrivals{1};
  EXPECT_EQ(diagnosis(example), (Sentences{unfair(20, 0)}));
}

// Retry budgets.

// As many as the capacity are acknowledged, all others fail and are denied their retry.
Scenario without_budget(std::uint32_t clients, std::uint32_t capacity) {
  Scenario result = scenario(clients, 10, capacity, 2);
  result.policies[0].budget = ConcurrentBudget{};
  return result;
}

TEST(Diagnosis, ClientsThatTheBudgetStops) {
  EXPECT_EQ(diagnosis(without_budget(20, 15)),
            (Sentences{"The retry budget stopped 5 of 20 clients (25 %) that had attempts left."}));
  EXPECT_EQ(diagnosis(without_budget(20, 16)), kNothing);
  EXPECT_EQ(diagnosis(without_budget(19, 14)), kNothing);
}

// Delays at their cap.

// A client a tick, delays of 1, 2, 3 and 4 ticks: attempts in its ticks 0, 1, 3, 6 and 10. With
// horizon clients+5 the last client does not come to the fourth, and 5 clients are scheduled at the
// horizon; with clients+6 it does.
Scenario capped(std::uint32_t clients, std::uint32_t horizon) {
  Scenario result = scenario(clients, horizon, 0, 5, LinearDelay{1, 1, 4});
  result.arrivals = SpreadArrivals{clients};
  return result;
}

TEST(Diagnosis, DelaysAtTheCap) {
  EXPECT_EQ(diagnosis(capped(40, 46)),
            (Sentences{"40 of 160 delays (25 %) were exactly the cap of 4 ticks: clients that fail "
                       "together then try again together."}));
  EXPECT_EQ(diagnosis(capped(40, 45)), kNothing);  // 39 of 159
  EXPECT_EQ(diagnosis(capped(5, 50)),
            (Sentences{"5 of 20 delays (25 %) were exactly the cap of 4 ticks: clients that fail "
                       "together then try again together."}));
  EXPECT_EQ(diagnosis(capped(4, 50)), kNothing);  // of 16
}

TEST(Diagnosis, DelaysThatAreCutDoNotReachTheCap) {
  Scenario example = capped(40, 46);
  example.policies[0].max_delay = 3;
  EXPECT_EQ(diagnosis(example), kNothing);
}

// Draws from 5 … 15 cut to 5.
TEST(Diagnosis, DecorrelatedDelaysStuckAtTheirCap) {
  EXPECT_EQ(diagnosis(scenario(5, 50, 0, 5, DecorrelatedDelay{5, 5})),
            (Sentences{"20 of 20 delays (100 %) were exactly the cap of 5 ticks: clients that fail "
                       "together then try again together."}));
}

std::string unreached(std::string_view cap, std::uint32_t after, std::uint32_t attempts) {
  return fmt::format(
      "The raw delay would reach its cap of {} only after attempt {}; a client's last delay is the "
      "one after attempt {}.",
      cap, after, attempts - 1);
}

// Raw delays 10, 20, 40, 80, 100; after the last attempt there is none.
TEST(Diagnosis, ACapThatTheAttemptsDoNotReach) {
  const auto with_attempts = [](std::uint32_t attempts) {
    return diagnosis(scenario(1, 500, 0, attempts, ExponentialDelay{.base = 10, .cap = 100}));
  };
  EXPECT_EQ(with_attempts(1), kNothing);
  EXPECT_EQ(with_attempts(2), (Sentences{unreached("100 ticks", 5, 2)}));
  EXPECT_EQ(with_attempts(5), (Sentences{unreached("100 ticks", 5, 5)}));
  EXPECT_EQ(with_attempts(6), kNothing);
}

// 3 · 1.5^3 = 10.125, of which the floor is 10.
TEST(Diagnosis, TheCapIsReachedByTheWholeTicks) {
  const ExponentialDelay law{3, Fraction::from_millionths(1'500'000), 10};
  EXPECT_EQ(diagnosis(scenario(1, 500, 0, 4, law)), (Sentences{unreached("10 ticks", 4, 4)}));
  EXPECT_EQ(diagnosis(scenario(1, 500, 0, 5, law)), kNothing);
}

// 1, 2, 3, …: the delays of 299 attempts are 44,850 ticks.
TEST(Diagnosis, ALinearCapThatTheAttemptsDoNotReach) {
  EXPECT_EQ(diagnosis(scenario(1, 50'000, 0, 300, LinearDelay{1, 1, 1000})),
            (Sentences{unreached("1 000 ticks", 1000, 300)}));
  EXPECT_EQ(diagnosis(scenario(1, 500, 0, 4, LinearDelay{1, 1, 4})),
            (Sentences{unreached("4 ticks", 4, 4)}));
  EXPECT_EQ(diagnosis(scenario(1, 500, 0, 5, LinearDelay{1, 1, 4})), kNothing);
}

TEST(Diagnosis, ADelayThatDoesNotGrowToItsCap) {
  EXPECT_EQ(diagnosis(scenario(1, 500, 0, 3, LinearDelay{1, 0, 2})),
            (Sentences{"The raw delay never reaches its cap of 2 ticks: it does not grow."}));
  EXPECT_EQ(diagnosis(scenario(1, 500, 0, 3, ExponentialDelay{1, kAlways, 2})),
            (Sentences{"The raw delay never reaches its cap of 2 ticks: it does not grow."}));
}

TEST(Diagnosis, WhereNobodyRunsOutOfAttemptsTheCapDoesNotMatter) {
  EXPECT_EQ(diagnosis(scenario(1, 500, 1, 2, ExponentialDelay{.base = 10, .cap = 100})), kNothing);
}

// The hint.

// 5 clients that are refused all attempts, after delays from the list.
Scenario hinted(std::vector<ListDelay::Entry> delays, std::uint32_t clients = 5) {
  const auto attempts = static_cast<std::uint32_t>(delays.size()) + 1;
  Scenario result = scenario(clients, 100, 0, attempts, ListDelay{std::move(delays)});
  result.server.retry_after = 5;
  return result;
}

TEST(Diagnosis, AHintThatIsIgnored) {
  const Sentences ignored = {
      "The policy ignores the hint: 5 of 20 delays after a refusal (25 %) were shorter than the 5 "
      "ticks that it asks for."};
  EXPECT_EQ(diagnosis(hinted({5U, 4U, 5U, 6U})), ignored);
  EXPECT_EQ(diagnosis(hinted({5U, 5U, 5U, 5U})), kNothing);
  EXPECT_EQ(diagnosis(hinted({5U, 4U, 5U, 6U, 7U})), kNothing);  // 5 of 25
  EXPECT_EQ(diagnosis(hinted({5U, 4U, 5U, 6U}, 4)), kNothing);   // of 16
  Scenario example = hinted({5U, 4U, 5U, 6U});
  example.server.outages = {{0, 100}};
  EXPECT_EQ(diagnosis(example), ignored);
  example.server.retry_after = 0;
  EXPECT_EQ(diagnosis(example), kNothing);
}

// With `replace`, all delays are the hint.
TEST(Diagnosis, AHintThatIsHeeded) {
  Scenario example = hinted({1U, 1U, 1U, 1U});
  for (const OnRetryAfter heed : {OnRetryAfter::kAtLeast, OnRetryAfter::kReplace}) {
    example.policies[0].on_retry_after = heed;
    EXPECT_EQ(diagnosis(example), kNothing);
  }
}

TEST(Diagnosis, ATimeoutBringsNoHint) {
  Scenario example = hinted({1U, 1U, 1U, 1U});
  example.faults.request_loss = kAlways;
  EXPECT_EQ(diagnosis(example), kNothing);
}

// The horizon.

std::string undecided(std::string_view how_many) {
  return fmt::format(
      "At the horizon {} had neither failed nor succeeded: a longer horizon would tell.", how_many);
}

// Section 10.
TEST(Diagnosis, OfThePublishedHorizon) {
  EXPECT_EQ(diagnosis(scenario(80, 80, 1, 8, FixedDelay{20})),
            (Sentences{undecided("76 of 80 clients (95 %)")}));
}

TEST(Diagnosis, ClientsScheduledOrAwaitingAtTheHorizon) {
  EXPECT_EQ(diagnosis(scenario(20, 10, 15, 2, FixedDelay{10})),
            (Sentences{undecided("5 of 20 clients (25 %)")}));
  EXPECT_EQ(diagnosis(scenario(20, 10, 16, 2, FixedDelay{10})), kNothing);
  EXPECT_EQ(diagnosis(scenario(19, 10, 14, 2, FixedDelay{10})), kNothing);
  Scenario example = scenario(20, 10, 20, 1);
  example.server.service_ticks = 10;
  example.policies[0].timeout = 10;
  EXPECT_EQ(diagnosis(example), (Sentences{undecided("20 of 20 clients (100 %)")}));
}

// Runs too long to look at each attempt: 1000 clients that try in every tick.
TEST(Diagnosis, OfVeryManyAttempts) {
  Scenario example = scenario(1000, 2000, 0, std::numeric_limits<std::uint32_t>::max());
  example.server.retry_after = 2;
  EXPECT_EQ(diagnosis(example),
            (Sentences{"The policy ignores the hint: 2 000 000 of 2 000 000 delays after a refusal "
                       "(100 %) were shorter than the 2 ticks that it asks for.",
                       undecided("1 000 of 1 000 clients (100 %)")}));
  example.horizon = 2001;
  EXPECT_EQ(
      diagnosis(example),
      (Sentences{undecided("1 000 of 1 000 clients (100 %)"),
                 "More than 2 000 000 attempts were made; single attempts were not looked at."}));
}

TEST(Diagnosis, MemoryIsThatOfARunWithRecordsAndOfStarts) {
  Scenario example = scenario(8, 80, 1, 4);
  const auto beyond_run = [&] {
    const Plan plan = make_plan(example, 0);
    return diagnosis_memory_bytes(plan) - run_memory_bytes(plan);
  };
  // 72 bytes for each attempt of a tick.
  EXPECT_EQ(beyond_run(), 8U * 8 * 4 + 8 * 72);
  example.horizon = 3;
  EXPECT_EQ(beyond_run(), 8U * 8 * 3 + 8 * 72);
  example.policies[0].timeout = 1;  // attempts outlive their tick, and so do their records
  const std::uint64_t records = records_memory_bytes(make_plan(example, 0));
  EXPECT_GT(records, 0U);
  EXPECT_EQ(beyond_run(), 8U * 8 * 3 + records);
  // Of two million attempts the start and the record; for each client what is longer where there
  // are records; and two requests in service.
  const auto beyond = [](std::uint64_t clients) {
    return 2'000'000 * std::uint64_t{8 + 3 * 60} + 88 * clients + 2 * 3 * 8;
  };
  example.clients = 1'000'000;  // three million attempts
  EXPECT_EQ(beyond_run(), beyond(1'000'000));
  // Also where the records of all possible attempts would be beyond what is counted.
  example.clients = 47'721'859;
  example.horizon = 2'147'483'642;
  example.policies[0].attempts = 4'294'967'295;
  EXPECT_EQ(beyond_run(), beyond(47'721'859));
}

}  // namespace
}  // namespace retrygarden
