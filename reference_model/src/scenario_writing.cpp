// Section 9: members in the order of the page's tables or braces, with every default filled in; "a
// member whose default is to be absent stays absent"; "`kind` comes first in its object, except in
// an outage".

#include "scenario_writing.h"

#include <charconv>
#include <string>
#include <variant>

namespace reference_model {
namespace {

using nlohmann::ordered_json;

// An integer where the value is one, otherwise the double nearest to the fraction's shortest form.
ordered_json fraction_json(const Fraction& fraction) {
  if (fraction.millionths % million == 0) {
    return fraction.millionths / million;
  }
  const std::string text = shortest_form(fraction);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

template <typename Value>
void add_if_present(ordered_json& object, const char* name, const std::optional<Value>& value) {
  if (value) {
    object[name] = *value;
  }
}

ordered_json arrivals_json(const Arrivals& arrivals) {
  return std::visit(Overloaded{
                        [](const BurstArrivals& burst) {
                          return ordered_json{{"kind", "burst"}, {"at", burst.at}};
                        },
                        [](const SpreadArrivals& spread) {
                          return ordered_json{{"kind", "spread"}, {"over", spread.over}};
                        },
                        [](const RandomArrivals& random) {
                          return ordered_json{{"kind", "random"}, {"over", random.over}};
                        },
                    },
                    arrivals);
}

ordered_json outages_json(const std::vector<Outage>& outages) {
  ordered_json list = ordered_json::array();
  for (const Outage& outage : outages) {
    list.push_back({
        {"from", outage.from},
        {"ticks", outage.ticks},
        {"kind", word_for(outage.kind, outage_kind_words)},
        {"loses_keys", outage.loses_keys},
    });
  }
  return list;
}

ordered_json deduplication_json(const Deduplication& deduplication) {
  return std::visit(
      Overloaded{
          [](const NoDeduplication&) { return ordered_json{{"kind", "none"}}; },
          [](const ForeverDeduplication&) { return ordered_json{{"kind", "forever"}}; },
          [](const TtlDeduplication& ttl) {
            return ordered_json{{"kind", "ttl"}, {"ticks", ttl.ticks}};
          },
      },
      deduplication);
}

ordered_json server_json(const Server& server) {
  ordered_json json = {
      {"capacity", server.capacity},
      {"capacity_window", server.capacity_window},
      {"service_ticks", server.service_ticks},
  };
  add_if_present(json, "concurrency", server.concurrency);
  json["queue"] = server.queue;
  json["discipline"] = word_for(server.discipline, discipline_words);
  json["drop_abandoned"] = server.drop_abandoned;
  json["retry_after"] = server.retry_after;
  json["tie_break"] = word_for(server.tie_break, tie_break_words);
  json["outages"] = outages_json(server.outages);
  json["deduplication"] = deduplication_json(server.deduplication);
  return json;
}

ordered_json faults_json(const Faults& faults) {
  ordered_json json = ordered_json::object();
  if (const std::optional<FirstResponseLost>& lost = faults.first_response_lost) {
    json["first_response_lost"] = {{"every", lost->every}, {"offset", lost->offset}};
  }
  json["response_loss"] = fraction_json(faults.response_loss);
  json["request_loss"] = fraction_json(faults.request_loss);
  return json;
}

// "entries of a list [keep] their form"
ordered_json list_entries_json(const ListDelay& list) {
  ordered_json entries = ordered_json::array();
  for (const ListEntry& entry : list.ticks) {
    entries.push_back(
        std::visit(Overloaded{
                       [](std::int64_t ticks) { return ordered_json(ticks); },
                       [](const Pair& pair) { return ordered_json::array({pair.lo, pair.hi}); },
                   },
                   entry));
  }
  return entries;
}

ordered_json delay_json(const Delay& delay) {
  return std::visit(Overloaded{
                        [](const FixedDelay& fixed) {
                          return ordered_json{{"kind", "fixed"}, {"ticks", fixed.ticks}};
                        },
                        [](const LinearDelay& linear) {
                          return ordered_json{{"kind", "linear"},
                                              {"base", linear.base},
                                              {"step", linear.step},
                                              {"cap", linear.cap}};
                        },
                        [](const ExponentialDelay& exponential) {
                          return ordered_json{{"kind", "exponential"},
                                              {"base", exponential.base},
                                              {"multiplier", fraction_json(exponential.multiplier)},
                                              {"cap", exponential.cap}};
                        },
                        [](const ListDelay& list) {
                          return ordered_json{{"kind", "list"}, {"ticks", list_entries_json(list)}};
                        },
                        [](const DecorrelatedDelay& decorrelated) {
                          return ordered_json{{"kind", "decorrelated"},
                                              {"base", decorrelated.base},
                                              {"cap", decorrelated.cap}};
                        },
                    },
                    delay);
}

ordered_json jitter_json(const Jitter& jitter) {
  return std::visit(Overloaded{
                        [](const NoJitter&) { return ordered_json{{"kind", "none"}}; },
                        [](const FullJitter&) { return ordered_json{{"kind", "full"}}; },
                        [](const EqualJitter&) { return ordered_json{{"kind", "equal"}}; },
                        [](const ProportionalJitter& proportional) {
                          return ordered_json{{"kind", "proportional"},
                                              {"fraction", fraction_json(proportional.fraction)}};
                        },
                        [](const ScaledJitter& scaled) {
                          return ordered_json{{"kind", "scaled"},
                                              {"from", fraction_json(scaled.from)},
                                              {"to", fraction_json(scaled.to)}};
                        },
                    },
                    jitter);
}

ordered_json token_budget_json(const TokenBudget& tokens) {
  ordered_json json = {
      {"kind", "tokens"},
      {"capacity", fraction_json(tokens.capacity)},
      {"initial", fraction_json(tokens.initial)},
      {"tick_refill", fraction_json(tokens.tick_refill)},
      {"attempt_deposit", fraction_json(tokens.attempt_deposit)},
      {"success_deposit", fraction_json(tokens.success_deposit)},
      {"refund", tokens.refund},
      {"failure_cost", fraction_json(tokens.failure_cost)},
      {"retry_cost", fraction_json(tokens.retry_cost)},
      {"timeout_cost", fraction_json(tokens.timeout_cost)},
  };
  if (tokens.threshold) {
    json["threshold"] = fraction_json(*tokens.threshold);
  }
  return json;
}

ordered_json budget_json(const Budget& budget) {
  return std::visit(Overloaded{
                        [](const TokenBudget& tokens) { return token_budget_json(tokens); },
                        [](const ConcurrentBudget& concurrent) {
                          return ordered_json{{"kind", "concurrent"},
                                              {"fraction", fraction_json(concurrent.fraction)},
                                              {"minimum", concurrent.minimum}};
                        },
                    },
                    budget);
}

ordered_json breaker_json(const Breaker& breaker) {
  return {
      {"window", breaker.window},
      {"failures", breaker.failures},
      {"open_ticks", breaker.open_ticks},
      {"probes", breaker.probes},
  };
}

ordered_json policy_json(const Policy& policy) {
  ordered_json json = {{"name", policy.name}};
  add_if_present(json, "description", policy.description);
  json["attempts"] = policy.attempts;
  json["timeout"] = policy.timeout;
  json["delay"] = delay_json(policy.delay);
  if (policy.jitter) {
    json["jitter"] = jitter_json(*policy.jitter);
  }
  add_if_present(json, "max_delay", policy.max_delay);
  add_if_present(json, "deadline", policy.deadline);
  json["on_retry_after"] = word_for(policy.on_retry_after, on_retry_after_words);
  if (policy.budget) {
    json["budget"] = budget_json(*policy.budget);
  }
  if (policy.breaker) {
    json["breaker"] = breaker_json(*policy.breaker);
  }
  return json;
}

}  // namespace

ordered_json scenario_json(const Scenario& scenario) {
  ordered_json json = {{"retrygarden", 1}};
  add_if_present(json, "$schema", scenario.schema);
  add_if_present(json, "name", scenario.name);
  add_if_present(json, "description", scenario.description);
  add_if_present(json, "tick", scenario.tick);
  json["clients"] = scenario.clients;
  json["clients_per_host"] = scenario.clients_per_host;
  json["horizon"] = scenario.horizon;
  json["seed"] = scenario.seed;
  json["arrivals"] = arrivals_json(scenario.arrivals);
  json["server"] = server_json(scenario.server);
  json["faults"] = faults_json(scenario.faults);
  json["policies"] = ordered_json::array();
  for (const Policy& policy : scenario.policies) {
    json["policies"].push_back(policy_json(policy));
  }
  return json;
}

}  // namespace reference_model
