// RetryBudgets: the budgets of hosts (docs/model.md, section 11).
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "check.h"
#include "hosts.h"
#include "probe.h"
#include "retrygarden/plan.h"

namespace retrygarden {

// Token buckets, in millionths of a token. A bucket's refill is added up when it is next used.
class TokenBuckets {
 public:
  TokenBuckets(const Hosts& hosts, const TokenBudget& budget)
      : hosts_(hosts), budget_(budget), buckets_(hosts.count(), {budget.initial.millionths(), 0}) {
    if (budget.refund) {
      paid_after_timeout_.resize(hosts.clients());
    }
  }

  void first_attempt(Tick tick, Client client) { add(tick, client, budget_.attempt_deposit); }

  void acknowledged(Tick tick, Client client, std::uint32_t attempt) {
    if (!budget_.refund || attempt == 1) {
      add(tick, client, budget_.success_deposit);
    } else {
      add(tick, client, cost(paid_after_timeout_[hosts_.client_index(client)]));
    }
  }

  void failed(Tick tick, Client client) {
    std::uint64_t& tokens = tokens_in(tick, client);
    RETRYGARDEN_PROBE(kFailureCostBeyondTokens, budget_.failure_cost.millionths() > tokens);
    tokens -= std::min(tokens, budget_.failure_cost.millionths());
  }

  bool permits_retry(Tick tick, Client client, bool after_timeout) {
    std::uint64_t& tokens = tokens_in(tick, client);
    const std::uint64_t needed = cost(after_timeout).millionths();
    RETRYGARDEN_PROBE(kTokensAtThreshold,
                      budget_.threshold && tokens == budget_.threshold->millionths());
    RETRYGARDEN_PROBE(kLastTokens, needed > 0 && tokens == needed);
    if (tokens < needed || (budget_.threshold && tokens <= budget_.threshold->millionths())) {
      return false;
    }
    tokens -= needed;
    if (budget_.refund) {
      paid_after_timeout_[hosts_.client_index(client)] = after_timeout;
    }
    return true;
  }

  void stopped(Client /*client*/) {}

  static std::uint64_t bytes(const Hosts& hosts, const TokenBudget& budget) {
    return hosts.count() * std::uint64_t{sizeof(Bucket)} +
           (budget.refund ? hosts.clients() / 8 : 0);
  }

 private:
  struct Bucket {
    std::uint64_t tokens;
    Tick refilled;  // up to this tick
  };

  Fraction cost(bool after_timeout) const {
    return after_timeout ? budget_.timeout_cost : budget_.retry_cost;
  }

  void add(Tick tick, Client client, Fraction amount) {
    std::uint64_t& tokens = tokens_in(tick, client);
    RETRYGARDEN_PROBE(kTokensBeyondCapacity,
                      tokens + amount.millionths() > budget_.capacity.millionths());
    tokens = std::min(tokens + amount.millionths(), budget_.capacity.millionths());
  }

  std::uint64_t& tokens_in(Tick tick, Client client) {
    Bucket& bucket = buckets_[hosts_.index_of(client)];
    const std::uint64_t refill = budget_.tick_refill.millionths();
    if (refill > 0) {
      const std::uint64_t missing = budget_.capacity.millionths() - bucket.tokens;
      const std::uint64_t ticks = tick - bucket.refilled;
      bucket.tokens += ticks <= missing / refill ? ticks * refill : missing;
      bucket.refilled = tick;
    }
    return bucket.tokens;
  }

  Hosts hosts_;
  const TokenBudget& budget_;
  std::vector<Bucket> buckets_;           // by host
  std::vector<bool> paid_after_timeout_;  // by client, where costs are given back
};

// Retries as a share of the clients that are under way.
class ConcurrentRetries {
 public:
  ConcurrentRetries(const Hosts& hosts, const ConcurrentBudget& budget)
      : hosts_(hosts), budget_(budget), states_(hosts.count()), retries_(hosts.clients()) {}

  void first_attempt(Tick /*tick*/, Client client) { ++state_of(client).under_way; }

  void acknowledged(Tick /*tick*/, Client client, std::uint32_t /*attempt*/) { stopped(client); }

  void failed(Tick /*tick*/, Client /*client*/) {}

  bool permits_retry(Tick /*tick*/, Client client, bool /*after_timeout*/) {
    Host& host = state_of(client);
    const std::uint64_t share = budget_.fraction.millionths() * host.under_way / Fraction::kOne;
    const std::uint32_t others = host.retrying - (retries_[hosts_.client_index(client)] ? 1 : 0);
    if (others >= std::max<std::uint64_t>(share, budget_.minimum)) {
      return false;
    }
    host.retrying = others + 1;
    retries_[hosts_.client_index(client)] = true;
    return true;
  }

  void stopped(Client client) {
    Host& host = state_of(client);
    --host.under_way;
    host.retrying -= retries_[hosts_.client_index(client)] ? 1 : 0;
    RETRYGARDEN_CHECK(host.retrying <= host.under_way);
  }

  static std::uint64_t bytes(const Hosts& hosts, const ConcurrentBudget& /*budget*/) {
    return hosts.count() * std::uint64_t{sizeof(Host)} + hosts.clients() / 8;
  }

 private:
  struct Host {
    std::uint32_t under_way = 0;  // clients that made an attempt and did not stop
    std::uint32_t retrying = 0;   // those of them that were permitted a retry
  };

  Host& state_of(Client client) { return states_[hosts_.index_of(client)]; }

  Hosts hosts_;
  const ConcurrentBudget& budget_;
  std::vector<Host> states_;   // by host
  std::vector<bool> retries_;  // by client
};

// Whichever of them the policy has, or none, which permits every retry.
class RetryBudgets {
 public:
  RetryBudgets(const Plan& plan, const Hosts& hosts) {
    if (!plan.budget) {
      return;
    }
    if (const auto* tokens = std::get_if<TokenBudget>(&*plan.budget)) {
      budgets_.emplace<TokenBuckets>(hosts, *tokens);
    } else {
      budgets_.emplace<ConcurrentRetries>(hosts, std::get<ConcurrentBudget>(*plan.budget));
    }
  }

  // Attempt 1 of the client is made.
  void first_attempt(Tick tick, Client client) {
    visit([&](auto& budgets) { budgets.first_attempt(tick, client); });
  }
  // The client is acknowledged, and stops.
  void acknowledged(Tick tick, Client client, std::uint32_t attempt) {
    visit([&](auto& budgets) { budgets.acknowledged(tick, client, attempt); });
  }
  // A failure is charged.
  void failed(Tick tick, Client client) {
    visit([&](auto& budgets) { budgets.failed(tick, client); });
  }
  // Whether the client may try again; if so, the cost is taken.
  bool permits_retry(Tick tick, Client client, bool after_timeout) {
    bool permits = true;
    visit([&](auto& budgets) { permits = budgets.permits_retry(tick, client, after_timeout); });
    return permits;
  }
  // The client stops without an acknowledgement.
  void stopped(Client client) {
    visit([&](auto& budgets) { budgets.stopped(client); });
  }

  static std::uint64_t bytes(const Plan& plan, const Hosts& hosts) {
    if (!plan.budget) {
      return 0;
    }
    const auto* tokens = std::get_if<TokenBudget>(&*plan.budget);
    return tokens != nullptr
               ? TokenBuckets::bytes(hosts, *tokens)
               : ConcurrentRetries::bytes(hosts, std::get<ConcurrentBudget>(*plan.budget));
  }

 private:
  template <class Visit>
  void visit(Visit visit) {
    if (auto* tokens = std::get_if<TokenBuckets>(&budgets_)) {
      visit(*tokens);
    } else if (auto* concurrent = std::get_if<ConcurrentRetries>(&budgets_)) {
      visit(*concurrent);
    }
  }

  std::variant<std::monostate, TokenBuckets, ConcurrentRetries> budgets_;
};

}  // namespace retrygarden
