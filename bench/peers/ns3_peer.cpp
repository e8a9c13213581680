// ns-3: an event for each attempt. It runs the events of one time in the order in which they were
// scheduled, so the server gathers the requests of a tick and decides on them in an event of its
// own, lowest client numbers first.
#include <ns3/event-id.h>
#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <vector>

#include "peer.h"

namespace retrygarden::bench {
namespace {

struct Request {
  Client client;
  std::uint32_t attempt;
};

class Simulation {
 public:
  Simulation(std::uint32_t clients, int policy)
      : policy_(policy), capacity_(capacity_of(clients)), applied_(clients) {}

  Totals run() {
    for (Client client = 0; client < applied_.size(); ++client) {
      schedule(0, {client, 1});
    }
    ns3::Simulator::Stop(ns3::Seconds(kHorizon));
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
    return totals_;
  }

 private:
  void schedule(std::uint32_t delay, Request request) {
    ns3::Simulator::Schedule(ns3::Seconds(delay), &Simulation::arrive, this, request);
  }

  void arrive(Request request) {
    if (requests_.empty()) {  // runs after all that were scheduled for this time before
      ns3::Simulator::ScheduleNow(&Simulation::decide, this);
    }
    requests_.push_back(request);
  }

  void decide() {
    std::vector<Request> requests;
    requests.swap(requests_);
    std::sort(requests.begin(), requests.end(),
              [](const Request& a, const Request& b) { return a.client < b.client; });
    const bool is_up = ns3::Simulator::Now() >= ns3::Seconds(kOutageEnd);
    std::uint32_t started = 0;
    for (const Request& request : requests) {
      ++totals_.attempts;
      if (is_up && started < capacity_) {
        ++started;
        const bool is_first = !applied_[request.client];
        applied_[request.client] = true;
        if (accept(totals_, is_first, request.client)) {
          continue;
        }
      }
      if (request.attempt == kAttempts) {
        ++totals_.exhausted;
      } else {
        schedule(delay_after(policy_, request.attempt, request.client),
                 {request.client, request.attempt + 1});
      }
    }
  }

  int policy_;
  std::uint32_t capacity_;
  std::vector<bool> applied_;
  std::vector<Request> requests_;  // of this tick
  Totals totals_;
};

}  // namespace
}  // namespace retrygarden::bench

int main(int argc, char** argv) {
  return retrygarden::bench::participate(argc, argv, [](std::uint32_t clients, int policy) {
    return retrygarden::bench::Simulation(clients, policy).run();
  });
}
