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

ordered_json outages(std::uint64_t horizon) {
  ordered_json list = ordered_json::array();
  for (std::uint64_t count = number(0, 3); count > 0; --count) {
    const std::uint64_t ticks = chance(20) ? 2147483647 : number(1, 6);
    list.push_back({{"from", chance(40) ? 2147483647 : number(0, horizon)}, {"ticks", ticks}});
  }
  return list;
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
        ticks.push_back(delay_ticks());
      }
      return {{"kind", "list"}, {"ticks", ticks}};
    }
    default:
      return {{"kind", "decorrelated"}, {"base", base}, {"cap", cap_above(base)}};
  }
}

ordered_json jitter() {
  switch (number(0, 3)) {
    case 0:
      return {{"kind", "none"}};
    case 1:
      return {{"kind", "full"}};
    case 2:
      return {{"kind", "equal"}};
    default: {
      const std::uint64_t millionths = chance(3) ? number(0, 4) * 250'000 : number(0, 1'000'000);
      return {{"kind", "proportional"}, {"fraction", fraction(millionths)}};
    }
  }
}

ordered_json policy(std::uint64_t index) {
  ordered_json policy = {{"name", "policy " + std::to_string(index)},
                         {"attempts", chance(10) ? 4294967295 : number(1, 7)},
                         {"delay", delay()}};
  if (policy["delay"]["kind"] != "decorrelated" && !chance(4)) {
    policy["jitter"] = jitter();
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
    const std::uint64_t horizon = chance(50) ? number(1, 2147483647) : number(1, 40);
    ordered_json scenario = {{"retrygarden", 1}, {"clients", clients}, {"horizon", horizon}};
    scenario["seed"] = chance(2) ? number(0, 100) : number(0, (std::uint64_t{1} << 53) - 1);
    if (!chance(4)) {
      scenario["arrivals"] = arrivals(horizon);
    }
    ordered_json server = {{"capacity", chance(10) ? 4294967295 : number(0, clients + 1)}};
    if (!chance(3)) {
      server["outages"] = outages(horizon);
    }
    if (!chance(3)) {
      server["deduplication"] = deduplication();
    }
    scenario["server"] = server;
    if (!chance(3)) {
      const std::uint64_t every = chance(20) ? 4294967295 : number(1, 4);
      ordered_json lost = {{"every", every}};
      if (!chance(3)) {
        lost["offset"] = number(0, std::min<std::uint64_t>(every, 8) - 1);
      }
      scenario["faults"] = {{"first_response_lost", lost}};
    }
    scenario["policies"] = ordered_json::array();
    for (std::uint64_t i = 0, count = number(1, 2); i < count; ++i) {
      scenario["policies"].push_back(policy(i));
    }
    // Without end, a long horizon of short delays would take minutes.
    if (horizon > 40) {
      for (auto& each : scenario["policies"]) {
        each["attempts"] = number(1, 40);
      }
    }
    return text_of(scenario);
  });
}

}  // namespace retrygarden::test
