// Writing a scenario with every default filled in: docs/model.md, section 9.
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "json_text.h"
#include "retrygarden/scenario.h"

namespace retrygarden {

namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

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
    fmt::format_to(std::back_inserter(text), R"({}{{"from": {}, "ticks": {}}})",
                   text.size() == 1 ? "" : ", ", outage.from, outage.ticks);
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
                   return fmt::format(R"({{"kind": "list", "ticks": [{}]}})",
                                      fmt::join(d.ticks, ", "));
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
                 }},
      jitter);
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

}  // namespace

std::string write_scenario(const Scenario& scenario, int indent) {
  BlockWriter out(indent);
  out.open("", '{');
  out.member("retrygarden", "1");
  out.optional_string("$schema", scenario.schema);
  out.optional_string("name", scenario.name);
  out.optional_string("description", scenario.description);
  out.member("clients", fmt::to_string(scenario.clients));
  out.member("horizon", fmt::to_string(scenario.horizon));
  out.member("seed", fmt::to_string(scenario.seed));
  out.member("arrivals", write(scenario.arrivals));
  out.open("server", '{');
  out.member("capacity", fmt::to_string(scenario.server.capacity));
  out.member("outages", write(scenario.server.outages));
  out.member("deduplication", write(scenario.server.deduplication));
  out.close('}');
  if (scenario.first_response_lost) {
    out.open("faults", '{');
    out.member("first_response_lost",
               fmt::format(R"({{"every": {}, "offset": {}}})", scenario.first_response_lost->every,
                           scenario.first_response_lost->offset));
    out.close('}');
  }
  out.open("policies", '[');
  for (const Policy& policy : scenario.policies) {
    out.open("", '{');
    out.member("name", json_string(policy.name));
    out.member("attempts", fmt::to_string(policy.attempts));
    out.member("delay", write(policy.delay));
    if (!std::holds_alternative<DecorrelatedDelay>(policy.delay)) {
      out.member("jitter", write(policy.jitter));
    }
    out.close('}');
  }
  out.close(']');
  out.close('}');
  return std::move(out).text();
}

}  // namespace retrygarden
