// What importing a text yields, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "import/systems.h"
#include "retrygarden/plan.h"

namespace retrygarden::test {

using import_from::Imported;
using import_from::kMillisecond;
using import_from::kSecond;
using import_from::Nanoseconds;

// What the text says, with ticks of that length. The text must be valid.
inline Imported imported(std::string_view system, std::string_view text,
                         Nanoseconds tick = kMillisecond) {
  const import_from::System* found = import_from::find_system(system);
  auto result = import_from::import_text(*found, text, tick);
  if (!result) {
    for (const Fault& fault : result.error()) {
      ADD_FAILURE() << to_string(fault);
    }
    return {};
  }
  return *result;
}

// The one policy of the text.
inline Policy imported_policy(std::string_view system, std::string_view text,
                              Nanoseconds tick = kMillisecond) {
  Imported all = imported(system, text, tick);
  EXPECT_EQ(all.policies.size(), 1U);
  return all.policies.empty() ? Policy{} : all.policies.front();
}

// The faults of an invalid text, one a line.
inline std::string faults_of(std::string_view system, std::string_view text) {
  const auto result =
      import_from::import_text(*import_from::find_system(system), text, kMillisecond);
  std::string lines;
  if (!result) {
    for (const Fault& fault : result.error()) {
      lines += (lines.empty() ? "" : "\n") + to_string(fault);
    }
  }
  return lines;
}

// What is lost, of policies and of the whole.
inline std::vector<std::string> losses_of(const Imported& imported) {
  std::vector<std::string> lines;
  for (const import_from::Loss& loss : imported.losses) {
    lines.push_back(loss.policy.empty() ? loss.what : loss.policy + ": " + loss.what);
  }
  return lines;
}

inline DelayTable delays(const Policy& policy) {
  return {policy.delay, policy.jitter, policy.attempts};
}

// The delays' greatest or least values after the first attempts, before max_delay.
inline std::vector<std::uint32_t> greatest_delays(const Policy& policy, std::uint32_t count) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t attempt = 1; attempt <= count; ++attempt) {
    values.push_back(delays(policy).after(attempt).hi);
  }
  return values;
}
inline std::vector<std::uint32_t> least_delays(const Policy& policy, std::uint32_t count) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t attempt = 1; attempt <= count; ++attempt) {
    values.push_back(delays(policy).after(attempt).lo);
  }
  return values;
}

}  // namespace retrygarden::test
