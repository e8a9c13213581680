// Which clients lose their first response, against the rule of docs/model.md, section 5, client by
// client.
#include "first_response_losers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "support/runs.h"

namespace retrygarden::test {
namespace {

Plan plan_with(std::uint32_t clients, std::optional<FirstResponseLost> lost) {
  Scenario example = scenario(clients, 9, 1, 9, FixedDelay{1});
  example.faults.first_response_lost = lost;
  return make_plan(example, 0);
}

std::vector<Client> listed(const FirstResponseLosers& losers) {
  std::vector<Client> clients;
  for (std::uint32_t i = 0; i < losers.count(); ++i) {
    clients.push_back(losers[i]);
  }
  return clients;
}

TEST(FirstResponseLosers, AreNoneWithoutTheFault) {
  const FirstResponseLosers losers(plan_with(9, std::nullopt), 0, 9);
  EXPECT_EQ(losers.count(), 0U);
  EXPECT_FALSE(losers.has(0));
}

TEST(FirstResponseLosers, AreEveryThirdFromTheOffset) {
  const Plan plan = plan_with(100, FirstResponseLost{3, 1});
  EXPECT_EQ(listed({plan, 0, 9}), (std::vector<Client>{1, 4, 7}));
  EXPECT_EQ(listed({plan, 1, 5}), (std::vector<Client>{1, 4}));
  EXPECT_EQ(listed({plan, 2, 4}), std::vector<Client>{});
  EXPECT_EQ(listed({plan, 5, 8}), std::vector<Client>{7});
  EXPECT_EQ(FirstResponseLosers(plan, 1, 9).index_of(7), 2U);
}

TEST(FirstResponseLosers, ReachTheLargestNumbers) {
  constexpr std::uint32_t kMost = 4294967295;
  EXPECT_EQ(listed({plan_with(kMost, FirstResponseLost{kMost, kMost - 1}), 5, kMost}),
            std::vector<Client>{kMost - 1});
  EXPECT_EQ(FirstResponseLosers(plan_with(kMost, FirstResponseLost{1, 0}), 0, kMost).count(),
            kMost);
  EXPECT_EQ(
      FirstResponseLosers(plan_with(kMost, FirstResponseLost{kMost, 3}), kMost - 1, kMost).count(),
      0U);
}

RC_GTEST_PROP(FirstResponseLosers, AreThoseOfTheRule, ()) {
  const auto every = *rc::gen::inRange(1U, 12U);
  const auto offset = *rc::gen::inRange(0U, every);
  const auto begin = *rc::gen::inRange(0U, 40U);
  const auto end = begin + *rc::gen::inRange(1U, 40U);
  const FirstResponseLosers losers(plan_with(100, FirstResponseLost{every, offset}), begin, end);
  std::vector<Client> expected;
  for (Client client = begin; client < end; ++client) {
    const bool loses = client % every == offset;
    RC_ASSERT(losers.has(client) == loses);
    if (loses) {
      RC_ASSERT(losers.index_of(client) == expected.size());
      expected.push_back(client);
    }
  }
  RC_ASSERT(listed(losers) == expected);
}

}  // namespace
}  // namespace retrygarden::test
