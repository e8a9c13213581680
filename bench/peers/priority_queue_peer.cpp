// A plain event loop: one priority queue of all events.
#include <queue>
#include <tuple>
#include <vector>

#include "peer.h"

namespace retrygarden::bench {
namespace {

struct Event {
  std::uint32_t tick;
  Client client;
  std::uint32_t attempt;

  bool operator>(const Event& other) const {
    return std::tie(tick, client) > std::tie(other.tick, other.client);
  }
};

Totals simulate(std::uint32_t clients, int policy) {
  std::vector<Event> first;
  first.reserve(clients);
  for (Client client = 0; client < clients; ++client) {
    first.push_back({0, client, 1});
  }
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events({}, std::move(first));
  std::vector<bool> applied(clients);
  const std::uint32_t capacity = capacity_of(clients);
  std::uint32_t now = 0;
  std::uint32_t started = 0;
  Totals totals;
  while (!events.empty() && events.top().tick < kHorizon) {
    const Event event = events.top();
    events.pop();
    if (event.tick != now) {
      now = event.tick;
      started = 0;
    }
    ++totals.attempts;
    if (now >= kOutageEnd && started < capacity) {
      ++started;
      const bool is_first = !applied[event.client];
      applied[event.client] = true;
      if (accept(totals, is_first, event.client)) {
        continue;
      }
    }
    if (event.attempt == kAttempts) {
      ++totals.exhausted;
    } else {
      events.push({now + delay_after(policy, event.attempt, event.client), event.client,
                   event.attempt + 1});
    }
  }
  return totals;
}

}  // namespace
}  // namespace retrygarden::bench

int main(int argc, char** argv) {
  return retrygarden::bench::participate(argc, argv, retrygarden::bench::simulate);
}
