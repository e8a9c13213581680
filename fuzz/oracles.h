// What must hold, whatever the fuzzer comes up with. Each oracle ends the program, with a message
// that begins "oracle violated: <its name>", when it does not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "document_difference.h"
#include "import/systems.h"
#include "retrygarden/json.h"
#include "retrygarden/scenario.h"

namespace retrygarden::fuzz {

// The functions that are judged. A canary replaces one of them by a faulty one, and so proves that
// the oracle, and the fuzzer before it, would notice.
struct Subject {
  tl::expected<Scenario, Faults> (*read_scenario)(std::string_view) = retrygarden::read_scenario;
  std::string (*write_scenario)(const Scenario&) = [](const Scenario& scenario) {
    return retrygarden::write_scenario(scenario);
  };
  std::string (*write_export)(const Scenario&);
  std::optional<cli::Difference> (*first_difference)(const cli::Places&) =
      [](const cli::Places& places) { return cli::first_difference(places); };
  tl::expected<import_from::Imported, Faults> (*import_text)(
      const import_from::System&, std::string_view,
      import_from::Nanoseconds) = import_from::import_text;

  Subject();
};

// A valid export in the forms that check_damaged_export() needs, made once for many damages.
struct ExportDocument {
  std::string text;
  Json json;
  std::string canonical;  // by another parser, members sorted: equal for equal values
};
ExportDocument export_document_of(std::string_view scenario_text);

// Reading any text ends with a scenario, or with faults of which each has a place and says what was
// expected and what found. The reference model accepts and refuses the same texts; it is asked
// unless the engine accepts a scenario whose run is large.
void check_read_scenario(std::string_view text, const Subject& subject = {});

// An accepted scenario, written, is JSON, is accepted again, and is then written the same.
void check_read_write_read(std::string_view text, const Subject& subject = {});

// The comparison of `retrygarden verify` finds a difference exactly when two documents differ as
// JSON values, and names a place that is there.
void check_damaged_export(const ExportDocument& valid, std::string_view damaged,
                          const Subject& subject = {});

// The text is accepted, and the engine's export is the document of the reference model, the order
// of members included.
void check_differential(std::string_view text, const Subject& subject = {});

// The first byte names a system and a tick, the rest is its configuration. Reading it ends with
// policies that a scenario may have and losses that can be shown, or with faults of which each has
// a line and a column.
void check_import(std::string_view bytes, const Subject& subject = {});

}  // namespace retrygarden::fuzz
