#include "import/temporal.h"

#include <utility>

#include "import/json_document.h"
#include "import/policy_draft.h"

namespace retrygarden::import_from {

namespace {

constexpr std::string_view kDuration = "a duration such as \"1s\"";

void read_retry_policy(JsonObject& retry, PolicyDraft& draft) {
  constexpr std::uint64_t kMostAttempts = 0x7FFF'FFFF;
  const auto attempts = retry.integer("maximumAttempts", 0, kMostAttempts).value_or(0);
  draft.policy.attempts = attempts == 0 ? kUnlimitedAttempts : static_cast<std::uint32_t>(attempts);
  // What is absent is 0 in Protocol Buffers, and 0 is the server's default.
  const auto positive = [&](std::string_view name, const Rational& otherwise) {
    const auto duration = retry.duration(name, parse_proto_duration, kDuration);
    return duration && *duration > 0 ? *duration : otherwise;
  };
  const Rational initial = positive("initialInterval", kSecond);
  const Rational longest = positive("maximumInterval", initial * 100);
  Rational coefficient = retry.number_of_at_least("backoffCoefficient", 0).value_or(0);
  if (coefficient == 0) {
    coefficient = 2;
  }
  if (coefficient < 1) {
    retry.report_member("backoffCoefficient", "a number of at least 1");
    return;
  }
  if (longest < initial) {
    retry.report_member("maximumInterval", "a duration of at least initialInterval");
    return;
  }
  draft.set_exponential(initial, coefficient, longest);
  if (!retry.list("nonRetryableErrorTypes").empty()) {
    draft.lose("nonRetryableErrorTypes is left out: every failure is retried here");
  }
  if (const auto unread = retry.unread(); !unread.empty()) {
    draft.lose("what is not read: " + enumerated(unread));
  }
}

// The options of an activity around a retry policy.
void read_activity(JsonObject& root, PolicyDraft& draft) {
  if (const auto name = root.string("activityId"); name && !name->empty()) {
    draft.policy.name = *name;
  }
  if (auto type = root.object("activityType")) {
    if (const auto name = type->string("name"); name && !name->empty()) {
      draft.policy.name = *name;
    }
  }
  if (const auto timeout = root.duration("startToCloseTimeout", parse_proto_duration, kDuration);
      timeout && *timeout > 0) {
    draft.set_timeout(*timeout);
  }
  if (const auto deadline =
          root.duration("scheduleToCloseTimeout", parse_proto_duration, kDuration);
      deadline && *deadline > 0) {
    draft.set_deadline("scheduleToCloseTimeout", *deadline);
  }
}

bool is_retry_policy(const JsonObject& object) {
  return object.has("initialInterval") || object.has("backoffCoefficient") ||
         object.has("maximumInterval") || object.has("maximumAttempts");
}

}  // namespace

tl::expected<Imported, Faults> read_temporal(std::string_view text, Nanoseconds tick) {
  return read_json_object(
      text, JsonObject::Case::kExact, [&](JsonObject& root, Imported& imported, Faults& faults) {
        PolicyDraft draft("activity", tick);
        if (auto retry = root.object("retryPolicy")) {
          read_retry_policy(*retry, draft);
          read_activity(root, draft);
          lose_unread(imported, root.unread());
        } else if (is_retry_policy(root)) {
          read_retry_policy(root, draft);
        } else if (faults.empty()) {
          root.report("retryPolicy, or members of one such as initialInterval", "neither");
        }
        add_policy(imported, std::move(draft));
      });
}

}  // namespace retrygarden::import_from
