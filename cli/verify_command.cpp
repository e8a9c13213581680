// retrygarden verify: an export against the engine and against the reference model.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "commands.h"
#include "input.h"
#include "memory_limit.h"
#include "output.h"
#include "progress.h"
#include "reference_model/reference_model.h"
#include "retrygarden/export.h"
#include "retrygarden/json.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

// What the records of one attempt, tick and client take as trees of JSON in the document, the
// engine's and the reference model's, at most.
constexpr std::uint64_t kBytesPerRecord = 4096;

// From here on the reference model, which is not made for speed, takes a noticeable time.
constexpr std::uint64_t kManyAttempts = 100'000;

// The same place in the document, in the engine's and in the reference model's; null where it is
// missing.
using Places = std::array<const Json*, 3>;
constexpr std::array<std::string_view, 3> kSources = {"document", "engine", "reference model"};

struct Difference {
  std::string pointer;
  Places values;
};

bool is_equal_number(const std::string& a, const std::string& b) {
  if (is_integer_text(a) || is_integer_text(b)) {
    return a == b;
  }
  // Only the fractions of a scenario have a point, and 0.000001 may also be written 1e-06.
  const auto value = [](const std::string& text) {
    double result = 0;
    std::from_chars(text.data(), text.data() + text.size(), result);
    return result;
  };
  return value(a) == value(b);
}

// Precondition: both are of the same kind, and neither is a list or an object.
bool is_equal_scalar(const Json& a, const Json& b) {
  if (const auto* number = std::get_if<JsonNumber>(&a.value)) {
    return is_equal_number(number->text, std::get<JsonNumber>(b.value).text);
  }
  if (const auto* text = std::get_if<std::string>(&a.value)) {
    return *text == std::get<std::string>(b.value);
  }
  if (const auto* boolean = std::get_if<bool>(&a.value)) {
    return *boolean == std::get<bool>(b.value);
  }
  return true;  // null
}

std::optional<Difference> first_difference(const Places& places, const std::string& pointer);

std::optional<Difference> first_difference_in_lists(const Places& places,
                                                    const std::string& pointer) {
  std::size_t length = 0;
  for (const Json* place : places) {
    length = std::max(length, std::get<Json::Array>(place->value).size());
  }
  for (std::size_t i = 0; i < length; ++i) {
    Places items{};
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto& list = std::get<Json::Array>(places[k]->value);
      items[k] = i < list.size() ? &list[i] : nullptr;
    }
    if (auto difference = first_difference(items, pointer_to(pointer, i))) {
      return difference;
    }
  }
  return std::nullopt;
}

// Members are compared by name: JSON gives their order no meaning. The engine's come first, in the
// order of the page, then what only the others have.
std::optional<Difference> first_difference_in_objects(const Places& places,
                                                      const std::string& pointer) {
  std::vector<std::string_view> names;
  for (const std::size_t k : {1U, 0U, 2U}) {
    for (const JsonMember& member : std::get<Json::Object>(places[k]->value)) {
      if (std::find(names.begin(), names.end(), member.name) == names.end()) {
        names.push_back(member.name);
      }
    }
  }
  for (const std::string_view name : names) {
    Places values{};
    for (std::size_t k = 0; k < places.size(); ++k) {
      values[k] = places[k]->find(name);
    }
    if (auto difference = first_difference(values, pointer_to(pointer, name))) {
      return difference;
    }
  }
  return std::nullopt;
}

std::optional<Difference> first_difference(const Places& places, const std::string& pointer) {
  for (const Json* place : places) {
    if (place == nullptr || places[0] == nullptr ||
        place->value.index() != places[0]->value.index()) {
      return Difference{pointer, places};
    }
  }
  if (std::holds_alternative<Json::Array>(places[0]->value)) {
    return first_difference_in_lists(places, pointer);
  }
  if (std::holds_alternative<Json::Object>(places[0]->value)) {
    return first_difference_in_objects(places, pointer);
  }
  for (const Json* place : places) {
    if (!is_equal_scalar(*places[0], *place)) {
      return Difference{pointer, places};
    }
  }
  return std::nullopt;
}

Json parse_or_throw(const std::string& name, const std::string& text) {
  auto json = parse_json(text);
  if (!json) {
    throw_faults(name, json.error());
  }
  return *std::move(json);
}

Scenario scenario_of(const std::string& path, const Json& document) {
  const Json* json = document.find("scenario");
  if (json == nullptr) {
    throw_faults(path, {{{}, "/scenario", "the scenario of an export", "nothing"}});
  }
  auto scenario = read_scenario(*json, "/scenario");
  if (!scenario) {
    throw_faults(path, scenario.error());
  }
  return *std::move(scenario);
}

// Attempts of all policies. Throws Failure if the documents of so many would not fit.
std::uint64_t require_documents_fit(const Scenario& scenario, std::uint64_t memory_limit) {
  require_memory(export_memory_bytes(scenario), memory_limit, "the run");
  std::uint64_t attempts = 0;
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    attempts += run(make_plan(scenario, i)).attempts;
  }
  const std::uint64_t clients = std::uint64_t{scenario.clients} * scenario.policies.size();
  require_memory((attempts + clients) * kBytesPerRecord, memory_limit, "comparing the documents");
  return attempts;
}

}  // namespace

void verify_command(const VerifyOptions& options) {
  const Json document = parse_or_throw(options.document, read_input(options.document));
  const Scenario scenario = scenario_of(options.document, document);
  const std::uint64_t attempts = require_documents_fit(scenario, options.memory_limit);

  Progress progress;
  std::string text;
  write_export_json(scenario, [&](std::string_view piece) {
    text += piece;
    progress.update([&] { return fmt::format("engine: {} MiB", grouped(text.size() >> 20)); });
  });
  const Json engine = parse_or_throw("the engine's document", text);
  if (attempts >= kManyAttempts) {
    progress.announce(fmt::format("reference model: {} attempts", grouped(attempts)));
  }
  const Json reference =
      parse_or_throw("the reference model's document",
                     reference_model::export_document(write_scenario(scenario)).dump());

  if (const auto difference = first_difference({&document, &engine, &reference}, "")) {
    std::string message = fmt::format(
        "{}: the first difference is at {}", input_name(options.document),
        difference->pointer.empty() ? "the document's root" : printable(difference->pointer, 400));
    for (std::size_t k = 0; k < kSources.size(); ++k) {
      const Json* value = difference->values[k];
      message += fmt::format("\n  {:<15}  {}", kSources[k],
                             value == nullptr ? "nothing" : describe(*value));
    }
    throw Failure(ExitCode::kComparisonFailed, message);
  }
  Output output("-");
  output.write(fmt::format(
      "{}: the document, the engine and the reference model agree on {} of {} under {}\n",
      input_name(options.document), counted(attempts, "attempt", "attempts"),
      counted(scenario.clients, "client", "clients"),
      counted(scenario.policies.size(), "policy", "policies")));
  output.commit();
}

}  // namespace retrygarden::cli
