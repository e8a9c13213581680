#include "retrygarden/delay_ranges.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>

#include "delays.h"
#include "retrygarden/plan.h"

namespace retrygarden {

namespace {

// Draws that always give the same end of the interval, and keep what it was.
class EndDraws {
 public:
  explicit EndDraws(bool is_upper) : is_upper_(is_upper) {}

  std::uint32_t operator()(Interval interval, Purpose /*purpose*/, std::uint32_t /*index*/,
                           Client /*client*/) {
    interval_ = interval;
    return is_upper_ ? interval.hi : interval.lo;
  }

  Interval interval() const { return interval_; }

 private:
  bool is_upper_;
  Interval interval_;
};

// One client's delays when all its draws give the same end.
class EndDelays {
 public:
  EndDelays(const Plan& plan, bool is_upper) : draws_(is_upper), delays_(plan, draws_, 0, 1) {}
  EndDelays(const EndDelays&) = delete;
  EndDelays& operator=(const EndDelays&) = delete;

  std::uint32_t after(std::uint32_t attempt) { return delays_.after({0, attempt}); }

  // Of the last draw, the values above the limit.
  Share above(std::uint32_t limit) const {
    const Interval drawn = draws_.interval();
    return {drawn.hi - std::clamp(limit, drawn.lo - 1, drawn.hi), drawn.hi - drawn.lo + 1};
  }

 private:
  EndDraws draws_;
  Delays<EndDraws> delays_;
};

// The raw delays of a law, and its cap.
struct CappedLaw {
  DelayTable uncapped;
  std::uint32_t cap;

  bool cuts_after(std::uint32_t attempt) const { return uncapped.after(attempt).hi > cap; }
};

// Of a law that has a cap, if its raw delays do not depend on draws.
std::optional<CappedLaw> capped_law(const Delay& delay, std::uint32_t attempts) {
  return std::visit(
      [&]<class Law>(const Law& law) -> std::optional<CappedLaw> {
        if constexpr (requires { law.cap; } && !std::is_same_v<Law, DecorrelatedDelay>) {
          Law uncapped = law;
          uncapped.cap = std::numeric_limits<std::uint32_t>::max();
          return CappedLaw{DelayTable(uncapped, NoJitter{}, attempts), law.cap};
        } else {
          return std::nullopt;
        }
      },
      delay);
}

// The longest delay that is not cut, of a law whose raw delays its cap does not cut.
std::uint32_t longest_uncut(const Policy& policy) {
  const std::uint32_t longest =
      policy.max_delay.value_or(std::numeric_limits<std::uint32_t>::max());
  const auto* decorrelated = std::get_if<DecorrelatedDelay>(&policy.delay);
  return decorrelated == nullptr ? longest : std::min(longest, decorrelated->cap);
}

}  // namespace

std::vector<DelayRange> delay_ranges(const Policy& policy, std::uint32_t count) {
  Scenario scenario;
  scenario.policies = {policy};
  const Plan plan = make_plan(scenario, 0);
  const auto law = capped_law(policy.delay, policy.attempts);
  const std::uint32_t limit = longest_uncut(policy);
  // A longer draw never makes a later delay shorter.
  EndDelays shortest(plan, false);
  EndDelays longest(plan, true);
  std::vector<DelayRange> ranges;
  for (std::uint32_t attempt = 1; attempt <= std::min(count, policy.attempts - 1); ++attempt) {
    DelayRange& range = ranges.emplace_back();
    range.delay = {shortest.after(attempt), longest.after(attempt)};
    const bool is_law_cut = law && law->cuts_after(attempt);
    range.least_cut = is_law_cut ? Share{1, 1} : shortest.above(limit);
    range.most_cut = is_law_cut ? Share{1, 1} : longest.above(limit);
  }
  return ranges;
}

}  // namespace retrygarden
