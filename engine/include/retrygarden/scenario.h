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

// The server is down in ticks from … from+ticks-1.
struct Outage {
  Tick from = 0;            // 0 … 2^31-1
  std::uint32_t ticks = 1;  // 1 … 2^31-1
};

// Section 5: what the server remembers of operations it applied.
struct NoDeduplication {};
struct DeduplicationForever {};
struct DeduplicationTtl {
  std::uint32_t ticks = 1;  // 1 … 2^31-1
};
using Deduplication = std::variant<NoDeduplication, DeduplicationForever, DeduplicationTtl>;

struct Server {
  std::uint32_t capacity = 0;  // attempts accepted in one tick, 0 … 2^32-1
  std::vector<Outage> outages;
  Deduplication deduplication;
};

// Section 5: the first response to each client with client mod every = offset is lost.
struct FirstResponseLost {
  std::uint32_t every = 1;   // 1 … 2^32-1
  std::uint32_t offset = 0;  // 0 … every-1
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
  std::vector<std::uint32_t> ticks;  // at least one
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
using Jitter = std::variant<NoJitter, FullJitter, EqualJitter, ProportionalJitter>;

struct Policy {
  std::string name;            // not empty, distinct in its scenario
  std::uint32_t attempts = 1;  // the attempt budget, 1 … 2^32-1; the first attempt counts
  Delay delay;
  Jitter jitter;  // NoJitter beside DecorrelatedDelay, which has a jitter of its own
};

struct Scenario {
  std::optional<std::string> schema;  // the member $schema
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::uint32_t clients = 1;  // 1 … 2^32-1
  std::uint32_t horizon = 1;  // ticks observed, 1 … 2^31-1
  std::uint64_t seed = 0;     // 0 … 2^53-1
  Arrivals arrivals;
  Server server;
  std::optional<FirstResponseLost> first_response_lost;
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

// The JSON Schema (2020-12) of a scenario's text, for editors. It expresses all of read_scenario's
// rules but those that compare two members and those on the text of numbers.
std::string_view scenario_schema();

}  // namespace retrygarden
