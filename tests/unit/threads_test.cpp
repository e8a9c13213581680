// Several runs at once, in different threads, give what one gives. Build with ThreadSanitizer to
// see more.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "retrygarden/export.h"

namespace retrygarden {
namespace {

constexpr std::string_view kText = R"({
  "retrygarden": 1, "clients": 500, "horizon": 200, "seed": 3, "arrivals": {"kind": "random", "over": 20},
  "server": {"capacity": 20, "outages": [{"from": 5, "ticks": 9}], "deduplication": {"kind": "ttl", "ticks": 9}},
  "faults": {"first_response_lost": {"every": 3}},
  "policies": [
    {"name": "a", "attempts": 9, "delay": {"kind": "exponential", "base": 1, "cap": 30}, "jitter": {"kind": "full"}},
    {"name": "b", "attempts": 9, "delay": {"kind": "decorrelated", "base": 1, "cap": 30}}]})";

std::string export_text() {
  std::string text;
  write_export_json(*read_scenario(kText), [&](std::string_view piece) { text += piece; });
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
