// The program retrygarden: reads the command line, calls a command, and turns failures into exit
// codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <new>
#include <optional>
#include <sstream>
#include <utility>

#include "commands.h"
#include "memory_limit.h"
#include "output.h"
#include "retrygarden/json.h"

namespace {

using namespace retrygarden::cli;

void add_scenario(CLI::App* command, std::string& path) {
  command->add_option("SCENARIO", path, "Scenario file (JSON); - is standard input")
      ->required()
      ->option_text(" ");
}

// One of the names, as a value.
template <class Format>
void add_format(CLI::App* command, Format& format,
                const std::vector<std::pair<std::string, Format>>& names, const std::string& help) {
  std::vector<std::string> allowed;
  for (const auto& [name, value] : names) {
    allowed.push_back(name);
  }
  command
      ->add_option_function<std::string>(
          "--format",
          [&format, names](const std::string& chosen) {
            for (const auto& [name, value] : names) {
              if (name == chosen) {
                format = value;
              }
            }
          },
          help)
      ->check(CLI::IsMember(allowed))
      ->option_text("FORMAT");
}

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

CLI::Validator positive_number() {
  return whole_number() & CLI::Validator(
                              [](const std::string& text) {
                                return text == "0" ? "not a positive number: 0" : std::string();
                              },
                              "");
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

void add_memory_limit(CLI::App* command, std::uint64_t& limit) {
  limit = default_memory_limit();
  command
      ->add_option("--memory-limit", limit, "Refuse what needs more (default: 80 % of the memory)")
      ->transform(size_with_unit())
      ->option_text("SIZE");
}

void add_policies(CLI::App* command, std::vector<std::string>& policies) {
  command->add_option("--policy", policies, "Only the policy of this name; repeatable")
      ->option_text("NAME")
      ->allow_extra_args(false);
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App* command =
      app.add_subcommand("run", "Run a scenario: policies side by side, load over time");
  add_scenario(command, options.scenario);
  add_policies(command, options.policies);
  using Format = RunOptions::Format;
  add_format<Format>(command, options.format,
                     {{"table", Format::kTable}, {"json", Format::kJson}, {"csv", Format::kCsv}},
                     "table (default), json, or csv (a line a policy)");
  add_memory_limit(command, options.memory_limit);
  command->footer("Example:\n  retrygarden run lost-responses.json --policy \"fixed delay\"");
  command->callback([&options] { run_command(options); });
}

void add_export(CLI::App& app, ExportOptions& options) {
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
  add_memory_limit(command, options.memory_limit);
  command->footer(
      "Example:\n  retrygarden export lost-responses.json -o lost-responses.export.json");
  command->callback([&options] { export_command(options); });
}

void add_report(CLI::App& app, ReportOptions& options) {
  CLI::App* command =
      app.add_subcommand("report", "Write a page with the results, for any browser");
  add_scenario(command, options.scenario);
  command->add_option("-o,--output", options.output, "File; - (default) is standard output")
      ->option_text("FILE");
  command
      ->add_option("--page", options.page,
                   "Page to put the results into (default: the one built with the program)")
      ->option_text("FILE");
  add_memory_limit(command, options.memory_limit);
  command->footer("Example:\n  retrygarden report lost-responses.json -o report.html");
  command->callback([&options] { report_command(options); });
}

void add_attempts(CLI::App& app, AttemptsOptions& options) {
  CLI::App* command =
      app.add_subcommand("attempts", "Show each attempt: what was done, known and decided");
  add_scenario(command, options.scenario);
  command->add_option("--client", options.clients, "Only this client; repeatable")
      ->transform(whole_number())
      ->option_text("NUMBER")
      ->allow_extra_args(false);
  command->add_option("--tick", options.ticks, "Only this tick; repeatable")
      ->transform(whole_number())
      ->option_text("NUMBER")
      ->allow_extra_args(false);
  add_policies(command, options.policies);
  add_memory_limit(command, options.memory_limit);
  command->footer("Example:\n  retrygarden attempts lost-responses.json --client 0 --client 3");
  command->callback([&options] { attempts_command(options); });
}

void add_verify(CLI::App& app, VerifyOptions& options) {
  CLI::App* command =
      app.add_subcommand("verify", "Compare an export with engine and reference model");
  command
      ->add_option("EXPORT", options.document,
                   "What `retrygarden export` wrote (JSON); - is standard input")
      ->required()
      ->option_text(" ");
  add_memory_limit(command, options.memory_limit);
  command->footer("Example:\n  retrygarden verify lost-responses.export.json");
  command->callback([&options] { verify_command(options); });
}

void add_sweep(CLI::App& app, SweepOptions& options) {
  CLI::App* command =
      app.add_subcommand("sweep", "Run a grid of scenarios over many seeds, on all cores");
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
  command->add_option("--threads", options.threads, "At most so many threads (default: all cores)")
      ->transform(positive_number())
      ->option_text("NUMBER");
  add_memory_limit(command, options.memory_limit);
  command->footer(
      "A sweep file is a scenario in which members have lists of values: docs/sweep.md.\n"
      "With -o FILE, rows are gathered in FILE.partial until all are there. A sweep that was\n"
      "interrupted goes on from there when the same command is given again.\n\n"
      "Example:\n  retrygarden sweep capacities.json -o capacities.csv");
  command->callback([&options] { sweep_command(options); });
}

void add_check(CLI::App& app, std::string& scenario) {
  CLI::App* command =
      app.add_subcommand("check", "Check a scenario, and print it with its defaults");
  add_scenario(command, scenario);
  command->footer("Example:\n  retrygarden check my-scenario.json");
  command->callback([&scenario] { check_command(scenario); });
}

void add_new(CLI::App& app, NewOptions& options) {
  CLI::App* command = app.add_subcommand("new", "Write a scenario to start from");
  CLI::Option* preset =
      command->add_option("PRESET", options.preset, "Name of the preset")->option_text(" ");
  command->add_flag("--list", options.list, "List the presets")->excludes(preset)->option_text(" ");
  command->add_option("-o,--output", options.output, "File; - (default) is standard output")
      ->option_text("FILE");
  command->footer("Example:\n  retrygarden new lost-responses -o my-scenario.json");
  command->callback([&options] { new_command(options); });
}

void add_schema(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("schema", "Print the JSON Schema of scenarios, for editors");
  command->footer("Example:\n  retrygarden schema > scenario.schema.json");
  command->callback([] { schema_command(); });
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

int run_program(int argc, char** argv) {
  CLI::App app(
      "RetryGarden: what retries do to a server, exactly.\n"
      "A deterministic simulator of clients, retry policies and a capacity-limited server.");
  app.name("retrygarden");
  app.set_version_flag("--version", "retrygarden " RETRYGARDEN_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(24);
  app.footer(
      "Example:\n"
      "  retrygarden new lost-responses -o lost-responses.json\n"
      "  retrygarden run lost-responses.json\n\n"
      "Exit codes: 0 done; 1 a comparison failed; 2 usage; 3 invalid input; 4 input or output\n"
      "failed; 5 over the memory limit.");

  RunOptions run;
  ExportOptions export_options;
  AttemptsOptions attempts;
  ReportOptions report;
  SweepOptions sweep;
  VerifyOptions verify;
  std::string checked_scenario;
  NewOptions new_options;
  add_run(app, run);
  add_export(app, export_options);
  add_attempts(app, attempts);
  add_report(app, report);
  add_sweep(app, sweep);
  add_verify(app, verify);
  add_check(app, checked_scenario);
  add_new(app, new_options);
  add_schema(app);
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(is_named).empty()) {
    throw Failure(ExitCode::kUsage, fmt::format("there is no command {}; see --help", argv[1]));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_early(app, error);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  install_signal_handlers();
  try {
    return run_program(argc, argv);
  } catch (const Failure& failure) {
    return fail(failure.exit_code(), failure.what());
  } catch (const std::length_error&) {
    return fail(ExitCode::kOverMemoryLimit, "a text is longer than any memory");
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::kOverMemoryLimit, "the machine has no more memory");
  }
}
