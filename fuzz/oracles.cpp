#include "oracles.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>

#include "reference_model/reference_model.h"
#include "retrygarden/plan.h"
#include "support/documents.h"

namespace retrygarden::fuzz {

namespace {

[[noreturn]] void violated(const char* oracle, const std::string& finding) {
  std::fprintf(stderr, "oracle violated: %s: %s\n", oracle, finding.c_str());
  std::abort();
}

// The reference model takes some microseconds for an attempt, and more with sanitizers.
constexpr std::uint64_t kMostAttempts = 64;
constexpr std::size_t kMostOutages = 16;

// Every delay is at least one tick, so no client makes more attempts than there are ticks.
bool has_small_run(const Scenario& scenario) {
  std::uint64_t attempts = 0;
  for (const Policy& policy : scenario.policies) {
    attempts += std::min(policy.attempts, scenario.horizon);
  }
  return scenario.clients <= kMostAttempts && attempts <= kMostAttempts / scenario.clients &&
         scenario.server.outages.size() <= kMostOutages;
}

bool reference_model_accepts(std::string_view text) {
  try {
    reference_model::export_document(text);
    return true;
  } catch (const reference_model::InvalidScenario&) {
    return false;
  }
}

bool is_json_pointer(std::string_view pointer) {
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '~' && (i + 1 == pointer.size() || (pointer[i + 1] | 1) != '1')) {
      return false;
    }
  }
  return pointer.empty() || pointer.front() == '/';
}

// A position names a line that the text has, and a place in it or right after its end.
bool is_inside(TextPosition position, std::string_view text) {
  if (position.line < 1 || position.column < 1) {
    return false;
  }
  for (std::size_t line = 1; line < position.line; ++line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) {
      return false;
    }
    text.remove_prefix(end + 1);
  }
  // A code point has at least one byte.
  return position.column <= std::min(text.find('\n'), text.size()) + 1;
}

// Whether a terminal shows the text as one line, whatever the input held: UTF-8 without control
// characters.
bool is_printable_line(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 … U+009F are control characters too.
    const bool is_c1 =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (byte < 0x20 || byte == 0x7F || is_c1) {
      return false;
    }
  }
  // This parser checks UTF-8; what else is special in a string does not matter here.
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' || c == '\\' ? '_' : c;
  }
  return nlohmann::json::accept(quoted + '"');
}

// Faults of a text; those of a tree that is read already have no positions.
void require_well_formed(const char* oracle, const Faults& faults, std::string_view text) {
  if (faults.empty()) {
    violated(oracle, "refused without a fault");
  }
  for (const Fault& fault : faults) {
    const std::string message = to_string(fault);
    if (fault.expected.empty() || fault.found.empty()) {
      violated(oracle, "a fault that does not say what was expected and found: " + message);
    }
    if (fault.position && !(fault.pointer.empty() && is_inside(*fault.position, text))) {
      violated(oracle, "a fault outside the text: " + message);
    }
    if (!is_json_pointer(fault.pointer)) {
      violated(oracle, "a fault whose place is no JSON Pointer: " + message);
    }
    if (!is_printable_line(message)) {
      violated(oracle, "a fault that is not printable: " + message);
    }
  }
}

// Equal for texts of equal values only, the order of members aside. Numbers with a point or an
// exponent are compared as doubles, and never equal integers.
std::string canonical_text(std::string_view text) {
  return nlohmann::json::parse(text).dump();
}

// Losses are for people, and name policies that are there.
void require_well_formed(const import_from::Imported& imported) {
  for (const import_from::Loss& loss : imported.losses) {
    const bool is_of_a_policy =
        std::any_of(imported.policies.begin(), imported.policies.end(),
                    [&](const Policy& policy) { return policy.name == loss.policy; });
    if (!loss.policy.empty() && !is_of_a_policy) {
      violated("import", "a loss of a policy that is not there: " + loss.policy);
    }
    if (loss.what.empty() || !is_printable_line(loss.what)) {
      violated("import", "a loss that cannot be shown: " + loss.what);
    }
  }
}

}  // namespace

Subject::Subject()
    : write_export([](const Scenario& scenario) { return test::export_text(scenario); }) {}

ExportDocument export_document_of(std::string_view scenario_text) {
  std::string text = test::export_text(test::scenario_of(scenario_text));
  Json json = parse_json(text).value();
  std::string canonical = canonical_text(text);
  return {std::move(text), std::move(json), std::move(canonical)};
}

void check_read_scenario(std::string_view text, const Subject& subject) {
  const auto scenario = subject.read_scenario(text);
  if (!scenario) {
    require_well_formed("read_scenario", scenario.error(), text);
    // If the reference model accepts and its run is endless, then that is a find as well.
    if (reference_model_accepts(text)) {
      violated("read_scenario", "only the engine refuses: " + to_string(scenario.error().front()));
    }
  } else if (has_small_run(*scenario) && !reference_model_accepts(text)) {
    violated("read_scenario", "only the reference model refuses");
  }
}

void check_read_write_read(std::string_view text, const Subject& subject) {
  const auto scenario = subject.read_scenario(text);
  if (!scenario) {
    return;
  }
  const std::string written = subject.write_scenario(*scenario);
  const auto json = parse_json(written);
  if (!json) {
    violated("read_write_read", "what is written is no JSON: " + to_string(json.error().front()));
  }
  const auto again = subject.read_scenario(written);
  if (!again) {
    violated("read_write_read", "what is written is refused: " + to_string(again.error().front()));
  }
  const std::string rewritten = subject.write_scenario(*again);
  if (rewritten != written) {
    violated("read_write_read", "written\n" + written + "\nand then\n" + rewritten);
  }
}

void check_damaged_export(const ExportDocument& valid, std::string_view damaged,
                          const Subject& subject) {
  const auto json = parse_json(damaged);
  if (!json) {
    require_well_formed("damaged_export", json.error(), damaged);
    return;
  }
  if (const Json* scenario = json->find("scenario")) {
    const auto read = read_scenario(*scenario, "/scenario");
    if (!read) {
      require_well_formed("damaged_export", read.error(), damaged);
    }
  }
  const bool differs = canonical_text(damaged) != valid.canonical;
  // Whichever of the three it is that differs.
  for (std::size_t place = 0; place < cli::Places{}.size(); ++place) {
    cli::Places documents{&valid.json, &valid.json, &valid.json};
    documents[place] = &*json;
    const auto difference = subject.first_difference(documents);
    if (difference.has_value() != differs) {
      violated("damaged_export", differs
                                     ? "a difference is not found"
                                     : "a difference where there is none: " + difference->pointer);
    }
    if (difference && !is_json_pointer(difference->pointer)) {
      violated("damaged_export", "the place is no JSON Pointer: " + difference->pointer);
    }
  }
}

void check_differential(std::string_view text, const Subject& subject) {
  const auto scenario = subject.read_scenario(text);
  if (!scenario) {
    violated("differential", "refused: " + to_string(scenario.error().front()));
  }
  const auto engine = nlohmann::ordered_json::parse(subject.write_export(*scenario));
  const std::string found = test::difference(engine, reference_model::export_document(text));
  if (!found.empty()) {
    violated("differential", "engine against reference model: " + found + "\n" + std::string(text));
  }
}

void check_import(std::string_view bytes, const Subject& subject) {
  constexpr import_from::Nanoseconds kTicks[] = {import_from::kMillisecond, import_from::kSecond, 1,
                                                 7 * import_from::kMicrosecond};
  // Of many faults only the first ones are shown.
  constexpr std::size_t kMostFaultsShown = 50;
  if (bytes.empty()) {
    return;
  }
  const auto choice = static_cast<unsigned char>(bytes.front());
  const std::string_view text = bytes.substr(1);
  const auto systems = import_from::systems();
  const import_from::System& system = systems[choice % systems.size()];
  const auto imported =
      subject.import_text(system, text, kTicks[choice / systems.size() % std::size(kTicks)]);
  if (!imported) {
    Faults faults = imported.error();
    faults.resize(std::min(faults.size(), kMostFaultsShown));
    require_well_formed("import", faults, text);
    if (!std::all_of(faults.begin(), faults.end(),
                     [](const Fault& fault) { return fault.position.has_value(); })) {
      violated("import", "a fault without line and column: " + to_string(faults.front()));
    }
    return;
  }
  require_well_formed(*imported);
  Scenario scenario;
  scenario.policies = imported->policies;
  scenario.server.deduplication = imported->deduplication.value_or(NoDeduplication{});
  const std::string written = write_scenario(scenario);
  const auto again = read_scenario(written);
  if (!again) {
    violated("import", "no scenario may have it: " + to_string(again.error().front()));
  }
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    make_plan(*again, i);
  }
}

}  // namespace retrygarden::fuzz
