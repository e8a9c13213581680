#include "support/scenario_generator.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "retrygarden/fraction.h"

namespace retrygarden::test {

namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t kLongestDelay = std::uint64_t{1} << 30;

// A whole number from lo to hi, both included; any size of case draws from the whole range.
std::uint64_t number(std::uint64_t lo, std::uint64_t hi) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(lo, hi + 1));
}

bool chance(std::uint64_t one_in) {
  return number(1, one_in) == 1;
}

// Delays that matter within the horizon, at times the longest there are.
std::uint64_t delay_ticks() {
  return chance(40) ? kLongestDelay - number(0, 2) : number(1, 9);
}

std::uint64_t cap_above(std::uint64_t base) {
  return chance(10) ? kLongestDelay : std::min(kLongestDelay, base + number(0, 20));
}

// Marks a string whose text stands in the scenario as it is: a floating-point number would not keep
// it.
constexpr char kVerbatim = '@';

ordered_json fraction(std::uint64_t millionths) {
  return kVerbatim + Fraction::from_millionths(millionths).to_string() + kVerbatim;
}

std::string text_of(const ordered_json& scenario) {
  std::string text = scenario.dump(2);
  for (const std::string& mark : {std::string{'"', kVerbatim}, std::string{kVerbatim, '"'}}) {
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
      text.erase(at, mark.size());
    }
  }
  return text;
}

ordered_json one_of(std::initializer_list<const char*> names) {
  return names.begin()[number(0, names.size() - 1)];
}

ordered_json arrivals(std::uint64_t horizon) {
  switch (number(0, 3)) {
    case 0:
      return {{"kind", "spread"}, {"over", number(1, horizon)}};
    case 1:
      return {{"kind", "random"}, {"over", number(1, horizon)}};
    case 2:
      return {{"kind", "burst"}};
    default:
      return {{"kind", "burst"}, {"at", number(0, horizon - 1)}};
  }
}

ordered_json deduplication() {
  switch (number(0, 2)) {
    case 0:
      return {{"kind", "none"}};
    case 1:
      return {{"kind", "forever"}};
    default:
      return {{"kind", "ttl"}, {"ticks", chance(20) ? 2147483647 : number(1, 12)}};
  }
}

ordered_json outages(std::uint64_t horizon, bool is_plain) {
  ordered_json list = ordered_json::array();
  for (std::uint64_t count = number(0, 3); count > 0; --count) {
    const std::uint64_t ticks = chance(20) ? 2147483647 : number(1, 6);
    ordered_json outage = {{"from", chance(40) ? 2147483647 : number(0, horizon)},
                           {"ticks", ticks}};
    if (!is_plain && !chance(3)) {
      outage["kind"] = one_of({"refuse", "hang", "crash"});
    }
    if (!is_plain && !chance(3)) {
      outage["loses_keys"] = chance(2);
    }
    list.push_back(outage);
  }
  return list;
}

bool has_hang(const ordered_json& server) {
  const ordered_json list = server.value("outages", ordered_json::array());
  return std::any_of(list.begin(), list.end(), [](const ordered_json& outage) {
    return outage.value("kind", "refuse") == "hang";
  });
}

// Some members of the server at a time, so that all combinations come, and none always does.
ordered_json server(std::uint64_t clients, std::uint64_t horizon, bool is_plain) {
  ordered_json server = {{"capacity", chance(10) ? 4294967295 : number(0, clients + 1)}};
  const auto sometimes = [&](const char* name, auto value) {
    if (!is_plain && chance(3)) {
      server[name] = value();
    }
  };
  sometimes("capacity_window", [] { return chance(20) ? 2147483647 : number(1, 6); });
  sometimes("service_ticks", [] { return chance(30) ? kLongestDelay : number(0, 5); });
  sometimes("concurrency", [] { return chance(20) ? 4294967295 : number(1, 4); });
  sometimes("queue", [&] { return chance(10) ? 4294967295 : number(0, clients); });
  sometimes("discipline", [] { return one_of({"fifo", "lifo"}); });
  sometimes("drop_abandoned", [] { return chance(2); });
  sometimes("retry_after", [] { return chance(20) ? kLongestDelay : number(0, 6); });
  sometimes("tie_break", [] { return one_of({"client", "random"}); });
  if (!chance(3)) {
    server["outages"] = outages(horizon, is_plain);
  }
  if (!chance(3)) {
    server["deduplication"] = deduplication();
  }
  return server;
}

ordered_json faults(bool is_plain) {
  ordered_json faults = ordered_json::object();
  if (!chance(3)) {
    const std::uint64_t every = chance(20) ? 4294967295 : number(1, 4);
    ordered_json lost = {{"every", every}};
    if (!chance(3)) {
      lost["offset"] = number(0, std::min<std::uint64_t>(every, 8) - 1);
    }
    faults["first_response_lost"] = lost;
  }
  for (const char* loss : {"response_loss", "request_loss"}) {
    if (!is_plain && chance(3)) {
      faults[loss] = fraction(chance(8) ? 1'000'000 : number(0, 600'000));
    }
  }
  return faults;
}

ordered_json delay() {
  const std::uint64_t base = delay_ticks();
  switch (number(0, 4)) {
    case 0:
      return {{"kind", "fixed"}, {"ticks", base}};
    case 1: {
      const std::uint64_t step = chance(10) ? kLongestDelay : number(0, 4);
      return {{"kind", "linear"}, {"base", base}, {"step", step}, {"cap", cap_above(base)}};
    }
    case 2: {
      ordered_json law = {{"kind", "exponential"}, {"base", base}};
      if (!chance(4)) {
        const std::uint64_t growth =
            chance(5) ? number(1'010'000, 1'000'000'000) : number(1'010'000, 3'000'000);
        law["multiplier"] = fraction(chance(5) ? 1'000'000 : growth);
      }
      law["cap"] = cap_above(base);
      return law;
    }
    case 3: {
      ordered_json ticks = ordered_json::array();
      for (std::uint64_t count = number(1, 5); count > 0; --count) {
        const std::uint64_t shortest = delay_ticks();
        if (chance(4)) {
          ticks.push_back({shortest, cap_above(shortest)});
        } else {
          ticks.push_back(shortest);
        }
      }
      return {{"kind", "list"}, {"ticks", ticks}};
    }
    default:
      return {{"kind", "decorrelated"}, {"base", base}, {"cap", cap_above(base)}};
  }
}

ordered_json jitter() {
  switch (number(0, 4)) {
    case 0:
      return {{"kind", "none"}};
    case 1:
      return {{"kind", "full"}};
    case 2:
      return {{"kind", "equal"}};
    case 3: {
      const std::uint64_t from = chance(3) ? number(0, 8) * 250'000 : number(0, 2'000'000);
      return {{"kind", "scaled"},
              {"from", fraction(from)},
              {"to", fraction(chance(3) ? 2'000'000 : number(from, 2'000'000))}};
    }
    default: {
      const std::uint64_t millionths = chance(3) ? number(0, 4) * 250'000 : number(0, 1'000'000);
      return {{"kind", "proportional"}, {"fraction", fraction(millionths)}};
    }
  }
}

bool has_own_jitter(const ordered_json& delay) {
  const ordered_json entries = delay["kind"] == "list" ? delay["ticks"] : ordered_json::array();
  return delay["kind"] == "decorrelated" ||
         std::any_of(entries.begin(), entries.end(),
                     [](const ordered_json& entry) { return entry.is_array(); });
}

// Of tokens: few, so that buckets run dry and overflow.
ordered_json tokens() {
  return fraction(chance(20)  ? std::uint64_t{1'000'000'000} * 1'000'000
                  : chance(3) ? number(0, 3'000'000)
                              : number(0, 3) * 1'000'000);
}

ordered_json budget() {
  if (chance(3)) {
    return {{"kind", "concurrent"},
            {"fraction", fraction(chance(3) ? number(0, 1'000'000) : number(0, 4) * 250'000)},
            {"minimum", chance(20) ? 4294967295 : number(0, 2)}};
  }
  const std::uint64_t capacity = chance(20) ? 1'000'000'000 : number(0, 4);
  ordered_json budget = {{"kind", "tokens"}, {"capacity", capacity}};
  if (chance(2)) {
    budget["initial"] = fraction(number(0, capacity * 1'000'000));
  }
  for (const char* member : {"tick_refill", "attempt_deposit", "success_deposit", "failure_cost",
                             "retry_cost", "timeout_cost", "threshold"}) {
    if (chance(2)) {
      budget[member] = tokens();
    }
  }
  if (chance(2)) {
    budget["refund"] = chance(2);
  }
  return budget;
}

ordered_json breaker() {
  const std::uint64_t window = chance(20) ? 1'000'000 : number(1, 6);
  return {{"window", window},
          {"failures", number(1, std::min<std::uint64_t>(window, 6))},
          {"open_ticks", chance(20) ? kLongestDelay : number(1, 6)},
          {"probes", chance(20) ? 1'000'000 : number(1, 3)}};
}

ordered_json policy(std::uint64_t index, bool needs_timeout, bool is_plain) {
  ordered_json policy = {{"name", "policy " + std::to_string(index)},
                         {"attempts", chance(10) ? 4294967295 : number(1, 7)}};
  if (needs_timeout || (!is_plain && chance(3))) {
    policy["timeout"] = chance(20) ? kLongestDelay : number(0, 7);
  }
  policy["delay"] = delay();
  if (!has_own_jitter(policy["delay"]) && !chance(4)) {
    policy["jitter"] = jitter();
  }
  if (chance(3)) {
    policy["max_delay"] = delay_ticks();
  }
  if (is_plain) {
    return policy;
  }
  if (chance(4)) {
    policy["deadline"] = chance(20) ? 2147483647 : number(0, 30);
  }
  if (chance(2)) {
    policy["on_retry_after"] = one_of({"ignore", "at_least", "replace"});
  }
  if (chance(2)) {
    policy["budget"] = budget();
  }
  if (chance(2)) {
    policy["breaker"] = breaker();
  }
  return policy;
}

}  // namespace

rc::Gen<std::string> scenario_texts() {
  return rc::gen::exec([] {
    // More than a block of the timing wheel holds, at times.
    const std::uint64_t clients = chance(100)  ? number(61, 400)
                                  : chance(20) ? number(13, 60)
                                               : number(1, 12);
    // Without anything that makes attempts outlive their tick or share more than its capacity.
    const bool is_plain = chance(4);
    const std::uint64_t horizon = chance(50) ? number(1, 2147483647) : number(1, 40);
    ordered_json scenario = {{"retrygarden", 1}, {"clients", clients}, {"horizon", horizon}};
    if (!chance(3)) {
      scenario["clients_per_host"] = chance(20) ? 4294967295 : number(1, 5);
    }
    scenario["seed"] = chance(2) ? number(0, 100) : number(0, (std::uint64_t{1} << 53) - 1);
    if (!chance(4)) {
      scenario["arrivals"] = arrivals(horizon);
    }
    scenario["server"] = server(clients, horizon, is_plain);
    if (!chance(3)) {
      scenario["faults"] = faults(is_plain);
    }
    const bool needs_timeout = scenario["server"].value("service_ticks", 0U) > 0 ||
                               scenario["server"].value("queue", 0U) > 0 ||
                               has_hang(scenario["server"]);
    scenario["policies"] = ordered_json::array();
    for (std::uint64_t i = 0, count = number(1, 2); i < count; ++i) {
      scenario["policies"].push_back(policy(i, needs_timeout, is_plain));
    }
    // Without end, a long horizon of short delays would take minutes.
    if (horizon > 40) {
      for (auto& each : scenario["policies"]) {
        each["attempts"] = number(1, 40);
      }
    }
    if (chance(20)) {
      scenario["tick"] = one_of({"1ns", "20us", "300ms", "4000s", "50000min", "999999h"});
      scenario["policies"][0]["description"] = one_of({"", "kept \"as given\"\n", "再試行"});
    }
    return text_of(scenario);
  });
}

}  // namespace retrygarden::test
