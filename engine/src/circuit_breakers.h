// CircuitBreakers: the breakers of hosts (docs/model.md, section 12).
#pragma once

#include <cstdint>
#include <vector>

#include "hosts.h"
#include "probe.h"
#include "retrygarden/plan.h"

namespace retrygarden {

class CircuitBreakers {
 public:
  CircuitBreakers(const Plan& plan, const Hosts& hosts) : plan_(plan), hosts_(hosts) {
    if (plan.breaker) {
      states_.resize(hosts.count());
      sent_.resize(hosts.clients());
    }
  }

  // Whether the client's attempt is let through in this tick. Asked once for each attempt.
  bool lets_through(Tick tick, Client client) {
    if (states_.empty()) {
      return true;
    }
    sent_[hosts_.client_index(client)] = tick;
    Host& host = states_[hosts_.index_of(client)];
    if (host.is_closed) {
      return true;
    }
    if (tick <= host.opened + plan_.breaker->open_ticks) {
      return false;
    }
    RETRYGARDEN_PROBE(kBreakerHalfOpen, true);
    if (host.probes == plan_.breaker->probes) {
      RETRYGARDEN_PROBE(kBreakerOutOfProbes, true);
      return false;
    }
    ++host.probes;
    return true;
  }

  void succeeded(Client client) {
    Host* const host = host_for_result(client);
    if (host == nullptr) {
      return;
    }
    if (host->is_closed) {
      keep(*host, false);
    } else if (++host->succeeded == plan_.breaker->probes) {
      RETRYGARDEN_PROBE(kBreakerCloses, true);
      host->is_closed = true;
    }
  }

  void failed(Tick tick, Client client) {
    Host* const host = host_for_result(client);
    if (host == nullptr) {
      return;
    }
    RETRYGARDEN_PROBE(kBreakerOpensAgain, !host->is_closed);
    if (host->is_closed) {
      keep(*host, true);
      if (host->failures < plan_.breaker->failures) {
        return;
      }
    }
    *host = {.is_closed = false, .has_opened = true, .opened = tick};
  }

  static std::uint64_t bytes(const Plan& plan, const Hosts& hosts) {
    return plan.breaker ? hosts.count() * (sizeof(Host) + std::uint64_t{plan.breaker->window} / 8) +
                              hosts.clients() * std::uint64_t{sizeof(Tick)}
                        : 0;
  }

 private:
  struct Host {
    bool is_closed = true;
    bool has_opened = false;
    Tick opened = 0;              // when it last did
    std::uint32_t probes = 0;     // attempts let through since it is half-open
    std::uint32_t succeeded = 0;  // of the probes
    std::uint32_t failures = 0;   // among the results kept
    std::uint32_t oldest = 0;     // of the results, once there are `window` of them
    std::vector<bool> results;    // true: a failure
  };

  // The client's host, if the result of the client's last attempt counts; else null.
  Host* host_for_result(Client client) {
    if (states_.empty()) {
      return nullptr;
    }
    Host& host = states_[hosts_.index_of(client)];
    const bool is_old = host.has_opened && sent_[hosts_.client_index(client)] <= host.opened;
    RETRYGARDEN_PROBE(kResultOfOldPeriod, is_old);
    return is_old ? nullptr : &host;
  }

  // Keeps a result, and forgets the oldest if there are enough.
  void keep(Host& host, bool is_failure) {
    host.failures += is_failure ? 1 : 0;
    if (host.results.size() < plan_.breaker->window) {
      host.results.push_back(is_failure);
      return;
    }
    host.failures -= host.results[host.oldest] ? 1 : 0;
    host.results[host.oldest] = is_failure;
    host.oldest = (host.oldest + 1) % plan_.breaker->window;
  }

  const Plan& plan_;
  Hosts hosts_;
  std::vector<Host> states_;  // by host
  std::vector<Tick> sent_;    // by client: when its last attempt was made
};

}  // namespace retrygarden
