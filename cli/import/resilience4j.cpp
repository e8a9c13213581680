#include "import/resilience4j.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "import/json_document.h"
#include "import/policy_draft.h"
#include "import/yaml_document.h"
#include "retrygarden/json.h"
#include "retrygarden/plan.h"

namespace retrygarden::import_from {

namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::denominator;
using boost::multiprecision::numerator;

constexpr std::string_view kDuration = "a duration such as 500ms or PT0.5S";
constexpr std::string_view kDefault = "default";
constexpr std::uint64_t kMostInt = 0x7FFF'FFFF;
constexpr std::uint64_t kMostWindow = 1'000'000;
constexpr std::uint64_t kMostMilliseconds = std::uint64_t{1} << 53;  // beyond any whole tick's
constexpr std::size_t kMostNameBytes = 200;

cpp_int floor_of(const Rational& number) {
  return numerator(number) / denominator(number);
}

cpp_int ceiling_of(const Rational& number) {
  return (numerator(number) + denominator(number) - 1) / denominator(number);
}

// As Spring reads durations: a whole number and a unit, milliseconds without one, or ISO 8601 from
// hours down.
std::optional<Rational> parse_spring_duration(std::string_view text) {
  const std::string small = relaxed(text);
  if (small.size() != text.size()) {
    return std::nullopt;  // a sign or a gap
  }
  if (small.starts_with("pt")) {
    const std::string_view iso = std::string_view(small).substr(2);
    const bool is_iso = iso.find("ms") == std::string_view::npos &&
                        iso.find_first_not_of("0123456789.hms") == std::string_view::npos &&
                        iso != "0";
    return is_iso ? parse_go_duration(iso) : std::nullopt;
  }
  const auto unit = std::min(small.find_first_not_of("0123456789"), small.size());
  const std::string number = small.substr(0, unit);
  if (unit == small.size()) {
    return parse_number_of(kMillisecond, number);
  }
  if (small.substr(unit) == "d") {
    constexpr Nanoseconds kDay = 86'400 * kSecond;
    return parse_number_of(kDay, number);
  }
  const bool has_one_unit = small.find_first_of("0123456789.", unit) == std::string::npos;
  return has_one_unit ? parse_go_duration(small) : std::nullopt;
}

// Puts the documents' members into one tree: a.b.c is c in b in a, and what comes later replaces
// what is of the same name.
class Properties {
 public:
  Properties() { tree_.value = Yaml::Map{}; }

  void put(const Yaml& document) { put_members(tree_, document, 0); }

  const Yaml& tree() const { return tree_; }

 private:
  static constexpr std::size_t kNamesOfInstances = 3;  // resilience4j.retry.instances.NAME
  static constexpr std::size_t kDeepest = 5;           // nothing below is read

  static void put_members(Yaml& map, const Yaml& members, std::size_t depth) {
    for (const YamlMember& member : std::get<Yaml::Map>(members.value)) {
      put_member(map, member.name, member, depth);
    }
  }

  static void put_member(Yaml& map, std::string_view path, const YamlMember& member,
                         std::size_t depth) {
    if (depth > kDeepest) {
      return;
    }
    const auto [name, rest] = first_name(path);
    Yaml& child = child_of(map, name, member, depth);
    const bool is_map = std::holds_alternative<Yaml::Map>(member.value.value);
    if (rest.empty() && !is_map) {
      child = member.value;
      return;
    }
    if (!std::holds_alternative<Yaml::Map>(child.value)) {
      child = {Yaml::Map{}, member.value.position};
    }
    if (rest.empty()) {
      put_members(child, member.value, depth + 1);
    } else {
      put_member(child, rest, member, depth + 1);
    }
  }

  // a.b is b in a, [a.b] is one name.
  static std::pair<std::string_view, std::string_view> first_name(std::string_view path) {
    const bool is_bracketed = path.starts_with('[');
    const auto end = std::min(path.find(is_bracketed ? ']' : '.'), path.size());
    const std::string_view name = path.substr(is_bracketed ? 1 : 0, end - (is_bracketed ? 1 : 0));
    const std::string_view rest = path.substr(std::min(end + 1, path.size()));
    return {name, is_bracketed && rest.starts_with('.') ? rest.substr(1) : rest};
  }

  // The member of that name, a new one if there is none.
  static Yaml& child_of(Yaml& map, std::string_view name, const YamlMember& member,
                        std::size_t depth) {
    auto& members = std::get<Yaml::Map>(map.value);
    const auto it = std::find_if(members.begin(), members.end(), [&](const YamlMember& other) {
      return depth == kNamesOfInstances ? other.name == name : relaxed(other.name) == relaxed(name);
    });
    if (it != members.end()) {
      return it->value;
    }
    members.push_back({std::string(name), member.position, {nullptr, member.value.position}});
    return members.back().value;
  }

  Yaml tree_;
};

// What is written of one instance or config, of whichever module.
struct Settings {
  std::string name;
  TextPosition position;
  std::optional<std::string> base_config;
  std::vector<std::string> unread;

  // Retry.
  std::optional<std::uint64_t> max_attempts;
  std::optional<Rational> wait;
  std::optional<bool> is_exponential;
  std::optional<bool> is_randomized;
  std::optional<Rational> multiplier;
  std::optional<Rational> longest;
  std::optional<Rational> factor;

  // Circuit breaker.
  std::optional<std::uint64_t> window;
  std::optional<std::uint64_t> min_calls;
  std::optional<Rational> failure_rate;
  std::optional<std::uint64_t> probes;
  std::optional<Rational> open_wait;
  std::optional<bool> is_time_based;

  // Time limiter.
  std::optional<Rational> timeout;
};

const Settings* find(const std::vector<Settings>& all, std::string_view name) {
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const Settings& settings) { return settings.name == name; });
  return it == all.end() ? nullptr : &*it;
}

struct Module {
  std::vector<Settings> configs;
  std::vector<Settings> instances;

  const Settings* config(std::string_view name) const { return find(configs, name); }
};

// The waits between attempts, in milliseconds.
struct Waits {
  TextPosition position;  // of what they are written in
  Rational first = 500;
  bool is_exponential = false;
  Rational multiplier = Rational(3, 2);
  std::optional<Rational> factor;  // of random waits
  std::optional<Rational> longest;
};

struct Retry {
  std::uint64_t attempts = 3;
  Waits waits;
};

class Resilience4jReader {
 public:
  Resilience4jReader(Imported& imported, Faults& faults, Nanoseconds tick)
      : imported_(imported), faults_(faults), tick_(tick) {}

  void read(const std::vector<Yaml>& documents) {
    Properties properties;
    for (const Yaml& document : documents) {
      put_unless_conditional(document, properties);
    }
    YamlMap root(properties.tree(), faults_, YamlMap::Names::kRelaxed);
    if (auto resilience4j = root.map("resilience4j")) {
      retries_ = read_module(*resilience4j, "retry", read_retry_settings);
      breakers_ = read_module(*resilience4j, "circuitbreaker", read_breaker_settings);
      limiters_ = read_module(*resilience4j, "timelimiter", read_limiter_settings);
      lose_unread(imported_, resilience4j->unread());
    }
    if (!faults_.empty()) {
      return;
    }
    make_policies();
    if (imported_.policies.empty() && faults_.empty()) {
      const TextPosition begin = documents.empty() ? TextPosition{} : documents.front().position;
      report(faults_, {begin, "",
                       "instances or configs of resilience4j.retry or resilience4j.circuitbreaker",
                       "neither"});
    }
  }

 private:
  void put_unless_conditional(const Yaml& document, Properties& properties) {
    if (!std::holds_alternative<Yaml::Map>(document.value)) {
      report(faults_, fault_at(document, "a mapping"));
      return;
    }
    Properties own;
    own.put(document);
    if (is_conditional(own.tree())) {
      imported_.losses.push_back({"", fmt::format("the document in {} is for a profile, and is "
                                                  "left out",
                                                  place_text(document))});
    } else {
      properties.put(document);
    }
  }

  // Whether spring.config.activate or spring.profiles stands there.
  static bool is_conditional(const Yaml& document) {
    const Yaml* spring = document.find("spring");
    const Yaml* config = spring == nullptr ? nullptr : spring->find("config");
    const bool has_condition = config != nullptr && config->find("activate") != nullptr;
    const Yaml* profiles = spring == nullptr ? nullptr : spring->find("profiles");
    return has_condition ||
           (profiles != nullptr && std::holds_alternative<YamlScalar>(profiles->value));
  }

  Module read_module(YamlMap& resilience4j, std::string_view name,
                     void (*read_settings)(YamlMap&, Settings&)) {
    Module module;
    auto map = resilience4j.map(name);
    if (!map) {
      return module;
    }
    module.configs = read_all(*map, "configs", read_settings);
    module.instances = read_all(*map, "instances", read_settings);
    // The name of instances before they were called so.
    for (Settings& settings : read_all(*map, "backends", read_settings)) {
      module.instances.push_back(std::move(settings));
    }
    map->skip("tags");
    lose_unread(imported_, map->unread());
    return module;
  }

  std::vector<Settings> read_all(YamlMap& module, std::string_view group,
                                 void (*read_settings)(YamlMap&, Settings&)) {
    std::vector<Settings> all;
    const auto map = module.map(group);
    if (!map || !std::holds_alternative<Yaml::Map>(map->yaml().value)) {
      return all;
    }
    const Yaml empty{Yaml::Map{}, map->yaml().position};
    for (const YamlMember& member : std::get<Yaml::Map>(map->yaml().value)) {
      if (member.name.empty()) {
        report(faults_, {member.position, "", "a name", "an empty one"});
      }
      const bool is_empty = std::holds_alternative<std::nullptr_t>(member.value.value);
      YamlMap written(is_empty ? empty : member.value, faults_, YamlMap::Names::kRelaxed);
      Settings settings{.name = member.name, .position = member.position};
      settings.base_config = written.string("baseConfig");
      read_settings(written, settings);
      for (const std::string_view about_others :
           {"eventConsumerBufferSize", "registerHealthIndicator", "allowHealthIndicatorToFail",
            "writableStackTraceEnabled", "failAfterMaxAttempts", "cancelRunningFuture",
            "automaticTransitionFromOpenToHalfOpenEnabled"}) {
        written.skip(about_others);
      }
      settings.unread = written.unread();
      all.push_back(std::move(settings));
    }
    return all;
  }

  static void read_retry_settings(YamlMap& written, Settings& settings) {
    settings.max_attempts = written.integer("maxAttempts", 1, kMostInt);
    settings.wait = written.duration("waitDuration", parse_spring_duration, kDuration);
    settings.is_exponential = written.boolean("enableExponentialBackoff");
    settings.is_randomized = written.boolean("enableRandomizedWait");
    settings.multiplier = written.number("exponentialBackoffMultiplier", 0, most_double());
    if (settings.multiplier == Rational(0)) {
      written.report_member("exponentialBackoffMultiplier", "a number above 0");
    }
    settings.longest =
        written.duration("exponentialMaxWaitDuration", parse_spring_duration, kDuration);
    settings.factor = written.number("randomizedWaitFactor", 0, 1);
    if (settings.factor == Rational(1)) {
      written.report_member("randomizedWaitFactor", "a number below 1");
    }
  }

  static Rational most_double() { return Rational(boost::multiprecision::pow(cpp_int(2), 1024U)); }

  static void read_breaker_settings(YamlMap& written, Settings& settings) {
    settings.window = written.integer("slidingWindowSize", 1, kMostWindow);
    settings.min_calls = written.integer("minimumNumberOfCalls", 1, kMostInt);
    settings.failure_rate = written.number("failureRateThreshold", 0, 100);
    if (settings.failure_rate == Rational(0)) {
      written.report_member("failureRateThreshold", "a number above 0");
    }
    settings.probes = written.integer("permittedNumberOfCallsInHalfOpenState", 1, kMostWindow);
    settings.open_wait =
        written.duration("waitDurationInOpenState", parse_spring_duration, kDuration);
    if (const auto type = written.string("slidingWindowType")) {
      settings.is_time_based = relaxed(*type) == "timebased";
      if (!*settings.is_time_based && relaxed(*type) != "countbased") {
        written.report_member("slidingWindowType", "COUNT_BASED or TIME_BASED");
      }
    }
  }

  static void read_limiter_settings(YamlMap& written, Settings& settings) {
    settings.timeout = written.duration("timeoutDuration", parse_spring_duration, kDuration);
  }

  void make_policies() {
    const bool has_instances = !retries_.instances.empty() || !breakers_.instances.empty();
    const auto& retries = has_instances ? retries_.instances : retries_.configs;
    const auto& breakers = has_instances ? breakers_.instances : breakers_.configs;
    for (const Settings& settings : retries) {
      PolicyDraft draft(printable(settings.name, kMostNameBytes), tick_);
      set_retry(settings, draft);
      if (const Settings* breaker = find(breakers, settings.name)) {
        set_breaker(*breaker, draft);
      }
      set_timeout(draft, settings.name);
      add_policy(imported_, std::move(draft));
    }
    for (const Settings& settings : breakers) {
      if (find(retries, settings.name) == nullptr) {
        PolicyDraft draft(printable(settings.name, kMostNameBytes), tick_);
        draft.policy.attempts = 1;
        set_breaker(settings, draft);
        set_timeout(draft, settings.name);
        add_policy(imported_, std::move(draft));
      }
    }
  }

  // The settings and those they build on, the nearest first. Faults: a base that is not there, or
  // one that builds on itself.
  std::vector<const Settings*> layers(const Settings& settings, const Module& module,
                                      const Settings* (*otherwise)(const Settings&,
                                                                   const Module&)) {
    std::vector<const Settings*> result{&settings};
    for (const Settings* next = &settings; next != nullptr;) {
      const Settings& last = *next;
      next = last.base_config ? module.config(*last.base_config) : otherwise(last, module);
      if (last.base_config && next == nullptr) {
        report(faults_, {last.position, "", "a baseConfig that is one of configs",
                         fmt::format("\"{}\"", printable(*last.base_config, kMostNameBytes))});
      }
      if (std::find(result.begin(), result.end(), next) != result.end()) {
        report(faults_, {last.position, "", "a baseConfig that does not build on itself",
                         fmt::format("\"{}\"", printable(next->name, kMostNameBytes))});
        next = nullptr;
      }
      if (next != nullptr) {
        result.push_back(next);
      }
    }
    return result;
  }

  static void lose_unread_of(const std::vector<const Settings*>& layers, PolicyDraft& draft) {
    for (const Settings* settings : layers) {
      if (!settings->unread.empty()) {
        draft.lose("what is not read: " + enumerated(settings->unread));
      }
    }
  }

  static const Settings* default_retry(const Settings& settings, const Module& module) {
    return settings.name == kDefault ? nullptr : module.config(kDefault);
  }

  void set_retry(const Settings& settings, PolicyDraft& draft) {
    const auto chain = layers(settings, retries_, default_retry);
    Retry retry;
    // What is farther away is replaced by what is nearer. A wait is replaced as a whole; only its
    // kind, multiplier and longest wait are taken over, and from the next layer alone.
    for (std::size_t i = chain.size(); i-- > 0;) {
      const Settings& own = *chain[i];
      const Settings none;
      const Settings& base = i + 1 < chain.size() ? *chain[i + 1] : none;
      retry.attempts = own.max_attempts.value_or(retry.attempts);
      if (own.wait) {
        retry.waits = waits(own, base, draft);
      } else if (own.is_exponential.value_or(false) || own.is_randomized.value_or(false)) {
        draft.lose(fmt::format("the kind of waits of {} has no effect there without waitDuration",
                               printable(own.name, kMostNameBytes)));
      }
    }
    draft.policy.attempts = static_cast<std::uint32_t>(retry.attempts);
    set_waits(retry.waits, draft);
    lose_unread_of(chain, draft);
  }

  Waits waits(const Settings& own, const Settings& base, PolicyDraft& draft) {
    const auto either = [](const auto& first, const auto& second) {
      return first ? first : second;
    };
    Waits result;
    result.position = own.position;
    result.first = floor_of(*own.wait / kMillisecond);
    result.is_exponential = either(own.is_exponential, base.is_exponential).value_or(false);
    const bool is_randomized = either(own.is_randomized, base.is_randomized).value_or(false);
    const auto multiplier = either(own.multiplier, base.multiplier);
    const auto longest = either(own.longest, base.longest);
    if (is_randomized) {
      result.factor = own.factor.value_or(Rational(1, 2));
    }
    if (!result.is_exponential) {
      return result;
    }
    result.multiplier = multiplier.value_or(result.multiplier);
    const bool has_all = multiplier && (!is_randomized || own.factor);
    if (longest && has_all) {
      result.longest = floor_of(*longest / kMillisecond);
      if (*result.longest < 1) {
        report(faults_, {own.position, "", "exponentialMaxWaitDuration of 1ms or more", "less"});
      }
    } else if (longest) {
      draft.lose(
          "exponentialMaxWaitDuration has no effect there without exponentialBackoffMultiplier, "
          "nor beside random waits without randomizedWaitFactor");
    }
    return result;
  }

  void set_waits(const Waits& waits, PolicyDraft& draft) {
    if (draft.policy.attempts == 1) {
      draft.policy.delay = FixedDelay{1};
    } else if (!waits.is_exponential && !waits.factor) {
      draft.set_fixed(waits.first * kMillisecond);
    } else if (waits.first < 1) {
      report(faults_, {waits.position, "", "waitDuration of 1ms or more", "less"});
    } else if (waits.factor) {
      set_random_waits(waits, draft);
    } else {
      set_exponential_waits(waits, draft);
    }
  }

  // The waits before random shares, until they stay the same, or are longer than any tick's.
  static std::vector<std::uint64_t> raw_waits(const Waits& waits, const PolicyDraft& draft) {
    const auto most =
        (Rational(kMostTicks) * draft.tick() / kMillisecond + 1) * 2;  // a half of it is too much
    const std::size_t count = std::min<std::size_t>(draft.policy.attempts - 1, kMostListEntries);
    // The multiplication is Java's, of doubles, and what it cuts off is gone for good: 100 · 1.15
    // is 114 there. IEEE 754 says each product to the bit.
    const auto multiplier = waits.multiplier.convert_to<double>();
    std::vector<std::uint64_t> result{
        floor_of(std::min(waits.first, Rational(kMostMilliseconds))).convert_to<std::uint64_t>()};
    while (waits.is_exponential && result.size() < count) {
      const std::uint64_t last = result.back();
      const double product = static_cast<double>(last) * multiplier;
      const std::uint64_t next = product < static_cast<double>(kMostMilliseconds)
                                     ? static_cast<std::uint64_t>(product)
                                     : kMostMilliseconds;
      if (next == last || Rational(last) > most) {
        break;
      }
      result.push_back(next);
    }
    return result;
  }

  static void lose_if_cut_short(const std::vector<std::uint64_t>& raw, const Waits& waits,
                                PolicyDraft& draft) {
    const bool is_at_end = waits.longest && Rational(raw.back()) >= *waits.longest;
    if (raw.size() == kMostListEntries && draft.policy.attempts - 1 > kMostListEntries &&
        !is_at_end) {
      draft.lose(fmt::format("delays change up to the one after attempt {}, and no longer",
                             kMostListEntries));
    }
  }

  static void set_exponential_waits(const Waits& waits, PolicyDraft& draft) {
    const auto raw = raw_waits(waits, draft);
    std::vector<PolicyDraft::Range> ranges;
    for (const std::uint64_t wait : raw) {
      const Rational milliseconds =
          waits.longest ? std::min(Rational(wait), *waits.longest) : Rational(wait);
      const Rational duration = milliseconds * kMillisecond;
      ranges.push_back({duration, duration});
      if (waits.longest && milliseconds == *waits.longest) {
        break;
      }
    }
    PolicyDraft law = draft;
    law.set_exponential(
        waits.first * kMillisecond, waits.multiplier,
        waits.longest ? std::optional(Rational(*waits.longest * kMillisecond)) : std::nullopt);
    PolicyDraft list = draft;
    list.set_list(ranges);
    lose_if_cut_short(raw, waits, list);
    draft = gives_the_same(law.policy, list.policy) ? law : list;
  }

  // Whether the policy's law is one, and gives what the list does.
  static bool gives_the_same(const Policy& policy, const Policy& list) {
    if (std::holds_alternative<ListDelay>(policy.delay)) {
      return false;
    }
    const DelayTable table(policy.delay, policy.jitter, policy.attempts);
    const DelayTable expected(list.delay, list.jitter, list.attempts);
    // Behind its last entry a list stays the same.
    const std::size_t last = std::min<std::size_t>(kMostListEntries + 1, policy.attempts - 1);
    for (std::uint32_t attempt = 1; attempt <= last; ++attempt) {
      if (table.after(attempt) != expected.after(attempt)) {
        return false;
      }
    }
    return true;
  }

  static void set_random_waits(const Waits& waits, PolicyDraft& draft) {
    const auto raw = raw_waits(waits, draft);
    std::vector<PolicyDraft::Range> ranges;
    bool has_thin_ends = false;
    for (const std::uint64_t wait : raw) {
      // least + r · (greatest − least + 1), r below 1, in whole milliseconds, 1 or more.
      const Rational least = wait * (1 - *waits.factor);
      const Rational greatest = wait * (1 + *waits.factor);
      has_thin_ends = has_thin_ends || denominator(least) != 1;
      ranges.push_back({std::max(Rational(1), Rational(floor_of(least))) * kMillisecond,
                        Rational(ceiling_of(greatest + 1)) * kMillisecond});
      if (waits.longest && least >= *waits.longest) {
        break;
      }
    }
    draft.set_list(ranges);
    if (has_thin_ends) {
      draft.lose("the first and the last millisecond of random waits are less likely there");
    }
    if (draft.tick() < kMillisecond) {
      draft.lose("delays are whole milliseconds there, and may be any ticks here");
    }
    if (waits.longest) {
      draft.set_max_delay(*waits.longest * kMillisecond);
    }
    lose_if_cut_short(raw, waits, draft);
  }

  static const Settings* default_breaker(const Settings& settings, const Module& module) {
    // A config builds on none but its own baseConfig.
    const Settings* own = module.config(settings.name);
    if (own == &settings) {
      return nullptr;
    }
    return own != nullptr ? own : module.config(kDefault);
  }

  void set_breaker(const Settings& settings, PolicyDraft& draft) {
    const auto chain = layers(settings, breakers_, default_breaker);
    const auto nearest = [&](auto member, auto otherwise) {
      for (const Settings* layer : chain) {
        if (layer->*member) {
          return *(layer->*member);
        }
      }
      return otherwise;
    };
    lose_unread_of(chain, draft);
    if (nearest(&Settings::is_time_based, false)) {
      draft.lose("a circuit breaker over a window of time is left out");
      return;
    }
    const std::uint64_t window = nearest(&Settings::window, std::uint64_t{100});
    const std::uint64_t min_calls =
        std::min(nearest(&Settings::min_calls, std::uint64_t{100}), window);
    const Rational rate = nearest(&Settings::failure_rate, Rational(50)) / 100;
    const std::uint64_t probes = nearest(&Settings::probes, std::uint64_t{10});
    const auto failures = [&](std::uint64_t calls) {
      return ceiling_of(rate * calls).convert_to<std::uint32_t>();
    };
    Breaker breaker;
    breaker.window = static_cast<std::uint32_t>(window);
    breaker.failures = failures(window);
    breaker.open_ticks = draft.ticks("the wait of an open breaker",
                                     nearest(&Settings::open_wait, Rational(60) * kSecond));
    breaker.probes = static_cast<std::uint32_t>(probes);
    draft.policy.breaker = breaker;
    const bool opens_alike =
        breaker.failures >= min_calls && failures(min_calls) >= breaker.failures;
    if (!opens_alike) {
      draft.lose(fmt::format(
          "until {} results are there the breaker opens by its rate among those there are, "
          "{} at least; here by {} failures",
          window, min_calls, breaker.failures));
    }
    if (probes > 1) {
      draft.lose(
          "a half-open breaker decides there by the rate among its calls, and opens here at the "
          "first failure");
    }
  }

  void set_timeout(PolicyDraft& draft, const std::string& name) {
    const Settings* settings = find(limiters_.instances, name);
    if (settings == nullptr) {
      return;
    }
    const auto chain = layers(*settings, limiters_, default_retry);
    Rational timeout = kSecond;
    for (std::size_t i = chain.size(); i-- > 0;) {
      timeout = chain[i]->timeout.value_or(timeout);
    }
    draft.set_timeout(timeout);
  }

  Imported& imported_;
  Faults& faults_;
  Nanoseconds tick_;
  Module retries_;
  Module breakers_;
  Module limiters_;
};

}  // namespace

tl::expected<Imported, Faults> read_resilience4j(std::string_view text, Nanoseconds tick) {
  return read_yaml_documents(
      text, [&](const std::vector<Yaml>& documents, Imported& imported, Faults& faults) {
        Resilience4jReader(imported, faults, tick).read(documents);
      });
}

}  // namespace retrygarden::import_from
