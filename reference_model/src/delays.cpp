// The delay before a client's next attempt (section 6), in integers of unlimited length.

#include "delays.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace reference_model {
namespace {

using boost::multiprecision::cpp_int;

const cpp_int million = 1'000'000;

// Whole ticks from lo to hi, both included.
struct Interval {
  cpp_int lo;
  cpp_int hi;
};

std::int64_t draw_delay(const Interval& interval, const DrawSource& draws, std::int64_t attempt,
                        std::int64_t client) {
  return draws(interval.lo.convert_to<std::int64_t>(), interval.hi.convert_to<std::int64_t>(),
               delay_purpose, static_cast<std::uint32_t>(attempt),
               static_cast<std::uint64_t>(client));
}

cpp_int floor_of_quotient(const cpp_int& dividend, const cpp_int& divisor) {
  return dividend / divisor;  // neither is negative here
}

cpp_int ceil_of_quotient(const cpp_int& dividend, const cpp_int& divisor) {
  return (dividend + divisor - 1) / divisor;  // neither is negative here
}

// Section 6, the table of `jitter`.
Interval jittered(const Jitter& jitter, const cpp_int& x) {
  return std::visit(Overloaded{
                        [&](const NoJitter&) { return Interval{x, x}; },
                        [&](const FullJitter&) { return Interval{1, x}; },
                        [&](const EqualJitter&) { return Interval{x - x / 2, x}; },
                        [&](const ProportionalJitter& proportional) {
                          const cpp_int f = proportional.fraction.millionths;
                          const cpp_int lowest = ceil_of_quotient(x * (million - f), million);
                          return Interval{lowest < 1 ? cpp_int(1) : lowest,
                                          floor_of_quotient(x * (million + f), million)};
                        },
                    },
                    jitter);
}

}  // namespace

ExponentialDelays::ExponentialDelays(const ExponentialDelay& delay)
    : delay_(delay), numerator_(delay.base) {}

std::int64_t ExponentialDelays::after(std::int64_t attempt) {
  if (delay_.multiplier.millionths == million) {
    return delay_.base;  // every power of 1 is 1; the cap would never end the sequence
  }
  while (std::cmp_less(values_.size(), attempt) &&
         (values_.empty() || values_.back() < delay_.cap)) {
    const cpp_int value = floor_of_quotient(numerator_, denominator_);
    values_.push_back(value < delay_.cap ? value.convert_to<std::int64_t>() : delay_.cap);
    numerator_ *= delay_.multiplier.millionths;
    denominator_ *= million;
  }
  const auto index = static_cast<std::size_t>(attempt - 1);
  return index < values_.size() ? values_[index] : delay_.cap;
}

DelayRule::DelayRule(const Policy& policy, const DrawSource& draws)
    : policy_(policy), draws_(draws) {
  if (const auto* exponential = std::get_if<ExponentialDelay>(&policy.delay)) {
    exponential_.emplace(*exponential);
  }
}

std::int64_t DelayRule::delay_after(std::int64_t attempt, std::int64_t client) {
  if (const auto* delay = std::get_if<DecorrelatedDelay>(&policy_.delay)) {
    return decorrelated(*delay, attempt, client);
  }
  const Interval interval = jittered(*policy_.jitter, raw_delay(attempt));
  // Section 6: "The delay d is lo when lo = hi, and no draw is made".
  if (interval.lo == interval.hi) {
    return interval.lo.convert_to<std::int64_t>();
  }
  return draw_delay(interval, draws_, attempt, client);
}

// Section 6: "With p the client's previous value of this formula (base before the first),
// d = min(cap, draw from [base, 3*p])". As p >= base, there is always more than one value to draw.
std::int64_t DelayRule::decorrelated(const DecorrelatedDelay& delay, std::int64_t attempt,
                                     std::int64_t client) {
  std::int64_t& p = previous_values_.try_emplace(client, delay.base).first->second;
  const Interval interval = {delay.base, 3 * cpp_int(p)};
  p = std::min(delay.cap, draw_delay(interval, draws_, attempt, client));
  return p;
}

// Section 6, the table of `delay`: the raw delay x after attempt k.
cpp_int DelayRule::raw_delay(std::int64_t attempt) {
  return std::visit(
      Overloaded{
          [](const FixedDelay& fixed) { return cpp_int(fixed.ticks); },
          [&](const LinearDelay& linear) {
            const cpp_int uncapped = linear.base + cpp_int(linear.step) * (attempt - 1);
            return uncapped < linear.cap ? uncapped : cpp_int(linear.cap);
          },
          [&](const ExponentialDelay&) { return cpp_int(exponential_->after(attempt)); },
          [&](const ListDelay& list) {
            const auto index = static_cast<std::size_t>(attempt - 1);
            return cpp_int(index < list.ticks.size() ? list.ticks[index] : list.ticks.back());
          },
          [](const DecorrelatedDelay&) -> cpp_int {
            throw std::logic_error("a decorrelated delay has no raw delay");
          },
      },
      policy_.delay);
}

}  // namespace reference_model
