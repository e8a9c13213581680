// Several runs at once, in different threads, give what one gives. Build with ThreadSanitizer to
// see more.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "retrygarden/export.h"

namespace retrygarden {
namespace {

constexpr std::string_view kText = R"({
  "retrygarden": 1, "clients": 500, "clients_per_host": 7, "horizon": 200, "seed": 3,
  "arrivals": {"kind": "random", "over": 20},
  "server": {"capacity": 20, "service_ticks": 2, "queue": 50, "tie_break": "random",
             "outages": [{"from": 5, "ticks": 9}, {"from": 40, "ticks": 3, "kind": "crash"}],
             "deduplication": {"kind": "ttl", "ticks": 9}},
  "faults": {"first_response_lost": {"every": 3}, "request_loss": 0.1},
  "policies": [
    {"name": "a", "attempts": 9, "timeout": 4, "delay": {"kind": "exponential", "base": 1, "cap": 30},
     "jitter": {"kind": "full"}, "budget": {"kind": "tokens", "capacity": 20, "retry_cost": 0.5}},
    {"name": "b", "attempts": 9, "timeout": 4, "delay": {"kind": "decorrelated", "base": 1, "cap": 30},
     "breaker": {"window": 9, "failures": 5, "open_ticks": 6, "probes": 2}}]})";

std::string export_text() {
  std::string text;
  write_export_json(read_scenario(kText).value(), [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(Threads, RunsAtOnceGiveTheSameBytes) {
  const std::string expected = export_text();
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::string& text : texts) {
    threads.emplace_back([&text] { text = export_text(); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::string& text : texts) {
    EXPECT_EQ(text, expected);
  }
}

}  // namespace
}  // namespace retrygarden
