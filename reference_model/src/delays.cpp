// The delay before a client's next attempt (section 6), in integers of unlimited length.

#include "delays.h"

#include <algorithm>
#include <utility>

namespace reference_model {
namespace {

using boost::multiprecision::cpp_int;

cpp_int floor_of_quotient(const cpp_int& dividend, const cpp_int& divisor) {
  return dividend / divisor;  // neither is negative here
}

cpp_int ceil_of_quotient(const cpp_int& dividend, const cpp_int& divisor) {
  return (dividend + divisor - 1) / divisor;  // neither is negative here
}

// max(1, ceil(x * millionths / 10^6))
cpp_int lowest_of_share(const cpp_int& x, std::int64_t millionths) {
  return std::max(cpp_int(1), ceil_of_quotient(x * millionths, million));
}

// floor(x * millionths / 10^6)
cpp_int highest_of_share(const cpp_int& x, std::int64_t millionths) {
  return floor_of_quotient(x * millionths, million);
}

}  // namespace

ExponentialDelays::ExponentialDelays(const ExponentialDelay& delay)
    : delay_(delay), numerator_(delay.base) {}

std::int64_t ExponentialDelays::after(std::int64_t attempt) {
  if (delay_.multiplier == whole_fraction(1)) {
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

// "Then d is cut: with `max_delay`, d becomes min(d, max_delay). Last comes the hint."
std::int64_t DelayRule::delay_after(std::int64_t attempt, std::int64_t client,
                                    const std::optional<std::int64_t>& hint) {
  if (hint && policy_.on_retry_after == OnRetryAfter::replace) {
    return *hint;
  }
  std::int64_t d = uncut_delay(attempt, client);
  if (policy_.max_delay) {
    d = std::min(d, *policy_.max_delay);
  }
  if (hint && policy_.on_retry_after == OnRetryAfter::at_least) {
    d = std::max(d, *hint);
  }
  return d;
}

// The table of `delay`: the raw delay x after attempt k, and what becomes of it.
std::int64_t DelayRule::uncut_delay(std::int64_t attempt, std::int64_t client) {
  const auto from_raw = [&](const cpp_int& x) { return one_of(jittered(x), attempt, client); };
  return std::visit(
      Overloaded{
          [&](const FixedDelay& fixed) { return from_raw(fixed.ticks); },
          [&](const LinearDelay& linear) {
            const cpp_int uncapped = linear.base + cpp_int(linear.step) * (attempt - 1);
            return from_raw(std::min(cpp_int(linear.cap), uncapped));
          },
          [&](const ExponentialDelay&) { return from_raw(exponential_->after(attempt)); },
          [&](const ListDelay& list) {
            return one_of(entry_after(list, attempt), attempt, client);
          },
          [&](const DecorrelatedDelay& delay) { return decorrelated(delay, attempt, client); },
      },
      policy_.delay);
}

// "the k-th entry; the last one from there on"
DelayRule::Interval DelayRule::entry_after(const ListDelay& list, std::int64_t attempt) const {
  const auto index = static_cast<std::size_t>(attempt - 1);
  return std::visit(Overloaded{
                        [&](std::int64_t x) { return jittered(x); },
                        [](const Pair& pair) { return Interval{pair.lo, pair.hi}; },
                    },
                    index < list.ticks.size() ? list.ticks[index] : list.ticks.back());
}

// "With p the client's previous value of this formula (base before the first),
// d = min(cap, draw from [base, 3*p])". As p >= base, there is always more than one value to draw.
std::int64_t DelayRule::decorrelated(const DecorrelatedDelay& delay, std::int64_t attempt,
                                     std::int64_t client) {
  std::int64_t& p = previous_values_.try_emplace(client, delay.base).first->second;
  p = std::min(delay.cap, one_of({delay.base, 3 * cpp_int(p)}, attempt, client));
  return p;
}

// "The delay d is lo when lo = hi, and no draw is made; else it is a draw from [lo, hi]".
std::int64_t DelayRule::one_of(const Interval& interval, std::int64_t attempt,
                               std::int64_t client) const {
  const auto lo = interval.lo.convert_to<std::int64_t>();
  const auto hi = interval.hi.convert_to<std::int64_t>();
  if (lo == hi) {
    return lo;
  }
  return draws_(lo, hi, delay_purpose, static_cast<std::uint32_t>(attempt),
                static_cast<std::uint64_t>(client));
}

// The table of `jitter`. A list with a pair has none: "its other entries x are then [x, x]".
DelayRule::Interval DelayRule::jittered(const cpp_int& x) const {
  return std::visit(
      Overloaded{
          [&](const NoJitter&) { return Interval{x, x}; },
          [&](const FullJitter&) { return Interval{1, x}; },
          [&](const EqualJitter&) { return Interval{x - x / 2, x}; },
          [&](const ProportionalJitter& proportional) {
            const std::int64_t f = proportional.fraction.millionths;
            return Interval{lowest_of_share(x, million - f), highest_of_share(x, million + f)};
          },
          [&](const ScaledJitter& scaled) {
            const cpp_int lo = lowest_of_share(x, scaled.from.millionths);
            return Interval{lo, std::max(lo, highest_of_share(x, scaled.to.millionths))};
          },
      },
      policy_.jitter.value_or(NoJitter{}));
}

}  // namespace reference_model
