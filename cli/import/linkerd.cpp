#include "import/linkerd.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "import/envoy.h"
#include "import/policy_draft.h"
#include "import/yaml_document.h"
#include "retrygarden/json.h"

namespace retrygarden::import_from {

namespace {

using boost::multiprecision::cpp_int;

constexpr std::string_view kDuration = "a duration such as 300ms";
constexpr std::uint64_t kMostInt32 = 0x7FFF'FFFF;
constexpr std::uint64_t kMostLimit = 0xFFFF;
constexpr std::uint32_t kMostRatio = 1000;
constexpr std::uint32_t kMostTokens = 1'000'000'000;
constexpr std::uint64_t kLongestTtlSeconds = 60;
constexpr std::size_t kMostNameBytes = 200;

// The back-off of annotated objects, which cannot be set: base · 2^(k−1), up to as much again.
constexpr std::uint32_t kBaseMs = 25;
constexpr std::uint32_t kLongestMs = 250;

struct RetryBudget {
  Rational ratio = Rational(1, 5);
  std::uint64_t min_retries_per_second = 10;
  Rational ttl = Rational(10) * kSecond;
};

cpp_int floor_of(const Rational& number) {
  return boost::multiprecision::numerator(number) / boost::multiprecision::denominator(number);
}

// Tokens as the proxy counts them: what a success puts in, what a retry takes out.
struct Prices {
  cpp_int deposit;
  cpp_int withdrawal;
};

Prices prices(const Rational& ratio) {
  constexpr std::uint32_t kDepositAboveOne = 1000;
  if (ratio == 0) {
    return {0, 1};
  }
  if (ratio <= 1) {
    return {1, floor_of(1 / ratio)};
  }
  return {kDepositAboveOne, floor_of(kDepositAboveOne / ratio)};
}

class LinkerdReader {
 public:
  LinkerdReader(Imported& imported, Faults& faults, Nanoseconds tick)
      : imported_(imported), faults_(faults), tick_(tick) {}

  void read(const std::vector<Yaml>& documents) {
    for (const Yaml* object : kubernetes_objects(documents, faults_)) {
      if (is_kubernetes_kind(*object, "linkerd.io", "ServiceProfile")) {
        read_profile(*object);
      } else {
        read_annotations(*object);
      }
    }
    if (imported_.policies.empty() && faults_.empty()) {
      const TextPosition begin = documents.empty() ? TextPosition{} : documents.front().position;
      report(faults_, {begin, "",
                       "a ServiceProfile with a route of isRetryable: true, or an annotation "
                       "retry.linkerd.io/http or retry.linkerd.io/grpc",
                       "neither"});
    }
  }

 private:
  void read_profile(const Yaml& object) {
    YamlMap profile(object, faults_);
    auto spec = profile.map("spec");
    if (!spec) {
      profile.report_member("spec", "the member spec");
      return;
    }
    RetryBudget budget;
    if (auto map = spec->map("retryBudget")) {
      budget = read_budget(*map);
    }
    std::size_t retryable = 0;
    for (const Yaml* yaml : spec->list("routes")) {
      YamlMap route(*yaml, faults_);
      const std::string its_name = route.string("name").value_or("");
      const std::string name = its_name.empty() ? "route" : printable(its_name, kMostNameBytes);
      if (route.boolean("isRetryable").value_or(false)) {
        ++retryable;
        read_route(route, name, budget);
      }
    }
    if (retryable > 1) {
      imported_.losses.push_back(
          {"",
           fmt::format("retryBudget of {} is shared by its routes, each policy here has its own",
                       printable(kubernetes_name(object), kMostNameBytes))});
    }
  }

  static RetryBudget read_budget(YamlMap& map) {
    RetryBudget budget;
    const auto require = [&](std::string_view name) {
      if (!map.has(name)) {
        map.report_member(name, "");
      }
    };
    require("retryRatio");
    require("minRetriesPerSecond");
    require("ttl");
    budget.ratio = map.number("retryRatio", 0, kMostRatio).value_or(budget.ratio);
    budget.min_retries_per_second =
        map.integer("minRetriesPerSecond", 0, kMostInt32).value_or(budget.min_retries_per_second);
    const auto ttl = map.duration("ttl", parse_go_duration, kDuration);
    if (ttl && (*ttl < kSecond || *ttl > kLongestTtlSeconds * kSecond)) {
      map.report_member("ttl", "a duration from 1s to 60s");
    }
    budget.ttl = ttl.value_or(budget.ttl);
    return budget;
  }

  void read_route(YamlMap& route, const std::string& name, const RetryBudget& budget) {
    PolicyDraft draft(name, tick_);
    draft.policy.attempts = kUnlimitedAttempts;
    draft.set_fixed(0);
    draft.lose(
        "responses that count as failures are retried there, not attempts without one; "
        "every failure is retried here");
    const auto timeout = route.duration("timeout", parse_go_duration, kDuration);
    if (timeout && *timeout > 0) {
      draft.set_timeout(*timeout);
      draft.set_deadline("the timeout of the route", *timeout);
    }
    draft.policy.budget = token_budget(budget, draft);
    add_policy(imported_, std::move(draft));
  }

  TokenBudget token_budget(const RetryBudget& budget, PolicyDraft& draft) const {
    const auto [deposit, withdrawal] = prices(budget.ratio);
    const cpp_int reserve =
        cpp_int(budget.min_retries_per_second) * floor_of(budget.ttl / kSecond) * withdrawal;
    TokenBudget tokens;
    tokens.retry_cost = amount(withdrawal, draft);
    tokens.timeout_cost = tokens.retry_cost;
    tokens.success_deposit = amount(deposit, draft);
    tokens.initial = amount(reserve, draft);
    tokens.capacity = std::max(tokens.initial, tokens.retry_cost);
    const Rational refill =
        Rational(budget.min_retries_per_second) * Rational(withdrawal) * tick_ / kSecond;
    tokens.tick_refill =
        draft.fraction("the refill of a tick", std::min(refill, Rational(kMostTokens)));
    draft.lose(fmt::format(
        "what successes put into the budget expires after {} there; here it stays, but no more "
        "than {} tokens of {} a retry are kept",
        duration_text(budget.ttl), tokens.capacity.to_string(), tokens.retry_cost.to_string()));
    if (reserve > 0) {
      draft.lose(
          fmt::format("a retry from the reserve is free again {} later there; here the "
                      "reserve fills up evenly",
                      duration_text(budget.ttl)));
    }
    return tokens;
  }

  static Fraction amount(const cpp_int& tokens, PolicyDraft& draft) {
    if (tokens > kMostTokens) {
      draft.lose(fmt::format("{} tokens of the budget are cut to {}", tokens.str(), kMostTokens));
    }
    return Fraction::from_millionths(
        std::min(tokens, cpp_int(kMostTokens)).convert_to<std::uint64_t>() * Fraction::kOne);
  }

  void read_annotations(const Yaml& object) {
    const Yaml* metadata = object.find("metadata");
    const Yaml* yaml = metadata == nullptr ? nullptr : metadata->find("annotations");
    if (yaml == nullptr || std::holds_alternative<std::nullptr_t>(yaml->value)) {
      return;
    }
    YamlMap annotations(*yaml, faults_);
    if (!annotations.has("retry.linkerd.io/http") && !annotations.has("retry.linkerd.io/grpc")) {
      return;
    }
    PolicyDraft draft(printable(kubernetes_name(object), kMostNameBytes), tick_);
    const std::uint64_t limit =
        annotations.integer("retry.linkerd.io/limit", 0, kMostLimit).value_or(0);
    draft.set_retries(limit == 0 ? 1 : limit);  // 0 is as good as none
    lose_retry_on(draft, annotations.string("retry.linkerd.io/http").value_or("") +
                             annotations.string("retry.linkerd.io/grpc").value_or(""));
    set_backoff(draft);
    read_timeouts(annotations, draft);
    add_policy(imported_, std::move(draft));
  }

  static void set_backoff(PolicyDraft& draft) {
    const std::uint32_t delays = draft.policy.attempts - 1;
    std::vector<PolicyDraft::Range> ranges;
    std::uint32_t base = kBaseMs;
    for (; base < kLongestMs && ranges.size() < delays; base *= 2) {
      ranges.push_back({Rational(base) * kMillisecond, Rational(2 * base) * kMillisecond});
    }
    const bool is_cut = base > kLongestMs;
    if (ranges.size() < delays) {
      ranges.push_back({Rational(kLongestMs) * kMillisecond, Rational(kLongestMs) * kMillisecond});
    }
    draft.set_list(ranges);
    if (is_cut) {
      draft.set_max_delay(Rational(kLongestMs) * kMillisecond);
    }
  }

  static void read_timeouts(YamlMap& annotations, PolicyDraft& draft) {
    const auto attempt =
        annotations.duration("retry.linkerd.io/timeout", parse_go_duration, kDuration);
    const auto request =
        annotations.duration("timeout.linkerd.io/request", parse_go_duration, kDuration);
    const bool has_request = request && *request > 0;
    if (attempt && *attempt > 0) {
      draft.set_timeout(has_request ? std::min(*attempt, *request) : *attempt);
      draft.lose(
          "the last attempt waits without the timeout of an attempt there, and with it here");
    } else if (has_request) {
      draft.set_timeout(*request);
    }
    if (has_request) {
      draft.set_deadline("the timeout of the request", *request);
    }
    for (const std::string_view left_out :
         {"timeout.linkerd.io/response", "timeout.linkerd.io/idle"}) {
      if (annotations.has(left_out)) {
        draft.lose(fmt::format("{} is left out", left_out));
      }
    }
  }

  Imported& imported_;
  Faults& faults_;
  Nanoseconds tick_;
};

}  // namespace

tl::expected<Imported, Faults> read_linkerd(std::string_view text, Nanoseconds tick) {
  return read_yaml_documents(
      text, [&](const std::vector<Yaml>& documents, Imported& imported, Faults& faults) {
        LinkerdReader(imported, faults, tick).read(documents);
      });
}

}  // namespace retrygarden::import_from
