#include "import/envoy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "import/json_document.h"
#include "retrygarden/json.h"

namespace retrygarden::import_from {

namespace {

constexpr std::uint64_t kMostCount = 0xFFFF'FFFF;
constexpr std::uint64_t kDefaultBaseMs = 25;
constexpr std::uint64_t kDefaultLongestFactor = 10;
constexpr std::uint32_t kDefaultMaxRetries = 3;
constexpr std::uint32_t kDefaultMinRetryConcurrency = 3;
constexpr std::uint32_t kDefaultBudgetPercent = 20;
constexpr std::uint64_t kDefaultRouteTimeoutSeconds = 15;
constexpr std::string_view kDuration = "a duration such as 0.025s";
constexpr std::size_t kMostNameBytes = 200;

std::uint64_t floor_of(const Rational& number) {
  return boost::multiprecision::cpp_int(boost::multiprecision::numerator(number) /
                                        boost::multiprecision::denominator(number))
      .convert_to<std::uint64_t>();
}

// What is in the text of a scalar; empty for anything else.
std::string text_of(const Yaml* yaml) {
  const auto* scalar = yaml == nullptr ? nullptr : std::get_if<YamlScalar>(&yaml->value);
  return scalar == nullptr ? std::string() : printable(scalar->text, kMostNameBytes);
}

bool is_map(const Yaml* yaml) {
  return yaml != nullptr && std::holds_alternative<Yaml::Map>(yaml->value);
}

// What a route's match is about, for its name.
std::string match_text(const Yaml* match) {
  if (match == nullptr) {
    return "";
  }
  if (const Yaml* regex = match->find_any({"safe_regex", "safeRegex"})) {
    return text_of(regex->find("regex"));
  }
  return text_of(
      match->find_any({"prefix", "path", "path_separated_prefix", "pathSeparatedPrefix", "regex"}));
}

// What a route takes over from what is around it.
struct Scope {
  std::string virtual_host;
  const Yaml* retry_policy = nullptr;
};

class EnvoyReader {
 public:
  EnvoyReader(Imported& imported, Faults& faults, Nanoseconds tick)
      : imported_(imported), faults_(faults), tick_(tick) {}

  void read(const std::vector<Yaml>& documents) {
    for (const Yaml& document : documents) {
      find_clusters(document);
    }
    for (const Yaml& document : documents) {
      if (!read_bare(document)) {
        find_routes(document, {});
      }
    }
    if (imported_.policies.empty() && faults_.empty()) {
      const TextPosition begin = documents.empty() ? TextPosition{} : documents.front().position;
      report(faults_, {begin, "", "a route or virtual host with a retry_policy", "none"});
    }
  }

 private:
  void find_clusters(const Yaml& yaml) {
    if (const auto* list = std::get_if<Yaml::List>(&yaml.value)) {
      for (const Yaml& element : *list) {
        find_clusters(element);
      }
    } else if (const auto* map = std::get_if<Yaml::Map>(&yaml.value)) {
      const bool is_cluster =
          yaml.find("name") != nullptr &&
          yaml.find_any({"circuit_breakers", "circuitBreakers", "connect_timeout", "connectTimeout",
                         "load_assignment", "loadAssignment", "lb_policy", "lbPolicy"}) != nullptr;
      if (is_cluster) {
        clusters_.emplace(text_of(yaml.find("name")), &yaml);
      }
      for (const YamlMember& member : *map) {
        find_clusters(member.value);
      }
    }
  }

  // A document that is a part of a route: what stands behind route:, or behind retry_policy:.
  bool read_bare(const Yaml& document) {
    const bool is_retry_policy =
        document.find_any({"num_retries", "numRetries", "retry_on", "retryOn", "retry_back_off",
                           "retryBackOff"}) != nullptr;
    if (is_retry_policy) {
      PolicyDraft draft("retry_policy", tick_);
      const auto per_try_timeout = read_retry_policy(document, draft);
      set_timeouts(draft, per_try_timeout, Rational(kDefaultRouteTimeoutSeconds) * kSecond);
      draft.policy.budget = budget_of("", "DEFAULT", draft);
      add_policy(imported_, std::move(draft));
      return true;
    }
    const Yaml* retry_policy = document.find_any({"retry_policy", "retryPolicy"});
    if (retry_policy != nullptr && document.find("routes") == nullptr) {
      read_action(document, *retry_policy, "route");
      return true;
    }
    return false;
  }

  void find_routes(const Yaml& yaml, Scope scope) {
    if (const auto* list = std::get_if<Yaml::List>(&yaml.value)) {
      for (const Yaml& element : *list) {
        find_routes(element, scope);
      }
      return;
    }
    const auto* map = std::get_if<Yaml::Map>(&yaml.value);
    if (map == nullptr) {
      return;
    }
    const Yaml* retry_policy = yaml.find_any({"retry_policy", "retryPolicy"});
    if (yaml.find("routes") != nullptr) {
      scope = {text_of(yaml.find("name")), retry_policy};
    } else if (retry_policy != nullptr) {
      imported_.losses.push_back(
          {"", fmt::format("the retry_policy in {} is not one of a route, and is left out",
                           place_text(*retry_policy))});
    }
    const Yaml* action = yaml.find("route");
    if (is_map(action)) {
      read_route(yaml, *action, scope);
    }
    for (const YamlMember& member : *map) {
      if (&member.value != action) {
        find_routes(member.value, scope);
      }
    }
  }

  void read_route(const Yaml& route, const Yaml& action, const Scope& scope) {
    const Yaml* retry_policy = action.find_any({"retry_policy", "retryPolicy"});
    retry_policy = retry_policy == nullptr ? scope.retry_policy : retry_policy;
    if (retry_policy == nullptr) {
      return;
    }
    std::string name = text_of(route.find("name"));
    if (name.empty()) {
      const std::string match = match_text(route.find("match"));
      name = scope.virtual_host + (scope.virtual_host.empty() || match.empty() ? "" : " ") + match;
    }
    read_action(action, *retry_policy, name.empty() ? "route" : name);
  }

  void read_action(const Yaml& yaml, const Yaml& retry_policy, const std::string& name) {
    YamlMap action(yaml, faults_, YamlMap::Names::kProto);
    PolicyDraft draft(name, tick_);
    const auto per_try_timeout = read_retry_policy(retry_policy, draft);
    const auto timeout = action.duration("timeout", parse_proto_duration, kDuration);
    set_timeouts(draft, per_try_timeout,
                 timeout.value_or(Rational(kDefaultRouteTimeoutSeconds) * kSecond));
    for (const std::string_view left_out :
         {"hedge_policy", "retry_policy_typed_config", "max_stream_duration", "idle_timeout"}) {
      if (action.has(left_out)) {
        draft.lose(fmt::format("{} is left out", left_out));
      }
    }
    const std::string priority = action.string("priority").value_or("DEFAULT");
    draft.policy.budget = budget_of(cluster_name(action, draft), priority, draft);
    add_policy(imported_, std::move(draft));
  }

  // The cluster of the route, or the first of several; empty if the file does not say.
  static std::string cluster_name(YamlMap& action, PolicyDraft& draft) {
    if (auto name = action.string("cluster")) {
      return *name;
    }
    auto weighted = action.map("weighted_clusters");
    if (!weighted) {
      return "";
    }
    const auto clusters = weighted->list("clusters");
    if (clusters.size() > 1) {
      draft.lose("of several weighted clusters the first one's budget is taken");
    }
    return clusters.empty() ? "" : text_of(clusters.front()->find("name"));
  }

  // Gives its per_try_timeout.
  std::optional<Rational> read_retry_policy(const Yaml& yaml, PolicyDraft& draft) {
    YamlMap retry(yaml, faults_, YamlMap::Names::kProto);
    set_retries(draft, retry.integer("num_retries", 0, kMostCount).value_or(1));
    if (const auto conditions = retry.string("retry_on")) {
      lose_retry_on(draft, *conditions);
    } else {
      draft.lose(
          "without retry_on only requests are retried there that ask for it in a header; every "
          "failure is retried here");
    }
    const auto per_try_timeout = retry.duration("per_try_timeout", parse_proto_duration, kDuration);
    read_backoff(retry, draft);
    read_rate_limited_backoff(retry, draft);
    lose_unread(draft, "retry_policy", retry);
    return per_try_timeout;
  }

  static void set_retries(PolicyDraft& draft, std::uint64_t retries) {
    draft.set_retries(retries);
    if (retries == kMostCount) {
      draft.lose(fmt::format("{} retries are {} here", retries, retries - 1));
    }
  }

  static void read_backoff(YamlMap& retry, PolicyDraft& draft) {
    std::uint64_t base = kDefaultBaseMs;
    std::optional<std::uint64_t> longest;
    if (auto backoff = retry.map("retry_back_off")) {
      const auto base_interval =
          backoff->duration("base_interval", parse_proto_duration, kDuration);
      if (!base_interval || *base_interval == 0) {
        if (!backoff->has("base_interval") || base_interval) {
          backoff->report_member("base_interval", "a duration above 0");
        }
        return;
      }
      base = envoy_milliseconds(draft, "base_interval", *base_interval);
      const auto max_interval = backoff->duration("max_interval", parse_proto_duration, kDuration);
      if (max_interval && *max_interval < *base_interval) {
        backoff->report_member("max_interval", "a duration that is not below base_interval");
        return;
      }
      if (max_interval) {
        longest = envoy_milliseconds(draft, "max_interval", *max_interval);
      }
      lose_unread(draft, "retry_back_off", *backoff);
    }
    set_envoy_backoff(draft, base, longest.value_or(base * kDefaultLongestFactor));
  }

  static void read_rate_limited_backoff(YamlMap& retry, PolicyDraft& draft) {
    if (!retry.has("rate_limited_retry_back_off")) {
      return;
    }
    retry.skip("rate_limited_retry_back_off");
    draft.policy.on_retry_after = OnRetryAfter::kReplace;
    draft.lose(
        "rate_limited_retry_back_off waits 1 to 1.5 times what a header asks for, up to its "
        "max_interval there; here as long as the hint says");
  }

  static void set_timeouts(PolicyDraft& draft, const std::optional<Rational>& per_try_timeout,
                           const Rational& route_timeout) {
    const bool has_per_try = per_try_timeout && *per_try_timeout > 0;
    if (route_timeout > 0) {
      draft.set_timeout(has_per_try ? std::min(*per_try_timeout, route_timeout) : route_timeout);
      draft.set_deadline("the timeout of the route", route_timeout);
    } else if (has_per_try) {
      draft.set_timeout(*per_try_timeout);
    }
  }

  Budget budget_of(const std::string& cluster, const std::string& priority, PolicyDraft& draft) {
    const auto found = clusters_.find(cluster);
    if (found == clusters_.end()) {
      draft.lose(fmt::format(
          "{} is not in the file: Envoy's default of {} retries at once is taken",
          cluster.empty() ? "the cluster" : "cluster " + printable(cluster, kMostNameBytes),
          kDefaultMaxRetries));
      return ConcurrentBudget{{}, kDefaultMaxRetries};
    }
    YamlMap map(*found->second, faults_, YamlMap::Names::kProto);
    if (map.has("outlier_detection")) {
      draft.lose("outlier_detection of the cluster is left out");
    }
    auto breakers = map.map("circuit_breakers");
    if (breakers) {
      for (const Yaml* yaml : breakers->list("thresholds")) {
        YamlMap threshold(*yaml, faults_, YamlMap::Names::kProto);
        if (threshold.string("priority").value_or("DEFAULT") == priority) {
          return read_threshold(threshold, draft);
        }
      }
      lose_unread(draft, "circuit_breakers", *breakers);
    }
    return ConcurrentBudget{{}, kDefaultMaxRetries};
  }

  static Budget read_threshold(YamlMap& threshold, PolicyDraft& draft) {
    const auto max_retries = threshold.integer("max_retries", 0, kMostCount);
    ConcurrentBudget budget{{},
                            static_cast<std::uint32_t>(max_retries.value_or(kDefaultMaxRetries))};
    if (auto share = threshold.map("retry_budget")) {
      std::optional<Rational> percent;
      if (auto budget_percent = share->map("budget_percent")) {
        percent = budget_percent->number("value", 0, 100).value_or(0);
      }
      const auto minimum = share->integer("min_retry_concurrency", 0, kMostCount)
                               .value_or(kDefaultMinRetryConcurrency);
      budget = envoy_retry_budget(draft, percent.value_or(kDefaultBudgetPercent),
                                  static_cast<std::uint32_t>(minimum));
      lose_unread(draft, "retry_budget", *share);
    }
    threshold.skip("track_remaining");
    lose_unread(draft, "the cluster's thresholds", threshold);
    return budget;
  }

  Imported& imported_;
  Faults& faults_;
  Nanoseconds tick_;
  std::map<std::string, const Yaml*> clusters_;
};

}  // namespace

void set_envoy_backoff(PolicyDraft& draft, std::uint64_t base_ms, std::uint64_t longest_ms) {
  const std::uint32_t delays = draft.policy.attempts - 1;
  if (delays == 0) {
    draft.policy.delay = FixedDelay{1};
    return;
  }
  const Rational cut = Rational(kMostTicks) * draft.tick();
  std::vector<PolicyDraft::Range> ranges;
  // As Envoy does it: what is not below half the longest is followed by the longest.
  for (std::uint64_t below = base_ms; ranges.size() < delays;
       below = below < longest_ms / 2 ? 2 * below : longest_ms) {
    ranges.push_back({0, Rational(below) * kMillisecond});
    if (below == longest_ms || ranges.back().hi > cut) {
      break;
    }
  }
  draft.set_list(ranges);
  if (draft.tick() < kMillisecond) {
    draft.lose("delays are whole milliseconds there, and may be any ticks here");
  }
}

std::uint64_t envoy_milliseconds(PolicyDraft& draft, std::string_view name,
                                 const Rational& duration) {
  const std::uint64_t whole = std::max<std::uint64_t>(1, floor_of(duration / kMillisecond));
  if (duration != Rational(whole) * kMillisecond) {
    draft.lose(fmt::format("{} of {} counts as {} ms", name, duration_text(duration), whole));
  }
  return whole;
}

ConcurrentBudget envoy_retry_budget(PolicyDraft& draft, const Rational& percent,
                                    std::uint32_t minimum) {
  if (percent > 0) {
    draft.lose(
        "the budget's share is one of requests in flight there; here requests that wait for their "
        "retry count too");
  }
  return {draft.fraction("the budget's share", percent / 100), minimum};
}

void lose_retry_on(PolicyDraft& draft, std::string_view conditions) {
  const bool is_about_all = conditions.find("5xx") != std::string_view::npos ||
                            conditions.find("gateway-error") != std::string_view::npos;
  if (!is_about_all) {
    draft.lose(fmt::format("{} is retried there, every failure here",
                           conditions.empty() ? "nothing" : printable(conditions, kMostNameBytes)));
  }
}

void lose_unread(PolicyDraft& draft, std::string_view part, const YamlMap& map) {
  if (const auto unread = map.unread(); !unread.empty()) {
    draft.lose(fmt::format("what is not read of {}: {}", part, enumerated(unread)));
  }
}

tl::expected<Imported, Faults> read_envoy(std::string_view text, Nanoseconds tick) {
  return read_yaml_documents(
      text, [&](const std::vector<Yaml>& documents, Imported& imported, Faults& faults) {
        EnvoyReader(imported, faults, tick).read(documents);
      });
}

}  // namespace retrygarden::import_from
