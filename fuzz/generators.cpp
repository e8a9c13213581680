#include "generators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "choices.h"
#include "retrygarden/fraction.h"

namespace retrygarden::fuzz {

namespace {

using nlohmann::ordered_json;

// The ends of the ranges of docs/model.md.
constexpr std::uint64_t kLargestTick = 2147483647;
constexpr std::uint64_t kLargestCount = 4294967295;
constexpr std::uint64_t kLargestSeed = (std::uint64_t{1} << 53) - 1;
constexpr std::uint64_t kLongestDelay = std::uint64_t{1} << 30;

// What keeps runs small: a short horizon, or a small attempt budget below a long one.
constexpr std::uint64_t kMostClients = 8;
constexpr std::uint64_t kShortHorizon = 24;
constexpr std::uint64_t kSmallBudget = 8;

// A string as JSON that holds any code point below 256: the bytes that come, each escaped.
std::string json_string(Choices& choices, std::size_t most) {
  std::string text = "\"";
  for (const char c : choices.bytes(choices.number(0, most))) {
    fmt::format_to(std::back_inserter(text), "\\u{:04x}", static_cast<unsigned char>(c));
  }
  return text + '"';
}

std::string fraction(std::uint64_t millionths) {
  return Fraction::from_millionths(millionths).to_string();
}

std::uint64_t tick_count(Choices& choices) {
  return choices.chance(16) ? kLargestTick - choices.number(0, 2) : choices.number(1, 12);
}

std::string arrivals(Choices& choices, std::uint64_t horizon) {
  // Of a long horizon also its ends.
  const std::uint64_t most = choices.chance(2) ? horizon : std::min(horizon, kShortHorizon);
  switch (choices.number(0, 4)) {
    case 0:
      return "";
    case 1:
      return R"(, "arrivals": {"kind": "burst"})";
    case 2:
      return fmt::format(R"(, "arrivals": {{"at": {}}})", choices.number(0, most - 1));
    case 3:
      return fmt::format(R"(, "arrivals": {{"kind": "spread", "over": {}}})",
                         choices.number(1, most));
    default:
      return fmt::format(R"(, "arrivals": {{"kind": "random", "over": {}}})",
                         choices.number(1, most));
  }
}

std::string outage_kind(Choices& choices) {
  constexpr std::string_view kKinds[] = {"", R"(, "kind": "refuse")", R"(, "kind": "hang")",
                                         R"(, "kind": "crash")"};
  const std::string_view kind = choices.pick(kKinds);
  return fmt::format("{}{}", kind, choices.chance(3) ? R"(, "loses_keys": true)" : "");
}

std::string outages(Choices& choices, std::uint64_t horizon) {
  const std::uint64_t count = choices.number(0, 4);
  if (count == 0) {
    return "";
  }
  std::string text;
  for (std::uint64_t i = 1; i < count; ++i) {
    const std::uint64_t from = choices.chance(16)  ? kLargestTick
                               : choices.chance(4) ? choices.number(0, horizon)
                                                   : choices.number(0, kShortHorizon);
    fmt::format_to(std::back_inserter(text), R"({}{{"from": {}, "ticks": {}{}}})",
                   text.empty() ? "" : ", ", from, tick_count(choices), outage_kind(choices));
  }
  return fmt::format(R"(, "outages": [{}])", text);
}

std::string deduplication(Choices& choices) {
  switch (choices.number(0, 3)) {
    case 0:
      return "";
    case 1:
      return R"(, "deduplication": {"kind": "none"})";
    case 2:
      return R"(, "deduplication": {"kind": "forever"})";
    default:
      return fmt::format(R"(, "deduplication": {{"kind": "ttl", "ticks": {}}})",
                         tick_count(choices));
  }
}

std::string probability(Choices& choices) {
  return fraction(choices.chance(4) ? choices.number(0, 4) * 250'000
                                    : choices.number(0, 1'000'000));
}

std::string faults(Choices& choices) {
  const std::uint64_t kind = choices.number(0, 7);
  if (kind < 2) {
    return kind == 0 ? "" : R"(, "faults": {})";
  }
  const std::uint64_t every =
      choices.chance(16) ? kLargestCount : choices.number(1, kMostClients / 2);
  std::string text = fmt::format(R"("first_response_lost": {{"every": {})", every);
  if (kind > 2) {
    text += fmt::format(R"(, "offset": {})",
                        choices.number(0, std::min<std::uint64_t>(every, 256) - 1));
  }
  text += "}";
  for (const std::string_view loss : {"response_loss", "request_loss"}) {
    if (choices.chance(3)) {
      text += fmt::format(R"(, "{}": {})", loss, probability(choices));
    }
  }
  return fmt::format(R"(, "faults": {{{}}})", text);
}

// A server's members of time and order, each there or not.
std::string server_time(Choices& choices, std::uint64_t clients) {
  std::string text;
  const auto perhaps = [&](std::string_view name, auto value) {
    if (choices.chance(3)) {
      fmt::format_to(std::back_inserter(text), R"(, "{}": {})", name, value());
    }
  };
  perhaps("capacity_window", [&] { return tick_count(choices); });
  perhaps("service_ticks",
          [&] { return choices.chance(16) ? kLongestDelay : choices.number(0, 6); });
  perhaps("concurrency", [&] { return choices.chance(16) ? kLargestCount : choices.number(1, 4); });
  perhaps("queue",
          [&] { return choices.chance(16) ? kLargestCount : choices.number(0, clients + 1); });
  perhaps("discipline", [&] { return choices.chance(4) ? R"("fifo")" : R"("lifo")"; });
  perhaps("drop_abandoned", [&] { return choices.chance(4) ? "false" : "true"; });
  perhaps("retry_after", [&] { return choices.chance(16) ? kLongestDelay : choices.number(0, 7); });
  perhaps("tie_break", [&] { return choices.chance(4) ? R"("client")" : R"("random")"; });
  return text;
}

// Delays that matter within the horizon, at times any there are.
std::uint64_t delay_ticks(Choices& choices) {
  switch (choices.number(0, 15)) {
    case 14:
      return choices.number(1, kLongestDelay);
    case 15:
      return kLongestDelay - choices.number(0, 2);
    default:
      return choices.number(1, 10);
  }
}

std::uint64_t cap_from(Choices& choices, std::uint64_t base) {
  switch (choices.number(0, 7)) {
    case 6:
      return choices.number(base, kLongestDelay);
    case 7:
      return kLongestDelay;
    default:
      return std::min(kLongestDelay, base + choices.number(0, 31));
  }
}

std::string multiplier(Choices& choices) {
  switch (choices.number(0, 5)) {
    case 0:
      return "";
    case 1:
      return R"(, "multiplier": 1)";
    case 2:
      return R"(, "multiplier": 1.5)";
    case 3:
      return fmt::format(R"(, "multiplier": {})", choices.number(2, 1000));
    case 4:
      return fmt::format(R"(, "multiplier": {})", fraction(choices.number(1'010'000, 3'000'000)));
    default:
      return fmt::format(R"(, "multiplier": {})",
                         fraction(choices.number(1'010'000, 1'000'000'000)));
  }
}

std::string jitter(Choices& choices) {
  switch (choices.number(0, 9)) {
    case 0:
      return "";
    case 8:
    case 9: {
      const std::uint64_t from = choices.number(0, 2'000'000);
      return fmt::format(R"(, "jitter": {{"kind": "scaled", "from": {}, "to": {}}})",
                         fraction(from), fraction(choices.number(from, 2'000'000)));
    }
    case 1:
      return R"(, "jitter": {"kind": "none"})";
    case 2:
    case 3:
      return R"(, "jitter": {"kind": "full"})";
    case 4:
      return R"(, "jitter": {"kind": "equal"})";
    case 5:
      return fmt::format(R"(, "jitter": {{"kind": "proportional", "fraction": {}}})",
                         fraction(choices.number(0, 4) * 250'000));
    default:
      return fmt::format(R"(, "jitter": {{"kind": "proportional", "fraction": {}}})",
                         fraction(choices.number(0, 1'000'000)));
  }
}

std::string delay_and_jitter(Choices& choices) {
  const std::uint64_t base = delay_ticks(choices);
  std::string text;
  switch (choices.number(0, 4)) {
    case 0:
      text = fmt::format(R"({{"kind": "fixed", "ticks": {}}})", base);
      break;
    case 1: {
      const std::uint64_t step =
          choices.chance(8) ? choices.number(0, kLongestDelay) : choices.number(0, 4);
      text = fmt::format(R"({{"kind": "linear", "base": {}, "step": {}, "cap": {}}})", base, step,
                         cap_from(choices, base));
      break;
    }
    case 2: {
      const std::string growth = multiplier(choices);
      text = fmt::format(R"({{"kind": "exponential", "base": {}{}, "cap": {}}})", base, growth,
                         cap_from(choices, base));
      break;
    }
    case 3: {
      std::string entries = fmt::to_string(base);
      bool has_pair = false;
      for (std::uint64_t more = choices.number(0, 4); more > 0; --more) {
        const std::uint64_t lo = delay_ticks(choices);
        const bool is_pair = choices.chance(4);
        has_pair = has_pair || is_pair;
        entries += is_pair ? fmt::format(", [{}, {}]", lo, cap_from(choices, lo))
                           : fmt::format(", {}", lo);
      }
      text = fmt::format(R"({{"kind": "list", "ticks": [{}]}})", entries);
      if (has_pair) {
        return text;  // it has its own jitter
      }
      break;
    }
    default:
      return fmt::format(R"({{"kind": "decorrelated", "base": {}, "cap": {}}})", base,
                         cap_from(choices, base));
  }
  return text + jitter(choices);
}

std::string tokens(Choices& choices) {
  return choices.chance(16) ? "1000000000" : fraction(choices.number(0, 12) * 250'000);
}

std::string budget(Choices& choices) {
  if (choices.chance(3)) {
    return fmt::format(R"(, "budget": {{"kind": "concurrent", "fraction": {}, "minimum": {}}})",
                       probability(choices),
                       choices.chance(16) ? kLargestCount : choices.number(0, 3));
  }
  const std::uint64_t capacity = choices.chance(16) ? 1'000'000'000 : choices.number(0, 4);
  std::string text = fmt::format(R"("capacity": {})", capacity);
  if (choices.chance(2)) {
    text += fmt::format(R"(, "initial": {})", fraction(choices.number(0, capacity * 1'000'000)));
  }
  if (choices.chance(2)) {
    text += R"(, "refund": true)";
  }
  for (const std::string_view member :
       {"tick_refill", "attempt_deposit", "success_deposit", "failure_cost", "retry_cost",
        "timeout_cost", "threshold"}) {
    if (choices.chance(2)) {
      text += fmt::format(R"(, "{}": {})", member, tokens(choices));
    }
  }
  return fmt::format(R"(, "budget": {{"kind": "tokens", {}}})", text);
}

std::string breaker(Choices& choices) {
  const std::uint64_t window = choices.chance(16) ? 1'000'000 : choices.number(1, 6);
  return fmt::format(
      R"(, "breaker": {{"window": {}, "failures": {}, "open_ticks": {}, "probes": {}}})", window,
      choices.number(1, std::min<std::uint64_t>(window, 6)),
      choices.chance(16) ? kLongestDelay : choices.number(1, 7), choices.number(1, 4));
}

// A policy's members beside those of delays, each there or not.
std::string policy_limits(Choices& choices, bool needs_timeout) {
  std::string text;
  if (needs_timeout || choices.chance(3)) {
    text += fmt::format(R"(, "timeout": {})",
                        choices.chance(16) ? kLongestDelay : choices.number(0, 8));
  }
  if (choices.chance(4)) {
    text += fmt::format(R"(, "max_delay": {})", delay_ticks(choices));
  }
  if (choices.chance(4)) {
    text += fmt::format(R"(, "deadline": {})",
                        choices.chance(16) ? kLargestTick : choices.number(0, 24));
  }
  if (choices.chance(2)) {
    constexpr std::string_view kValues[] = {"ignore", "at_least", "replace"};
    text += fmt::format(R"(, "on_retry_after": "{}")", choices.pick(kValues));
  }
  text += choices.chance(2) ? budget(choices) : "";
  return text + (choices.chance(2) ? breaker(choices) : "");
}

std::string policy(Choices& choices, std::size_t number, bool has_long_horizon,
                   bool needs_timeout) {
  const std::uint64_t attempts =
      !has_long_horizon && choices.chance(8) ? kLargestCount : choices.number(1, kSmallBudget);
  // The number keeps names distinct.
  const std::string more = choices.chance(8) ? json_string(choices, 6) : "\"\"";
  const std::string delay = delay_and_jitter(choices);
  const std::string limits = policy_limits(choices, needs_timeout);
  const std::string description =
      choices.chance(16) ? fmt::format(R"(, "description": {})", json_string(choices, 6)) : "";
  return fmt::format(R"({{"name": "{}{}, "attempts": {}, "delay": {}{}{}}})", number,
                     std::string_view(more).substr(1), attempts, delay, limits, description);
}

}  // namespace

std::string valid_scenario(std::string_view bytes) {
  Choices choices(bytes);
  const std::uint64_t clients = choices.number(1, kMostClients);
  const bool has_long_horizon = choices.chance(8);
  const std::uint64_t horizon = choices.number(1, has_long_horizon ? kLargestTick : kShortHorizon);
  const std::uint64_t seed =
      choices.chance(4) ? choices.number(0, kLargestSeed) : choices.number(0, 255);
  std::string text = fmt::format(R"({{"retrygarden": 1, "clients": {}, "horizon": {}, "seed": {})",
                                 clients, horizon, seed);
  for (const std::string_view name : {"$schema", "name", "description"}) {
    if (choices.chance(16)) {
      text += fmt::format(R"(, "{}": {})", name, json_string(choices, 6));
    }
  }
  text += arrivals(choices, horizon);
  if (choices.chance(3)) {
    text += fmt::format(R"(, "clients_per_host": {})",
                        choices.chance(16) ? kLargestCount : choices.number(1, 4));
  }
  const std::uint64_t capacity =
      choices.chance(16) ? kLargestCount : choices.number(0, clients + 1);
  const std::string outage_list = outages(choices, horizon);
  const std::string time = choices.chance(3) ? "" : server_time(choices, clients);
  const auto holds = [](const std::string& members, std::string_view word) {
    return members.find(word) != std::string::npos;
  };
  // More often than the page asks for it: 0 counts as well.
  const bool needs_timeout =
      holds(time, "service_ticks") || holds(time, "queue") || holds(outage_list, "hang");
  text += fmt::format(R"(, "server": {{"capacity": {}{}{}{}}})", capacity, outage_list, time,
                      deduplication(choices));
  text += faults(choices);
  text += R"(, "policies": [)" + policy(choices, 0, has_long_horizon, needs_timeout);
  if (choices.chance(2)) {
    text += ", " + policy(choices, 1, has_long_horizon, needs_timeout);
  }
  text += "]";
  if (choices.chance(16)) {
    constexpr std::string_view kTicks[] = {"1ns", "20us", "300ms", "4000s", "50000min", "999999h"};
    text += fmt::format(R"(, "tick": "{}")", choices.pick(kTicks));
  }
  return text + "}";
}

namespace {

// Exports with all kinds of values: fractions, escapes, empty lists, null and numbers of all sizes.
constexpr std::string_view kExported[] = {
    R"({"retrygarden": 1, "clients": 1, "horizon": 1, "seed": 0, "server": {"capacity": 0},
        "policies": [{"name": "a", "attempts": 1, "delay": {"kind": "fixed", "ticks": 1}}]})",
    R"({"retrygarden": 1, "name": "\u00e9\u0001\"/~", "clients": 2, "horizon": 6,
        "seed": 9007199254740991, "arrivals": {"kind": "spread", "over": 2},
        "server": {"capacity": 1, "outages": [{"from": 0, "ticks": 1}],
                   "deduplication": {"kind": "ttl", "ticks": 3}},
        "faults": {"first_response_lost": {"every": 2}},
        "policies": [{"name": "/~", "attempts": 2, "delay": {"kind": "list", "ticks": [1, 2]},
                      "jitter": {"kind": "proportional", "fraction": 0.000001}}]})",
    R"({"retrygarden": 1, "clients": 1, "horizon": 9, "seed": 1,
        "server": {"capacity": 4294967295},
        "faults": {"first_response_lost": {"every": 1}, "request_loss": 0.5},
        "policies": [{"name": "x", "attempts": 4294967295,
                      "delay": {"kind": "exponential", "base": 1, "multiplier": 1.5, "cap": 4},
                      "jitter": {"kind": "full"}},
                     {"name": "y", "attempts": 1,
                      "delay": {"kind": "decorrelated", "base": 2, "cap": 1073741824}}]})",
    R"({"retrygarden": 1, "clients": 2, "clients_per_host": 2, "horizon": 8, "seed": 1,
        "server": {"capacity": 1, "service_ticks": 2, "concurrency": 1, "queue": 1,
                   "outages": [{"from": 3, "ticks": 1, "kind": "crash", "loses_keys": true}]},
        "policies": [{"name": "z", "attempts": 2, "timeout": 3, "deadline": 7, "max_delay": 2,
                      "delay": {"kind": "list", "ticks": [[1, 2], 3]},
                      "budget": {"kind": "tokens", "capacity": 1.5, "threshold": 0.5},
                      "breaker": {"window": 2, "failures": 1, "open_ticks": 1, "probes": 1}}]})",
};

struct DamageableExport {
  ExportDocument document;
  ordered_json tree;
  std::vector<ordered_json::json_pointer> places;  // of all values but the root
};

void collect_places(const ordered_json& value, const ordered_json::json_pointer& place,
                    std::vector<ordered_json::json_pointer>& places) {
  const auto descend = [&](const ordered_json& child, const ordered_json::json_pointer& there) {
    places.push_back(there);
    collect_places(child, there, places);
  };
  if (value.is_object()) {
    for (const auto& [name, child] : value.items()) {
      descend(child, place / name);
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      descend(value[i], place / i);
    }
  }
}

std::vector<DamageableExport> make_exports() {
  std::vector<DamageableExport> exports;
  for (const std::string_view scenario : kExported) {
    DamageableExport& made = exports.emplace_back();
    made.document = export_document_of(scenario);
    made.tree = ordered_json::parse(made.document.text);
    collect_places(made.tree, ordered_json::json_pointer(), made.places);
  }
  return exports;
}

ordered_json some_value(Choices& choices) {
  switch (choices.number(0, 9)) {
    case 0:
      return nullptr;
    case 1:
      return choices.chance(2);
    case 2:
      return choices.number(0, 255);
    case 3:
      return choices.number(0, UINT64_MAX);
    case 4:
      return -static_cast<std::int64_t>(choices.number(1, 255));
    case 5:
      return static_cast<double>(choices.number(0, 255)) / 4;
    case 6:
      return "";
    case 7:
      return std::string(choices.number(1, 3), 'a');
    case 8:
      return ordered_json::array();
    default:
      return ordered_json::object();
  }
}

// Changes one place of the tree, which may leave an equal value: members in another order.
void damage_tree(Choices& choices, ordered_json& tree,
                 const std::vector<ordered_json::json_pointer>& places) {
  const auto& place = places[choices.index(places.size())];
  if (!tree.contains(place)) {
    return;  // an earlier damage removed it
  }
  ordered_json& parent = tree.at(place.parent_pointer());
  ordered_json value =
      parent.is_object() ? parent.at(place.back()) : parent.at(std::stoul(place.back()));
  const std::uint64_t kind = choices.number(0, 5);
  if (kind == 0) {
    tree.at(place) = some_value(choices);
  } else if (kind == 1 && value.is_number_integer()) {
    // Off by one, as a simulator is that is wrong; or the same number with a point.
    tree.at(place) = choices.chance(4) ? ordered_json(value.get<double>())
                                       : ordered_json(value.get<std::int64_t>() + 1);
  } else if (parent.is_object()) {
    if (kind <= 3 || kind == 5) {
      parent.erase(place.back());
    }
    if (kind == 3) {
      parent[place.back()] = std::move(value);  // now the last one
    } else if (kind == 4) {
      parent[choices.chance(2) ? "" : "x"] = some_value(choices);
    } else if (kind == 5) {
      parent[place.back() + "~"] = std::move(value);
    }
  } else if (kind == 2) {
    parent.erase(std::stoul(place.back()));
  } else {
    parent.insert(parent.begin() + static_cast<std::ptrdiff_t>(std::stoul(place.back())),
                  some_value(choices));
  }
}

// Pieces of text that mean something where they happen to fall.
constexpr std::string_view kPieces[] = {"0",
                                        "-",
                                        ".0",
                                        "e0",
                                        "E-1",
                                        ",",
                                        " ",
                                        "\n",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        "\"",
                                        "\\u0061",
                                        "\\",
                                        "null",
                                        "\xEF\xBB\xBF",
                                        "1e-400",
                                        "true",
                                        "\"scenario\": "};

void damage_text(Choices& choices, std::string& text) {
  const std::size_t at = choices.index(text.size() + 1);
  switch (choices.number(0, 4)) {
    case 0:
      text.resize(at);
      break;
    case 1:
      if (at < text.size()) {
        text[at] = static_cast<char>(text[at] ^ (1 << choices.number(0, 7)));
      }
      break;
    case 2:
      text.erase(at, choices.number(1, 64));
      break;
    case 3:
      text.insert(at, choices.pick(kPieces));
      break;
    default:
      text.insert(at, choices.bytes(choices.number(1, 8)));
      break;
  }
}

}  // namespace

DamagedExport damaged_export(std::string_view bytes) {
  static const std::vector<DamageableExport> kExports = make_exports();
  Choices choices(bytes);
  const DamageableExport& original = kExports[choices.index(kExports.size())];
  DamagedExport result{original.document, original.document.text};
  const std::uint64_t kind = choices.number(0, 3);
  if (kind < 3) {
    ordered_json tree = original.tree;
    do {
      damage_tree(choices, tree, original.places);
    } while (choices.chance(4));
    result.damaged = tree.dump(kind == 0 ? 1 : -1);
  }
  if (kind > 1) {
    do {
      damage_text(choices, result.damaged);
    } while (choices.chance(4));
  }
  return result;
}

}  // namespace retrygarden::fuzz
