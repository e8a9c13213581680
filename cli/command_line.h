// The options that commands share, and how a program turns failures into exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.h"
#include "failure.h"

namespace retrygarden::cli {

// Arguments and options of several commands.
CLI::Option* add_scenario(CLI::App* command, std::string& path);
void add_policies(CLI::App* command, std::vector<std::string>& policies);
void add_threads(CLI::App* command, unsigned& threads);
void add_memory_limit(CLI::App* command, std::uint64_t& limit);
CLI::Validator whole_number();

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

// Commands of several programs, without their examples.
CLI::App* add_run(CLI::App& app, RunOptions& options);
CLI::App* add_export(CLI::App& app, ExportOptions& options);
CLI::App* add_sweep(CLI::App& app, SweepOptions& options);

// Prints what went wrong; the exit code.
int fail(ExitCode exit_code, std::string_view message);

// Parses the arguments, which runs the command that they name. Prints help, version, or what is
// wrong with the arguments, if it is shown; and returns their exit code.
int parse(CLI::App& app, int argc, char** argv, bool is_shown = true);

}  // namespace retrygarden::cli
