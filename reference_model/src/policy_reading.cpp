#include "policy_reading.h"

#include <set>

namespace reference_model {
namespace {

using boost::multiprecision::cpp_int;

constexpr std::size_t most_policies = 64;
constexpr Fraction largest_amount = whole_fraction(1'000'000'000);
constexpr std::int64_t largest_breaker_count = 1'000'000;

// Section 6: "`ticks`, `base`, `cap` and the entries are 1 ... 2^30".
std::int64_t read_ticks(const Place& place) {
  return read_integer(place, 1, largest_delay);
}

// Section 6: "cap >= base".
std::int64_t read_cap(const Place& place, std::int64_t base) {
  const std::int64_t cap = read_ticks(place);
  if (cap < base) {
    refuse(place.pointer, "must not be less than base");
  }
  return cap;
}

// Section 6: "`multiplier` is 1 or 1.01 ... 1000".
Fraction read_multiplier(const Place& place) {
  const cpp_int millionths = read_millionths(place);
  const bool in_range = millionths >= million + million / 100 && millionths <= 1000 * million;
  if (millionths != million && !in_range) {
    refuse(place.pointer, "must be 1, or from 1.01 to 1000");
  }
  return {millionths.convert_to<std::int64_t>()};
}

// Section 6: "a pair [lo, hi], 1 <= lo <= hi <= 2^30".
Pair read_pair(const Place& place) {
  const std::vector<Place> ends = read_list(place);
  if (ends.size() != 2) {
    refuse(place.pointer, "a pair must have two entries");
  }
  const std::int64_t lo = read_ticks(ends[0]);
  return {lo, read_integer(ends[1], lo, largest_delay)};
}

ListDelay read_list_delay(const Place& ticks) {
  ListDelay list;
  for (const Place& entry : read_list(ticks)) {
    if (entry.value.type == JsonValue::Type::list) {
      list.ticks.emplace_back(read_pair(entry));
    } else {
      list.ticks.emplace_back(read_ticks(entry));
    }
  }
  if (list.ticks.empty()) {
    refuse(ticks.pointer, "must have at least one entry");
  }
  return list;
}

Delay read_delay(const Place& place) {
  const std::string kind = required_kind(place);
  if (kind == "fixed") {
    const Members members(place, {"kind", "ticks"});
    return FixedDelay{read_ticks(members.required("ticks"))};
  }
  if (kind == "linear") {
    const Members members(place, {"kind", "base", "step", "cap"});
    const std::int64_t base = read_ticks(members.required("base"));
    const std::int64_t step = read_integer(members.required("step"), 0, largest_delay);
    return LinearDelay{base, step, read_cap(members.required("cap"), base)};
  }
  if (kind == "exponential") {
    const Members members(place, {"kind", "base", "multiplier", "cap"});
    const std::int64_t base = read_ticks(members.required("base"));
    const std::optional<Place> multiplier = members.optional("multiplier");
    return ExponentialDelay{base, multiplier ? read_multiplier(*multiplier) : whole_fraction(2),
                            read_cap(members.required("cap"), base)};
  }
  if (kind == "list") {
    const Members members(place, {"kind", "ticks"});
    return read_list_delay(members.required("ticks"));
  }
  if (kind == "decorrelated") {
    const Members members(place, {"kind", "base", "cap"});
    const std::int64_t base = read_ticks(members.required("base"));
    return DecorrelatedDelay{base, read_cap(members.required("cap"), base)};
  }
  refuse_kind(place);
}

Jitter read_jitter(const Place& place) {
  const std::string kind = required_kind(place);
  if (kind == "none") {
    const Members members(place, {"kind"});
    return NoJitter{};
  }
  if (kind == "full") {
    const Members members(place, {"kind"});
    return FullJitter{};
  }
  if (kind == "equal") {
    const Members members(place, {"kind"});
    return EqualJitter{};
  }
  if (kind == "proportional") {
    const Members members(place, {"kind", "fraction"});
    return ProportionalJitter{
        read_fraction(members.required("fraction"), whole_fraction(0), whole_fraction(1))};
  }
  if (kind == "scaled") {
    const Members members(place, {"kind", "from", "to"});
    const Fraction from =
        read_fraction(members.required("from"), whole_fraction(0), whole_fraction(2));
    return ScaledJitter{from, read_fraction(members.required("to"), from, whole_fraction(2))};
  }
  refuse_kind(place);
}

// Section 6: "a policy with it has no `jitter` member", and "a policy whose list has a pair takes
// no `jitter` member".
bool takes_jitter(const Delay& delay) {
  if (const auto* list = std::get_if<ListDelay>(&delay)) {
    return std::none_of(list->ticks.begin(), list->ticks.end(),
                        [](const ListEntry& entry) { return std::holds_alternative<Pair>(entry); });
  }
  return !std::holds_alternative<DecorrelatedDelay>(delay);
}

std::optional<Jitter> read_jitter_beside(const Delay& delay, const std::optional<Place>& place) {
  if (takes_jitter(delay)) {
    return place ? read_jitter(*place) : NoJitter{};
  }
  if (place) {
    refuse(place->pointer, "this delay takes no jitter");
  }
  return std::nullopt;
}

// Section 11, the table of `kind: tokens`.
TokenBudget read_token_budget(const Place& place) {
  const Members members(
      place, {"kind", "capacity", "initial", "tick_refill", "attempt_deposit", "success_deposit",
              "refund", "failure_cost", "retry_cost", "timeout_cost", "threshold"});
  const auto amount_or = [&](const Fraction& otherwise, std::string_view name) {
    return fraction_or(otherwise, members.optional(name), whole_fraction(0), largest_amount);
  };
  TokenBudget budget;
  budget.capacity = read_fraction(members.required("capacity"), whole_fraction(0), largest_amount);
  budget.initial =
      fraction_or(budget.capacity, members.optional("initial"), whole_fraction(0), budget.capacity);
  budget.tick_refill = amount_or(whole_fraction(0), "tick_refill");
  budget.attempt_deposit = amount_or(whole_fraction(0), "attempt_deposit");
  budget.success_deposit = amount_or(whole_fraction(0), "success_deposit");
  budget.refund = boolean_or(false, members.optional("refund"));
  budget.failure_cost = amount_or(whole_fraction(0), "failure_cost");
  budget.retry_cost = amount_or(whole_fraction(0), "retry_cost");
  budget.timeout_cost = amount_or(budget.retry_cost, "timeout_cost");
  if (const std::optional<Place> threshold = members.optional("threshold")) {
    budget.threshold = read_fraction(*threshold, whole_fraction(0), largest_amount);
  }
  return budget;
}

// Section 11.
Budget read_budget(const Place& place) {
  const std::string kind = required_kind(place);
  if (kind == "tokens") {
    return read_token_budget(place);
  }
  if (kind == "concurrent") {
    const Members members(place, {"kind", "fraction", "minimum"});
    return ConcurrentBudget{
        read_fraction(members.required("fraction"), whole_fraction(0), whole_fraction(1)),
        read_integer(members.required("minimum"), 0, largest_count)};
  }
  refuse_kind(place);
}

// Section 12: "1 <= f <= n <= 10^6, o 1 ... 2^30, p 1 ... 10^6".
Breaker read_breaker(const Place& place) {
  const Members members(place, {"window", "failures", "open_ticks", "probes"});
  Breaker breaker;
  breaker.window = read_integer(members.required("window"), 1, largest_breaker_count);
  breaker.failures = read_integer(members.required("failures"), 1, breaker.window);
  breaker.open_ticks = read_integer(members.required("open_ticks"), 1, largest_delay);
  breaker.probes = read_integer(members.required("probes"), 1, largest_breaker_count);
  return breaker;
}

// Section 2: "required where `service_ticks` or `queue` is not 0, or an outage is of kind `hang`".
bool requires_timeout(const Server& server) {
  const bool may_hang =
      std::any_of(server.outages.begin(), server.outages.end(),
                  [](const Outage& outage) { return outage.kind == OutageKind::hang; });
  return server.service_ticks != 0 || server.queue != 0 || may_hang;
}

std::int64_t read_timeout(const Members& policy, const Server& server) {
  if (requires_timeout(server)) {
    return read_integer(policy.required("timeout"), 0, largest_delay);
  }
  return integer_or(0, policy.optional("timeout"), 0, largest_delay);
}

std::string read_policy_name(const Place& place) {
  std::string name = read_string(place);
  if (name.empty()) {
    refuse(place.pointer, "must not be empty");
  }
  return name;
}

Policy read_policy(const Place& place, const Server& server) {
  const Members members(place, {"name", "description", "attempts", "timeout", "delay", "jitter",
                                "max_delay", "deadline", "on_retry_after", "budget", "breaker"});
  Policy policy;
  policy.name = read_policy_name(members.required("name"));
  policy.description = read_optional_string(members.optional("description"));
  policy.attempts = read_integer(members.required("attempts"), 1, largest_count);
  policy.timeout = read_timeout(members, server);
  policy.delay = read_delay(members.required("delay"));
  policy.jitter = read_jitter_beside(policy.delay, members.optional("jitter"));
  policy.max_delay = read_optional_integer(members.optional("max_delay"), 1, largest_delay);
  policy.deadline = read_optional_integer(members.optional("deadline"), 0, largest_tick);
  policy.on_retry_after =
      word_or(OnRetryAfter::ignore, members.optional("on_retry_after"), on_retry_after_words);
  if (const std::optional<Place> budget = members.optional("budget")) {
    policy.budget = read_budget(*budget);
  }
  if (const std::optional<Place> breaker = members.optional("breaker")) {
    policy.breaker = read_breaker(*breaker);
  }
  return policy;
}

}  // namespace

std::vector<Policy> read_policies(const Place& place, const Server& server) {
  const std::vector<Place> entries = read_list(place);
  if (entries.empty() || entries.size() > most_policies) {
    refuse(place.pointer, "must have from 1 to 64 entries");
  }
  std::vector<Policy> policies;
  std::set<std::string> names;
  for (const Place& entry : entries) {
    policies.push_back(read_policy(entry, server));
    if (!names.insert(policies.back().name).second) {
      refuse(child_pointer(entry.pointer, "name"), "an earlier policy has the same name");
    }
  }
  return policies;
}

}  // namespace reference_model
