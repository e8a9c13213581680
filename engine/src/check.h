// RETRYGARDEN_CHECK: an assertion that is on in every build. A broken invariant is a bug in the
// engine, never an answer to bad input, and stops the program before it can give a wrong result.
#pragma once

namespace retrygarden {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace retrygarden

#ifdef RETRYGARDEN_WITHOUT_CHECKS
// For coverage, where the failing side must not count as a branch that no test takes, since it is
// unreachable by design; and for the benchmark that tells what checks cost.
#define RETRYGARDEN_CHECK(condition) static_cast<void>(condition)
#else
#define RETRYGARDEN_CHECK(condition) \
  ((condition) ? void(0) : ::retrygarden::check_failed(#condition, __FILE__, __LINE__))
#endif
