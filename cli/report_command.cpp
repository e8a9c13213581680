// retrygarden report: the page as one file, with a scenario and its results inside.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "commands.h"
#include "input.h"
#include "memory_limit.h"
#include "output.h"
#include "progress.h"
#include "retrygarden/view.h"

namespace retrygarden::cli {

namespace {

// The page has this once, where its results go.
constexpr std::string_view kMarker = "<!-- results of retrygarden report -->";

// Runs up to this size are stored whole.
constexpr ViewSize kSize{.whole = 100'000};

// From the folder of the program: where it is installed, and where it is built.
constexpr std::array<std::string_view, 2> kPages = {"../share/retrygarden/page.html",
                                                    "../web/single/index.html"};

std::string page_of_program() {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::string_view page : kPages) {
    const auto path = (folder / page).lexically_normal();
    if (std::filesystem::exists(path, error)) {
      return path.string();
    }
  }
  throw Failure(
      ExitCode::kInputOutputFailed,
      fmt::format("there is no page at {}: ./dev web builds it, --page FILE names another",
                  (folder / kPages.back()).lexically_normal().string()));
}

// Passes JSON on as text inside of HTML. Where JSON has a < it is in a string, and may be escaped;
// so nothing in there can end the element.
class ScriptText {
 public:
  explicit ScriptText(Output& output) : output_(output) {}

  void write(std::string_view json) {
    for (std::size_t less = json.find('<'); less != std::string_view::npos; less = json.find('<')) {
      output_.write(json.substr(0, less));
      output_.write("\\u003c");
      json.remove_prefix(less + 1);
    }
    output_.write(json);
  }

 private:
  Output& output_;
};

}  // namespace

void report_command(const ReportOptions& options) {
  const std::string text = read_input(options.scenario, options.memory_limit);
  const auto scenario = read_scenario(text);
  if (!scenario) {
    throw_faults(options.scenario, scenario.error());
  }
  require_memory(view_memory_bytes(*scenario, kSize), options.memory_limit, "the report");
  const std::string path = options.page.empty() ? page_of_program() : options.page;
  const std::string page = read_input(path, options.memory_limit);
  const std::size_t place = page.find(kMarker);
  if (place == std::string::npos) {
    throw Failure(ExitCode::kInvalidInput,
                  fmt::format("{} is not the page of this program: it has no place for results",
                              input_name(path)));
  }
  Progress progress;
  Output output(options.output);
  output.write(std::string_view(page).substr(0, place));
  output.write(R"(<script type="application/json" id="retrygarden-report">{"text": )");
  ScriptText script(output);
  script.write(nlohmann::json(text).dump());
  script.write(R"(, "view": )");
  write_view_json(
      *scenario, kSize, [&](std::string_view json) { script.write(json); },
      [&](std::size_t policy, Tick tick, std::uint64_t attempts) {
        progress.update_run(policy, scenario->policies.size(), tick, attempts);
      });
  output.write("}</script>");
  output.write(std::string_view(page).substr(place + kMarker.size()));
  output.commit();
}

}  // namespace retrygarden::cli
