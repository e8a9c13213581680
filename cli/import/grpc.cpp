#include "import/grpc.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "import/json_document.h"
#include "import/policy_draft.h"

namespace retrygarden::import_from {

namespace {

constexpr std::string_view kDuration = "a duration such as \"0.1s\"";
constexpr std::uint64_t kMostAttempts = 5;  // of a client that was not told otherwise

// In the order of their numbers.
constexpr std::array<std::string_view, 17> kStatusCodes = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

// The code's name, from its name or its number.
std::optional<std::string_view> status_code(const Json& json) {
  std::size_t index = kStatusCodes.size();
  if (const auto* number = std::get_if<JsonNumber>(&json.value)) {
    for (index = 0; index < kStatusCodes.size() && number->text != std::to_string(index);) {
      ++index;
    }
  } else if (const auto* name = std::get_if<std::string>(&json.value)) {
    index = static_cast<std::size_t>(std::find(kStatusCodes.begin(), kStatusCodes.end(), *name) -
                                     kStatusCodes.begin());
  }
  return index < kStatusCodes.size() ? std::optional(kStatusCodes.at(index)) : std::nullopt;
}

class GrpcReader {
 public:
  GrpcReader(Imported& imported, Faults& faults, Nanoseconds tick)
      : imported_(imported), faults_(faults), tick_(tick) {}

  void read(JsonObject& root) {
    std::optional<Budget> budget;
    if (auto throttling = root.object("retryThrottling")) {
      budget = read_throttling(*throttling);
    }
    for (const JsonPlace& place : root.list("methodConfig")) {
      JsonObject config(place, faults_);
      read_method_config(config, budget);
    }
    if (imported_.policies.empty() && faults_.empty()) {
      root.report("a methodConfig with a retryPolicy", "none");
    }
    if (budget && imported_.policies.size() > 1) {
      imported_.losses.push_back(
          {"",
           "retryThrottling is shared by all methods of a server, each policy here has its own"});
    }
    lose_unread(imported_, root.unread());
  }

 private:
  void read_method_config(JsonObject& config, const std::optional<Budget>& budget) {
    const std::string name = read_names(config);
    auto retry = config.object("retryPolicy");
    auto hedging = config.object("hedgingPolicy");
    if (retry && hedging) {
      config.report("retryPolicy or hedgingPolicy", "both");
      return;
    }
    if (!retry && !hedging) {
      imported_.losses.push_back(
          {"", fmt::format("{} has no retryPolicy and is left out", printable(name, 200))});
      return;
    }
    PolicyDraft draft(name, tick_);
    if (retry) {
      read_retry_policy(*retry, draft);
    } else {
      read_hedging_policy(*hedging, draft);
    }
    draft.policy.on_retry_after = OnRetryAfter::kReplace;
    draft.policy.budget = budget;
    if (const auto timeout = config.duration("timeout", parse_proto_duration, kDuration)) {
      draft.set_timeout(*timeout);
      draft.set_deadline("the timeout of a call", *timeout);
    }
    config.skip("waitForReady");
    lose_unread_members(config, draft);
    add_policy(imported_, std::move(draft));
  }

  // The methods it is for: "service/method", "service", or all.
  std::string read_names(JsonObject& config) {
    std::string text;
    for (const JsonPlace& place : config.list("name")) {
      JsonObject name(place, faults_);
      const std::string service = name.string("service").value_or("");
      const std::string method = name.string("method").value_or("");
      if (service.empty() && !method.empty()) {
        name.report("a service beside the method", "none");
      }
      text += (text.empty() ? "" : ", ") + (service.empty() ? "every method" : service) +
              (method.empty() ? "" : "/" + method);
    }
    if (text.empty()) {
      config.report_member("name", "a name of a service");
    }
    return text;
  }

  static void read_attempts(JsonObject& object, PolicyDraft& draft) {
    constexpr std::uint64_t kMostWritten = 0xFFFF'FFFF;
    const auto attempts = object.integer("maxAttempts", 2, kMostWritten);
    if (!attempts) {
      require(object, "maxAttempts");
      return;
    }
    draft.policy.attempts = static_cast<std::uint32_t>(std::min(*attempts, kMostAttempts));
    if (*attempts > kMostAttempts) {
      draft.lose(fmt::format("maxAttempts {} counts as {}, unless a client is told otherwise",
                             *attempts, kMostAttempts));
    }
  }

  void read_retry_policy(JsonObject& retry, PolicyDraft& draft) {
    read_attempts(retry, draft);
    const auto initial = read_backoff(retry, "initialBackoff");
    const auto longest = read_backoff(retry, "maxBackoff");
    const auto multiplier = retry.number_above_zero("backoffMultiplier");
    require(retry, "backoffMultiplier");
    read_codes(retry, draft);
    if (initial && longest && multiplier) {
      draft.set_exponential(*initial, *multiplier, longest);
      draft.set_jitter_without_end(Rational(4, 5), Rational(6, 5));
    }
    draft.lose("after a pushback of the server the back-off does not start anew");
    lose_unread_members(retry, draft);
  }

  static std::optional<Rational> read_backoff(JsonObject& retry, std::string_view name) {
    const auto backoff = retry.duration(name, parse_proto_duration, kDuration);
    if (backoff && *backoff == 0) {
      retry.report_member(name, "a duration above 0");
    }
    require(retry, name);
    return backoff;
  }

  void read_codes(JsonObject& retry, PolicyDraft& draft) {
    const std::vector<JsonPlace> codes = retry.list("retryableStatusCodes");
    bool is_unavailable_retried = false;
    for (const JsonPlace& place : codes) {
      const auto code = status_code(*place.json);
      if (!code) {
        report(faults_, place.pointer, "a status code such as \"UNAVAILABLE\"",
               describe(*place.json));
      }
      is_unavailable_retried = is_unavailable_retried || code == "UNAVAILABLE";
    }
    if (codes.empty()) {
      retry.report_member("retryableStatusCodes", "a list of status codes");
    }
    if (!is_unavailable_retried) {
      draft.lose("a refusal (UNAVAILABLE) is not retried there, every failure is retried here");
    }
  }

  static void read_hedging_policy(JsonObject& hedging, PolicyDraft& draft) {
    read_attempts(hedging, draft);
    const auto delay = hedging.duration("hedgingDelay", parse_proto_duration, kDuration);
    draft.policy.delay = FixedDelay{1};
    draft.lose(
        fmt::format("hedging is left out: attempts follow one another, each one tick after "
                    "the failure of the last, not {} apart",
                    duration_text(delay.value_or(0))));
    hedging.skip("nonFatalStatusCodes");
    lose_unread_members(hedging, draft);
  }

  static std::optional<Budget> read_throttling(JsonObject& throttling) {
    constexpr std::uint64_t kMostTokens = 1000;
    constexpr std::uint64_t kThousandth = Fraction::kOne / 1000;
    const auto tokens = throttling.integer("maxTokens", 1, kMostTokens);
    const auto ratio = throttling.number_above_zero("tokenRatio");
    require(throttling, "maxTokens");
    require(throttling, "tokenRatio");
    if (!tokens || !ratio) {
      return std::nullopt;
    }
    TokenBudget budget;
    budget.capacity = Fraction::from_millionths(*tokens * Fraction::kOne);
    budget.initial = budget.capacity;
    budget.failure_cost = Fraction::from_millionths(Fraction::kOne);
    // More than the capacity does no more than the capacity. What follows the third digit does not
    // count.
    const Rational thousandths = std::min(*ratio, Rational(*tokens)) * 1000;
    const auto whole =
        boost::multiprecision::cpp_int(boost::multiprecision::numerator(thousandths) /
                                       boost::multiprecision::denominator(thousandths));
    budget.success_deposit =
        Fraction::from_millionths(whole.convert_to<std::uint64_t>() * kThousandth);
    budget.threshold = Fraction::from_millionths(*tokens * Fraction::kOne / 2);
    return budget;
  }

  static void require(JsonObject& object, std::string_view name) {
    if (!object.has(name)) {
      object.report_member(name, "");
    }
  }

  static void lose_unread_members(const JsonObject& object, PolicyDraft& draft) {
    if (const auto unread = object.unread(); !unread.empty()) {
      draft.lose("what is not read: " + enumerated(unread));
    }
  }

  Imported& imported_;
  Faults& faults_;
  Nanoseconds tick_;
};

}  // namespace

tl::expected<Imported, Faults> read_grpc(std::string_view text, Nanoseconds tick) {
  return read_json_object(text, JsonObject::Case::kExact,
                          [&](JsonObject& root, Imported& imported, Faults& faults) {
                            GrpcReader(imported, faults, tick).read(root);
                          });
}

}  // namespace retrygarden::import_from
