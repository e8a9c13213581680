// retrygarden export: everything that a run yields, to a file, a folder or standard output.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands.h"
#include "input.h"
#include "memory_limit.h"
#include "output.h"
#include "progress.h"
#include "retrygarden/export.h"
#include "retrygarden/grouped.h"
#include "terminal.h"

namespace retrygarden::cli {

namespace {

using Write = void (*)(const Scenario&, const Sink&);

void write_to(Output& output, const Scenario& scenario, Write write, Progress& progress) {
  write(scenario, [&](std::string_view text) {
    output.write(text);
    progress.update([&] { return grouped(output.bytes_written() >> 20) + " MiB written"; });
  });
}

void export_folder(const Scenario& scenario, const std::string& folder, Progress& progress) {
  static constexpr std::pair<std::string_view, Write> kFiles[] = {
      {"attempts.csv", write_attempts_csv},
      {"load.csv", write_load_csv},
      {"clients.csv", write_clients_csv},
      {"summary.csv", write_summary_csv}};
  make_folder(folder);
  // All are written before the first takes its name.
  std::vector<std::unique_ptr<Output>> outputs;
  for (const auto& [name, write] : kFiles) {
    const auto path = std::filesystem::path(folder) / name;
    outputs.push_back(std::make_unique<Output>(path.string()));
    write_to(*outputs.back(), scenario, write, progress);
  }
  for (const auto& output : outputs) {
    output->commit();
  }
}

}  // namespace

void export_command(const ExportOptions& options) {
  const bool is_csv = options.format == ExportOptions::Format::kCsv;
  if (is_csv && options.output == "-") {
    throw Failure(ExitCode::kUsage, "CSV makes four files: name their folder with -o FOLDER");
  }
  const Scenario scenario = load_scenario(options.scenario, options.memory_limit);
  require_memory(export_memory_bytes(scenario), options.memory_limit, "the export");
  Progress progress;
  if (is_csv) {
    export_folder(scenario, options.output, progress);
    return;
  }
  Output output(options.output);
  write_to(output, scenario,
           options.format == ExportOptions::Format::kJson ? write_export_json : write_export_ndjson,
           progress);
  output.commit();
}

}  // namespace retrygarden::cli
