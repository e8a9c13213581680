// PolicyDraft: a policy in the making, out of exact durations and numbers. What cannot be kept
// exactly is written down on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/imported.h"

namespace retrygarden::import_from {

// Attempts without end: a run is over before a client has made as many.
inline constexpr std::uint32_t kUnlimitedAttempts = ~0U;

// Delays in a list: more do not help anybody.
inline constexpr std::size_t kMostListEntries = 512;

// Set policy.attempts first: the laws need to know how many delays there are. Durations are 0 or
// more. With one attempt there is no delay, and nothing about delays is lost.
class PolicyDraft {
 public:
  PolicyDraft(std::string name, Nanoseconds tick) : tick_(tick) { policy.name = std::move(name); }

  Policy policy;

  // Retries, and the first attempt.
  void set_retries(std::uint64_t retries);

  void set_fixed(const Rational& delay);
  // base + step·(k−1) after attempt k, at most cap.
  void set_linear(const Rational& base, const Rational& step, const std::optional<Rational>& cap);
  // base·multiplier^(k−1) after attempt k, at most cap. Precondition: multiplier > 0. A law of
  // docs/model.md where it has one; else a list of delays, each rounded to whole ticks.
  void set_exponential(const Rational& base, const Rational& multiplier,
                       const std::optional<Rational>& cap);
  // Whole ticks of lo ≤ d < hi after each attempt; where lo = hi, that one delay.
  struct Range {
    Rational lo;
    Rational hi;
  };
  void set_list(const std::vector<Range>& ranges);

  // Jitter between two factors of the delay, the upper one left out. At most 2.
  void set_jitter_without_end(const Rational& from, const Rational& to);

  // The longest delay, whatever jitter makes of it.
  void set_max_delay(const Rational& longest);

  // An attempt waits that long.
  void set_timeout(const Rational& duration);
  // All attempts together take at most that long. Here a deadline ends no attempt under way.
  void set_deadline(std::string_view name, const Rational& duration);

  // In millionths, the nearest one.
  Fraction fraction(std::string_view name, const Rational& number);

  // In whole ticks; what that changes is lost.
  std::uint32_t ticks(std::string_view name, const Rational& duration,
                      std::uint32_t most = kMostTicks);

  // A sentence without a full stop. Said twice it counts once.
  void lose(std::string what);

  Nanoseconds tick() const { return tick_; }
  const std::vector<std::string>& losses() const { return losses_; }

 private:
  bool has_delays() const { return policy.attempts > 1; }
  std::uint32_t whole_cap(const std::optional<Rational>& cap);
  void lose_if_cut();

  Nanoseconds tick_;
  std::vector<std::string> losses_;
};

// Adds the policy, under a name that is not taken: a second "x" becomes "x (2)".
void add_policy(Imported& imported, PolicyDraft draft);

}  // namespace retrygarden::import_from
