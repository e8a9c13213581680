// SimGrid (S4U): an actor for each client, which sleeps between its attempts, and one for the
// server. Actors of one time run in no order that the scenario knows, so the server gathers the
// requests of a tick and answers at its end, lowest client numbers first.
#include <simgrid/s4u.hpp>

#include <vector>

#include "peer.h"

namespace retrygarden::bench {
namespace {

namespace s4u = simgrid::s4u;

struct Request {
  Client client;
  bool is_acknowledged = false;
};

class Server {
 public:
  Server(std::uint32_t clients, Totals& totals)
      : capacity_(capacity_of(clients)), applied_(clients), totals_(totals) {}

  // Called by a client, which may look at its request at the end of the tick.
  void send(Request& request) { requests_.push_back(&request); }

  // Half a tick after each tick.
  void decide(std::uint32_t tick) {
    std::sort(requests_.begin(), requests_.end(),
              [](const Request* a, const Request* b) { return a->client < b->client; });
    std::uint32_t started = 0;
    for (Request* const request : requests_) {
      ++totals_.attempts;
      if (tick >= kOutageEnd && started < capacity_) {
        ++started;
        const bool is_first = !applied_[request->client];
        applied_[request->client] = true;
        request->is_acknowledged = accept(totals_, is_first, request->client);
      }
    }
    requests_.clear();
  }

 private:
  std::uint32_t capacity_;
  std::vector<bool> applied_;
  std::vector<Request*> requests_;
  Totals& totals_;
};

constexpr double kEndOfTick = 0.75;

void serve(Server& server) {
  for (std::uint32_t tick = 0; tick < kHorizon; ++tick) {
    s4u::this_actor::sleep_until(tick + 0.5);
    server.decide(tick);
  }
}

void retry(Server& server, Totals& totals, Client client, int policy) {
  std::uint32_t tick = 0;
  for (std::uint32_t attempt = 1;; ++attempt) {
    Request request{client};
    server.send(request);
    s4u::this_actor::sleep_until(tick + kEndOfTick);
    if (request.is_acknowledged) {
      return;
    }
    if (attempt == kAttempts) {
      ++totals.exhausted;
      return;
    }
    tick += delay_after(policy, attempt, client);
    if (tick >= kHorizon) {
      return;
    }
    s4u::this_actor::sleep_until(tick);
  }
}

Totals simulate(std::uint32_t clients, int policy) {
  int count = 1;
  char name[] = "peer";
  char* arguments[] = {name, nullptr};
  s4u::Engine engine(&count, arguments);
  s4u::Engine::set_config("contexts/stack-size:16");
  s4u::Host* const host = s4u::create_star_zone("world")->create_host("host", 1e9)->seal();
  Totals totals;
  Server server(clients, totals);
  s4u::Actor::create("server", host, serve, std::ref(server));
  for (Client client = 0; client < clients; ++client) {
    s4u::Actor::create("client", host, retry, std::ref(server), std::ref(totals), client, policy);
  }
  engine.run();
  return totals;
}

}  // namespace
}  // namespace retrygarden::bench

int main(int argc, char** argv) {
  return retrygarden::bench::participate(argc, argv, retrygarden::bench::simulate);
}
