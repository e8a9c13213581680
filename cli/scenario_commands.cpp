// The commands about scenarios as such: check, new, schema.
#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "input.h"
#include "memory_limit.h"
#include "output.h"
#include "presets.h"
#include "retrygarden/scenario.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

std::string preset_list() {
  std::size_t name_width = 0;
  for (const auto& [name, text] : presets()) {
    name_width = std::max(name_width, name.size());
  }
  std::string list;
  for (const auto& [name, text] : presets()) {
    const std::string description = read_scenario(text)->description.value_or("");
    const std::string first_sentence = description.substr(0, description.find(". "));
    list += fmt::format("{:<{}}  {}\n", name, name_width, first_sentence);
  }
  return list;
}

void write_all(const std::string& path, std::string_view text) {
  Output output(path);
  output.write(text);
  output.commit();
}

}  // namespace

void check_command(const std::string& scenario) {
  write_all("-", write_scenario(load_scenario(scenario, default_memory_limit())) + "\n");
}

void new_command(const NewOptions& options) {
  if (options.list) {
    write_all("-", preset_list());
    return;
  }
  if (options.preset.empty()) {
    throw Failure(ExitCode::kUsage, "name a preset; there are:\n" + preset_list());
  }
  const auto it = std::find_if(presets().begin(), presets().end(),
                               [&](const auto& preset) { return preset.first == options.preset; });
  if (it == presets().end()) {
    throw Failure(ExitCode::kUsage, fmt::format("no preset is called \"{}\"; there are:\n{}",
                                                printable(options.preset, 200), preset_list()));
  }
  write_all(options.output, it->second);
}

void schema_command() {
  write_all("-", scenario_schema());
}

}  // namespace retrygarden::cli
