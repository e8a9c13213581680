#include "import/sidekiq.h"

#include <algorithm>
#include <utility>

#include "import/json_document.h"
#include "import/policy_draft.h"

namespace retrygarden::import_from {

namespace {

constexpr std::uint64_t kDefaultRetries = 25;
constexpr std::uint64_t kMostSeconds = 0xFFFF'FFFF;

// count^4 + 15 + rand(10·(count + 1)) seconds after the failure that brings the count from 0 on.
std::vector<PolicyDraft::Range> delays(std::uint64_t retries) {
  std::vector<PolicyDraft::Range> ranges;
  const std::uint64_t most = std::min<std::uint64_t>(retries, kMostListEntries);
  for (std::uint64_t count = 0; count < most; ++count) {
    const std::uint64_t least = count * count * count * count + 15;
    const std::uint64_t greatest = least + 10 * (count + 1) - 1;
    // The greatest is included.
    ranges.push_back({Rational(least) * kSecond, Rational(greatest) * kSecond + 1});
  }
  return ranges;
}

std::uint64_t retries_of(JsonObject& job, std::uint64_t otherwise) {
  const auto value = job.value("retry");
  if (value && std::holds_alternative<JsonNumber>(value->json->value)) {
    return job.integer("retry", 0, kUnlimitedAttempts - 1).value_or(otherwise);
  }
  return job.boolean("retry").value_or(true) ? otherwise : 0;
}

void read_job(JsonObject& job, std::uint64_t otherwise, PolicyDraft& draft) {
  if (!job.has("retry") && !job.has("retry_for")) {
    job.report("an option such as retry or retry_for", "none");
  }
  std::uint64_t retries = retries_of(job, otherwise);
  const auto retry_for = job.number("retry_for", 0, kMostSeconds);
  if (retry_for && *retry_for > 0 && retries > 0) {
    retries = kUnlimitedAttempts - 1;  // then only time counts
    draft.set_deadline("retry_for", *retry_for * kSecond);
    draft.lose(
        "retry_for lets a retry that is decided in time come later, here it has to be due "
        "in time");
  }
  draft.set_retries(retries);
  if (retries > 0) {
    draft.set_list(delays(retries));
    if (draft.tick() < kSecond) {
      draft.lose("delays there are whole seconds, here any whole number of ticks");
    }
    if (retries > kMostListEntries) {
      draft.lose("delays grow up to that after attempt 512, and no longer");
    }
  }
  job.skip("queue");
  if (const auto unread = job.unread(); !unread.empty()) {
    draft.lose("what is not read: " + enumerated(unread));
  }
}

}  // namespace

tl::expected<Imported, Faults> read_sidekiq(std::string_view text, Nanoseconds tick) {
  return read_json_object(
      text, JsonObject::Case::kExact, [&](JsonObject& root, Imported& imported, Faults& faults) {
        const std::uint64_t otherwise =
            root.integer("max_retries", 0, kUnlimitedAttempts - 1).value_or(kDefaultRetries);
        for (const std::string& name : root.unread()) {
          JsonObject job(*root.value(name), faults);
          PolicyDraft draft(name.empty() ? "job" : name, tick);
          read_job(job, otherwise, draft);
          add_policy(imported, std::move(draft));
        }
        if (imported.policies.empty()) {
          root.report("names of job classes, each with its options", "none");
        }
      });
}

}  // namespace retrygarden::import_from
