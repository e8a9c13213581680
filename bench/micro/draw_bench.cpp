// One random draw.
#include <benchmark/benchmark.h>

#include "draw.h"

namespace retrygarden {
namespace {

void draw_delay(benchmark::State& state) {
  Client client = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(draw(9, {1, 16}, Purpose::kDelay, 3, client++));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(draw_delay);

// A quarter of the words is rejected.
void draw_with_rejections(benchmark::State& state) {
  Client client = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(draw(9, {1, 3U << 30}, Purpose::kDelay, 3, client++));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(draw_with_rejections);

}  // namespace
}  // namespace retrygarden
