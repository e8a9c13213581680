// The program retrygarden: reads the command line, calls a command, and turns failures into exit
// codes.
#include <CLI/CLI.hpp>
#include <new>
#include <stdexcept>
#include <string>

#include "command_line.h"
#include "commands.h"
#include "output.h"

namespace {

using namespace retrygarden::cli;

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

void add_delays(CLI::App& app, DelaysOptions& options) {
  constexpr std::uint32_t kMostAttempts = 10'000;
  CLI::App* command =
      app.add_subcommand("delays", "Show how long each policy waits: ranges, bounds, what is cut");
  CLI::Option* scenario = add_scenario(command, options.scenario)->required(false);
  CLI::Option* from =
      command
          ->add_option("--from", options.from,
                       "Policies of another system's file, without a scenario; repeatable")
          ->excludes(scenario)
          ->option_text("SYSTEM FILE")
          ->allow_extra_args(false);
  command->add_option("--tick", options.tick, "How long a tick lasts there (default: 1ms)")
      ->needs(from)
      ->option_text("DURATION");
  add_policies(command, options.policies);
  command
      ->add_option("--attempts", options.attempts,
                   "Only so many attempts of each policy (default: at most 20)")
      ->transform(whole_number())
      ->check(CLI::Range(1U, kMostAttempts))
      ->option_text("NUMBER");
  add_memory_limit(command, options.memory_limit);
  command->footer(
      "Example:\n  retrygarden delays jitter-comparison.json --attempts 6\n"
      "  retrygarden delays --from grpc service-config.json");
  command->callback([&options] { delays_command(options); });
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

void add_import(CLI::App& app, ImportOptions& options) {
  CLI::App* command =
      app.add_subcommand("import", "Make policies of another system's retry configuration");
  command->add_option("SYSTEM", options.system, "Name of the system")->option_text(" ");
  CLI::Option* file =
      command->add_option("FILE", options.file, "Its configuration; - is standard input")
          ->option_text(" ");
  command->add_flag("--list", options.list, "List the systems, or show the example of SYSTEM")
      ->excludes(file)
      ->option_text(" ");
  command->add_option("--tick", options.tick, "How long a tick lasts (default: 1ms)")
      ->option_text("DURATION");
  command->add_option("-o,--output", options.output, "File; - (default) is standard output")
      ->option_text("FILE");
  command->add_flag("--strict", options.strict, "Fail if something cannot be kept")
      ->option_text(" ");
  add_memory_limit(command, options.memory_limit);
  command->footer(
      "What cannot be kept is said on standard error. Formulas and limits: docs/systems.md.\n\n"
      "Example:\n"
      "  retrygarden import --list grpc > service-config.json\n"
      "  retrygarden import grpc service-config.json");
  command->callback([&options] { import_command(options); });
}

void add_schema(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("schema", "Print the JSON Schema of scenarios, for editors");
  command->footer("Example:\n  retrygarden schema > scenario.schema.json");
  command->callback([] { schema_command(); });
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
  DelaysOptions delays;
  ReportOptions report;
  SweepOptions sweep;
  VerifyOptions verify;
  std::string checked_scenario;
  NewOptions new_options;
  ImportOptions import_options;
  add_run(app, run)->footer(
      "Example:\n  retrygarden run lost-responses.json --policy \"fixed delay\"");
  add_export(app, export_options)
      ->footer("Example:\n  retrygarden export lost-responses.json -o lost-responses.export.json");
  add_attempts(app, attempts);
  add_delays(app, delays);
  add_report(app, report);
  add_sweep(app, sweep)
      ->footer(
          "A sweep file is a scenario in which members have lists of values: docs/sweep.md.\n"
          "With -o FILE, rows are gathered in FILE.partial until all are there. A sweep that was\n"
          "interrupted goes on from there when the same command is given again.\n\n"
          "Example:\n  retrygarden sweep capacities.json -o capacities.csv");
  add_verify(app, verify);
  add_check(app, checked_scenario);
  add_new(app, new_options);
  add_import(app, import_options);
  add_schema(app);
  return parse(app, argc, argv);
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
