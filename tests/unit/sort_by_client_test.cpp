// Sorting by digits against comparing.
#include "sort_by_client.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace retrygarden {
namespace {

// Few and many, over all numbers of digits; each attempt stays with its client.
RC_GTEST_PROP(SortByClient, Ascends, ()) {
  const auto count = *rc::gen::elementOf(std::vector<std::uint32_t>{0, 1, 2, 127, 128, 129, 3000});
  const int bits = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(12, 33));
  const auto start = *rc::gen::arbitrary<std::uint32_t>();
  std::map<Client, std::uint32_t> expected;
  std::vector<DueAttempt> due;
  for (std::uint32_t i = 0; i < count; ++i) {
    // An odd factor gives distinct numbers below 2^bits.
    const std::uint32_t mixed = (i + start) * 2'654'435'761U;
    const Client client = bits == 32 ? mixed : mixed & ((1U << bits) - 1);
    due.push_back({client, i});
    expected[client] = i;
  }
  RC_ASSERT(expected.size() == count);
  std::vector<DueAttempt> scratch{{1, 1}};
  sort_by_client(due, scratch);
  RC_ASSERT(due.size() == count);
  std::size_t i = 0;
  for (const auto& [client, attempt] : expected) {
    RC_ASSERT(due[i].client == client);
    RC_ASSERT(due[i].attempt == attempt);
    ++i;
  }
}

}  // namespace
}  // namespace retrygarden
