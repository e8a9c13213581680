// Reads a scenario from its text and refuses everything that section 2 calls an error.

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <initializer_list>
#include <set>

#include "json_text.h"
#include "reference_model/reference_model.h"
#include "scenario.h"

namespace reference_model {
namespace {

using boost::multiprecision::cpp_int;
using Type = JsonValue::Type;

// The ends of the ranges in the tables.
constexpr std::int64_t largest_count = (std::int64_t{1} << 32) - 1;
constexpr std::int64_t largest_tick = (std::int64_t{1} << 31) - 1;
constexpr std::int64_t largest_seed = (std::int64_t{1} << 53) - 1;
constexpr std::int64_t largest_delay = std::int64_t{1} << 30;
constexpr std::size_t most_policies = 64;

constexpr std::int64_t one = 1'000'000;  // in millionths
constexpr std::size_t most_decimals = 6;

// A value and where it stands (a JSON Pointer), for messages.
struct Place {
  const JsonValue& value;
  std::string pointer;
};

[[noreturn]] void refuse(const std::string& pointer, const std::string& fault) {
  throw InvalidScenario("\"" + pointer + "\": " + fault);
}

// RFC 6901: "~" and "/" within a name are written "~0" and "~1".
std::string child_pointer(const std::string& parent, std::string_view name) {
  std::string pointer = parent + "/";
  for (const char c : name) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

// An object of which exactly the members `known` are allowed, each at most once.
class Members {
 public:
  Members(const Place& object, std::initializer_list<std::string_view> known) : object_(object) {
    if (object.value.type != Type::object) {
      refuse(object.pointer, "must be an object");
    }
    std::set<std::string_view> seen;
    for (const std::string& name : object.value.names) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        refuse(child_pointer(object.pointer, name), "unknown member");
      }
      if (!seen.insert(name).second) {
        refuse(child_pointer(object.pointer, name), "the member stands twice");
      }
    }
  }

  std::optional<Place> optional(std::string_view name) const {
    for (std::size_t i = 0; i < object_.value.names.size(); ++i) {
      if (object_.value.names[i] == name) {
        return Place{object_.value.children[i], child_pointer(object_.pointer, name)};
      }
    }
    return std::nullopt;
  }

  Place required(std::string_view name) const {
    const std::optional<Place> member = optional(name);
    if (!member) {
      refuse(child_pointer(object_.pointer, name), "the member is required");
    }
    return *member;
  }

 private:
  Place object_;
};

cpp_int value_of_digits(std::string_view digits) {
  cpp_int value = 0;
  for (const char digit : digits) {
    value = value * 10 + (digit - '0');
  }
  return value;
}

// Section 2: "An integer is a JSON number without fraction and without exponent, within its range."
std::int64_t read_integer(const Place& place, std::int64_t from, std::int64_t to) {
  std::string_view text = place.value.text;
  if (place.value.type != Type::number || text.find_first_of(".eE") != std::string_view::npos) {
    refuse(place.pointer, "must be an integer, without fraction and exponent");
  }
  const bool negative = text.starts_with('-');
  if (negative) {
    text.remove_prefix(1);
  }
  const cpp_int magnitude = value_of_digits(text);
  const cpp_int value = negative ? cpp_int(-magnitude) : magnitude;
  if (value < from || value > to) {
    refuse(place.pointer, "must be from " + std::to_string(from) + " to " + std::to_string(to));
  }
  return value.convert_to<std::int64_t>();
}

// Section 2: "A fraction ... is a JSON number without exponent and with at most six digits after
// the point."
cpp_int read_millionths(const Place& place) {
  std::string_view text = place.value.text;
  if (place.value.type != Type::number || text.find_first_of("eE") != std::string_view::npos) {
    refuse(place.pointer, "must be a number without exponent");
  }
  const bool negative = text.starts_with('-');
  if (negative) {
    text.remove_prefix(1);
  }
  const std::size_t point = text.find('.');
  const bool has_point = point != std::string_view::npos;
  std::string decimals(has_point ? text.substr(point + 1) : std::string_view());
  if (decimals.size() > most_decimals) {
    refuse(place.pointer, "must have at most six digits after the point");
  }
  decimals.resize(most_decimals, '0');
  const cpp_int magnitude =
      value_of_digits(text.substr(0, point)) * one + value_of_digits(decimals);
  return negative ? cpp_int(-magnitude) : magnitude;
}

std::string read_string(const Place& place) {
  if (place.value.type != Type::string) {
    refuse(place.pointer, "must be a string");
  }
  return place.value.text;
}

std::vector<Place> read_list(const Place& place) {
  if (place.value.type != Type::list) {
    refuse(place.pointer, "must be a list");
  }
  std::vector<Place> entries;
  for (std::size_t i = 0; i < place.value.children.size(); ++i) {
    entries.push_back({place.value.children[i], child_pointer(place.pointer, std::to_string(i))});
  }
  return entries;
}

// The `kind` of an object, nothing if it has none. Which further members are allowed depends on it,
// so they are checked afterwards.
std::optional<std::string> find_kind(const Place& object) {
  if (object.value.type != Type::object) {
    refuse(object.pointer, "must be an object");
  }
  const std::vector<std::string>& names = object.value.names;
  const auto found = std::find(names.begin(), names.end(), "kind");
  if (found == names.end()) {
    return std::nullopt;
  }
  const auto index = static_cast<std::size_t>(found - names.begin());
  return read_string({object.value.children[index], child_pointer(object.pointer, "kind")});
}

std::string required_kind(const Place& object) {
  const std::optional<std::string> kind = find_kind(object);
  if (!kind) {
    refuse(child_pointer(object.pointer, "kind"), "the member is required");
  }
  return *kind;
}

[[noreturn]] void refuse_kind(const Place& object) {
  refuse(child_pointer(object.pointer, "kind"), "unknown kind");
}

// Section 3.
Arrivals read_arrivals(const Place& place, std::int64_t horizon) {
  // Section 2: "its `kind` has the default `burst`".
  const std::string kind = find_kind(place).value_or("burst");
  if (kind == "burst") {
    const Members members(place, {"kind", "at"});
    const std::optional<Place> at = members.optional("at");
    return BurstArrivals{at ? read_integer(*at, 0, horizon - 1) : 0};
  }
  if (kind == "spread") {
    const Members members(place, {"kind", "over"});
    return SpreadArrivals{read_integer(members.required("over"), 1, horizon)};
  }
  if (kind == "random") {
    const Members members(place, {"kind", "over"});
    return RandomArrivals{read_integer(members.required("over"), 1, horizon)};
  }
  refuse_kind(place);
}

Deduplication read_deduplication(const Place& place) {
  const std::string kind = required_kind(place);
  if (kind == "none") {
    const Members members(place, {"kind"});
    return NoDeduplication{};
  }
  if (kind == "forever") {
    const Members members(place, {"kind"});
    return ForeverDeduplication{};
  }
  if (kind == "ttl") {
    const Members members(place, {"kind", "ticks"});
    return TtlDeduplication{read_integer(members.required("ticks"), 1, largest_tick)};
  }
  refuse_kind(place);
}

Server read_server(const Place& place) {
  const Members members(place, {"capacity", "outages", "deduplication"});
  Server server;
  server.capacity = read_integer(members.required("capacity"), 0, largest_count);
  if (const std::optional<Place> outages = members.optional("outages")) {
    for (const Place& entry : read_list(*outages)) {
      const Members outage(entry, {"from", "ticks"});
      server.outages.push_back({read_integer(outage.required("from"), 0, largest_tick),
                                read_integer(outage.required("ticks"), 1, largest_tick)});
    }
  }
  if (const std::optional<Place> deduplication = members.optional("deduplication")) {
    server.deduplication = read_deduplication(*deduplication);
  }
  return server;
}

std::optional<FirstResponseLost> read_faults(const Place& place) {
  const Members faults(place, {"first_response_lost"});
  const std::optional<Place> lost = faults.optional("first_response_lost");
  if (!lost) {
    return std::nullopt;
  }
  const Members members(*lost, {"every", "offset"});
  const std::int64_t every = read_integer(members.required("every"), 1, largest_count);
  const std::optional<Place> offset = members.optional("offset");
  return FirstResponseLost{every, offset ? read_integer(*offset, 0, every - 1) : 0};
}

// Section 6: "`ticks`, `base`, `cap` and the entries are 1 ... 2^30".
std::int64_t read_ticks(const Place& place) {
  return read_integer(place, 1, largest_delay);
}

// Section 6: "cap >= base".
std::int64_t read_cap(const Place& place, std::int64_t base) {
  const std::int64_t cap = read_ticks(place);
  if (cap < base) {
    refuse(place.pointer, "must not be less than base");
  }
  return cap;
}

// Section 6: "`multiplier` is 1 or 1.01 ... 1000".
Fraction read_multiplier(const Place& place) {
  const cpp_int millionths = read_millionths(place);
  const bool in_range = millionths >= one + one / 100 && millionths <= 1000 * one;
  if (millionths != one && !in_range) {
    refuse(place.pointer, "must be 1, or from 1.01 to 1000");
  }
  return {millionths.convert_to<std::int64_t>()};
}

Delay read_delay(const Place& place) {
  const std::string kind = required_kind(place);
  if (kind == "fixed") {
    const Members members(place, {"kind", "ticks"});
    return FixedDelay{read_ticks(members.required("ticks"))};
  }
  if (kind == "linear") {
    const Members members(place, {"kind", "base", "step", "cap"});
    const std::int64_t base = read_ticks(members.required("base"));
    const std::int64_t step = read_integer(members.required("step"), 0, largest_delay);
    return LinearDelay{base, step, read_cap(members.required("cap"), base)};
  }
  if (kind == "exponential") {
    const Members members(place, {"kind", "base", "multiplier", "cap"});
    const std::int64_t base = read_ticks(members.required("base"));
    const std::optional<Place> multiplier = members.optional("multiplier");
    return ExponentialDelay{base, multiplier ? read_multiplier(*multiplier) : Fraction{2 * one},
                            read_cap(members.required("cap"), base)};
  }
  if (kind == "list") {
    const Members members(place, {"kind", "ticks"});
    const Place ticks = members.required("ticks");
    ListDelay list;
    for (const Place& entry : read_list(ticks)) {
      list.ticks.push_back(read_ticks(entry));
    }
    if (list.ticks.empty()) {
      refuse(ticks.pointer, "must have at least one entry");
    }
    return list;
  }
  if (kind == "decorrelated") {
    const Members members(place, {"kind", "base", "cap"});
    const std::int64_t base = read_ticks(members.required("base"));
    return DecorrelatedDelay{base, read_cap(members.required("cap"), base)};
  }
  refuse_kind(place);
}

Jitter read_jitter(const Place& place) {
  const std::string kind = required_kind(place);
  if (kind == "none") {
    const Members members(place, {"kind"});
    return NoJitter{};
  }
  if (kind == "full") {
    const Members members(place, {"kind"});
    return FullJitter{};
  }
  if (kind == "equal") {
    const Members members(place, {"kind"});
    return EqualJitter{};
  }
  if (kind == "proportional") {
    const Members members(place, {"kind", "fraction"});
    const Place fraction = members.required("fraction");
    const cpp_int millionths = read_millionths(fraction);
    if (millionths < 0 || millionths > one) {
      refuse(fraction.pointer, "must be from 0 to 1");
    }
    return ProportionalJitter{{millionths.convert_to<std::int64_t>()}};
  }
  refuse_kind(place);
}

Policy read_policy(const Place& place) {
  const Members members(place, {"name", "attempts", "delay", "jitter"});
  Policy policy;
  const Place name = members.required("name");
  policy.name = read_string(name);
  if (policy.name.empty()) {
    refuse(name.pointer, "must not be empty");
  }
  policy.attempts = read_integer(members.required("attempts"), 1, largest_count);
  policy.delay = read_delay(members.required("delay"));
  const std::optional<Place> jitter = members.optional("jitter");
  // Section 6: "a policy with it has no `jitter` member, and none is filled in".
  if (std::holds_alternative<DecorrelatedDelay>(policy.delay)) {
    if (jitter) {
      refuse(jitter->pointer, "a decorrelated delay has no jitter");
    }
  } else {
    policy.jitter = jitter ? read_jitter(*jitter) : NoJitter{};
  }
  return policy;
}

std::vector<Policy> read_policies(const Place& place) {
  const std::vector<Place> entries = read_list(place);
  if (entries.empty() || entries.size() > most_policies) {
    refuse(place.pointer, "must have from 1 to 64 entries");
  }
  std::vector<Policy> policies;
  std::set<std::string> names;
  for (const Place& entry : entries) {
    policies.push_back(read_policy(entry));
    if (!names.insert(policies.back().name).second) {
      refuse(child_pointer(entry.pointer, "name"), "an earlier policy has the same name");
    }
  }
  return policies;
}

std::optional<std::string> read_optional_string(const std::optional<Place>& place) {
  return place ? std::optional(read_string(*place)) : std::nullopt;
}

}  // namespace

Scenario read_scenario(std::string_view text) {
  const JsonValue root = parse_json_text(text);
  const Members members(
      {root, ""}, {"retrygarden", "$schema", "name", "description", "clients", "horizon", "seed",
                   "arrivals", "server", "faults", "policies"});
  read_integer(members.required("retrygarden"), 1, 1);
  Scenario scenario;
  scenario.schema = read_optional_string(members.optional("$schema"));
  scenario.name = read_optional_string(members.optional("name"));
  scenario.description = read_optional_string(members.optional("description"));
  scenario.clients = read_integer(members.required("clients"), 1, largest_count);
  scenario.horizon = read_integer(members.required("horizon"), 1, largest_tick);
  scenario.seed = read_integer(members.required("seed"), 0, largest_seed);
  if (const std::optional<Place> arrivals = members.optional("arrivals")) {
    scenario.arrivals = read_arrivals(*arrivals, scenario.horizon);
  }
  scenario.server = read_server(members.required("server"));
  if (const std::optional<Place> faults = members.optional("faults")) {
    scenario.first_response_lost = read_faults(*faults);
  }
  scenario.policies = read_policies(members.required("policies"));
  return scenario;
}

}  // namespace reference_model
