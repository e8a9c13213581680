// The event loop with many clients: attempts a second, and memory a client.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "lost_responses.h"
#include "retrygarden/event_loop.h"

namespace retrygarden {
namespace {

// A value in kB of /proc/self/status, in bytes.
std::uint64_t status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::uint64_t kilobytes = 0;
  while (status >> word && word != name + ":") {
  }
  status >> kilobytes;
  return kilobytes * 1024;
}

// The most memory that run() holds beyond what was there before, by the kernel's account.
std::uint64_t peak_bytes(const Plan& plan) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak starts anew
  const std::uint64_t before = status_bytes("VmRSS");
  run(plan);
  const std::uint64_t peak = status_bytes("VmHWM");
  return peak > before ? peak - before : 0;
}

void measure(benchmark::State& state, const Plan& plan) {
  std::uint64_t attempts = 0;
  for (auto _ : state) {
    attempts += run(plan).attempts;
  }
  state.counters["attempts/s"] =
      benchmark::Counter(static_cast<double>(attempts), benchmark::Counter::kIsRate);
  state.counters["time/attempt"] = benchmark::Counter(
      static_cast<double>(attempts), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["bytes/client"] =
      static_cast<double>(peak_bytes(plan)) / static_cast<double>(plan.clients);
}

void fixed_delay(benchmark::State& state) {
  const auto clients = static_cast<std::uint64_t>(state.range(0));
  measure(state, make_plan(bench::lost_responses(clients), bench::kFixedDelay));
}
BENCHMARK(fixed_delay)
    ->RangeMultiplier(10)
    ->Range(10'000, 10'000'000)
    ->Unit(benchmark::kMillisecond);

void bounded_jitter(benchmark::State& state) {
  const auto clients = static_cast<std::uint64_t>(state.range(0));
  measure(state, make_plan(bench::lost_responses(clients), bench::kBoundedJitter));
}
BENCHMARK(bounded_jitter)
    ->RangeMultiplier(10)
    ->Range(10'000, 10'000'000)
    ->Unit(benchmark::kMillisecond);

// Empty ticks cost nothing: the same run observed for longer.
void bounded_jitter_horizon(benchmark::State& state) {
  const auto horizon = static_cast<std::uint32_t>(state.range(0));
  measure(state, make_plan(bench::lost_responses(1'000'000, horizon), bench::kBoundedJitter));
}
BENCHMARK(bounded_jitter_horizon)->Arg(10'000)->Arg(2'147'483'647)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace retrygarden
