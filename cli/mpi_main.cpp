// The program retrygarden-mpi: the commands of retrygarden whose runs several processes can share.
#include <CLI/CLI.hpp>
#include <new>
#include <string_view>

#include "command_line.h"
#include "commands.h"
#include "mpi_peers.h"
#include "mpi_sweep.h"
#include "output.h"
#include "together.h"

namespace {

using namespace retrygarden::cli;

int run_program(int argc, char** argv, MpiPeers& peers) {
  CLI::App app(
      "RetryGarden, over the processes that mpirun starts. What comes out is what retrygarden\n"
      "writes, to the byte.");
  app.name("retrygarden-mpi");
  app.set_version_flag("--version", "retrygarden-mpi " RETRYGARDEN_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(24);
  app.footer("Example:\n  mpirun -n 4 retrygarden-mpi run lost-responses.json");
  RunOptions run;
  ExportOptions export_options;
  CLI::App* const run_app = add_run(app, run);
  run_app->footer("Example:\n  mpirun -n 4 retrygarden-mpi run lost-responses.json");
  CLI::App* const export_app = add_export(app, export_options);
  export_app->footer(
      "Example:\n  mpirun -n 4 retrygarden-mpi export lost-responses.json -o export.json");
  SweepOptions sweep;
  CLI::App* const sweep_app = add_sweep(app, sweep);
  sweep_app->footer(
      "Example:\n  mpirun -n 4 retrygarden-mpi sweep capacities.json -o capacities.csv");
  sweep_app->remove_option(sweep_app->get_option("--threads"));
  for (CLI::App* const command : {run_app, export_app}) {
    command->get_option("--threads")->description("Of each process (default: 1)");
  }
  // Processes of one machine share its cores already.
  run.workers = export_options.workers = {.threads = 1, .peers = &peers};
  MpiSweep runners(peers);
  sweep.threads = 1;
  sweep.runners = &runners;
  return parse(app, argc, argv, peers.is_first());
}

}  // namespace

int main(int argc, char** argv) {
  MpiPeers peers(argc, argv);
  install_signal_handlers();
  try {
    return run_program(argc, argv, peers);
  } catch (const SharedFailure& failure) {
    return std::string_view(failure.what()).empty() ? 0 : fail(failure.exit_code(), failure.what());
  } catch (const Failure& failure) {
    if (failure.exit_code() == ExitCode::kUsage) {  // in all of them
      return peers.is_first() ? fail(failure.exit_code(), failure.what()) : 0;
    }
    MpiPeers::end_all(fail(failure.exit_code(), failure.what()));
  } catch (const std::bad_alloc&) {
    MpiPeers::end_all(fail(ExitCode::kOverMemoryLimit, "the machine has no more memory"));
  }
}
