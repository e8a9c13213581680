#include "import/istio.h"

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

constexpr std::string_view kGroup = "networking.istio.io";
constexpr std::string_view kDuration = "a duration such as 25ms";
constexpr std::string_view kDefaultConditions =
    "connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes";
constexpr std::uint64_t kDefaultRetries = 2;
constexpr std::uint64_t kDefaultBaseMs = 25;
constexpr std::uint64_t kLongestFactor = 10;
constexpr std::uint64_t kMostInt32 = 0x7FFF'FFFF;
constexpr std::uint64_t kMostUint32 = 0xFFFF'FFFF;
constexpr std::uint32_t kDefaultBudgetPercent = 20;
constexpr std::uint64_t kDefaultMinRetryConcurrency = 3;
constexpr std::size_t kMostNameBytes = 200;

// Whether two names are of the same host, one of them perhaps in short: r, r.default.svc.
bool is_same_host(std::string_view a, std::string_view b) {
  const auto is_short_for = [](std::string_view name, std::string_view whole) {
    return whole.starts_with(name) && (whole.size() == name.size() || whole[name.size()] == '.');
  };
  return is_short_for(a, b) || is_short_for(b, a);
}

struct Destination {
  std::string host;
  std::string subset;  // empty if none
};

struct Rule {
  const Yaml* object;
  std::string host;
  bool is_used = false;
};

class IstioReader {
 public:
  IstioReader(Imported& imported, Faults& faults, Nanoseconds tick)
      : imported_(imported), faults_(faults), tick_(tick) {}

  void read(const std::vector<Yaml>& documents) {
    const std::vector<const Yaml*> objects = kubernetes_objects(documents, faults_);
    for (const Yaml* object : objects) {
      if (is_kubernetes_kind(*object, kGroup, "DestinationRule")) {
        find_rule(*object);
      }
    }
    for (const Yaml* object : objects) {
      if (is_kubernetes_kind(*object, kGroup, "VirtualService")) {
        read_virtual_service(*object);
      }
    }
    for (const Rule& rule : rules_) {
      if (!rule.is_used) {
        read_lone_rule(rule);
      }
    }
    if (imported_.policies.empty() && faults_.empty()) {
      const TextPosition begin = documents.empty() ? TextPosition{} : documents.front().position;
      report(faults_,
             {begin, "", "a VirtualService with retries, or a DestinationRule", "neither"});
    }
  }

 private:
  void find_rule(const Yaml& object) {
    YamlMap map(object, faults_);
    auto spec = map.map("spec");
    if (!spec) {
      map.report_member("spec", "the member spec");
      return;
    }
    if (auto host = spec->string("host")) {
      rules_.push_back({&object, *host});
    } else {
      spec->report_member("host", "the member host");
    }
  }

  void read_virtual_service(const Yaml& object) {
    YamlMap map(object, faults_);
    auto spec = map.map("spec");
    if (!spec) {
      map.report_member("spec", "the member spec");
      return;
    }
    std::size_t number = 0;
    for (const Yaml* yaml : spec->list("http")) {
      YamlMap route(*yaml, faults_);
      ++number;
      const std::string its_name = route.string("name").value_or(fmt::format("http {}", number));
      const std::string name = printable(kubernetes_name(object) + " " + its_name, kMostNameBytes);
      if (route.has("retries")) {
        read_route(route, name);
      } else if (!route.has("redirect") && !route.has("directResponse")) {
        imported_.losses.push_back(
            {"", fmt::format("{} has no retries and is left out; the mesh's default holds there",
                             name)});
      }
    }
  }

  void read_route(YamlMap& route, const std::string& name) {
    PolicyDraft draft(name, tick_);
    auto retries = route.map("retries");
    const auto attempts = retries->integer("attempts", 0, kMostInt32);
    if (!attempts) {
      draft.lose("retries without attempts are none");
    }
    draft.set_retries(attempts.value_or(0));
    if (draft.policy.attempts > 1) {
      lose_retry_on(draft, retries->string("retryOn").value_or(std::string(kDefaultConditions)));
    }
    read_backoff(*retries, draft);
    const auto per_try_timeout = retries->duration("perTryTimeout", parse_go_duration, kDuration);
    const auto timeout = route.duration("timeout", parse_go_duration, kDuration);
    set_timeouts(draft, per_try_timeout, timeout.value_or(0));
    retries->skip("retryOn");
    lose_unread(draft, "retries", *retries);
    read_budget(destination(route, draft), draft);
    add_policy(imported_, std::move(draft));
  }

  static void read_backoff(YamlMap& retries, PolicyDraft& draft) {
    const auto backoff = retries.duration("backoff", parse_go_duration, kDuration);
    if (backoff && *backoff < kMillisecond) {
      retries.report_member("backoff", "a duration of 1ms or more");
      return;
    }
    const std::uint64_t base =
        backoff ? envoy_milliseconds(draft, "backoff", *backoff) : kDefaultBaseMs;
    set_envoy_backoff(draft, base, base * kLongestFactor);
  }

  static void set_timeouts(PolicyDraft& draft, const std::optional<Rational>& per_try_timeout,
                           const Rational& timeout) {
    if (timeout > 0) {
      draft.set_timeout(per_try_timeout ? std::min(*per_try_timeout, timeout) : timeout);
      draft.set_deadline("the timeout of the route", timeout);
    } else if (per_try_timeout && *per_try_timeout > 0) {
      draft.set_timeout(*per_try_timeout);
    }
  }

  Destination destination(YamlMap& route, PolicyDraft& draft) {
    const auto destinations = route.list("route");
    if (destinations.size() > 1) {
      draft.lose("of several destinations the first one's DestinationRule is taken");
    }
    if (destinations.empty()) {
      return {};
    }
    YamlMap first(*destinations.front(), faults_);
    auto place = first.map("destination");
    return place ? Destination{place->string("host").value_or(""),
                               place->string("subset").value_or("")}
                 : Destination{};
  }

  // Without a DestinationRule as many retries as you like may be under way.
  void read_budget(const Destination& destination, PolicyDraft& draft) {
    const auto rule = std::find_if(rules_.begin(), rules_.end(), [&](const Rule& candidate) {
      return !destination.host.empty() && is_same_host(candidate.host, destination.host);
    });
    if (rule == rules_.end()) {
      return;
    }
    rule->is_used = true;
    YamlMap object(*rule->object, faults_);
    auto spec = object.map("spec");
    if (auto traffic = spec->map("trafficPolicy")) {
      read_traffic_policy(*traffic, draft);
    }
    for (const Yaml* yaml : spec->list("subsets")) {
      YamlMap subset(*yaml, faults_);
      if (subset.string("name") == destination.subset) {
        if (auto traffic = subset.map("trafficPolicy")) {
          read_traffic_policy(*traffic, draft);
        }
      }
    }
  }

  static void read_traffic_policy(YamlMap& traffic, PolicyDraft& draft) {
    for (const std::string_view left_out : {"outlierDetection", "portLevelSettings"}) {
      if (traffic.has(left_out)) {
        draft.lose(fmt::format("{} of the DestinationRule is left out", left_out));
      }
    }
    if (auto pool = traffic.map("connectionPool")) {
      if (auto http = pool->map("http")) {
        const auto max_retries = http->integer("maxRetries", 0, kMostInt32);
        if (max_retries && *max_retries > 0) {  // 0 is Istio's default, no limit
          draft.policy.budget = ConcurrentBudget{{}, static_cast<std::uint32_t>(*max_retries)};
        }
        lose_unread(draft, "connectionPool.http", *http);
      }
    }
    if (auto budget = traffic.map("retryBudget")) {
      const auto percent =
          budget->number("percent", 0, 100).value_or(Rational(kDefaultBudgetPercent));
      const auto minimum = budget->integer("minRetryConcurrency", 0, kMostUint32)
                               .value_or(kDefaultMinRetryConcurrency);
      draft.policy.budget = envoy_retry_budget(draft, percent, static_cast<std::uint32_t>(minimum));
      lose_unread(draft, "retryBudget", *budget);
    }
  }

  void read_lone_rule(const Rule& rule) {
    PolicyDraft draft(printable(kubernetes_name(*rule.object), kMostNameBytes), tick_);
    draft.set_retries(kDefaultRetries);
    draft.lose("the file has no route with retries to this host: Istio's default of 2 is taken");
    lose_retry_on(draft, kDefaultConditions);
    set_envoy_backoff(draft, kDefaultBaseMs, kDefaultBaseMs * kLongestFactor);
    read_budget({rule.host, ""}, draft);
    add_policy(imported_, std::move(draft));
  }

  Imported& imported_;
  Faults& faults_;
  Nanoseconds tick_;
  std::vector<Rule> rules_;
};

}  // namespace

tl::expected<Imported, Faults> read_istio(std::string_view text, Nanoseconds tick) {
  return read_yaml_documents(
      text, [&](const std::vector<Yaml>& documents, Imported& imported, Faults& faults) {
        IstioReader(imported, faults, tick).read(documents);
      });
}

}  // namespace retrygarden::import_from
