// What a run yields (docs/model.md, section 8): the records, and the names of their values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "retrygarden/scenario.h"

namespace retrygarden {

enum class Outcome : std::uint8_t {
  kAccepted,
  kOverloaded,
  kUnavailable,
  kRequestLost,
  kShortCircuited,
};
enum class Effect : std::uint8_t { kNone, kApplied, kDuplicate, kSuppressed };
enum class Response : std::uint8_t { kNone, kAcknowledged, kLost, kLate, kCrashed };
enum class ClientState : std::uint8_t {
  kAcknowledged,
  kExhausted,
  kDeadlineExceeded,
  kBudgetDenied,
  kAwaiting,
  kScheduled,
};

std::string_view to_string(Outcome outcome);
std::string_view to_string(Effect effect);
std::string_view to_string(Response response);
std::string_view to_string(ClientState state);

// One sending of a client's operation: what the server did with it, and what the client learned.
struct Attempt {
  Tick tick = 0;
  Client client = 0;
  std::uint32_t attempt = 1;
  Outcome outcome = Outcome::kAccepted;
  std::optional<Tick> started_tick;
  std::optional<Tick> dropped_tick;
  Effect effect = Effect::kNone;
  Response response = Response::kNone;
  std::optional<Tick> failed_tick;
  std::optional<Tick> next_tick;  // may lie at the horizon or later

  bool operator==(const Attempt&) const = default;
};

// The totals of a tick in which an attempt was made, a request was started or dropped, or a client
// was acknowledged.
struct TickLoad {
  Tick tick = 0;
  std::uint64_t attempts = 0;
  std::uint64_t accepted = 0;
  std::uint64_t overloaded = 0;
  std::uint64_t unavailable = 0;
  std::uint64_t lost_requests = 0;
  std::uint64_t short_circuited = 0;
  std::uint64_t started = 0;
  std::uint64_t dropped = 0;
  std::uint64_t effects = 0;       // applied or duplicate
  std::uint64_t acknowledged = 0;  // clients that learned of success
  std::uint64_t queued = 0;        // requests that wait at the end of the tick

  bool operator==(const TickLoad&) const = default;
};

struct ClientRecord {
  Client client = 0;
  Tick arrival = 0;
  ClientState state = ClientState::kScheduled;
  std::uint32_t attempts = 0;
  std::uint32_t effects = 0;
  std::optional<Tick> acknowledged_tick;
  std::optional<Tick> next_tick;

  bool operator==(const ClientRecord&) const = default;
};

struct PeakLoad {
  std::optional<Tick> tick;
  std::uint64_t requests = 0;

  bool operator==(const PeakLoad&) const = default;
};

// Ticks from arrival to acknowledgement, by nearest rank; nothing if no client was acknowledged.
struct TimeToAcknowledge {
  std::optional<std::uint32_t> p50;
  std::optional<std::uint32_t> p90;
  std::optional<std::uint32_t> p99;
  std::optional<std::uint32_t> max;

  bool operator==(const TimeToAcknowledge&) const = default;
};

struct Summary {
  std::uint64_t clients = 0;
  std::uint64_t attempts = 0;
  std::uint64_t accepted = 0;
  std::uint64_t overloaded = 0;
  std::uint64_t unavailable = 0;
  std::uint64_t lost_requests = 0;
  std::uint64_t short_circuited = 0;
  std::uint64_t started = 0;
  std::uint64_t dropped = 0;
  std::uint64_t effects = 0;
  std::uint64_t duplicate_effects = 0;
  std::uint64_t suppressed_effects = 0;
  std::uint64_t lost_responses = 0;
  std::uint64_t crashed_responses = 0;
  std::uint64_t late_responses = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t acknowledged = 0;
  std::uint64_t exhausted = 0;
  std::uint64_t deadline_exceeded = 0;
  std::uint64_t budget_denied = 0;
  std::uint64_t awaiting = 0;
  std::uint64_t scheduled = 0;
  std::uint64_t applied_unacknowledged = 0;
  PeakLoad peak_load;
  std::optional<Tick> last_acknowledged_tick;
  TimeToAcknowledge time_to_acknowledge;

  bool operator==(const Summary&) const = default;
};

// The names of a summary's numbers in their order. Those of inner records carry the outer name
// first: peak_load_tick.
std::vector<std::string> summary_columns();

// The numbers of a summary in the same order; nothing where the value does not exist.
std::vector<std::optional<std::uint64_t>> summary_values(const Summary& summary);

}  // namespace retrygarden
