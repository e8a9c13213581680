// Writing a scenario with every default filled in: docs/model.md, section 9.
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "json_text.h"
#include "names.h"
#include "retrygarden/scenario.h"

namespace retrygarden {

namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;  // clang before 17 does not deduce it

std::string write(const Arrivals& arrivals) {
  return std::visit(
      Overloaded{[](const BurstArrivals& a) {
                   return fmt::format(R"({{"kind": "burst", "at": {}}})", a.at);
                 },
                 [](const SpreadArrivals& a) {
                   return fmt::format(R"({{"kind": "spread", "over": {}}})", a.over_ticks);
                 },
                 [](const RandomArrivals& a) {
                   return fmt::format(R"({{"kind": "random", "over": {}}})", a.over_ticks);
                 }},
      arrivals);
}

std::string write(const std::vector<Outage>& outages) {
  std::string text = "[";
  for (const Outage& outage : outages) {
    fmt::format_to(std::back_inserter(text),
                   R"({}{{"from": {}, "ticks": {}, "kind": "{}", "loses_keys": {}}})",
                   text.size() == 1 ? "" : ", ", outage.from, outage.ticks,
                   name_of(kOutageKinds, outage.kind), outage.loses_keys);
  }
  return text + "]";
}

std::string write(const Deduplication& deduplication) {
  return std::visit(
      Overloaded{[](const NoDeduplication&) { return std::string(R"({"kind": "none"})"); },
                 [](const DeduplicationForever&) { return std::string(R"({"kind": "forever"})"); },
                 [](const DeduplicationTtl& d) {
                   return fmt::format(R"({{"kind": "ttl", "ticks": {}}})", d.ticks);
                 }},
      deduplication);
}

std::string write(const ListDelay::Entry& entry) {
  const auto* interval = std::get_if<Interval>(&entry);
  return interval == nullptr ? fmt::to_string(std::get<std::uint32_t>(entry))
                             : fmt::format("[{}, {}]", interval->lo, interval->hi);
}

std::string write(const Delay& delay) {
  return std::visit(
      Overloaded{[](const FixedDelay& d) {
                   return fmt::format(R"({{"kind": "fixed", "ticks": {}}})", d.ticks);
                 },
                 [](const LinearDelay& d) {
                   return fmt::format(R"({{"kind": "linear", "base": {}, "step": {}, "cap": {}}})",
                                      d.base, d.step, d.cap);
                 },
                 [](const ExponentialDelay& d) {
                   return fmt::format(
                       R"({{"kind": "exponential", "base": {}, "multiplier": {}, "cap": {}}})",
                       d.base, d.multiplier.to_string(), d.cap);
                 },
                 [](const ListDelay& d) {
                   std::string entries;
                   for (const ListDelay::Entry& entry : d.ticks) {
                     entries += (entries.empty() ? "" : ", ") + write(entry);
                   }
                   return fmt::format(R"({{"kind": "list", "ticks": [{}]}})", entries);
                 },
                 [](const DecorrelatedDelay& d) {
                   return fmt::format(R"({{"kind": "decorrelated", "base": {}, "cap": {}}})",
                                      d.base, d.cap);
                 }},
      delay);
}

std::string write(const Jitter& jitter) {
  return std::visit(
      Overloaded{[](const NoJitter&) { return std::string(R"({"kind": "none"})"); },
                 [](const FullJitter&) { return std::string(R"({"kind": "full"})"); },
                 [](const EqualJitter&) { return std::string(R"({"kind": "equal"})"); },
                 [](const ProportionalJitter& j) {
                   return fmt::format(R"({{"kind": "proportional", "fraction": {}}})",
                                      j.fraction.to_string());
                 },
                 [](const ScaledJitter& j) {
                   return fmt::format(R"({{"kind": "scaled", "from": {}, "to": {}}})",
                                      j.from.to_string(), j.to.to_string());
                 }},
      jitter);
}

std::string write(const Budget& budget) {
  return std::visit(
      Overloaded{[](const TokenBudget& b) {
                   return fmt::format(
                       R"({{"kind": "tokens", "capacity": {}, "initial": {}, "tick_refill": {}, )"
                       R"("attempt_deposit": {}, "success_deposit": {}, "refund": {}, )"
                       R"("failure_cost": {}, "retry_cost": {}, "timeout_cost": {}{}}})",
                       b.capacity.to_string(), b.initial.to_string(), b.tick_refill.to_string(),
                       b.attempt_deposit.to_string(), b.success_deposit.to_string(), b.refund,
                       b.failure_cost.to_string(), b.retry_cost.to_string(),
                       b.timeout_cost.to_string(),
                       b.threshold ? R"(, "threshold": )" + b.threshold->to_string() : "");
                 },
                 [](const ConcurrentBudget& b) {
                   return fmt::format(R"({{"kind": "concurrent", "fraction": {}, "minimum": {}}})",
                                      b.fraction.to_string(), b.minimum);
                 }},
      budget);
}

std::string write(const Breaker& breaker) {
  return fmt::format(R"({{"window": {}, "failures": {}, "open_ticks": {}, "probes": {}}})",
                     breaker.window, breaker.failures, breaker.open_ticks, breaker.probes);
}

// Objects whose members stand on a line each.
class BlockWriter {
 public:
  explicit BlockWriter(int indent) : indent_(indent) {}

  void open(std::string_view name, char bracket) {
    begin_member(name);
    text_ += bracket;
    indent_ += 2;
    is_first_ = true;
  }
  void close(char bracket) {
    indent_ -= 2;
    is_first_ = true;  // no comma before a closing bracket
    begin_line();
    text_ += bracket;
    is_first_ = false;
  }
  void member(std::string_view name, std::string_view value) {
    begin_member(name);
    text_ += value;
  }
  void integer(std::string_view name, std::uint64_t value) { member(name, fmt::to_string(value)); }
  void optional_integer(std::string_view name, const std::optional<std::uint32_t>& value) {
    if (value) {
      integer(name, *value);
    }
  }
  void optional_string(std::string_view name, const std::optional<std::string>& value) {
    if (value) {
      member(name, json_string(*value));
    }
  }

  std::string text() && { return std::move(text_); }

 private:
  void begin_member(std::string_view name) {
    if (!text_.empty()) {
      begin_line();
    }
    if (!name.empty()) {
      text_ += json_string(name);
      text_ += ": ";
    }
    is_first_ = false;
  }
  void begin_line() {
    text_ += is_first_ ? "\n" : ",\n";
    text_.append(static_cast<std::size_t>(indent_), ' ');
  }

  std::string text_;
  int indent_;
  bool is_first_ = true;
};

void write(BlockWriter& out, const Server& server) {
  out.open("server", '{');
  out.integer("capacity", server.capacity);
  out.integer("capacity_window", server.capacity_window);
  out.integer("service_ticks", server.service_ticks);
  out.optional_integer("concurrency", server.concurrency);
  out.integer("queue", server.queue);
  out.member("discipline", json_string(name_of(kDisciplines, server.discipline)));
  out.member("drop_abandoned", server.drop_abandoned ? "true" : "false");
  out.integer("retry_after", server.retry_after);
  out.member("tie_break", json_string(name_of(kTieBreaks, server.tie_break)));
  out.member("outages", write(server.outages));
  out.member("deduplication", write(server.deduplication));
  out.close('}');
}

void write(BlockWriter& out, const ScenarioFaults& faults) {
  out.open("faults", '{');
  if (faults.first_response_lost) {
    out.member("first_response_lost",
               fmt::format(R"({{"every": {}, "offset": {}}})", faults.first_response_lost->every,
                           faults.first_response_lost->offset));
  }
  out.member("response_loss", faults.response_loss.to_string());
  out.member("request_loss", faults.request_loss.to_string());
  out.close('}');
}

void write(BlockWriter& out, const Policy& policy) {
  out.open("", '{');
  out.member("name", json_string(policy.name));
  out.optional_string("description", policy.description);
  out.integer("attempts", policy.attempts);
  out.integer("timeout", policy.timeout);
  out.member("delay", write(policy.delay));
  if (!has_own_jitter(policy.delay)) {
    out.member("jitter", write(policy.jitter));
  }
  out.optional_integer("max_delay", policy.max_delay);
  out.optional_integer("deadline", policy.deadline);
  out.member("on_retry_after", json_string(name_of(kOnRetryAfter, policy.on_retry_after)));
  if (policy.budget) {
    out.member("budget", write(*policy.budget));
  }
  if (policy.breaker) {
    out.member("breaker", write(*policy.breaker));
  }
  out.close('}');
}

void write(BlockWriter& out, const std::vector<Policy>& policies) {
  out.open("policies", '[');
  for (const Policy& policy : policies) {
    write(out, policy);
  }
  out.close(']');
}

}  // namespace

std::string write_scenario(const Scenario& scenario, int indent) {
  BlockWriter out(indent);
  out.open("", '{');
  out.member("retrygarden", "1");
  out.optional_string("$schema", scenario.schema);
  out.optional_string("name", scenario.name);
  out.optional_string("description", scenario.description);
  out.optional_string("tick", scenario.tick);
  out.integer("clients", scenario.clients);
  out.integer("clients_per_host", scenario.clients_per_host);
  out.integer("horizon", scenario.horizon);
  out.integer("seed", scenario.seed);
  out.member("arrivals", write(scenario.arrivals));
  write(out, scenario.server);
  write(out, scenario.faults);
  write(out, scenario.policies);
  out.close('}');
  return std::move(out).text();
}

std::string write_policies(const std::vector<Policy>& policies,
                           const std::optional<Deduplication>& deduplication) {
  BlockWriter out(0);
  out.open("", '{');
  write(out, policies);
  if (deduplication) {
    out.open("server", '{');
    out.member("deduplication", write(*deduplication));
    out.close('}');
  }
  out.close('}');
  return std::move(out).text();
}

}  // namespace retrygarden
