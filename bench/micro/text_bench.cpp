// Reading a scenario, and writing an export.
#include <benchmark/benchmark.h>

#include "lost_responses.h"
#include "retrygarden/export.h"

namespace retrygarden {
namespace {

void read(benchmark::State& state) {
  const std::string text = bench::lost_responses_text(8);
  for (auto _ : state) {
    benchmark::DoNotOptimize(read_scenario(text));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read)->Unit(benchmark::kMicrosecond);

// Attempts written a second, with everything else that a document holds.
void export_json(benchmark::State& state) {
  const Scenario scenario = bench::lost_responses(static_cast<std::uint64_t>(state.range(0)));
  std::uint64_t attempts = 0;
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    attempts += run(make_plan(scenario, i)).attempts;
  }
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    write_export_json(scenario, [&](std::string_view text) { bytes += text.size(); });
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(attempts));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(export_json)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace retrygarden
