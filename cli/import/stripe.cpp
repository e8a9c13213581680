#include "import/stripe.h"

#include <algorithm>
#include <utility>

#include "import/json_document.h"
#include "import/policy_draft.h"

namespace retrygarden::import_from {

namespace {

constexpr Nanoseconds kShortest = kSecond / 2;
constexpr Nanoseconds kLongest = 5 * kSecond;
constexpr std::uint64_t kMostSeconds = 0xFFFF'FFFF;

// max(0.5, min(0.5·2^(n−1), 5)·0.5·(1 + r)) seconds after attempt n, 0 ≤ r < 1; the same from the
// fifth on.
std::vector<PolicyDraft::Range> delays() {
  std::vector<PolicyDraft::Range> ranges;
  for (Nanoseconds raw = kShortest; ranges.empty() || ranges.back().hi < kLongest; raw *= 2) {
    const Nanoseconds capped = std::min(raw, kLongest);
    ranges.push_back({std::max(kShortest, capped / 2), capped});
  }
  return ranges;
}

void set_deduplication(const Rational& lifetime, Nanoseconds tick, Imported& imported) {
  constexpr std::uint32_t kMostTtl = (1U << 31) - 1;
  const WholeTicks ticks = whole_ticks("the lifetime of a key", lifetime, tick, kMostTtl);
  imported.deduplication = DeduplicationTtl{ticks.ticks};
  if (!ticks.loss.empty()) {
    imported.losses.push_back({"", ticks.loss});
  }
  imported.losses.push_back(
      {"", "a key may be kept for longer than its lifetime there, and ends with it here"});
}

}  // namespace

tl::expected<Imported, Faults> read_stripe(std::string_view text, Nanoseconds tick) {
  return read_json_object(
      text, JsonObject::Case::kExact, [&](JsonObject& root, Imported& imported, Faults& faults) {
        constexpr std::uint64_t kDefaultRetries = 2;
        constexpr Nanoseconds kDay = 86'400 * kSecond;
        if (!root.has("max_network_retries") && !root.has("idempotency_key_lifetime")) {
          root.report("max_network_retries or idempotency_key_lifetime", "neither");
        }
        PolicyDraft draft("stripe", tick);
        const auto retries = root.integer("max_network_retries", 0, kUnlimitedAttempts - 1);
        draft.set_retries(retries.value_or(kDefaultRetries));
        if (draft.policy.attempts > 1) {
          auto ranges = delays();
          ranges.resize(std::min<std::size_t>(ranges.size(), draft.policy.attempts - 1));
          draft.set_list(ranges);
        }
        if (const auto timeout = root.number("timeout", 0, kMostSeconds); timeout && *timeout > 0) {
          draft.set_timeout(*timeout * kSecond);
        }
        const auto lifetime = root.duration("idempotency_key_lifetime", parse_go_duration,
                                            "a duration such as \"24h\"");
        set_deduplication(lifetime.value_or(Rational(kDay)), tick, imported);
        lose_unread(imported, root.unread());
        if (faults.empty()) {
          add_policy(imported, std::move(draft));
        }
      });
}

}  // namespace retrygarden::import_from
