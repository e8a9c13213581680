// Hosts: some whole hosts and their clients, each known by its place among them.
#pragma once

#include <cstdint>

#include "client_span.h"
#include "retrygarden/plan.h"

namespace retrygarden {

class Hosts {
 public:
  // Precondition: where the span begins, a host does.
  Hosts(const Plan& plan, ClientSpan clients)
      : clients_(clients), clients_per_host_(plan.clients_per_host) {}

  std::uint32_t count() const {
    return static_cast<std::uint32_t>(clients_.units_of(clients_per_host_));
  }
  std::uint32_t clients() const { return clients_.size(); }

  std::uint32_t index_of(Client client) const { return client_index(client) / clients_per_host_; }
  std::uint32_t client_index(Client client) const { return client - clients_.begin; }

 private:
  ClientSpan clients_;
  std::uint32_t clients_per_host_;
};

}  // namespace retrygarden
