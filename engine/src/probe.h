// Probes: rare states of the engine by name, so that a test can tell whether the suites ever reach
// them.
//
// Without RETRYGARDEN_PROBES a probe is nothing at all.
#pragma once

#ifdef RETRYGARDEN_PROBES

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace retrygarden {

enum class Probe : std::uint8_t {
  kRejectedWord,
  kSecondBlockOfWords,
  kKeyJustExpired,
  kKeyInItsLastTick,
  kOutagesOverlap,
  kOutagesTouch,
  kOutageBeyondHorizon,
  kCapacityReachedExactly,
  kCapacityZero,
  kSelectionWithoutSorting,
  kNextAttemptAtHorizon,
  kNextAttemptInLastTick,
  kExhaustedAfterLostResponse,
  kScheduledAfterLostResponse,
  kDelayOfTwoToThe30,
  kDecorrelatedAtItsCap,
  kDelayBeyondTable,
  kPercentileOfOneValue,
  kLongWait,
  kEqualPeaks,
  kWheelHighestLevel,
  kKeyLost,
  kDelayCut,
  kHintIsLonger,
  kConcurrencyReached,
  kLifoWithSeveralWaiting,
  kCrashWithResponseDue,
  kFailureCostBeyondTokens,
  kTokensAtThreshold,
  kLastTokens,
  kTokensBeyondCapacity,
  kBreakerHalfOpen,
  kBreakerOutOfProbes,
  kBreakerCloses,
  kBreakerOpensAgain,
  kResultOfOldPeriod,
  kCount,
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Probe::kCount)> kProbeNames =
    {
        "a rejected random word",
        "a draw that needs a second block of words",
        "a key that expires in this very tick",
        "a key that is live for the last tick",
        "outages that overlap",
        "outages that touch",
        "an outage that reaches beyond the horizon",
        "capacity reached exactly",
        "capacity 0",
        "the lowest clients selected without sorting",
        "a next attempt at the horizon",
        "a next attempt in the last tick observed",
        "a client exhausted after a lost response",
        "a client scheduled after a lost response",
        "a delay of 2^30 ticks or more",
        "a decorrelated delay at its cap",
        "a delay beyond the table of a slow linear law",
        "percentiles of one value",
        "a wait beyond the table of waits",
        "two ticks with the same peak load",
        "an attempt in the highest wheel",
        "a key that an outage took",
        "a delay cut to the policy's longest",
        "a hint longer than the delay",
        "as many in service as may be",
        "lifo with several waiting",
        "a crash in the tick in which a response is due",
        "a failure that costs more tokens than there are",
        "tokens exactly at the threshold",
        "a retry that takes the last tokens",
        "tokens beyond the capacity of their bucket",
        "a breaker that is half-open",
        "a breaker that has let all probes through",
        "a breaker that closes again",
        "a breaker that opens again",
        "a result of before a breaker opened",
};

// How often each probe was reached, by this process. Not for several threads.
inline std::array<std::uint64_t, static_cast<std::size_t>(Probe::kCount)> probe_counts{};

}  // namespace retrygarden

#define RETRYGARDEN_PROBE(probe, condition)                                              \
  (::retrygarden::probe_counts[static_cast<std::size_t>(::retrygarden::Probe::probe)] += \
   (condition) ? 1 : 0)

#else

#define RETRYGARDEN_PROBE(probe, condition) void(0)

#endif
