// retrygarden import: policies made of another system's retry configuration.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "imported_file.h"
#include "output.h"

namespace retrygarden::cli {

namespace {

void write_all(const std::string& path, std::string_view text) {
  Output output(path);
  output.write(text);
  output.commit();
}

std::string system_list() {
  std::size_t name_width = 0;
  for (const import_from::System& system : import_from::systems()) {
    name_width = std::max(name_width, system.name.size());
  }
  std::string list;
  for (const import_from::System& system : import_from::systems()) {
    list += fmt::format("{:<{}}  {}\n", system.name, name_width, system.reads);
  }
  return list;
}

}  // namespace

void import_command(const ImportOptions& options) {
  if (options.list) {
    write_all("-", options.system.empty() ? system_list()
                                          : std::string(named_system(options.system).example));
    return;
  }
  if (options.system.empty()) {
    throw Failure(ExitCode::kUsage, "name a system and a file; there are:\n" + system_list());
  }
  const import_from::System& system = named_system(options.system);
  if (options.file.empty()) {
    throw Failure(ExitCode::kUsage, fmt::format("name a file of {}; - is standard input, and "
                                                "`retrygarden import --list {}` shows one",
                                                system.name, system.name));
  }
  const import_from::Imported imported =
      load_imported(system, options.file, tick_length(options.tick), options.memory_limit);
  std::fputs(loss_lines(imported.losses).c_str(), stderr);
  if (options.strict && !imported.losses.empty()) {
    throw Failure(ExitCode::kInvalidInput, "not everything can be kept");
  }
  write_all(options.output, write_policies(imported.policies, imported.deduplication) + "\n");
}

}  // namespace retrygarden::cli
