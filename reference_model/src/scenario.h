// A valid scenario (sections 2, 3, 6, 11 and 12) with its defaults filled in.

#ifndef REFERENCE_MODEL_SCENARIO_H
#define REFERENCE_MODEL_SCENARIO_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fraction.h"
#include "words.h"

namespace reference_model {

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

enum class Discipline { fifo, lifo };
inline constexpr Words<Discipline, 2> discipline_words = {{
    {Discipline::fifo, "fifo"},
    {Discipline::lifo, "lifo"},
}};

enum class TieBreak { client, random };
inline constexpr Words<TieBreak, 2> tie_break_words = {{
    {TieBreak::client, "client"},
    {TieBreak::random, "random"},
}};

enum class OutageKind { refuse, hang, crash };
inline constexpr Words<OutageKind, 3> outage_kind_words = {{
    {OutageKind::refuse, "refuse"},
    {OutageKind::hang, "hang"},
    {OutageKind::crash, "crash"},
}};

struct Outage {
  std::int64_t from = 0;
  std::int64_t ticks = 0;
  OutageKind kind = OutageKind::refuse;
  bool loses_keys = false;
};

struct NoDeduplication {};
struct ForeverDeduplication {};
struct TtlDeduplication {
  std::int64_t ticks = 0;
};
using Deduplication = std::variant<NoDeduplication, ForeverDeduplication, TtlDeduplication>;

struct Server {
  std::int64_t capacity = 0;
  std::int64_t capacity_window = 1;
  std::int64_t service_ticks = 0;
  std::optional<std::int64_t> concurrency;
  std::int64_t queue = 0;
  Discipline discipline = Discipline::fifo;
  bool drop_abandoned = false;
  std::int64_t retry_after = 0;
  TieBreak tie_break = TieBreak::client;
  std::vector<Outage> outages;
  Deduplication deduplication;
};

struct FirstResponseLost {
  std::int64_t every = 0;
  std::int64_t offset = 0;
};

struct Faults {
  std::optional<FirstResponseLost> first_response_lost;
  Fraction response_loss;
  Fraction request_loss;
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
struct Pair {
  std::int64_t lo = 0;
  std::int64_t hi = 0;
};
using ListEntry = std::variant<std::int64_t, Pair>;
struct ListDelay {
  std::vector<ListEntry> ticks;
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
struct ScaledJitter {
  Fraction from;
  Fraction to;
};
using Jitter = std::variant<NoJitter, FullJitter, EqualJitter, ProportionalJitter, ScaledJitter>;

enum class OnRetryAfter { ignore, at_least, replace };
inline constexpr Words<OnRetryAfter, 3> on_retry_after_words = {{
    {OnRetryAfter::ignore, "ignore"},
    {OnRetryAfter::at_least, "at_least"},
    {OnRetryAfter::replace, "replace"},
}};

// Section 11.
struct TokenBudget {
  Fraction capacity;
  Fraction initial;
  Fraction tick_refill;
  Fraction attempt_deposit;
  Fraction success_deposit;
  bool refund = false;
  Fraction failure_cost;
  Fraction retry_cost;
  Fraction timeout_cost;
  std::optional<Fraction> threshold;
};
struct ConcurrentBudget {
  Fraction fraction;
  std::int64_t minimum = 0;
};
using Budget = std::variant<TokenBudget, ConcurrentBudget>;

// Section 12.
struct Breaker {
  std::int64_t window = 0;
  std::int64_t failures = 0;
  std::int64_t open_ticks = 0;
  std::int64_t probes = 0;
};

struct Policy {
  std::string name;
  std::optional<std::string> description;
  std::int64_t attempts = 0;
  std::int64_t timeout = 0;
  Delay delay;
  std::optional<Jitter> jitter;  // absent where, and only where, the delay takes none
  std::optional<std::int64_t> max_delay;
  std::optional<std::int64_t> deadline;
  OnRetryAfter on_retry_after = OnRetryAfter::ignore;
  std::optional<Budget> budget;
  std::optional<Breaker> breaker;
};

struct Scenario {
  std::optional<std::string> schema;
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> tick;  // the text of a duration
  std::int64_t clients = 0;
  std::int64_t clients_per_host = 1;
  std::int64_t horizon = 0;
  std::int64_t seed = 0;
  Arrivals arrivals;
  Server server;
  Faults faults;
  std::vector<Policy> policies;
};

// Section 2: "the host of client i is floor(i / clients_per_host)".
constexpr std::int64_t host_of(std::int64_t client, const Scenario& scenario) {
  return client / scenario.clients_per_host;
}

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
