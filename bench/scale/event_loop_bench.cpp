// The event loop with many clients: attempts a second, and memory a client.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "lost_responses.h"
#include "retry_storm.h"
#include "retrygarden/event_loop.h"
#include "support/peak_memory.h"

namespace retrygarden {
namespace {

void measure(benchmark::State& state, const Plan& plan, const Workers& workers = {}) {
  std::uint64_t attempts = 0;
  for (auto _ : state) {
    attempts += run(plan, {}, workers).attempts;
  }
  state.counters["attempts/s"] =
      benchmark::Counter(static_cast<double>(attempts), benchmark::Counter::kIsRate);
  state.counters["time/attempt"] = benchmark::Counter(
      static_cast<double>(attempts), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["bytes/client"] =
      static_cast<double>(test::peak_bytes([&] { run(plan, {}, workers); })) /
      static_cast<double>(plan.clients);
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

// The same with several threads: clients, threads.
void bounded_jitter_threads(benchmark::State& state) {
  const auto clients = static_cast<std::uint64_t>(state.range(0));
  measure(state, make_plan(bench::lost_responses(clients), bench::kBoundedJitter),
          {.threads = static_cast<unsigned>(state.range(1))});
}
BENCHMARK(bounded_jitter_threads)
    ->ArgsProduct({{100'000'000}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// A tick that goes through all phases: queue, timeouts, a hang, retries for nobody.
void retry_storm(benchmark::State& state) {
  const auto clients = static_cast<std::uint32_t>(state.range(0));
  measure(state, make_plan(bench::retry_storm(clients), 0));
}
BENCHMARK(retry_storm)
    ->RangeMultiplier(10)
    ->Range(10'000, 10'000'000)
    ->Unit(benchmark::kMillisecond);

void retry_storm_threads(benchmark::State& state) {
  const auto clients = static_cast<std::uint32_t>(state.range(0));
  measure(state, make_plan(bench::retry_storm(clients), 0),
          {.threads = static_cast<unsigned>(state.range(1))});
}
BENCHMARK(retry_storm_threads)
    ->ArgsProduct({{10'000'000}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// The same with a budget and a breaker for each host of 400 clients.
void retry_storm_with_limits(benchmark::State& state) {
  const auto clients = static_cast<std::uint32_t>(state.range(0));
  measure(state, make_plan(bench::retry_storm(clients), 1));
}
BENCHMARK(retry_storm_with_limits)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

// Empty ticks cost nothing: the same run observed for longer.
void bounded_jitter_horizon(benchmark::State& state) {
  const auto horizon = static_cast<std::uint32_t>(state.range(0));
  measure(state, make_plan(bench::lost_responses(1'000'000, horizon), bench::kBoundedJitter));
}
BENCHMARK(bounded_jitter_horizon)->Arg(10'000)->Arg(2'147'483'647)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace retrygarden
