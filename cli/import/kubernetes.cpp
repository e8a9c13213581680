#include "import/kubernetes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "import/json_document.h"
#include "import/policy_draft.h"

namespace retrygarden::import_from {

namespace {

using boost::multiprecision::cpp_int;

constexpr std::uint64_t kMostInt = 0x7FFF'FFFF'FFFF'FFFF;

// k8s.io/apimachinery/pkg/util/wait: Backoff. Durations in nanoseconds.
struct Backoff {
  Rational duration;
  Rational factor;
  Rational jitter;
  std::uint64_t steps = 0;
  Rational cap;  // 0: none
};

void set_backoff(const Backoff& backoff, PolicyDraft& draft);

// client-go/util/retry: DefaultRetry, DefaultBackoff.
void set_default_retry(PolicyDraft& draft) {
  set_backoff({Rational(10 * kMillisecond), 1, Rational(1, 10), 5, 0}, draft);
}
void set_default_backoff(PolicyDraft& draft) {
  set_backoff({Rational(10 * kMillisecond), 5, Rational(1, 10), 4, 0}, draft);
}

// The kubelet's wait before it starts a container again.
void set_crash_loop_backoff(PolicyDraft& draft) {
  draft.policy.attempts = kUnlimitedAttempts;
  draft.set_exponential(10 * kSecond, 2, Rational(300 * kSecond));
  draft.lose("ten minutes without a crash do not start the back-off anew");
}

// client-go/util/workqueue: DefaultControllerRateLimiter.
void set_controller_rate_limiter(PolicyDraft& draft) {
  draft.policy.attempts = kUnlimitedAttempts;
  draft.set_exponential(5 * kMillisecond, 2, Rational(1000 * kSecond));
  draft.lose("the bucket of 10 a second that all items share is left out");
}

struct Known {
  std::string_view name;
  void (*set)(PolicyDraft&);
};
constexpr Known kKnown[] = {{"CrashLoopBackOff", set_crash_loop_backoff},
                            {"DefaultBackoff", set_default_backoff},
                            {"DefaultControllerRateLimiter", set_controller_rate_limiter},
                            {"DefaultRetry", set_default_retry}};
constexpr std::string_view kKnownNames =
    "a wait.Backoff, or CrashLoopBackOff, DefaultBackoff, DefaultControllerRateLimiter or "
    "DefaultRetry";

// Step() cuts each duration to whole nanoseconds.
Rational whole_nanoseconds(const Rational& duration) {
  return cpp_int(boost::multiprecision::numerator(duration) /
                 boost::multiprecision::denominator(duration));
}

// How many attempts ExponentialBackoff() makes: Steps, or fewer if the duration would exceed Cap
// before: after the sleep in which it does, no attempt follows.
std::uint64_t attempts_of(const Backoff& backoff, PolicyDraft& draft) {
  if (backoff.cap == 0 || backoff.factor == 0) {
    return backoff.steps;
  }
  Rational duration = backoff.duration;
  for (std::uint64_t attempt = 1; attempt < backoff.steps; ++attempt) {
    duration = whole_nanoseconds(duration * backoff.factor);
    if (duration > backoff.cap) {
      return attempt;
    }
    if (backoff.factor <= 1) {
      break;
    }
    if (attempt == kMostListEntries) {
      draft.lose("that Cap ends the retries is left out, as it does so late");
      break;
    }
  }
  return backoff.steps;
}

void set_backoff(const Backoff& backoff, PolicyDraft& draft) {
  draft.set_retries(attempts_of(backoff, draft) - 1);
  const Rational factor = backoff.factor == 0 ? Rational(1) : backoff.factor;
  if (backoff.jitter <= 1 || backoff.duration == 0) {
    draft.set_exponential(backoff.duration, factor, std::nullopt);
    draft.set_jitter_without_end(1, 1 + std::min(backoff.jitter, Rational(1)));
    return;
  }
  // More jitter than a law has.
  std::vector<PolicyDraft::Range> ranges;
  const Rational longest = Rational(kMostTicks) * draft.tick();
  Rational duration = backoff.duration;
  const std::size_t most = std::min<std::size_t>(draft.policy.attempts - 1, kMostListEntries);
  while (ranges.size() < most && (ranges.empty() || (duration <= longest && factor != 1))) {
    ranges.push_back({duration, duration * (1 + backoff.jitter)});
    duration = whole_nanoseconds(duration * factor);
  }
  if (!ranges.empty()) {
    draft.set_list(ranges);
  }
}

// As encoding/json writes a time.Duration, in nanoseconds, or as its String() does.
std::optional<Rational> read_duration(JsonObject& object, std::string_view name) {
  const auto value = object.value(name);
  if (value && std::holds_alternative<JsonNumber>(value->json->value)) {
    const auto nanoseconds = object.integer(name, 0, kMostInt);
    return nanoseconds ? std::optional(Rational(*nanoseconds)) : std::nullopt;
  }
  return object.duration(name, parse_go_duration, "nanoseconds, or a duration such as \"10ms\"");
}

void read_backoff(JsonObject& object, PolicyDraft& draft) {
  constexpr std::uint64_t kMostJitter = 1000;
  const auto duration = read_duration(object, "Duration");
  const auto steps = object.integer("Steps", 1, kMostInt);
  const Backoff backoff{duration.value_or(0), object.number_of_at_least("Factor", 0).value_or(0),
                        object.number("Jitter", 0, kMostJitter).value_or(0), steps.value_or(1),
                        read_duration(object, "Cap").value_or(0)};
  for (const std::string_view required : {"Duration", "Steps"}) {
    if (!object.has(required)) {
      object.report_member(required, "");
    }
  }
  set_backoff(backoff, draft);
  if (const auto unread = object.unread(); !unread.empty()) {
    draft.lose("what is not read: " + enumerated(unread));
  }
}

void read_rule(const JsonPlace& place, PolicyDraft& draft, Faults& faults) {
  const auto* name = std::get_if<std::string>(&place.json->value);
  if (name == nullptr) {
    JsonObject object(place, faults, JsonObject::Case::kAny);
    read_backoff(object, draft);
    return;
  }
  const auto* const known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                         [&](const Known& k) { return k.name == *name; });
  if (known == std::end(kKnown)) {
    report(faults, place.pointer, kKnownNames, describe(*place.json));
    return;
  }
  known->set(draft);
}

}  // namespace

tl::expected<Imported, Faults> read_kubernetes(std::string_view text, Nanoseconds tick) {
  return read_json_object(text, JsonObject::Case::kExact,
                          [&](JsonObject& root, Imported& imported, Faults& faults) {
                            for (const auto& [name, place] : root.members()) {
                              PolicyDraft draft(name.empty() ? "back-off" : name, tick);
                              read_rule(place, draft, faults);
                              add_policy(imported, std::move(draft));
                            }
                            if (imported.policies.empty()) {
                              root.report("names, each with its back-off", "none");
                            }
                          });
}

}  // namespace retrygarden::import_from
