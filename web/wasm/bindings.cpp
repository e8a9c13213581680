// What the page asks of the engine. Texts come as UTF-8 in the module's memory; answers are handed
// out piece by piece through the module's `emit`, as bytes that the caller copies.
#include <emscripten.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "retrygarden/view.h"

namespace {

using namespace retrygarden;

// A page has 2 GiB; the answer and the scenario's text are in them too.
constexpr std::uint64_t kMemoryLimit = std::uint64_t{3} << 29;

EM_JS(void, emit_bytes, (const char* bytes, std::size_t size),
      { Module.emit(HEAPU8.subarray(bytes, bytes + size)); });
EM_JS(void, emit_progress, (std::uint32_t policy, std::uint32_t tick, double attempts),
      { Module.progress(policy, tick, attempts); });

void emit(std::string_view text) {
  emit_bytes(text.data(), text.size());
}

void report_progress(std::size_t policy, Tick tick, std::uint64_t attempts) {
  emit_progress(static_cast<std::uint32_t>(policy), tick, static_cast<double>(attempts));
}

Fault too_large(std::uint64_t bytes) {
  return {.position = std::nullopt,
          .pointer = "/clients",
          .expected = "a run that fits into the memory of a page",
          .found = "one that may need " + std::to_string(bytes >> 20) + " MiB"};
}

void emit_faults(const Faults& faults) {
  emit(R"({"faults": )");
  write_faults_json(faults, emit);
  emit("}");
}

// Calls use(scenario) with what the text says, if its runs fit into the memory.
template <class Use>
void with_scenario(const char* text, std::size_t size, Use use) {
  const auto scenario = read_scenario(std::string_view(text, size));
  if (!scenario) {
    emit_faults(scenario.error());
    return;
  }
  const std::uint64_t bytes = view_memory_bytes(*scenario, {});
  if (bytes > kMemoryLimit) {
    emit_faults({too_large(bytes)});
    return;
  }
  use(*scenario);
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void view(const char* text, std::size_t size) {
  with_scenario(text, size, [](const Scenario& scenario) {
    emit(R"({"view": )");
    write_view_json(scenario, {}, emit, report_progress);
    emit("}");
  });
}

EMSCRIPTEN_KEEPALIVE void lanes(const char* text, std::size_t size, std::uint32_t policy,
                                std::uint32_t first, std::uint32_t last) {
  with_scenario(text, size, [&](const Scenario& scenario) {
    write_lanes_json(scenario, policy, {.first = first, .last = last}, emit);
  });
}

EMSCRIPTEN_KEEPALIVE void explain(const char* text, std::size_t size, std::uint32_t policy,
                                  std::uint32_t client, std::uint32_t attempt) {
  with_scenario(text, size, [&](const Scenario& scenario) {
    write_explanation_json(scenario, policy, client, attempt, emit);
  });
}

EMSCRIPTEN_KEEPALIVE void export_json(const char* text, std::size_t size) {
  with_scenario(text, size, [](const Scenario& scenario) { write_export_json(scenario, emit); });
}

}  // extern "C"
