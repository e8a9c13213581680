#include "import/policy_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "retrygarden/plan.h"

namespace retrygarden::import_from {

namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::denominator;
using boost::multiprecision::numerator;

constexpr std::uint32_t kMostDeadline = (1U << 31) - 1;

cpp_int floor_of(const Rational& number) {
  return numerator(number) / denominator(number);
}

cpp_int ceiling_of(const Rational& number) {
  return (numerator(number) + denominator(number) - 1) / denominator(number);
}

std::uint32_t within_ticks(const cpp_int& ticks) {
  if (ticks < 1) {
    return 1;
  }
  return ticks > kMostTicks ? kMostTicks : ticks.convert_to<std::uint32_t>();
}

bool is_whole(const Rational& number) {
  return denominator(number) == 1;
}

// The multiplier of an exponential law, if it is one.
std::optional<Fraction> law_multiplier(const Rational& multiplier) {
  const Rational millionths = multiplier * Fraction::kOne;
  if (!is_whole(millionths) || multiplier < Rational(101, 100) || multiplier > 1000) {
    return std::nullopt;
  }
  return Fraction::from_millionths(numerator(millionths).convert_to<std::uint64_t>());
}

// Delays one after the other, each in whole ticks. The first that changes is told.
class RoundedDelays {
 public:
  explicit RoundedDelays(Nanoseconds tick) : tick_(tick) {}

  void add(const Rational& delay) { add(numerator(delay), denominator(delay)); }

  // A quotient that need not be reduced: that takes longer than everything else where it is long.
  void add(const cpp_int& above, const cpp_int& below) {
    const cpp_int unit = below * tick_;
    const cpp_int nearest = (2 * above + unit) / (2 * unit);
    ticks_.emplace_back(within_ticks(nearest));
    if (within_ticks(nearest) * unit != above) {
      loss_ = loss_.empty() ? whole_ticks("a delay", Rational(above, below), tick_).loss : loss_;
      ++changed_;
    }
  }

  ListDelay delays() const { return {ticks_}; }
  std::size_t size() const { return ticks_.size(); }

  // Empty if all are kept exactly.
  std::string loss() const {
    return changed_ > 1 ? loss_ + fmt::format(", and {} more are rounded or cut", changed_ - 1)
                        : loss_;
  }

 private:
  Nanoseconds tick_;
  std::vector<ListDelay::Entry> ticks_;
  std::string loss_;
  std::size_t changed_ = 0;
};

// base, base·multiplier, …, one after the other.
class Powers {
 public:
  Powers(const Rational& base, const Rational& multiplier)
      : numerator_(numerator(base)), denominator_(denominator(base)), multiplier_(multiplier) {}

  bool is_at_least(const Rational& limit) const {
    return numerator_ * denominator(limit) >= numerator(limit) * denominator_;
  }
  void add_to(RoundedDelays& delays) const { delays.add(numerator_, denominator_); }
  void step() {
    numerator_ *= numerator(multiplier_);
    denominator_ *= denominator(multiplier_);
  }

 private:
  cpp_int numerator_;
  cpp_int denominator_;
  const Rational& multiplier_;
};

}  // namespace

void PolicyDraft::set_retries(std::uint64_t retries) {
  policy.attempts = static_cast<std::uint32_t>(std::min<std::uint64_t>(retries, ~0U - 1)) + 1;
}

void PolicyDraft::set_fixed(const Rational& delay) {
  policy.delay = FixedDelay{has_delays() ? ticks("a delay", delay) : 1};
}

std::uint32_t PolicyDraft::whole_cap(const std::optional<Rational>& cap) {
  // Only what is reached is cut: lose_if_cut().
  return cap && *cap <= Rational(kMostTicks) * tick_ ? ticks("the longest delay", *cap)
                                                     : kMostTicks;
}

void PolicyDraft::lose_if_cut() {
  const DelayTable table(policy.delay, NoJitter{}, policy.attempts);
  if (table.after(policy.attempts - 1).hi == kMostTicks) {
    lose(fmt::format("delays of more than {} ticks are cut to that", kMostTicks));
  }
}

void PolicyDraft::set_linear(const Rational& base, const Rational& step,
                             const std::optional<Rational>& cap) {
  const Rational first = cap ? std::min(base, *cap) : base;
  if (!has_delays() || step == 0 || (cap && first == *cap)) {
    set_fixed(first);
    return;
  }
  const Rational base_ticks = first / tick_;
  const Rational step_ticks = step / tick_;
  if (is_whole(base_ticks) && is_whole(step_ticks) && base_ticks >= 1 && base_ticks <= kMostTicks &&
      step_ticks <= kMostTicks) {
    policy.delay = LinearDelay{numerator(base_ticks).convert_to<std::uint32_t>(),
                               numerator(step_ticks).convert_to<std::uint32_t>(), whole_cap(cap)};
    lose_if_cut();
    return;
  }
  const Rational longest = Rational(kMostTicks) * tick_;
  const Rational end = cap ? std::min(*cap, longest) : longest;
  RoundedDelays delays(tick_);
  const std::size_t most = std::min<std::size_t>(policy.attempts - 1, kMostListEntries);
  bool stays = false;
  for (Rational delay = first; !stays && delays.size() < most; delay += step) {
    delays.add(cap ? std::min(delay, *cap) : delay);
    stays = delay >= end;
  }
  if (!stays && most < policy.attempts - 1) {
    lose(
        fmt::format("delays grow up to the one after attempt {}, and no longer", kMostListEntries));
  }
  policy.delay = delays.delays();
  lose(delays.loss());
}

void PolicyDraft::set_exponential(const Rational& base, const Rational& multiplier,
                                  const std::optional<Rational>& cap) {
  const Rational first = cap ? std::min(base, *cap) : base;
  if (!has_delays() || first == 0 || multiplier == 1 || (cap && first == *cap && multiplier > 1)) {
    set_fixed(first);
    return;
  }
  const Rational base_ticks = first / tick_;
  const auto fraction = law_multiplier(multiplier);
  if (fraction && is_whole(base_ticks) && base_ticks <= kMostTicks) {
    policy.delay = ExponentialDelay{numerator(base_ticks).convert_to<std::uint32_t>(), *fraction,
                                    whole_cap(cap)};
    lose_if_cut();
    return;
  }
  const Rational longest = Rational(kMostTicks) * tick_;
  const Rational end = cap ? std::min(*cap, longest) : longest;
  RoundedDelays delays(tick_);
  const std::size_t most = std::min<std::size_t>(policy.attempts - 1, kMostListEntries);
  bool stays = false;
  for (Powers powers(base, multiplier); !stays && delays.size() < most; powers.step()) {
    if (cap && powers.is_at_least(*cap)) {
      delays.add(*cap);
    } else {
      powers.add_to(delays);
    }
    stays = multiplier > 1 ? powers.is_at_least(end) : !powers.is_at_least(tick_);
  }
  if (!stays && most < policy.attempts - 1) {
    lose(fmt::format("delays change up to the one after attempt {}, and no longer",
                     kMostListEntries));
  }
  policy.delay = delays.delays();
  lose(delays.loss());
}

void PolicyDraft::set_list(const std::vector<Range>& ranges) {
  ListDelay list;
  for (const Range& range : ranges) {
    const std::uint32_t lo = within_ticks(ceiling_of(range.lo / tick_));
    const std::uint32_t hi = range.lo == range.hi
                                 ? ticks("a delay", range.lo)
                                 : std::max(lo, within_ticks(ceiling_of(range.hi / tick_) - 1));
    if (range.lo == range.hi) {
      list.ticks.emplace_back(Interval{hi, hi});
      continue;
    }
    if (range.hi > Rational(kMostTicks) * tick_) {
      lose(fmt::format("delays of more than {} ticks are cut to that", kMostTicks));
    }
    if (range.lo == 0) {
      lose("a delay of 0 becomes one tick");
    }
    list.ticks.emplace_back(Interval{lo, hi});
  }
  policy.delay = std::move(list);
}

void PolicyDraft::set_jitter_without_end(const Rational& from, const Rational& to) {
  if (!has_delays() || from == to) {
    return;
  }
  const ScaledJitter jitter{fraction("the least jitter factor", from),
                            fraction("the greatest jitter factor", to)};
  policy.jitter = jitter;
  lose(
      fmt::format("jitter of {} to {} times the delay leaves out the upper end, which is included "
                  "here",
                  jitter.from.to_string(), jitter.to.to_string()));
}

void PolicyDraft::set_max_delay(const Rational& longest) {
  if (has_delays()) {
    policy.max_delay = ticks("the longest delay", longest);
  }
}

void PolicyDraft::set_timeout(const Rational& duration) {
  policy.timeout = ticks("the timeout", duration);
}

void PolicyDraft::set_deadline(std::string_view name, const Rational& duration) {
  policy.deadline = ticks(name, duration, kMostDeadline);
  lose(fmt::format("{} ends no attempt under way, it only stops retries", name));
}

Fraction PolicyDraft::fraction(std::string_view name, const Rational& number) {
  const Rational millionths = number * Fraction::kOne;
  const auto nearest =
      Fraction::from_millionths(floor_of(millionths + Rational(1, 2)).convert_to<std::uint64_t>());
  if (!is_whole(millionths)) {
    lose(fmt::format("{} is rounded to {}", name, nearest.to_string()));
  }
  return nearest;
}

std::uint32_t PolicyDraft::ticks(std::string_view name, const Rational& duration,
                                 std::uint32_t most) {
  WholeTicks whole = whole_ticks(name, duration, tick_, most);
  lose(std::move(whole.loss));
  return whole.ticks;
}

void PolicyDraft::lose(std::string what) {
  if (!what.empty() && std::find(losses_.begin(), losses_.end(), what) == losses_.end()) {
    losses_.push_back(std::move(what));
  }
}

void add_policy(Imported& imported, PolicyDraft draft) {
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(imported.policies.begin(), imported.policies.end(),
                       [&](const Policy& policy) { return policy.name == name; });
  };
  Policy& policy = draft.policy;
  const std::string name = policy.name;
  for (int number = 2; is_taken(policy.name); ++number) {
    policy.name = fmt::format("{} ({})", name, number);
  }
  for (const std::string& what : draft.losses()) {
    imported.losses.push_back({policy.name, what});
  }
  imported.policies.push_back(std::move(policy));
}

}  // namespace retrygarden::import_from
