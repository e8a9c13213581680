// Reading and validating a scenario: docs/model.md, sections 2, 3 and 6.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "retrygarden/json.h"
#include "retrygarden/scenario.h"

namespace retrygarden {

namespace {

constexpr std::uint64_t kMaxTicks = (std::uint64_t{1} << 31) - 1;
constexpr std::uint64_t kMaxCount = (std::uint64_t{1} << 32) - 1;
constexpr std::uint64_t kMaxSeed = (std::uint64_t{1} << 53) - 1;
constexpr std::uint64_t kMaxDelay = std::uint64_t{1} << 30;
constexpr std::size_t kMaxPolicies = 64;
constexpr Fraction kSmallestGrowth = Fraction::from_millionths(1'010'000);
constexpr Fraction kLargestGrowth = Fraction::from_millionths(1'000'000'000);
constexpr Fraction kOne = Fraction::from_millionths(Fraction::kOne);

struct Range {
  std::uint64_t min;
  std::uint64_t max;
  std::string_view reason = {};  // where the bound is another member's

  bool contains(std::uint64_t value) const { return min <= value && value <= max; }
  std::string to_string() const {
    if (min == max) {
      return fmt::format("the integer {}", min);
    }
    return fmt::format("an integer from {} to {}{}{}", min, max, reason.empty() ? "" : ", ",
                       reason);
  }
};

// The value of the text of a JSON integer; nothing if it is negative or beyond 64 bits.
std::optional<std::uint64_t> unsigned_value(std::string_view text) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> integer_in(const Json& json, const Range& range) {
  const auto* number = std::get_if<JsonNumber>(&json.value);
  if (number == nullptr || !is_integer_text(number->text)) {
    return std::nullopt;
  }
  const auto value = unsigned_value(number->text);
  return value && range.contains(*value) ? value : std::nullopt;
}

void add(Faults& faults, std::string pointer, std::string_view expected, std::string found) {
  if (faults.size() < kMaxFaults) {
    faults.push_back({{}, std::move(pointer), std::string(expected), std::move(found)});
  }
}

// Takes the members of one object by name. What does not fit is added to the faults, and a value
// that fits takes its place, so that reading goes on and finds every fault. Members never asked for
// are faults too: call finish() when all are taken.
class ObjectReader {
 public:
  ObjectReader(const Json& json, std::string pointer, Faults& faults)
      : pointer_(std::move(pointer)), faults_(faults) {
    members_ = std::get_if<Json::Object>(&json.value);
    if (members_ == nullptr) {
      add_fault(pointer_, "an object", describe(json));
    } else {
      taken_.resize(members_->size());
    }
  }

  // A required integer.
  std::uint64_t integer(std::string_view name, const Range& range) {
    return integer(name, range, take(name, false, range.to_string()), range.min);
  }

  // A required integer whose range fits 32 bits.
  std::uint32_t count(std::string_view name, const Range& range) {
    return static_cast<std::uint32_t>(integer(name, range));
  }

  // The same with a default.
  std::uint32_t count(std::string_view name, const Range& range, std::uint32_t otherwise) {
    return static_cast<std::uint32_t>(
        integer(name, range, take(name, true, range.to_string()), otherwise));
  }

  template <class Accepts>
  Fraction fraction(std::string_view name, std::string_view expected, Accepts accepts,
                    std::optional<Fraction> otherwise = {}) {
    const Json* json = take(name, otherwise.has_value(), expected);
    if (json == nullptr) {
      return otherwise.value_or(kOne);
    }
    const auto* number = std::get_if<JsonNumber>(&json->value);
    const auto value = number == nullptr ? std::nullopt : Fraction::parse(number->text);
    if (!value || !accepts(*value)) {
      add_fault(pointer_to(pointer_, name), expected, describe(*json));
      return kOne;
    }
    return *value;
  }

  std::optional<std::string> optional_string(std::string_view name) {
    const Json* json = take(name, true, "");
    if (json == nullptr) {
      return std::nullopt;
    }
    const auto* text = std::get_if<std::string>(&json->value);
    if (text == nullptr) {
      add_fault(pointer_to(pointer_, name), "a string", describe(*json));
      return std::nullopt;
    }
    return *text;
  }

  // The object's kind: an index into kinds. After an unknown kind nobody can tell which other
  // members belong, so they are not judged.
  std::optional<std::size_t> kind(std::span<const std::string_view> kinds,
                                  std::optional<std::size_t> otherwise = {}) {
    const std::string expected = fmt::format("one of \"{}\"", fmt::join(kinds, "\", \""));
    const Json* json = take("kind", otherwise.has_value(), expected);
    if (json == nullptr) {
      judges_rest_ = otherwise.has_value();
      return otherwise;
    }
    const auto* text = std::get_if<std::string>(&json->value);
    const auto it = text == nullptr ? kinds.end() : std::find(kinds.begin(), kinds.end(), *text);
    if (it == kinds.end()) {
      add_fault(pointer_to(pointer_, "kind"), expected, describe(*json));
      judges_rest_ = false;
      return std::nullopt;
    }
    return static_cast<std::size_t>(it - kinds.begin());
  }

  // A member that is read elsewhere; null if it is absent, which is a fault where it is required.
  const Json* optional(std::string_view name) { return take(name, true, ""); }
  const Json* required(std::string_view name, std::string_view expected) {
    return take(name, false, expected);
  }

  std::string pointer(std::string_view name) const { return pointer_to(pointer_, name); }

  void finish() {
    if (members_ == nullptr || !judges_rest_) {
      return;
    }
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (!taken_[i]) {
        const JsonMember& member = (*members_)[i];
        add_fault(pointer_to(pointer_, member.name),
                  fmt::format("only the members {}", fmt::join(asked_, ", ")),
                  fmt::format("a member \"{}\"", printable(member.name, 60)));
      }
    }
  }

 private:
  const Json* take(std::string_view name, bool may_be_absent, std::string_view expected) {
    if (members_ == nullptr) {
      return nullptr;
    }
    asked_.emplace_back(name);
    for (std::size_t i = 0; i < members_->size(); ++i) {
      if ((*members_)[i].name == name) {
        taken_[i] = true;
        return &(*members_)[i].value;
      }
    }
    if (!may_be_absent) {
      add_fault(pointer_to(pointer_, name), expected, "nothing");
    }
    return nullptr;
  }

  std::uint64_t integer(std::string_view name, const Range& range, const Json* json,
                        std::uint64_t otherwise) {
    if (json == nullptr) {
      return otherwise;
    }
    const auto value = integer_in(*json, range);
    if (!value) {
      add_fault(pointer_to(pointer_, name), range.to_string(), describe(*json));
    }
    return value.value_or(range.min);
  }

  void add_fault(std::string pointer, std::string_view expected, std::string found) {
    add(faults_, std::move(pointer), expected, std::move(found));
  }

  std::string pointer_;
  Faults& faults_;
  const Json::Object* members_ = nullptr;
  std::vector<bool> taken_;
  std::vector<std::string_view> asked_;
  bool judges_rest_ = true;
};

constexpr Range kDelayTicks{1, kMaxDelay};

class ScenarioReader {
 public:
  explicit ScenarioReader(Faults& faults) : faults_(faults) {}

  Scenario read(const Json& json, std::string_view pointer) {
    ObjectReader object(json, std::string(pointer), faults_);
    Scenario scenario;
    object.integer("retrygarden", {1, 1});
    scenario.schema = object.optional_string("$schema");
    scenario.name = object.optional_string("name");
    scenario.description = object.optional_string("description");
    scenario.clients = object.count("clients", {1, kMaxCount});
    const std::size_t faults_before = faults_.size();
    scenario.horizon = object.count("horizon", {1, kMaxTicks});
    // A wrong horizon must not make times look wrong that depend on it.
    horizon_limit_ = faults_.size() == faults_before ? scenario.horizon : kMaxTicks;
    scenario.seed = object.integer("seed", {0, kMaxSeed});
    if (const Json* arrivals = object.optional("arrivals")) {
      scenario.arrivals = read_arrivals(*arrivals, object.pointer("arrivals"));
    }
    if (const Json* server = object.required("server", "an object")) {
      scenario.server = read_server(*server, object.pointer("server"));
    }
    if (const Json* faults = object.optional("faults")) {
      scenario.first_response_lost = read_faults(*faults, object.pointer("faults"));
    }
    if (const Json* policies = object.required("policies", kPoliciesExpected)) {
      scenario.policies = read_policies(*policies, object.pointer("policies"));
    }
    object.finish();
    return scenario;
  }

 private:
  static constexpr std::string_view kPoliciesExpected = "a list of 1 to 64 policies";

  Arrivals read_arrivals(const Json& json, std::string pointer) {
    static constexpr std::string_view kKinds[] = {"burst", "spread", "random"};
    ObjectReader object(json, std::move(pointer), faults_);
    Arrivals arrivals;
    const Range over{1, horizon_limit_, "the horizon"};
    switch (object.kind(kKinds, 0).value_or(std::size(kKinds))) {
      case 0:
        arrivals =
            BurstArrivals{object.count("at", {0, horizon_limit_ - 1, "below the horizon"}, 0)};
        break;
      case 1:
        arrivals = SpreadArrivals{object.count("over", over)};
        break;
      case 2:
        arrivals = RandomArrivals{object.count("over", over)};
        break;
      default:
        break;
    }
    object.finish();
    return arrivals;
  }

  Server read_server(const Json& json, std::string pointer) {
    ObjectReader object(json, std::move(pointer), faults_);
    Server server;
    server.capacity = object.count("capacity", {0, kMaxCount});
    if (const Json* outages = object.optional("outages")) {
      server.outages = read_outages(*outages, object.pointer("outages"));
    }
    if (const Json* deduplication = object.optional("deduplication")) {
      server.deduplication = read_deduplication(*deduplication, object.pointer("deduplication"));
    }
    object.finish();
    return server;
  }

  std::vector<Outage> read_outages(const Json& json, const std::string& pointer) {
    std::vector<Outage> outages;
    for_each(json, pointer, "a list of outages", [&](const Json& item, std::string place) {
      ObjectReader object(item, std::move(place), faults_);
      Outage& outage = outages.emplace_back();
      outage.from = object.count("from", {0, kMaxTicks});
      outage.ticks = object.count("ticks", {1, kMaxTicks});
      object.finish();
    });
    return outages;
  }

  Deduplication read_deduplication(const Json& json, std::string pointer) {
    static constexpr std::string_view kKinds[] = {"none", "forever", "ttl"};
    ObjectReader object(json, std::move(pointer), faults_);
    Deduplication deduplication;
    switch (object.kind(kKinds).value_or(0)) {
      case 1:
        deduplication = DeduplicationForever{};
        break;
      case 2:
        deduplication = DeduplicationTtl{object.count("ticks", {1, kMaxTicks})};
        break;
      default:
        break;
    }
    object.finish();
    return deduplication;
  }

  std::optional<FirstResponseLost> read_faults(const Json& json, std::string pointer) {
    ObjectReader object(json, std::move(pointer), faults_);
    std::optional<FirstResponseLost> result;
    if (const Json* lost = object.optional("first_response_lost")) {
      ObjectReader inner(*lost, object.pointer("first_response_lost"), faults_);
      const std::size_t faults_before = faults_.size();
      const std::uint32_t every = inner.count("every", {1, kMaxCount});
      const std::uint64_t offset_limit = faults_.size() == faults_before ? every : kMaxCount;
      result = {every, inner.count("offset", {0, offset_limit - 1, "below `every`"}, 0)};
      inner.finish();
    }
    object.finish();
    return result;
  }

  std::vector<Policy> read_policies(const Json& json, const std::string& pointer) {
    std::vector<Policy> policies;
    std::map<std::string, std::string> places_by_name;
    const std::size_t count =
        for_each(json, pointer, kPoliciesExpected, [&](const Json& item, const std::string& place) {
          ObjectReader object(item, place, faults_);
          Policy& policy = policies.emplace_back();
          if (const Json* name = object.required("name", "a string that is not empty")) {
            policy.name = read_policy_name(*name, object.pointer("name"), places_by_name);
          }
          policy.attempts = object.count("attempts", {1, kMaxCount});
          if (const Json* delay = object.required("delay", "an object")) {
            policy.delay = read_delay(*delay, object.pointer("delay"));
          }
          if (!std::holds_alternative<DecorrelatedDelay>(policy.delay)) {
            if (const Json* jitter = object.optional("jitter")) {
              policy.jitter = read_jitter(*jitter, object.pointer("jitter"));
            }
          } else if (const Json* jitter = object.optional("jitter")) {
            add_fault(object.pointer("jitter"),
                      "no jitter beside decorrelated delays, which have their own",
                      describe(*jitter));
          }
          object.finish();
        });
    if (std::holds_alternative<Json::Array>(json.value) && (count < 1 || count > kMaxPolicies)) {
      add_fault(pointer, kPoliciesExpected, fmt::format("{} of them", count));
    }
    return policies;
  }

  std::string read_policy_name(const Json& json, const std::string& pointer,
                               std::map<std::string, std::string>& places_by_name) {
    const auto* name = std::get_if<std::string>(&json.value);
    if (name == nullptr || name->empty()) {
      add_fault(pointer, "a string that is not empty", describe(json));
      return "";
    }
    const auto [it, is_new] = places_by_name.emplace(*name, pointer);
    if (!is_new) {
      add_fault(pointer, "a name that no other policy has",
                fmt::format("{}, as at {}", describe(json), it->second));
    }
    return *name;
  }

  Delay read_delay(const Json& json, std::string pointer) {
    static constexpr std::string_view kKinds[] = {"fixed", "linear", "exponential", "list",
                                                  "decorrelated"};
    ObjectReader object(json, std::move(pointer), faults_);
    Delay delay;
    switch (object.kind(kKinds).value_or(std::size(kKinds))) {
      case 0:
        delay = FixedDelay{object.count("ticks", kDelayTicks)};
        break;
      case 1:
        delay = read_linear(object);
        break;
      case 2:
        delay = read_exponential(object);
        break;
      case 3:
        delay = ListDelay{read_ticks_list(object)};
        break;
      case 4:
        delay = read_decorrelated(object);
        break;
      default:
        break;
    }
    object.finish();
    return delay;
  }

  static LinearDelay read_linear(ObjectReader& object) {
    const std::uint32_t base = object.count("base", kDelayTicks);
    const std::uint32_t step = object.count("step", {0, kMaxDelay});
    return {base, step, read_cap(object, base)};
  }

  static ExponentialDelay read_exponential(ObjectReader& object) {
    const std::uint32_t base = object.count("base", kDelayTicks);
    const Fraction multiplier = object.fraction(
        "multiplier", "1, or a number from 1.01 to 1000, with at most six decimals",
        [](Fraction value) {
          return value == kOne || (kSmallestGrowth <= value && value <= kLargestGrowth);
        },
        Fraction::from_millionths(2'000'000));
    return {base, multiplier, read_cap(object, base)};
  }

  static DecorrelatedDelay read_decorrelated(ObjectReader& object) {
    const std::uint32_t base = object.count("base", kDelayTicks);
    return {base, read_cap(object, base)};
  }

  static std::uint32_t read_cap(ObjectReader& object, std::uint32_t base) {
    return object.count("cap", {base, kMaxDelay, "not below `base`"});
  }

  std::vector<std::uint32_t> read_ticks_list(ObjectReader& object) {
    static constexpr std::string_view kExpected = "a list of at least one delay";
    std::vector<std::uint32_t> ticks;
    if (const Json* list = object.required("ticks", kExpected)) {
      const std::size_t count =
          for_each(*list, object.pointer("ticks"), kExpected,
                   [&](const Json& item, const std::string& place) {
                     const auto value = integer_in(item, kDelayTicks);
                     if (!value) {
                       add_fault(place, kDelayTicks.to_string(), describe(item));
                     }
                     ticks.push_back(static_cast<std::uint32_t>(value.value_or(kDelayTicks.min)));
                   });
      if (std::holds_alternative<Json::Array>(list->value) && count == 0) {
        add_fault(object.pointer("ticks"), kExpected, "an empty list");
      }
    }
    return ticks;
  }

  Jitter read_jitter(const Json& json, std::string pointer) {
    static constexpr std::string_view kKinds[] = {"none", "full", "equal", "proportional"};
    ObjectReader object(json, std::move(pointer), faults_);
    Jitter jitter;
    switch (object.kind(kKinds).value_or(0)) {
      case 1:
        jitter = FullJitter{};
        break;
      case 2:
        jitter = EqualJitter{};
        break;
      case 3:
        jitter = ProportionalJitter{
            object.fraction("fraction", "a number from 0 to 1, with at most six decimals",
                            [](Fraction value) { return value <= kOne; })};
        break;
      default:
        break;
    }
    object.finish();
    return jitter;
  }

  // Calls visit(item, pointer) for each element; returns how many there are.
  template <class Visit>
  std::size_t for_each(const Json& json, const std::string& pointer, std::string_view expected,
                       Visit visit) {
    const auto* list = std::get_if<Json::Array>(&json.value);
    if (list == nullptr) {
      add_fault(pointer, expected, describe(json));
      return 0;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      visit((*list)[i], pointer_to(pointer, i));
    }
    return list->size();
  }

  void add_fault(std::string pointer, std::string_view expected, std::string found) {
    add(faults_, std::move(pointer), expected, std::move(found));
  }

  Faults& faults_;
  std::uint64_t horizon_limit_ = kMaxTicks;
};

}  // namespace

tl::expected<Scenario, Faults> read_scenario(std::string_view text) {
  return parse_json(text).and_then([](const Json& json) { return read_scenario(json, ""); });
}

tl::expected<Scenario, Faults> read_scenario(const Json& json, std::string_view pointer) {
  Faults faults;
  Scenario scenario = ScenarioReader(faults).read(json, pointer);
  if (!faults.empty()) {
    return tl::unexpected(std::move(faults));
  }
  return scenario;
}

}  // namespace retrygarden
