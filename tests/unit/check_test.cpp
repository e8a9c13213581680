// A broken invariant stops the program, in every build.
#include "check.h"

#include <gtest/gtest.h>

#include <csignal>

namespace retrygarden {
namespace {

TEST(CheckDeathTest, ABrokenInvariantStopsTheProgramAndNamesItsPlace) {
  EXPECT_EXIT(check_failed("a <= b", "loop.h", 7), testing::KilledBySignal(SIGABRT),
              "loop.h:7: broken invariant: a <= b");
}

#ifndef RETRYGARDEN_WITHOUT_CHECKS

TEST(CheckDeathTest, ChecksAreOnInThisBuild) {
  RETRYGARDEN_CHECK(1 + 1 == 2);
  EXPECT_DEATH(RETRYGARDEN_CHECK(1 + 1 == 3), "broken invariant: 1 \\+ 1 == 3");
}

#endif

}  // namespace
}  // namespace retrygarden
