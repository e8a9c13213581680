#include "budgets.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <set>

namespace reference_model {
namespace {

using boost::multiprecision::cpp_int;

// All amounts in millionths.
class TokenHostBudget : public HostBudget {
 public:
  explicit TokenHostBudget(const TokenBudget& rule)
      : rule_(rule), tokens_(rule.initial.millionths) {}

  // "added when attempt 1 of a client is made (phase 3), whatever its outcome"
  void attempt_made(std::int64_t tick, std::int64_t, std::int64_t attempt) override {
    refill(tick);
    if (attempt == 1) {
      add(rule_.attempt_deposit.millionths);
    }
  }

  // "when a client is acknowledged on attempt k > 1, the cost that was paid for the permission of
  // attempt k is added instead of success_deposit"
  void acknowledged(std::int64_t tick, std::int64_t client, std::int64_t attempt) override {
    refill(tick);
    if (rule_.refund && attempt > 1) {
      add(latest_costs_.at(client));
    } else {
      add(rule_.success_deposit.millionths);
    }
  }

  // "taken for each charged failure, as far as there is"
  void charge_failure(std::int64_t tick) override {
    refill(tick);
    tokens_ -= std::min(tokens_, cpp_int(rule_.failure_cost.millionths));
  }

  // "A retry is permitted when tokens >= c and, with a threshold, tokens > threshold; then c is
  // taken."
  bool permits_retry(std::int64_t tick, std::int64_t client, Failure failure) override {
    refill(tick);
    const cpp_int c =
        (failure == Failure::timeout ? rule_.timeout_cost : rule_.retry_cost).millionths;
    if (tokens_ < c || (rule_.threshold && tokens_ <= rule_.threshold->millionths)) {
      return false;
    }
    tokens_ -= c;
    latest_costs_[client] = c;
    return true;
  }

 private:
  // "added before anything else in each tick after tick 0": all that was due since the tokens were
  // looked at last. Nothing else was added or taken in between.
  void refill(std::int64_t tick) {
    add(cpp_int(rule_.tick_refill.millionths) * (tick - refilled_tick_));
    refilled_tick_ = tick;
  }

  // "upper bound: what is added beyond it is lost"
  void add(const cpp_int& amount) {
    tokens_ = std::min(cpp_int(tokens_ + amount), cpp_int(rule_.capacity.millionths));
  }

  const TokenBudget& rule_;
  cpp_int tokens_;
  std::int64_t refilled_tick_ = 0;
  std::map<std::int64_t, cpp_int> latest_costs_;  // by client: what its latest permission cost
};

class ConcurrentHostBudget : public HostBudget {
 public:
  explicit ConcurrentHostBudget(const ConcurrentBudget& rule) : rule_(rule) {}

  void attempt_made(std::int64_t, std::int64_t client, std::int64_t) override {
    active_.insert(client);
  }

  // "a retry is permitted when r < max(floor(fraction*a), minimum)"
  bool permits_retry(std::int64_t, std::int64_t client, Failure) override {
    const std::size_t a = active_.size();
    const std::size_t r = retrying_.size() - retrying_.count(client);  // without the one that asks
    const cpp_int share = cpp_int(rule_.fraction.millionths) * a / million;
    if (r >= std::max(share, cpp_int(rule_.minimum))) {
      return false;
    }
    retrying_.insert(client);
    return true;
  }

  void ended(std::int64_t client) override {
    active_.erase(client);
    retrying_.erase(client);
  }

 private:
  const ConcurrentBudget& rule_;
  // "the clients of the host that have made an attempt and are in no terminal state"
  std::set<std::int64_t> active_;
  // "those of them ... that were permitted a retry at least once"
  std::set<std::int64_t> retrying_;
};

}  // namespace

std::unique_ptr<HostBudget> make_host_budget(const std::optional<Budget>& budget) {
  using Pointer = std::unique_ptr<HostBudget>;
  if (!budget) {
    return std::make_unique<HostBudget>();
  }
  return std::visit(Overloaded{
                        [](const TokenBudget& rule) -> Pointer {
                          return std::make_unique<TokenHostBudget>(rule);
                        },
                        [](const ConcurrentBudget& rule) -> Pointer {
                          return std::make_unique<ConcurrentHostBudget>(rule);
                        },
                    },
                    *budget);
}

}  // namespace reference_model
