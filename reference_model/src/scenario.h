// A valid scenario (sections 2, 3 and 6) with its defaults filled in.

#ifndef REFERENCE_MODEL_SCENARIO_H
#define REFERENCE_MODEL_SCENARIO_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace reference_model {

// Section 2: "It means exactly that decimal number; implementations hold it in millionths."
struct Fraction {
  std::int64_t millionths = 0;
};

// Section 3.
struct BurstArrivals {
  std::int64_t at = 0;
};
struct SpreadArrivals {
  std::int64_t over = 0;
};
struct RandomArrivals {
  std::int64_t over = 0;
};
using Arrivals = std::variant<BurstArrivals, SpreadArrivals, RandomArrivals>;

struct Outage {
  std::int64_t from = 0;
  std::int64_t ticks = 0;
};

struct NoDeduplication {};
struct ForeverDeduplication {};
struct TtlDeduplication {
  std::int64_t ticks = 0;
};
using Deduplication = std::variant<NoDeduplication, ForeverDeduplication, TtlDeduplication>;

struct Server {
  std::int64_t capacity = 0;
  std::vector<Outage> outages;
  Deduplication deduplication;
};

struct FirstResponseLost {
  std::int64_t every = 0;
  std::int64_t offset = 0;
};

// Section 6, first table.
struct FixedDelay {
  std::int64_t ticks = 0;
};
struct LinearDelay {
  std::int64_t base = 0;
  std::int64_t step = 0;
  std::int64_t cap = 0;
};
struct ExponentialDelay {
  std::int64_t base = 0;
  Fraction multiplier;
  std::int64_t cap = 0;
};
struct ListDelay {
  std::vector<std::int64_t> ticks;
};
struct DecorrelatedDelay {
  std::int64_t base = 0;
  std::int64_t cap = 0;
};
using Delay = std::variant<FixedDelay, LinearDelay, ExponentialDelay, ListDelay, DecorrelatedDelay>;

// Section 6, second table.
struct NoJitter {};
struct FullJitter {};
struct EqualJitter {};
struct ProportionalJitter {
  Fraction fraction;
};
using Jitter = std::variant<NoJitter, FullJitter, EqualJitter, ProportionalJitter>;

struct Policy {
  std::string name;
  std::int64_t attempts = 0;
  Delay delay;
  std::optional<Jitter> jitter;  // absent with, and only with, a decorrelated delay
};

struct Scenario {
  std::optional<std::string> schema;
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::int64_t clients = 0;
  std::int64_t horizon = 0;
  std::int64_t seed = 0;
  Arrivals arrivals;
  Server server;
  std::optional<FirstResponseLost> first_response_lost;
  std::vector<Policy> policies;
};

// Throws InvalidScenario for any text that section 2 calls an error.
Scenario read_scenario(std::string_view text);

// For std::visit: one lambda for each alternative.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace reference_model

#endif  // REFERENCE_MODEL_SCENARIO_H
