// retrygarden verify: an export against the engine and against the reference model.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "commands.h"
#include "document_difference.h"
#include "input.h"
#include "memory_limit.h"
#include "output.h"
#include "progress.h"
#include "reference_model/reference_model.h"
#include "retrygarden/export.h"
#include "retrygarden/grouped.h"
#include "retrygarden/json.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

// What the record of an attempt, of a tick or of a client takes at most, by measurement: as trees
// of JSON in the document, the engine's and the reference model's, and while the latter's is made.
constexpr std::uint64_t kBytesPerRecord = 5120;

constexpr std::array<std::string_view, 3> kSources = {"document", "engine", "reference model"};

// From here on the reference model, which is not made for speed, takes a noticeable time.
constexpr std::uint64_t kManyAttempts = 100'000;

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
    const bool is_scenario = document.find("clients") != nullptr;
    throw_faults(path,
                 {{{},
                   "/scenario",
                   "the scenario of an export",
                   is_scenario ? "nothing (this is a scenario: export it first)" : "nothing"}});
  }
  auto scenario = read_scenario(*json, "/scenario");
  if (!scenario) {
    throw_faults(path, scenario.error());
  }
  return *std::move(scenario);
}

// Attempts of all policies. Throws Failure if the documents of so many would not fit; that is known
// as soon as they are too many, before the runs end.
std::uint64_t require_documents_fit(const Scenario& scenario, std::uint64_t memory_limit,
                                    Progress& progress) {
  require_memory(export_memory_bytes(scenario), memory_limit, "the run");
  std::uint64_t attempts = 0;
  std::uint64_t records = std::uint64_t{scenario.clients} * scenario.policies.size();
  const auto count = [&](const TickLoad& load) {
    attempts += load.attempts;
    records += load.attempts + 1;
    require_memory(records * kBytesPerRecord, memory_limit, "comparing so many records");
    progress.update([&] { return fmt::format("counting: {} attempts", grouped(attempts)); });
  };
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    run(make_plan(scenario, i), {.tick_load = count});
  }
  return attempts;
}

Json engine_document(const Scenario& scenario, Progress& progress) {
  std::string text;
  write_export_json(scenario, [&](std::string_view piece) {
    text += piece;
    progress.update([&] { return fmt::format("engine: {} MiB", grouped(text.size() >> 20)); });
  });
  return parse_or_throw("the engine's document", text);
}

Json reference_model_document(const Scenario& scenario) {
  try {
    return parse_or_throw("the reference model's document",
                          reference_model::export_document(write_scenario(scenario)).dump());
  } catch (const reference_model::InvalidScenario& error) {
    throw Failure(ExitCode::kComparisonFailed,
                  fmt::format("the reference model refuses the scenario: {}", error.what()));
  }
}

}  // namespace

void verify_command(const VerifyOptions& options) {
  const Json document =
      parse_or_throw(options.document, read_input(options.document, options.memory_limit));
  const Scenario scenario = scenario_of(options.document, document);
  Progress progress;
  const std::uint64_t attempts = require_documents_fit(scenario, options.memory_limit, progress);
  const Json engine = engine_document(scenario, progress);
  if (attempts >= kManyAttempts) {
    progress.announce(fmt::format("reference model: {} attempts", grouped(attempts)));
  }
  const Json reference = reference_model_document(scenario);

  if (const auto difference = first_difference({&document, &engine, &reference})) {
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
