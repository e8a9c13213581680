// Scenario: the validated input of a run (docs/model.md, section 2).
//
// read_scenario() makes one from text and checks every rule of the page; the rest of the engine
// relies on that and checks nothing again. A scenario that a program puts together itself must keep
// the same rules: read_scenario(write_scenario(scenario)) tells whether it does. All times are in
// ticks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "retrygarden/fault.h"
#include "retrygarden/fraction.h"
#include "retrygarden/json.h"

namespace retrygarden {

using Tick = std::uint32_t;    // a run observes ticks below its horizon, which is below 2^31
using Client = std::uint32_t;  // clients are numbered from 0

// Section 3: when each client makes its first attempt.
struct BurstArrivals {
  Tick at = 0;  // 0 … horizon-1
};
struct SpreadArrivals {
  std::uint32_t over_ticks = 1;  // 1 … horizon
};
struct RandomArrivals {
  std::uint32_t over_ticks = 1;  // 1 … horizon
};
using Arrivals = std::variant<BurstArrivals, SpreadArrivals, RandomArrivals>;

// What an outage does to the server (section 4): it refuses requests, it neither starts nor refuses
// any, or it refuses them and loses those it had.
enum class OutageKind : std::uint8_t { kRefuse, kHang, kCrash };

// An outage covers ticks from … from+ticks-1.
struct Outage {
  Tick from = 0;            // 0 … 2^31-1
  std::uint32_t ticks = 1;  // 1 … 2^31-1
  OutageKind kind = OutageKind::kRefuse;
  bool loses_keys = false;  // its first tick empties the deduplication store
};

// Section 5: what the server remembers of operations it applied.
struct NoDeduplication {};
struct DeduplicationForever {};
struct DeduplicationTtl {
  std::uint32_t ticks = 1;  // 1 … 2^31-1
};
using Deduplication = std::variant<NoDeduplication, DeduplicationForever, DeduplicationTtl>;

// Which waiting request starts next.
enum class Discipline : std::uint8_t { kFifo, kLifo };

// In which order the attempts of a tick are made.
enum class TieBreak : std::uint8_t { kClient, kRandom };

struct Server {
  std::uint32_t capacity = 0;                // requests started in one window, 0 … 2^32-1
  std::uint32_t capacity_window = 1;         // ticks of a window, 1 … 2^31-1
  std::uint32_t service_ticks = 0;           // from start to response, 0 … 2^30
  std::optional<std::uint32_t> concurrency;  // requests in service at once, 1 … 2^32-1
  std::uint32_t queue = 0;                   // requests that may wait for their start, 0 … 2^32-1
  Discipline discipline = Discipline::kFifo;
  bool drop_abandoned = false;    // waiting requests that nobody waits for are not started
  std::uint32_t retry_after = 0;  // hint sent with a refusal, 0 … 2^30; 0 sends none
  TieBreak tie_break = TieBreak::kClient;
  std::vector<Outage> outages;
  Deduplication deduplication;
};

// Section 5: the first response to each client with client mod every = offset is lost.
struct FirstResponseLost {
  std::uint32_t every = 1;   // 1 … 2^32-1
  std::uint32_t offset = 0;  // 0 … every-1
};

struct ScenarioFaults {
  std::optional<FirstResponseLost> first_response_lost;
  Fraction response_loss;  // probability, 0 … 1
  Fraction request_loss;   // probability, 0 … 1
};

// The whole numbers lo … hi, both included; lo <= hi. Delays are at least 1.
struct Interval {
  std::uint32_t lo = 1;
  std::uint32_t hi = 1;

  bool operator==(const Interval&) const = default;
};

// Section 6: the delay laws. ticks, base, cap and list entries are 1 … 2^30; cap >= base.
struct FixedDelay {
  std::uint32_t ticks = 1;
};
struct LinearDelay {
  std::uint32_t base = 1;
  std::uint32_t step = 0;  // 0 … 2^30
  std::uint32_t cap = 1;
};
struct ExponentialDelay {
  std::uint32_t base = 1;
  Fraction multiplier = Fraction::from_millionths(2'000'000);  // 1, or 1.01 … 1000
  std::uint32_t cap = 1;
};
struct ListDelay {
  using Entry = std::variant<std::uint32_t, Interval>;  // a raw delay, or the interval itself

  std::vector<Entry> ticks;  // at least one

  bool has_interval() const;
};
struct DecorrelatedDelay {
  std::uint32_t base = 1;
  std::uint32_t cap = 1;
};
using Delay = std::variant<FixedDelay, LinearDelay, ExponentialDelay, ListDelay, DecorrelatedDelay>;

struct NoJitter {};
struct FullJitter {};
struct EqualJitter {};
struct ProportionalJitter {
  Fraction fraction;  // 0 … 1
};
struct ScaledJitter {
  Fraction from;  // 0 … to
  Fraction to;    // from … 2
};
using Jitter = std::variant<NoJitter, FullJitter, EqualJitter, ProportionalJitter, ScaledJitter>;

// What a client makes of the server's hint.
enum class OnRetryAfter : std::uint8_t { kIgnore, kAtLeast, kReplace };

// Section 11: the retry budget of a host. Amounts are 0 … 10^9 tokens.
struct TokenBudget {
  Fraction capacity;
  Fraction initial;  // 0 … capacity
  Fraction tick_refill;
  Fraction attempt_deposit;
  Fraction success_deposit;
  bool refund = false;  // an acknowledged retry gives its cost back, instead of success_deposit
  Fraction failure_cost;
  Fraction retry_cost;
  Fraction timeout_cost;  // of a retry after a timeout
  std::optional<Fraction> threshold;
};
struct ConcurrentBudget {
  Fraction fraction;  // 0 … 1
  std::uint32_t minimum = 0;
};
using Budget = std::variant<TokenBudget, ConcurrentBudget>;

// Section 12: the circuit breaker of a host.
struct Breaker {
  std::uint32_t window = 1;      // results kept, 1 … 10^6
  std::uint32_t failures = 1;    // 1 … window
  std::uint32_t open_ticks = 1;  // 1 … 2^30
  std::uint32_t probes = 1;      // 1 … 10^6
};

struct Policy {
  std::string name;  // not empty, distinct in its scenario
  std::optional<std::string> description;
  std::uint32_t attempts = 1;  // the attempt budget, 1 … 2^32-1; the first attempt counts
  std::uint32_t timeout = 0;   // ticks that a client waits for a response, 0 … 2^30
  Delay delay;
  Jitter jitter;                           // NoJitter where has_own_jitter(delay)
  std::optional<std::uint32_t> max_delay;  // 1 … 2^30
  std::optional<std::uint32_t> deadline;   // of a retry, in ticks from the arrival, 0 … 2^31-1
  OnRetryAfter on_retry_after = OnRetryAfter::kIgnore;
  std::optional<Budget> budget;
  std::optional<Breaker> breaker;
};

// Whether the law gives intervals by itself, so that a policy with it takes no jitter.
bool has_own_jitter(const Delay& delay);

// Whether ticks can pass between an attempt and what becomes of it. (A server that hangs is not
// enough: who does not wait for a response knows at once that there is none.)
inline bool takes_time(const Server& server, std::uint32_t timeout) {
  return server.service_ticks > 0 || server.queue > 0 || timeout > 0;
}

struct Scenario {
  std::optional<std::string> schema;  // the member $schema
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> tick;  // how long one lasts, such as "10ms"; for those who show runs
  std::uint32_t clients = 1;        // 1 … 2^32-1
  std::uint32_t clients_per_host = 1;  // share a budget and a breaker, 1 … 2^32-1
  std::uint32_t horizon = 1;           // ticks observed, 1 … 2^31-1
  std::uint64_t seed = 0;              // 0 … 2^53-1
  Arrivals arrivals;
  Server server;
  ScenarioFaults faults;
  std::vector<Policy> policies;  // 1 … 64
};

// Reads and validates. The errors hold every fault found: the first syntax fault, or all members
// that do not fit. Linear in the text.
tl::expected<Scenario, Faults> read_scenario(std::string_view text);

// The same for a value inside a document that is read already, such as the scenario of an export;
// pointer is where it stands there.
tl::expected<Scenario, Faults> read_scenario(const Json& json, std::string_view pointer);

// The scenario as JSON text with every default filled in, members in the order of the page,
// indented by two spaces; indent is the column at which its first brace stands. Reading it back
// gives the same scenario.
std::string write_scenario(const Scenario& scenario, int indent = 0);

// Policies as they stand in a scenario's text, in an object with the one member `policies`; and
// with `server`, whose one member is `deduplication`, where that is given.
std::string write_policies(const std::vector<Policy>& policies,
                           const std::optional<Deduplication>& deduplication);

// The JSON Schema (2020-12) of a scenario's text, for editors. It expresses all of read_scenario's
// rules but those that compare two members and those on the text of numbers.
std::string_view scenario_schema();

}  // namespace retrygarden
