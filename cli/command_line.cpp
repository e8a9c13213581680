#include "command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "memory_limit.h"
#include "output.h"
#include "retrygarden/json.h"

namespace retrygarden::cli {

namespace {

// The library's conversions take more than they should: signs, octal numbers, nothing at all, and
// numbers that overflow. These look first.
std::optional<std::uint64_t> leading_number(std::string_view text, std::string_view& rest) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) {
    return std::nullopt;
  }
  rest = std::string_view(stop, static_cast<std::size_t>(end - stop));
  return number;
}

CLI::Validator size_with_unit() {
  return {[as_size = CLI::AsSizeValue(false)](std::string& text) {
            std::string_view rest;
            if (!leading_number(text, rest) || rest.starts_with('.')) {
              return std::string("not a size such as 4GiB: ") + text;
            }
            return as_size(text);
          },
          ""};
}

// What the library has to say for an early end: help or version, or what is wrong with the
// arguments.
int end_early(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream help;
  std::ostringstream fault;
  if (app.exit(error, help, fault) != 0) {
    return fail(ExitCode::kUsage, fault.str());
  }
  Output output("-");
  output.write(help.str());
  output.commit();
  return 0;
}

}  // namespace

CLI::Option* add_scenario(CLI::App* command, std::string& path) {
  return command->add_option("SCENARIO", path, "Scenario file (JSON); - is standard input")
      ->required()
      ->option_text(" ");
}

CLI::Validator whole_number() {
  return {[](std::string& text) {
            std::string_view rest;
            const auto number = leading_number(text, rest);
            if (!number || !rest.empty()) {
              return std::string("not a whole number: ") + text;
            }
            text = std::to_string(*number);
            return std::string();
          },
          ""};
}

void add_memory_limit(CLI::App* command, std::uint64_t& limit) {
  limit = default_memory_limit();
  command
      ->add_option("--memory-limit", limit, "Refuse what needs more (default: 80 % of the memory)")
      ->transform(size_with_unit())
      ->option_text("SIZE");
}

void add_threads(CLI::App* command, unsigned& threads) {
  constexpr unsigned kMost = 1024;
  threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMost);
  command->add_option("--threads", threads, "How many to use (default: all); results are the same")
      ->transform(whole_number())
      ->check(CLI::Range(1U, kMost))
      ->option_text("NUMBER");
}

void add_policies(CLI::App* command, std::vector<std::string>& policies) {
  command->add_option("--policy", policies, "Only the policy of this name; repeatable")
      ->option_text("NAME")
      ->allow_extra_args(false);
}

CLI::App* add_run(CLI::App& app, RunOptions& options) {
  CLI::App* command =
      app.add_subcommand("run", "Run a scenario: policies side by side, load over time");
  add_scenario(command, options.scenario);
  add_policies(command, options.policies);
  command
      ->add_option("--with", options.with,
                   "Policies of another system's file instead of its own; repeatable")
      ->option_text("SYSTEM:FILE")
      ->allow_extra_args(false);
  using Format = RunOptions::Format;
  add_format<Format>(command, options.format,
                     {{"table", Format::kTable}, {"json", Format::kJson}, {"csv", Format::kCsv}},
                     "table (default), json, or csv (a line a policy)");
  add_threads(command, options.workers.threads);
  add_memory_limit(command, options.memory_limit);
  command->callback([&options] { run_command(options); });
  return command;
}

CLI::App* add_export(CLI::App& app, ExportOptions& options) {
  CLI::App* command =
      app.add_subcommand("export", "Write every record of a run as JSON, NDJSON or CSV");
  add_scenario(command, options.scenario);
  command
      ->add_option("-o,--output", options.output,
                   "File, or folder for csv; - (default) is standard output")
      ->option_text("FILE");
  using Format = ExportOptions::Format;
  add_format<Format>(command, options.format,
                     {{"json", Format::kJson}, {"ndjson", Format::kNdjson}, {"csv", Format::kCsv}},
                     "json (default), ndjson, or csv (four files)");
  command
      ->add_option_function<std::string>(
          "--compress", [&options](const std::string&) { options.compress = true; },
          "Compress what is written: zstd; files of csv get the ending .zst")
      ->check(CLI::IsMember({"zstd"}))
      ->option_text("FORMAT");
  add_threads(command, options.workers.threads);
  add_memory_limit(command, options.memory_limit);
  command->callback([&options] { export_command(options); });
  return command;
}

CLI::App* add_sweep(CLI::App& app, SweepOptions& options) {
  CLI::App* command = app.add_subcommand("sweep", "Run a grid of scenarios over many seeds");
  command->add_option("SWEEP", options.sweep, "Sweep file (JSON); - is standard input")
      ->required()
      ->option_text(" ");
  command
      ->add_option("-o,--output", options.output,
                   "File for the rows; - (default) is standard output")
      ->option_text("FILE");
  using Format = SweepOptions::Format;
  add_format<Format>(command, options.format, {{"csv", Format::kCsv}, {"ndjson", Format::kNdjson}},
                     "csv (default), or ndjson");
  command
      ->add_option("--statistics", options.statistics,
                   "File for the statistics over the seeds (CSV); - is standard output")
      ->option_text("FILE");
  add_threads(command, options.threads);
  add_memory_limit(command, options.memory_limit);
  command->callback([&options] { sweep_command(options); });
  return command;
}

int fail(ExitCode exit_code, std::string_view message) {
  std::string text = "retrygarden: ";
  while (!message.empty()) {
    const std::string_view line = message.substr(0, message.find('\n'));
    text += retrygarden::printable(line, line.size() * 4) + '\n';
    message.remove_prefix(std::min(line.size() + 1, message.size()));
  }
  std::fputs(text.c_str(), stderr);
  return static_cast<int>(exit_code);
}

int parse(CLI::App& app, int argc, char** argv, bool is_shown) {
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(is_named).empty()) {
    throw Failure(ExitCode::kUsage, fmt::format("there is no command {}; see --help", argv[1]));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return is_shown ? end_early(app, error) : 0;
  }
  return 0;
}

}  // namespace retrygarden::cli
