// Reading and validating a scenario: docs/model.md, sections 2, 3 and 6.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "names.h"
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
constexpr Fraction kTwo = Fraction::from_millionths(std::uint64_t{2} * Fraction::kOne);
constexpr Fraction kMostTokens =
    Fraction::from_millionths(std::uint64_t{Fraction::kOne} * 1'000'000'000);
constexpr std::uint64_t kMaxResults = 1'000'000;

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

struct FractionRange {
  Fraction min;
  Fraction max;
  std::string_view reason = {};
  bool or_one = false;  // 1 is allowed beside the range

  bool contains(Fraction value) const {
    return (min <= value && value <= max) || (or_one && value == kOne);
  }
  std::string to_string() const {
    return fmt::format("{}a number from {} to {}{}{}, with at most six decimals",
                       or_one ? "1, or " : "", min.to_string(), max.to_string(),
                       reason.empty() ? "" : ", ", reason);
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

  std::optional<std::uint32_t> optional_count(std::string_view name, const Range& range) {
    const Json* json = take(name, true, "");
    return json == nullptr
               ? std::nullopt
               : std::optional(static_cast<std::uint32_t>(integer(name, range, json, range.min)));
  }

  // A required fraction.
  Fraction fraction(std::string_view name, const FractionRange& range) {
    return fraction(name, range, take(name, false, range.to_string()), range.min);
  }

  // The same with a default.
  Fraction fraction(std::string_view name, const FractionRange& range, Fraction otherwise) {
    return fraction(name, range, take(name, true, ""), otherwise);
  }

  std::optional<Fraction> optional_fraction(std::string_view name, const FractionRange& range) {
    const Json* json = take(name, true, "");
    return json == nullptr ? std::nullopt : std::optional(fraction(name, range, json, range.min));
  }

  bool boolean(std::string_view name, bool otherwise) {
    const Json* json = take(name, true, "");
    if (json == nullptr) {
      return otherwise;
    }
    const auto* value = std::get_if<bool>(&json->value);
    if (value == nullptr) {
      add_fault(pointer_to(pointer_, name), "true or false", describe(*json));
    }
    return value != nullptr ? *value : otherwise;
  }

  // A value of an enumeration, by its name.
  template <class Enum>
  Enum one_of(std::string_view name, std::span<const std::string_view> names, Enum otherwise) {
    const Json* json = take(name, true, "");
    const auto index = json == nullptr ? std::nullopt : index_in(names, name, *json);
    return index ? static_cast<Enum>(*index) : otherwise;
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
    const Json* json = take("kind", otherwise.has_value(), expected_one_of(kinds));
    if (json == nullptr) {
      judges_rest_ = otherwise.has_value();
      return otherwise;
    }
    const auto index = index_in(kinds, "kind", *json);
    judges_rest_ = index.has_value();
    return index;
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
  static std::string expected_one_of(std::span<const std::string_view> names) {
    return fmt::format("one of \"{}\"", fmt::join(names, "\", \""));
  }

  // Which of the names the member's value is.
  std::optional<std::size_t> index_in(std::span<const std::string_view> names,
                                      std::string_view member, const Json& json) {
    const auto* text = std::get_if<std::string>(&json.value);
    const auto it = text == nullptr ? names.end() : std::find(names.begin(), names.end(), *text);
    if (it == names.end()) {
      add_fault(pointer_to(pointer_, member), expected_one_of(names), describe(json));
      return std::nullopt;
    }
    return static_cast<std::size_t>(it - names.begin());
  }

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

  Fraction fraction(std::string_view name, const FractionRange& range, const Json* json,
                    Fraction otherwise) {
    if (json == nullptr) {
      return otherwise;
    }
    const auto* number = std::get_if<JsonNumber>(&json->value);
    const auto value = number == nullptr ? std::nullopt : Fraction::parse(number->text);
    if (value && range.contains(*value)) {
      return *value;
    }
    add_fault(pointer_to(pointer_, name), range.to_string(), describe(*json));
    return range.min;
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

constexpr std::size_t kMostTickDigits = 6;
constexpr std::string_view kTickUnits[] = {"ns", "us", "ms", "s", "min", "h"};

// Whether the text says how long a tick is.
bool is_tick_length(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return digits >= 1 && digits <= kMostTickDigits && text.front() != '0' &&
         std::find(std::begin(kTickUnits), std::end(kTickUnits), text.substr(digits)) !=
             std::end(kTickUnits);
}

constexpr Range kDelayTicks{1, kMaxDelay};
constexpr FractionRange kProbability{Fraction(), kOne};
constexpr FractionRange kTokens{Fraction(), kMostTokens};

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
    scenario.tick = read_tick(object);
    scenario.clients = object.count("clients", {1, kMaxCount});
    scenario.clients_per_host = object.count("clients_per_host", {1, kMaxCount}, 1);
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
      scenario.faults = read_faults(*faults, object.pointer("faults"));
    }
    needs_timeout_ = needs_timeout(scenario.server);
    if (const Json* policies = object.required("policies", kPoliciesExpected)) {
      scenario.policies = read_policies(*policies, object.pointer("policies"));
    }
    object.finish();
    return scenario;
  }

 private:
  static constexpr std::string_view kPoliciesExpected = "a list of 1 to 64 policies";

  std::optional<std::string> read_tick(ObjectReader& object) {
    const Json* json = object.optional("tick");
    if (json == nullptr) {
      return std::nullopt;
    }
    const auto* text = std::get_if<std::string>(&json->value);
    if (text == nullptr || !is_tick_length(*text)) {
      add_fault(object.pointer("tick"),
                fmt::format("a duration such as \"10ms\": one to six digits, the first not 0, and "
                            "one of {}",
                            fmt::join(kTickUnits, ", ")),
                describe(*json));
      return std::nullopt;
    }
    return *text;
  }

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
    server.capacity_window = object.count("capacity_window", {1, kMaxTicks}, 1);
    server.service_ticks = object.count("service_ticks", {0, kMaxDelay}, 0);
    server.concurrency = object.optional_count("concurrency", {1, kMaxCount});
    server.queue = object.count("queue", {0, kMaxCount}, 0);
    server.discipline = object.one_of("discipline", kDisciplines, Discipline::kFifo);
    server.drop_abandoned = object.boolean("drop_abandoned", false);
    server.retry_after = object.count("retry_after", {0, kMaxDelay}, 0);
    server.tie_break = object.one_of("tie_break", kTieBreaks, TieBreak::kClient);
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
      outage.kind = object.one_of("kind", kOutageKinds, OutageKind::kRefuse);
      outage.loses_keys = object.boolean("loses_keys", false);
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

  ScenarioFaults read_faults(const Json& json, std::string pointer) {
    ObjectReader object(json, std::move(pointer), faults_);
    ScenarioFaults result;
    if (const Json* lost = object.optional("first_response_lost")) {
      ObjectReader inner(*lost, object.pointer("first_response_lost"), faults_);
      const std::size_t faults_before = faults_.size();
      const std::uint32_t every = inner.count("every", {1, kMaxCount});
      const std::uint64_t offset_limit = faults_.size() == faults_before ? every : kMaxCount;
      result.first_response_lost = {
          every, inner.count("offset", {0, offset_limit - 1, "below `every`"}, 0)};
      inner.finish();
    }
    result.response_loss = object.fraction("response_loss", kProbability, Fraction());
    result.request_loss = object.fraction("request_loss", kProbability, Fraction());
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
          policy.description = object.optional_string("description");
          policy.attempts = object.count("attempts", {1, kMaxCount});
          policy.timeout = read_timeout(object);
          if (const Json* delay = object.required("delay", "an object")) {
            policy.delay = read_delay(*delay, object.pointer("delay"));
          }
          if (const Json* jitter = object.optional("jitter")) {
            policy.jitter = read_jitter(*jitter, object.pointer("jitter"), policy.delay);
          }
          policy.max_delay = object.optional_count("max_delay", kDelayTicks);
          policy.deadline = object.optional_count("deadline", {0, kMaxTicks});
          policy.on_retry_after =
              object.one_of("on_retry_after", kOnRetryAfter, OnRetryAfter::kIgnore);
          if (const Json* budget = object.optional("budget")) {
            policy.budget = read_budget(*budget, object.pointer("budget"));
          }
          if (const Json* breaker = object.optional("breaker")) {
            policy.breaker = read_breaker(*breaker, object.pointer("breaker"));
          }
          object.finish();
        });
    if (std::holds_alternative<Json::Array>(json.value) && (count < 1 || count > kMaxPolicies)) {
      add_fault(pointer, kPoliciesExpected, fmt::format("{} of them", count));
    }
    return policies;
  }

  static bool needs_timeout(const Server& server) {
    return server.service_ticks > 0 || server.queue > 0 ||
           std::any_of(server.outages.begin(), server.outages.end(),
                       [](const Outage& outage) { return outage.kind == OutageKind::kHang; });
  }

  std::uint32_t read_timeout(ObjectReader& object) const {
    if (!needs_timeout_) {
      return object.count("timeout", {0, kMaxDelay}, 0);
    }
    return object.count(
        "timeout", {0, kMaxDelay, "since the server takes time, lets requests wait, or hangs"});
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
    const Fraction multiplier =
        object.fraction("multiplier", {kSmallestGrowth, kLargestGrowth, "", true}, kTwo);
    return {base, multiplier, read_cap(object, base)};
  }

  static DecorrelatedDelay read_decorrelated(ObjectReader& object) {
    const std::uint32_t base = object.count("base", kDelayTicks);
    return {base, read_cap(object, base)};
  }

  static std::uint32_t read_cap(ObjectReader& object, std::uint32_t base) {
    return object.count("cap", {base, kMaxDelay, "not below `base`"});
  }

  std::vector<ListDelay::Entry> read_ticks_list(ObjectReader& object) {
    static constexpr std::string_view kExpected = "a list of at least one delay";
    std::vector<ListDelay::Entry> ticks;
    if (const Json* list = object.required("ticks", kExpected)) {
      const std::size_t count = for_each(*list, object.pointer("ticks"), kExpected,
                                         [&](const Json& item, const std::string& place) {
                                           ticks.push_back(read_list_entry(item, place));
                                         });
      if (std::holds_alternative<Json::Array>(list->value) && count == 0) {
        add_fault(object.pointer("ticks"), kExpected, "an empty list");
      }
    }
    return ticks;
  }

  ListDelay::Entry read_list_entry(const Json& json, const std::string& place) {
    const auto* pair = std::get_if<Json::Array>(&json.value);
    if (pair == nullptr) {
      return read_ticks(json, place, fmt::format("{}, or a pair of them", kDelayTicks.to_string()));
    }
    if (pair->size() != 2) {
      add_fault(place, "a delay, or a pair of the shortest and the longest",
                fmt::format("a list of {}", pair->size()));
      return Interval{};
    }
    const std::size_t faults_before = faults_.size();
    const Interval interval{read_ticks((*pair)[0], pointer_to(place, 0), kDelayTicks.to_string()),
                            read_ticks((*pair)[1], pointer_to(place, 1), kDelayTicks.to_string())};
    if (faults_.size() == faults_before && interval.hi < interval.lo) {
      const Range range{interval.lo, kMaxDelay, "not below the first of the pair"};
      add_fault(pointer_to(place, 1), range.to_string(), describe((*pair)[1]));
    }
    return interval;
  }

  std::uint32_t read_ticks(const Json& json, const std::string& place, std::string_view expected) {
    const auto value = integer_in(json, kDelayTicks);
    if (!value) {
      add_fault(place, expected, describe(json));
    }
    return static_cast<std::uint32_t>(value.value_or(kDelayTicks.min));
  }

  Jitter read_jitter(const Json& json, std::string pointer, const Delay& delay) {
    if (has_own_jitter(delay)) {
      add_fault(std::move(pointer),
                "no jitter beside decorrelated delays or pairs of delays, which have their own",
                describe(json));
      return {};
    }
    static constexpr std::string_view kKinds[] = {"none", "full", "equal", "proportional",
                                                  "scaled"};
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
        jitter = ProportionalJitter{object.fraction("fraction", kProbability)};
        break;
      case 4:
        jitter = read_scaled(object);
        break;
      default:
        break;
    }
    object.finish();
    return jitter;
  }

  static ScaledJitter read_scaled(ObjectReader& object) {
    const Fraction from = object.fraction("from", {Fraction(), kTwo});
    return {from, object.fraction("to", {from, kTwo, "not below `from`"})};
  }

  Budget read_budget(const Json& json, std::string pointer) {
    static constexpr std::string_view kKinds[] = {"tokens", "concurrent"};
    ObjectReader object(json, std::move(pointer), faults_);
    Budget budget;
    switch (object.kind(kKinds).value_or(std::size(kKinds))) {
      case 0:
        budget = read_tokens(object);
        break;
      case 1:
        budget = ConcurrentBudget{object.fraction("fraction", kProbability),
                                  object.count("minimum", {0, kMaxCount})};
        break;
      default:
        break;
    }
    object.finish();
    return budget;
  }

  TokenBudget read_tokens(ObjectReader& object) {
    const std::size_t faults_before = faults_.size();
    TokenBudget budget;
    budget.capacity = object.fraction("capacity", kTokens);
    const bool is_capacity_valid = faults_.size() == faults_before;
    budget.initial = object.fraction(
        "initial",
        {Fraction(), is_capacity_valid ? budget.capacity : kMostTokens, "at most `capacity`"},
        budget.capacity);
    budget.tick_refill = object.fraction("tick_refill", kTokens, Fraction());
    budget.attempt_deposit = object.fraction("attempt_deposit", kTokens, Fraction());
    budget.success_deposit = object.fraction("success_deposit", kTokens, Fraction());
    budget.refund = object.boolean("refund", false);
    budget.failure_cost = object.fraction("failure_cost", kTokens, Fraction());
    budget.retry_cost = object.fraction("retry_cost", kTokens, Fraction());
    budget.timeout_cost = object.fraction("timeout_cost", kTokens, budget.retry_cost);
    budget.threshold = object.optional_fraction("threshold", kTokens);
    return budget;
  }

  Breaker read_breaker(const Json& json, std::string pointer) {
    ObjectReader object(json, std::move(pointer), faults_);
    Breaker breaker;
    const std::size_t faults_before = faults_.size();
    breaker.window = object.count("window", {1, kMaxResults});
    const std::uint64_t most = faults_.size() == faults_before ? breaker.window : kMaxResults;
    breaker.failures = object.count("failures", {1, most, "at most `window`"});
    breaker.open_ticks = object.count("open_ticks", kDelayTicks);
    breaker.probes = object.count("probes", {1, kMaxResults});
    object.finish();
    return breaker;
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
  bool needs_timeout_ = false;
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
