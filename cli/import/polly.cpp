#include "import/polly.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "import/json_document.h"
#include "import/policy_draft.h"
#include "import/polly_jitter.h"

namespace retrygarden::import_from {

namespace {

using boost::multiprecision::cpp_int;

constexpr std::string_view kTimeSpan = "a time span such as \"00:00:02\"";
constexpr std::string_view kRuleMembers[] = {"MaxRetryAttempts", "BackoffType", "UseJitter"};
constexpr std::string_view kPipelineMembers[] = {"AttemptTimeout", "TotalRequestTimeout",
                                                 "CircuitBreaker", "RateLimiter", "Hedging"};

Decimal decimal(const Rational& number) {
  return Decimal(boost::multiprecision::numerator(number)) /
         Decimal(boost::multiprecision::denominator(number));
}

// What each delay is below, until that is longer than any delay.
std::vector<PolicyDraft::Range> jittered_delays(const Rational& base, std::uint32_t attempts,
                                                Nanoseconds tick) {
  const Decimal base_ticks = decimal(base / tick);
  std::vector<PolicyDraft::Range> ranges;
  for (unsigned retry = 0; retry < attempts - 1; ++retry) {
    const Decimal supremum = base_ticks * polly_supremum(retry);
    const bool is_longest = supremum > kMostTicks;
    // A supremum is never a whole number of ticks, so the last whole one below it is reached.
    const std::uint64_t whole =
        is_longest ? std::uint64_t{kMostTicks} + 1 : floor(supremum).convert_to<std::uint64_t>();
    ranges.push_back({0, Rational(whole + 1) * tick});
    if (is_longest) {
      break;
    }
  }
  return ranges;
}

class PollyReader {
 public:
  PollyReader(Imported& imported, Faults& faults, Nanoseconds tick)
      : imported_(imported), faults_(faults), tick_(tick) {}

  void read(JsonObject& root) {
    if (is_rule(root)) {
      read_rule(root, "", nullptr);
      return;
    }
    std::vector<std::string> unread;
    for (const auto& [member, value] : root.members()) {
      const std::size_t before = imported_.policies.size();
      find_rules(value, member, &root.place());
      const bool is_read = imported_.policies.size() > before || is_of_pipeline(member);
      if (!is_read) {
        unread.push_back(member);
      }
    }
    lose_unread(imported_, unread);
  }

 private:
  // Rules are wherever an object has a member of one.
  void find_rules(const JsonPlace& place, const std::string& name, const JsonPlace* parent) {
    if (const auto* list = std::get_if<Json::Array>(&place.json->value)) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        find_rules({&(*list)[i], pointer_to(place.pointer, i)}, path(name, std::to_string(i)),
                   nullptr);
      }
      return;
    }
    if (!std::holds_alternative<Json::Object>(place.json->value)) {
      return;
    }
    JsonObject object(place, faults_, JsonObject::Case::kAny);
    if (is_rule(object)) {
      read_rule(object, name, parent);
      return;
    }
    for (const auto& [member, value] : object.members()) {
      find_rules(value, path(name, member), &place);
    }
  }

  static bool is_rule(const JsonObject& object) {
    return std::any_of(std::begin(kRuleMembers), std::end(kRuleMembers),
                       [&](std::string_view member) { return object.has(member); });
  }

  // Beside a retry, in the options of a pipeline.
  static bool is_of_pipeline(std::string_view member) {
    return std::find(std::begin(kPipelineMembers), std::end(kPipelineMembers), member) !=
           std::end(kPipelineMembers);
  }

  // As .NET's configuration names what is in objects: outer:inner.
  static std::string path(const std::string& outer, const std::string& inner) {
    return outer.empty() ? inner : outer + ":" + inner;
  }

  void read_rule(JsonObject& rule, const std::string& name, const JsonPlace* parent) {
    constexpr std::uint64_t kDefaultRetries = 3;
    constexpr std::uint64_t kMostRetries = 0x7FFF'FFFF;
    PolicyDraft draft(name.empty() ? "retry" : name, tick_);
    draft.set_retries(rule.integer("MaxRetryAttempts", 1, kMostRetries).value_or(kDefaultRetries));
    const Rational delay =
        rule.duration("Delay", parse_time_span, kTimeSpan).value_or(Rational(2 * kSecond));
    const auto longest = rule.duration("MaxDelay", parse_time_span, kTimeSpan);
    const bool has_jitter = rule.boolean("UseJitter").value_or(false);
    const std::string type = rule.string("BackoffType").value_or("Constant");
    if (!set_delay(type, delay, longest, has_jitter, draft)) {
      rule.report_member("BackoffType", "Constant, Linear or Exponential");
    }
    if (rule.boolean("ShouldRetryAfterHeader").value_or(false)) {
      draft.policy.on_retry_after = OnRetryAfter::kReplace;
    }
    if (parent != nullptr) {
      JsonObject pipeline(*parent, faults_, JsonObject::Case::kAny);
      read_pipeline(pipeline, draft);
    }
    if (const auto unread = rule.unread(); !unread.empty()) {
      draft.lose("what is not read: " + enumerated(unread));
    }
    add_policy(imported_, std::move(draft));
  }

  // False if there is no such type.
  bool set_delay(std::string_view type, const Rational& delay,
                 const std::optional<Rational>& longest, bool has_jitter, PolicyDraft& draft) {
    if (type == "Exponential") {
      has_jitter ? set_jittered(delay, longest, draft) : draft.set_exponential(delay, 2, longest);
      return true;
    }
    if (type != "Constant" && type != "Linear") {
      return false;
    }
    // With jitter the longest delay is cut afterwards.
    const auto cap = has_jitter ? std::nullopt : longest;
    if (type == "Linear") {
      draft.set_linear(delay, delay, cap);
    } else {
      draft.set_fixed(cap ? std::min(delay, *cap) : delay);
    }
    if (has_jitter && delay > 0) {
      draft.set_jitter_without_end(Rational(3, 4), Rational(5, 4));
      if (longest) {
        draft.set_max_delay(*longest);
      }
    }
    return true;
  }

  void set_jittered(const Rational& delay, const std::optional<Rational>& longest,
                    PolicyDraft& draft) const {
    if (delay == 0 || draft.policy.attempts == 1) {
      draft.set_fixed(delay);
      return;
    }
    draft.set_list(jittered_delays(delay, draft.policy.attempts, tick_));
    if (longest) {
      draft.set_max_delay(*longest);
    }
    draft.lose(
        "each delay there depends on the one before and is not uniform, here each is "
        "uniform between the same bounds");
  }

  // What stands beside a retry in a pipeline's options.
  static void read_pipeline(JsonObject& pipeline, PolicyDraft& draft) {
    if (auto attempt = pipeline.object("AttemptTimeout")) {
      if (const auto timeout = attempt->duration("Timeout", parse_time_span, kTimeSpan)) {
        draft.set_timeout(*timeout);
      }
    }
    if (auto total = pipeline.object("TotalRequestTimeout")) {
      if (const auto timeout = total->duration("Timeout", parse_time_span, kTimeSpan)) {
        draft.set_deadline("TotalRequestTimeout", *timeout);
      }
    }
    if (auto breaker = pipeline.object("CircuitBreaker")) {
      read_breaker(*breaker, draft);
    }
    if (pipeline.has("RateLimiter")) {
      draft.lose("RateLimiter is left out");
    }
    if (pipeline.has("Hedging")) {
      draft.lose("hedging is left out");
    }
  }

  static void read_breaker(JsonObject& options, PolicyDraft& draft) {
    constexpr std::uint64_t kMostThroughput = 1'000'000;
    const std::uint64_t throughput =
        options.integer("MinimumThroughput", 2, kMostThroughput).value_or(100);
    const Rational ratio = options.number("FailureRatio", 0, 1).value_or(Rational(1, 10));
    const Rational sampling = options.duration("SamplingDuration", parse_time_span, kTimeSpan)
                                  .value_or(Rational(30 * kSecond));
    const Rational open = options.duration("BreakDuration", parse_time_span, kTimeSpan)
                              .value_or(Rational(5 * kSecond));
    const Rational failures = ratio * throughput;
    const cpp_int least = (boost::multiprecision::numerator(failures) +
                           boost::multiprecision::denominator(failures) - 1) /
                          boost::multiprecision::denominator(failures);
    draft.policy.breaker = Breaker{.window = static_cast<std::uint32_t>(throughput),
                                   .failures = std::max(1U, least.convert_to<std::uint32_t>()),
                                   .open_ticks = draft.ticks("BreakDuration", open),
                                   .probes = 1};
    draft.lose(fmt::format("the breaker judges the last {} results, not those of the last {}",
                           throughput, duration_text(sampling)));
  }

  Imported& imported_;
  Faults& faults_;
  Nanoseconds tick_;
};

}  // namespace

Decimal polly_growth(const Decimal& t) {
  return pow(Decimal(2), t) * tanh(sqrt(4 * t));
}

Decimal polly_supremum(unsigned retry) {
  const Decimal before = retry == 0 ? Decimal(0) : polly_growth(Decimal(retry - 1));
  return (polly_growth(Decimal(retry + 1)) - before) / Decimal("1.4");
}

tl::expected<Imported, Faults> read_polly(std::string_view text, Nanoseconds tick) {
  return read_json_object(
      text, JsonObject::Case::kAny, [&](JsonObject& root, Imported& imported, Faults& faults) {
        PollyReader(imported, faults, tick).read(root);
        if (imported.policies.empty() && faults.empty()) {
          root.report("an object with MaxRetryAttempts, BackoffType or UseJitter", "none");
        }
      });
}

}  // namespace retrygarden::import_from
