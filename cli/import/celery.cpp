#include "import/celery.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "import/json_document.h"
#include "import/policy_draft.h"

namespace retrygarden::import_from {

namespace {

constexpr std::uint64_t kMostSeconds = 0xFFFF'FFFF;

// What stands under retry_backoff: false, true, or a factor in seconds.
std::uint64_t backoff_factor(JsonObject& task) {
  const auto value = task.value("retry_backoff");
  if (value && std::holds_alternative<JsonNumber>(value->json->value)) {
    const auto factor = task.number("retry_backoff", 0, kMostSeconds);
    if (!factor || *factor == 0) {
      return 0;
    }
    // int(max(1.0, factor))
    const boost::multiprecision::cpp_int whole =
        boost::multiprecision::numerator(*factor) / boost::multiprecision::denominator(*factor);
    return std::max<std::uint64_t>(1, whole.convert_to<std::uint64_t>());
  }
  return task.boolean("retry_backoff").value_or(false) ? 1 : 0;
}

void read_retries(JsonObject& task, PolicyDraft& draft) {
  if (task.is_null("max_retries")) {
    draft.policy.attempts = kUnlimitedAttempts;
    task.skip("max_retries");
    return;
  }
  constexpr std::uint64_t kDefault = 3;
  draft.set_retries(task.integer("max_retries", 0, kUnlimitedAttempts - 1).value_or(kDefault));
}

void read_task(JsonObject& task, PolicyDraft& draft) {
  static constexpr std::string_view kOptions[] = {"max_retries", "default_retry_delay",
                                                  "retry_backoff", "autoretry_for"};
  if (std::none_of(std::begin(kOptions), std::end(kOptions),
                   [&](std::string_view option) { return task.contains(option); })) {
    task.report("an option such as max_retries or retry_backoff", "none");
  }
  read_retries(task, draft);
  constexpr std::uint64_t kDefaultDelay = 180;
  constexpr std::uint64_t kDefaultLongest = 600;
  const auto delay =
      task.number("default_retry_delay", 0, kMostSeconds).value_or(Rational(kDefaultDelay));
  const auto longest = task.integer("retry_backoff_max", 0, kMostSeconds).value_or(kDefaultLongest);
  const bool has_jitter = task.boolean("retry_jitter").value_or(true);
  if (const std::uint64_t factor = backoff_factor(task); factor == 0) {
    draft.set_fixed(delay * kSecond);
  } else {
    draft.set_exponential(Rational(factor) * kSecond, 2, Rational(longest) * kSecond);
    if (has_jitter && draft.policy.attempts > 1 && longest > 0) {
      draft.policy.jitter = FullJitter{};
      draft.lose("a delay of 0 becomes one tick");
      if (draft.tick() != kSecond) {
        draft.lose("delays there are whole seconds, here any whole number of ticks");
      }
    }
  }
  if (const auto limit = task.number("time_limit", 0, kMostSeconds); limit && *limit > 0) {
    draft.set_timeout(*limit * kSecond);
  }
  // Which exceptions are retried: every failure is one of them here.
  task.list("autoretry_for");
  if (!task.list("dont_autoretry_for").empty()) {
    draft.lose("dont_autoretry_for is left out: every failure is retried here");
  }
  if (const auto unread = task.unread(); !unread.empty()) {
    draft.lose("what is not read: " + enumerated(unread));
  }
}

}  // namespace

tl::expected<Imported, Faults> read_celery(std::string_view text, Nanoseconds tick) {
  return read_json_object(text, JsonObject::Case::kExact,
                          [&](JsonObject& root, Imported& imported, Faults& faults) {
                            for (const auto& [name, place] : root.members()) {
                              JsonObject task(place, faults);
                              PolicyDraft draft(name.empty() ? "task" : name, tick);
                              read_task(task, draft);
                              add_policy(imported, std::move(draft));
                            }
                            if (imported.policies.empty()) {
                              root.report("names of tasks, each with its options", "none");
                            }
                          });
}

}  // namespace retrygarden::import_from
