#include "retrygarden/plan.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <iterator>
#include <span>

#include "check.h"
#include "draw.h"
#include "probe.h"

namespace retrygarden {

namespace {

using boost::multiprecision::cpp_int;

// A linear law that has not reached its cap by then is computed as needed.
constexpr std::size_t kMaxLinearEntries = 256;

std::uint32_t linear_ticks(const LinearDelay& law, std::uint32_t attempt) {
  const std::uint64_t raw = law.base + std::uint64_t{law.step} * (attempt - 1);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(law.cap, raw));
}

// The raw delays x of section 6, until they stay the same or `most` are there.
std::vector<std::uint32_t> raw_delays(const FixedDelay& law, std::size_t /*most*/) {
  return {law.ticks};
}

std::vector<std::uint32_t> raw_delays(const LinearDelay& law, std::size_t most) {
  std::vector<std::uint32_t> ticks{law.base};
  while (law.step != 0 && ticks.back() < law.cap &&
         ticks.size() < std::min(most, kMaxLinearEntries)) {
    ticks.push_back(linear_ticks(law, static_cast<std::uint32_t>(ticks.size()) + 1));
  }
  return ticks;
}

std::vector<std::uint32_t> raw_delays(const ExponentialDelay& law, std::size_t most) {
  std::vector<std::uint32_t> ticks{law.base};
  cpp_int numerator = law.base;
  cpp_int denominator = 1;
  while (law.multiplier.millionths() != Fraction::kOne && ticks.back() < law.cap &&
         ticks.size() < most) {
    numerator *= law.multiplier.millionths();
    denominator *= Fraction::kOne;
    const cpp_int exact = numerator / denominator;
    ticks.push_back(exact < law.cap ? exact.convert_to<std::uint32_t>() : law.cap);
  }
  return ticks;
}

// The interval that jitter makes of a raw delay (section 6).
Interval with_jitter(const Jitter& jitter, std::uint32_t ticks) {
  struct Spreader {
    std::uint32_t x;
    Interval operator()(const NoJitter& /*jitter*/) const { return {x, x}; }
    Interval operator()(const FullJitter& /*jitter*/) const { return {1, x}; }
    Interval operator()(const EqualJitter& /*jitter*/) const { return {x - x / 2, x}; }
    Interval operator()(const ProportionalJitter& jitter) const {
      const std::uint64_t one = Fraction::kOne;
      const std::uint64_t fraction = jitter.fraction.millionths();
      const std::uint64_t lo = (x * (one - fraction) + one - 1) / one;
      const std::uint64_t hi = x * (one + fraction) / one;
      return {static_cast<std::uint32_t>(std::max<std::uint64_t>(1, lo)),
              static_cast<std::uint32_t>(hi)};
    }
    Interval operator()(const ScaledJitter& jitter) const {
      const std::uint64_t one = Fraction::kOne;
      const std::uint64_t lo =
          std::max<std::uint64_t>(1, (x * jitter.from.millionths() + one - 1) / one);
      const std::uint64_t hi = std::max(lo, x * jitter.to.millionths() / one);
      return {static_cast<std::uint32_t>(lo), static_cast<std::uint32_t>(hi)};
    }
  };
  return std::visit(Spreader{ticks}, jitter);
}

// The intervals of a law, until they stay the same or `most` are there.
template <class Law>
std::vector<Interval> intervals_of(const Law& law, const Jitter& jitter, std::size_t most) {
  std::vector<Interval> intervals;
  for (const std::uint32_t ticks : raw_delays(law, most)) {
    intervals.push_back(with_jitter(jitter, ticks));
  }
  return intervals;
}

std::vector<Interval> intervals_of(const ListDelay& law, const Jitter& jitter, std::size_t most) {
  std::vector<Interval> intervals;
  for (const ListDelay::Entry& entry :
       std::span(law.ticks).first(std::min(most, law.ticks.size()))) {
    const auto* interval = std::get_if<Interval>(&entry);
    intervals.push_back(interval != nullptr ? *interval
                                            : with_jitter(jitter, std::get<std::uint32_t>(entry)));
  }
  return intervals;
}

std::vector<Interval> intervals_of(const DecorrelatedDelay& /*law*/, const Jitter& /*jitter*/,
                                   std::size_t /*most*/) {
  RETRYGARDEN_CHECK(false);  // it has no table
  return {};
}

// Where an outage begins or ends: how many more or fewer of them cover the ticks from here on.
struct OutageEdge {
  std::uint32_t tick;
  int refusing;
  int hanging;
};

std::vector<OutageEdge> outage_edges(const std::vector<Outage>& outages) {
  std::vector<OutageEdge> edges;
  for (const Outage& outage : outages) {
    const int hanging = outage.kind == OutageKind::kHang ? 1 : 0;
    edges.push_back({outage.from, 1 - hanging, hanging});
    edges.push_back({outage.from + outage.ticks, hanging - 1, -hanging});  // at most 2^32-2
  }
  std::sort(edges.begin(), edges.end(),
            [](const OutageEdge& a, const OutageEdge& b) { return a.tick < b.tick; });
  return edges;
}

// Section 4, phase 1: what so many outages make of the server.
ServerState server_state(int refusing, int hanging) {
  if (refusing > 0) {
    return ServerState::kRefusing;
  }
  return hanging > 0 ? ServerState::kHanging : ServerState::kUp;
}

std::vector<OutageWindow> outage_windows(const std::vector<Outage>& outages) {
  const std::vector<OutageEdge> edges = outage_edges(outages);
  std::vector<OutageWindow> windows;
  OutageWindow current{.state = ServerState::kUp};
  int refusing = 0;
  int hanging = 0;
  for (auto edge = edges.begin(); edge != edges.end();) {
    const std::uint32_t tick = edge->tick;
    RETRYGARDEN_PROBE(kOutagesOverlap,
                      refusing + hanging > 0 && edge->refusing + edge->hanging > 0);
    for (; edge != edges.end() && edge->tick == tick; ++edge) {
      refusing += edge->refusing;
      hanging += edge->hanging;
    }
    const ServerState state = server_state(refusing, hanging);
    RETRYGARDEN_PROBE(kOutagesTouch, state == current.state);
    if (state != current.state) {
      if (current.state != ServerState::kUp) {
        current.end = tick;
        windows.push_back(current);
      }
      current = {.begin = tick, .state = state};
    }
  }
  for (auto window = windows.rbegin(); window != windows.rend(); ++window) {
    const bool touches = window != windows.rbegin() && std::prev(window)->begin == window->end;
    window->up_again = touches ? std::prev(window)->up_again : window->end;
  }
  return windows;
}

// The first ticks of the outages that are meant, as far as the run observes them.
template <class Predicate>
std::vector<Tick> first_ticks(const Scenario& scenario, Predicate is_meant) {
  std::vector<Tick> ticks;
  for (const Outage& outage : scenario.server.outages) {
    if (is_meant(outage) && outage.from < scenario.horizon) {
      ticks.push_back(outage.from);
    }
  }
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  return ticks;
}

// The client's place when the hosts are interleaved (section 3): all clients that are first on
// their host come first, then those that are second, and so on.
std::uint32_t arrival_rank(const Plan& plan, Client client) {
  if (plan.clients_per_host == 1) {
    return client;
  }
  const std::uint32_t place = client % plan.clients_per_host;
  const std::uint32_t full_hosts = plan.clients / plan.clients_per_host;
  const std::uint32_t rest = plan.clients % plan.clients_per_host;  // clients of the last host
  return place * full_hosts + std::min(place, rest) + plan.host_of(client);
}

std::variant<DelayTable, DecorrelatedDelay> compile_delay(const Policy& policy) {
  if (const auto* decorrelated = std::get_if<DecorrelatedDelay>(&policy.delay)) {
    return *decorrelated;
  }
  return DelayTable(policy.delay, policy.jitter, policy.attempts);
}

}  // namespace

DelayTable::DelayTable(const Delay& delay, const Jitter& jitter, std::uint32_t attempts)
    : jitter_(jitter) {
  const std::size_t most = std::max<std::size_t>(1, attempts - 1);
  intervals_ = std::visit([&](const auto& law) { return intervals_of(law, jitter, most); }, delay);
  if (const auto* linear = std::get_if<LinearDelay>(&delay);
      linear != nullptr && intervals_.size() == kMaxLinearEntries) {
    unsettled_ = *linear;
  }
}

Interval DelayTable::beyond_table(std::uint32_t attempt) const {
  RETRYGARDEN_PROBE(kDelayBeyondTable, unsettled_.has_value());
  return unsettled_ ? with_jitter(jitter_, linear_ticks(*unsettled_, attempt)) : intervals_.back();
}

bool Plan::needs_phases() const {
  const bool hangs = std::any_of(outages.begin(), outages.end(), [](const OutageWindow& window) {
    return window.state == ServerState::kHanging;
  });
  const bool attempts_outlive_their_tick =
      server.service_ticks > 0 || server.queue > 0 || timeout > 0 || hangs;
  const bool attempts_depend_on_others = server.capacity_window > 1 ||
                                         server.tie_break == TieBreak::kRandom || budget ||
                                         breaker || !key_losses.empty();
  const bool heeds_hint = server.retry_after > 0 && on_retry_after != OnRetryAfter::kIgnore;
  const bool more_is_decided = faults.request_loss > Fraction() ||
                               faults.response_loss > Fraction() || heeds_hint || deadline;
  return attempts_outlive_their_tick || attempts_depend_on_others || more_is_decided;
}

Plan make_plan(const Scenario& scenario, std::size_t policy_index) {
  const Policy& policy = scenario.policies.at(policy_index);
  return {
      .clients = scenario.clients,
      .clients_per_host = scenario.clients_per_host,
      .horizon = scenario.horizon,
      .seed = scenario.seed,
      .arrivals = scenario.arrivals,
      .server = scenario.server,
      .outages = outage_windows(scenario.server.outages),
      .crashes = first_ticks(
          scenario, [](const Outage& outage) { return outage.kind == OutageKind::kCrash; }),
      .key_losses = first_ticks(scenario, [](const Outage& outage) { return outage.loses_keys; }),
      .faults = scenario.faults,
      .attempts = policy.attempts,
      .timeout = policy.timeout,
      .delay = compile_delay(policy),
      .max_delay = policy.max_delay.value_or(~0U),
      .deadline = policy.deadline,
      .on_retry_after = policy.on_retry_after,
      .budget = policy.budget,
      .breaker = policy.breaker};
}

Tick arrival_tick(const Plan& plan, Client client) {
  if (const auto* burst = std::get_if<BurstArrivals>(&plan.arrivals)) {
    return burst->at;
  }
  if (const auto* spread = std::get_if<SpreadArrivals>(&plan.arrivals)) {
    return static_cast<Tick>(std::uint64_t{arrival_rank(plan, client)} * spread->over_ticks /
                             plan.clients);
  }
  const std::uint32_t over_ticks = std::get<RandomArrivals>(plan.arrivals).over_ticks;
  return draw(plan.seed, {0, over_ticks - 1}, Purpose::kArrival, 0, client);
}

}  // namespace retrygarden
