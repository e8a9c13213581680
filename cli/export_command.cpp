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
#include "together.h"
#include "workers.h"
#include "zstd_compressor.h"

namespace retrygarden::cli {

namespace {

using Write = void (*)(const Scenario&, const Sink&, const Workers&);

void write_to(Output& output, const Scenario& scenario, Write write, const ExportOptions& options,
              Progress& progress) {
  const auto write_out = [&](std::string_view text) {
    output.write(text);
    progress.update([&] { return grouped(output.bytes_written() >> 20) + " MiB written"; });
  };
  if (options.compress) {
    ZstdCompressor compressor(write_out);
    write(scenario, [&](std::string_view text) { compressor.write(text); }, options.workers);
    compressor.finish();
  } else {
    write(scenario, write_out, options.workers);
  }
}

void export_folder(const Scenario& scenario, const ExportOptions& options, Progress& progress) {
  static constexpr std::pair<std::string_view, Write> kFiles[] = {
      {"attempts.csv", write_attempts_csv},
      {"load.csv", write_load_csv},
      {"clients.csv", write_clients_csv},
      {"summary.csv", write_summary_csv}};
  if (options.workers.shows()) {
    make_folder(options.output);
  }
  // All are written before the first takes its name.
  std::vector<std::unique_ptr<Output>> outputs;
  for (const auto& [name, write] : kFiles) {
    auto path = std::filesystem::path(options.output) / name;
    path += options.compress ? ".zst" : "";
    outputs.push_back(std::make_unique<Output>(path_for(path.string(), options.workers)));
    write_to(*outputs.back(), scenario, write, options, progress);
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
  const Workers& workers = options.workers;
  const Scenario scenario = together(workers.peers, [&] {
    Scenario loaded = load_scenario(options.scenario, options.memory_limit);
    for (std::size_t i = 0; i < loaded.policies.size(); ++i) {
      require_workers_for(make_plan(loaded, i), workers);
    }
    require_memory(export_memory_bytes(loaded, workers), options.memory_limit, "the export");
    return loaded;
  });
  Progress progress;
  if (is_csv) {
    export_folder(scenario, options, progress);
    return;
  }
  Output output(path_for(options.output, workers));
  write_to(output, scenario,
           options.format == ExportOptions::Format::kJson ? write_export_json : write_export_ndjson,
           options, progress);
  output.commit();
}

}  // namespace retrygarden::cli
