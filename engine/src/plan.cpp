#include "retrygarden/plan.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>

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

std::vector<std::uint32_t> raw_delays(const ListDelay& law, std::size_t most) {
  return {law.ticks.begin(),
          law.ticks.begin() + static_cast<std::ptrdiff_t>(std::min(most, law.ticks.size()))};
}

std::vector<std::uint32_t> raw_delays(const DecorrelatedDelay& /*law*/, std::size_t /*most*/) {
  RETRYGARDEN_CHECK(false);  // it has no table
  return {};
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
  };
  return std::visit(Spreader{ticks}, jitter);
}

std::vector<DownWindow> merged(std::vector<Outage> outages) {
  std::sort(outages.begin(), outages.end(),
            [](const Outage& a, const Outage& b) { return a.from < b.from; });
  std::vector<DownWindow> windows;
  for (const Outage& outage : outages) {
    const std::uint32_t end = outage.from + outage.ticks;  // at most 2^32-2
    RETRYGARDEN_PROBE(kOutagesOverlap, !windows.empty() && outage.from < windows.back().end);
    RETRYGARDEN_PROBE(kOutagesTouch, !windows.empty() && outage.from == windows.back().end);
    if (!windows.empty() && outage.from <= windows.back().end) {
      windows.back().end = std::max(windows.back().end, end);
    } else {
      windows.push_back({outage.from, end});
    }
  }
  return windows;
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
  const std::vector<std::uint32_t> raw =
      std::visit([&](const auto& law) { return raw_delays(law, most); }, delay);
  intervals_.reserve(raw.size());
  for (const std::uint32_t ticks : raw) {
    intervals_.push_back(with_jitter(jitter, ticks));
  }
  if (const auto* linear = std::get_if<LinearDelay>(&delay);
      linear != nullptr && raw.size() == kMaxLinearEntries) {
    unsettled_ = *linear;
  }
}

Interval DelayTable::beyond_table(std::uint32_t attempt) const {
  RETRYGARDEN_PROBE(kDelayBeyondTable, unsettled_.has_value());
  return unsettled_ ? with_jitter(jitter_, linear_ticks(*unsettled_, attempt)) : intervals_.back();
}

Plan make_plan(const Scenario& scenario, std::size_t policy_index) {
  const Policy& policy = scenario.policies.at(policy_index);
  return {.clients = scenario.clients,
          .horizon = scenario.horizon,
          .seed = scenario.seed,
          .arrivals = scenario.arrivals,
          .capacity = scenario.server.capacity,
          .down = merged(scenario.server.outages),
          .deduplication = scenario.server.deduplication,
          .first_response_lost = scenario.first_response_lost,
          .attempts = policy.attempts,
          .delay = compile_delay(policy)};
}

Tick arrival_tick(const Plan& plan, Client client) {
  if (const auto* burst = std::get_if<BurstArrivals>(&plan.arrivals)) {
    return burst->at;
  }
  if (const auto* spread = std::get_if<SpreadArrivals>(&plan.arrivals)) {
    return static_cast<Tick>(std::uint64_t{client} * spread->over_ticks / plan.clients);
  }
  const std::uint32_t over_ticks = std::get<RandomArrivals>(plan.arrivals).over_ticks;
  return draw(plan.seed, {0, over_ticks - 1}, Purpose::kArrival, 0, client);
}

}  // namespace retrygarden
