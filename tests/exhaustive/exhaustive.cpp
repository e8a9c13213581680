// Every scenario of a bounded box, engine against reference model, whole documents.
//
//   exhaustive short        the box of each test run
//   exhaustive full I/N     the I-th of N equal parts of the full box
//
// A world is a scenario without policies. The full box has four parts, since the product of all
// worlds and all policies would take days: all worlds in which nothing takes time with a few
// policies of different kinds; a few of those with all delay laws and jitters; all worlds with
// service time, queues and outages of all kinds, with all timeouts; and a few worlds with all
// budgets and breakers.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reference_model/reference_model.h"
#include "support/documents.h"

namespace retrygarden::test {
namespace {

constexpr std::uint64_t kMostPolicies = 64;

struct Ranges {
  int clients;   // 1 … clients
  int horizon;   // 1 … horizon
  int capacity;  // 0 … capacity
  int attempts;  // 1 … attempts
  std::vector<std::string> deduplications;
  std::vector<std::string> losses;  // members `faults`, or nothing
  bool every_outage;                // none and all windows in the horizon, or a few
};

const std::vector<std::string> kAllDeduplications = {
    R"({"kind": "none"})", R"({"kind": "forever"})", R"({"kind": "ttl", "ticks": 1})",
    R"({"kind": "ttl", "ticks": 2})", R"({"kind": "ttl", "ticks": 3})"};

std::vector<std::string> all_losses() {
  std::vector<std::string> losses = {""};
  for (int every = 1; every <= 3; ++every) {
    for (int offset = 0; offset < every; ++offset) {
      losses.push_back(
          fmt::format(R"("faults": {{"first_response_lost": {{"every": {}, "offset": {}}}}}, )",
                      every, offset));
    }
  }
  return losses;
}

std::vector<std::string> outages(int horizon, bool every_outage) {
  std::vector<std::string> lists = {""};
  for (int from = 0; from < horizon; ++from) {
    for (int ticks = 1; from + ticks <= horizon; ++ticks) {
      if (every_outage || (from <= 1 && ticks == 2)) {
        lists.push_back(fmt::format(R"({{"from": {}, "ticks": {}}})", from, ticks));
      }
    }
  }
  return lists;
}

// Calls visit(head) for each world; head is a scenario's text as far as the policies.
template <class Visit>
void for_each_world(const Ranges& ranges, Visit visit) {
  for (int clients = 1; clients <= ranges.clients; ++clients) {
    for (int horizon = 1; horizon <= ranges.horizon; ++horizon) {
      for (const std::string& outage : outages(horizon, ranges.every_outage)) {
        for (int capacity = 0; capacity <= ranges.capacity; ++capacity) {
          for (const std::string& deduplication : ranges.deduplications) {
            for (const std::string& loss : ranges.losses) {
              visit(fmt::format(
                  R"({{"retrygarden": 1, "clients": {}, "horizon": {}, "seed": 1, )"
                  R"("server": {{"capacity": {}, "outages": [{}], "deduplication": {}}}, {})",
                  clients, horizon, capacity, outage, deduplication, loss));
            }
          }
        }
      }
    }
  }
}

// One policy for each number of attempts.
void add_policies(std::vector<std::string>& policies, int most_attempts, const std::string& delay,
                  const std::string& jitter) {
  for (int attempts = 1; attempts <= most_attempts; ++attempts) {
    policies.push_back(fmt::format(R"("attempts": {}, "delay": {}{})", attempts, delay,
                                   jitter.empty() ? "" : R"(, "jitter": )" + jitter));
  }
}

const std::string kFull = R"({"kind": "full"})";
const std::string kEqual = R"({"kind": "equal"})";

std::vector<std::string> few_policies(int most_attempts) {
  std::vector<std::string> policies;
  const auto add = [&](const std::string& delay, const std::string& jitter) {
    add_policies(policies, most_attempts, delay, jitter);
  };
  add(R"({"kind": "fixed", "ticks": 1})", "");
  add(R"({"kind": "fixed", "ticks": 2})", "");
  add(R"({"kind": "fixed", "ticks": 3})", kFull);
  add(R"({"kind": "linear", "base": 1, "step": 1, "cap": 3})", kEqual);
  add(R"({"kind": "exponential", "base": 1, "multiplier": 1.5, "cap": 3})",
      R"({"kind": "proportional", "fraction": 0.5})");
  add(R"({"kind": "list", "ticks": [2, 1, 3]})", kFull);
  add(R"({"kind": "decorrelated", "base": 1, "cap": 3})", "");
  return policies;
}

// Every law whose delays are 1 to 3 ticks, with every jitter.
std::vector<std::string> all_policies(int most_attempts) {
  std::vector<std::string> delays;
  std::vector<std::string> decorrelated;
  for (int base = 1; base <= 3; ++base) {
    delays.push_back(fmt::format(R"({{"kind": "fixed", "ticks": {}}})", base));
    for (int cap = base; cap <= 3; ++cap) {
      for (int step = 0; step <= 2; ++step) {
        delays.push_back(fmt::format(R"({{"kind": "linear", "base": {}, "step": {}, "cap": {}}})",
                                     base, step, cap));
      }
      for (const std::string_view multiplier : {"1", "1.5", "2", "3"}) {
        delays.push_back(
            fmt::format(R"({{"kind": "exponential", "base": {}, "multiplier": {}, "cap": {}}})",
                        base, multiplier, cap));
      }
      decorrelated.push_back(
          fmt::format(R"({{"kind": "decorrelated", "base": {}, "cap": {}}})", base, cap));
    }
  }
  for (int first = 1; first <= 3; ++first) {
    delays.push_back(fmt::format(R"({{"kind": "list", "ticks": [{}]}})", first));
    for (int second = 1; second <= 3; ++second) {
      delays.push_back(fmt::format(R"({{"kind": "list", "ticks": [{}, {}]}})", first, second));
      for (int third = 1; third <= 3; ++third) {
        delays.push_back(
            fmt::format(R"({{"kind": "list", "ticks": [{}, {}, {}]}})", first, second, third));
      }
    }
  }
  std::vector<std::string> policies;
  for (const std::string& delay : delays) {
    for (const std::string& jitter :
         {std::string(), kFull, kEqual, std::string(R"({"kind": "proportional", "fraction": 0.5})"),
          std::string(R"({"kind": "proportional", "fraction": 1})")}) {
      add_policies(policies, most_attempts, delay, jitter);
    }
  }
  for (const std::string& delay : decorrelated) {
    add_policies(policies, most_attempts, delay, "");
  }
  return policies;
}

// Worlds in which requests take time, wait and are lost. `thin` leaves out most outages.
std::vector<std::string> worlds_with_time(int most_clients, bool thin) {
  std::vector<std::string> outages = {""};
  for (const std::string_view kind : {"refuse", "hang", "crash"}) {
    for (int from = 0; from <= (thin ? 1 : 3); ++from) {
      for (int ticks = 1; ticks <= (thin ? 1 : 2); ++ticks) {
        outages.push_back(
            fmt::format(R"({{"from": {}, "ticks": {}, "kind": "{}", "loses_keys": {}}})", from,
                        ticks, kind, (from + ticks) % 2 == 0));
      }
    }
  }
  std::vector<std::string> queues = {R"("queue": 0)"};
  for (const std::string_view drop : {"false", "true"}) {
    queues.push_back(fmt::format(R"("queue": 1, "drop_abandoned": {})", drop));
    for (const std::string_view discipline : {"fifo", "lifo"}) {
      queues.push_back(
          fmt::format(R"("queue": 2, "discipline": "{}", "drop_abandoned": {})", discipline, drop));
    }
  }
  std::vector<std::string> worlds;
  for (int clients = 1; clients <= most_clients; ++clients) {
    for (int capacity = 0; capacity <= 2; ++capacity) {
      for (int window = 1; window <= 2; ++window) {
        for (int service = 0; service <= 2; ++service) {
          for (const std::string_view concurrency : {"", R"("concurrency": 1, )"}) {
            for (const std::string& queue : queues) {
              for (const std::string& outage : outages) {
                worlds.push_back(fmt::format(
                    R"({{"retrygarden": 1, "clients": {}, "horizon": 6, "seed": 1, )"
                    R"("server": {{"capacity": {}, "capacity_window": {}, "service_ticks": {}, )"
                    R"({}{}, "outages": [{}], "deduplication": {{"kind": "ttl", "ticks": 3}}}}, )",
                    clients, capacity, window, service, concurrency, queue, outage));
              }
            }
          }
        }
      }
    }
  }
  return worlds;
}

std::vector<std::string> policies_with_timeouts(int most_attempts) {
  std::vector<std::string> policies;
  for (int timeout = 0; timeout <= 3; ++timeout) {
    for (int attempts = 1; attempts <= most_attempts; ++attempts) {
      for (int ticks = 1; ticks <= 2; ++ticks) {
        policies.push_back(fmt::format(
            R"("attempts": {}, "timeout": {}, "delay": {{"kind": "fixed", "ticks": {}}})", attempts,
            timeout, ticks));
      }
    }
  }
  return policies;
}

// Worlds in which clients of a host fail and succeed in different orders.
std::vector<std::string> worlds_of_hosts(bool thin) {
  std::vector<std::string> worlds;
  for (int clients = thin ? 3 : 1; clients <= 3; ++clients) {
    for (int per_host = 1; per_host <= clients; ++per_host) {
      for (int capacity = 0; capacity <= 2; ++capacity) {
        for (
            const std::string_view more :
            {R"(}, )", R"(, "outages": [{"from": 1, "ticks": 2}]}, )",
             R"(, "service_ticks": 1, "queue": 1, "outages": [{"from": 2, "ticks": 1, "kind": "hang"}]}, )",
             R"(}, "faults": {"request_loss": 0.5}, )"}) {
          worlds.push_back(fmt::format(
              R"({{"retrygarden": 1, "clients": {}, "clients_per_host": {}, "horizon": 8, )"
              R"("seed": 1, "server": {{"capacity": {}{})",
              clients, per_host, capacity, more));
        }
      }
    }
  }
  return worlds;
}

std::vector<std::string> budgets_and_breakers() {
  std::vector<std::string> limits;
  for (const std::string_view fraction : {"0", "0.5", "1"}) {
    for (int minimum = 0; minimum <= 1; ++minimum) {
      limits.push_back(
          fmt::format(R"("budget": {{"kind": "concurrent", "fraction": {}, "minimum": {}}})",
                      fraction, minimum));
    }
  }
  // Each bit is one member at its default, or not.
  for (unsigned bits = 0; bits < 512; ++bits) {
    const auto pick = [&](unsigned bit, std::string_view set, std::string_view unset) {
      return (bits >> bit & 1U) != 0 ? set : unset;
    };
    limits.push_back(fmt::format(
        R"("budget": {{"kind": "tokens", "capacity": {}, "initial": {}, "tick_refill": {}, )"
        R"("attempt_deposit": {}, "success_deposit": {}, "refund": {}, "failure_cost": {}, )"
        R"("retry_cost": {}, "timeout_cost": 1{}}})",
        pick(0, "2", "1"), pick(1, "0", "1"), pick(2, "0.5", "0"), pick(3, "1", "0"),
        pick(4, "0.5", "0"), pick(5, "true", "false"), pick(6, "0.5", "0"), pick(7, "1", "0"),
        pick(8, R"(, "threshold": 0.5)", "")));
  }
  for (int window = 1; window <= 3; ++window) {
    for (int failures = 1; failures <= window; ++failures) {
      for (int open = 1; open <= 2; ++open) {
        for (int probes = 1; probes <= 2; ++probes) {
          limits.push_back(fmt::format(
              R"("breaker": {{"window": {}, "failures": {}, "open_ticks": {}, "probes": {}}})",
              window, failures, open, probes));
        }
      }
    }
  }
  return limits;
}

std::vector<std::string> policies_with_limits() {
  std::vector<std::string> policies;
  for (const std::string& limit : budgets_and_breakers()) {
    for (int timeout = 0; timeout <= 2; timeout += 2) {
      policies.push_back(fmt::format(
          R"("attempts": 4, "timeout": {}, "delay": {{"kind": "fixed", "ticks": 1}}, {})", timeout,
          limit));
    }
  }
  return policies;
}

// Compares, and counts what it compared.
class Comparison {
 public:
  Comparison(std::uint64_t part, std::uint64_t parts) : part_(part), parts_(parts) {}

  // Each world with each policy. As many policies as a scenario may have are run from one text.
  void compare_all(const Ranges& ranges, const std::vector<std::string>& policies) {
    for_each_world(ranges, [&](const std::string& world) { compare_all(world, policies); });
  }

  void compare_all(const std::vector<std::string>& worlds,
                   const std::vector<std::string>& policies) {
    for (const std::string& world : worlds) {
      compare_all(world, policies);
    }
  }

  std::uint64_t configurations() const { return configurations_; }
  std::uint64_t differences() const { return differences_; }

 private:
  void compare_all(const std::string& world, const std::vector<std::string>& policies) {
    for (std::size_t begin = 0; begin < policies.size(); begin += kMostPolicies) {
      const std::size_t end = std::min(policies.size(), begin + kMostPolicies);
      if (scenarios_++ % parts_ == part_) {
        compare(scenario_text(world, policies, begin, end));
        configurations_ += end - begin;
      }
    }
  }

  static std::string scenario_text(const std::string& world,
                                   const std::vector<std::string>& policies, std::size_t begin,
                                   std::size_t end) {
    std::string text = world + "\"policies\": [";
    for (std::size_t i = begin; i < end; ++i) {
      text += fmt::format(R"({}{{"name": "{}", {}}})", i == begin ? "" : ", ", i, policies[i]);
    }
    return text + "]}";
  }

  void compare(const std::string& text) {
    const auto engine = nlohmann::ordered_json::parse(export_text(scenario_of(text)));
    const auto reference = reference_model::export_document(text);
    if (engine != reference) {
      ++differences_;
      fmt::print("{}\n  engine against reference model: {}\n", text, difference(engine, reference));
    }
  }

  std::uint64_t part_;
  std::uint64_t parts_;
  std::uint64_t scenarios_ = 0;
  std::uint64_t configurations_ = 0;
  std::uint64_t differences_ = 0;
};

int report(const Comparison& comparison, std::string_view box) {
  fmt::print("{}: {} configurations compared, {} different\n", box, comparison.configurations(),
             comparison.differences());
  return comparison.differences() == 0 && comparison.configurations() > 0 ? EXIT_SUCCESS
                                                                          : EXIT_FAILURE;
}

int compare_short_box() {
  Comparison comparison(0, 1);
  comparison.compare_all({2, 3, 2, 3, kAllDeduplications, all_losses(), true}, few_policies(3));
  comparison.compare_all(worlds_with_time(2, true), policies_with_timeouts(2));
  comparison.compare_all(worlds_of_hosts(true), policies_with_limits());
  return report(comparison, "short box");
}

int compare_full_box(std::uint64_t part, std::uint64_t parts) {
  Comparison comparison(part, parts);
  comparison.compare_all({4, 6, 3, 4, kAllDeduplications, all_losses(), true}, few_policies(4));
  const std::vector<std::string> losses = all_losses();
  comparison.compare_all(
      {4, 6, 3, 4, {kAllDeduplications[0], kAllDeduplications[3]}, {losses[0], losses[2]}, false},
      all_policies(4));
  comparison.compare_all(worlds_with_time(3, false), policies_with_timeouts(3));
  comparison.compare_all(worlds_of_hosts(false), policies_with_limits());
  return report(comparison, fmt::format("full box, part {} of {}", part + 1, parts));
}

}  // namespace
}  // namespace retrygarden::test

int main(int argc, char** argv) {
  using namespace retrygarden::test;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments == std::vector<std::string>{"short"}) {
    return compare_short_box();
  }
  unsigned part = 0;
  unsigned parts = 0;
  if (arguments.size() == 2 && arguments[0] == "full" &&
      std::sscanf(arguments[1].c_str(), "%u/%u", &part, &parts) == 2 && 1 <= part &&
      part <= parts) {
    return compare_full_box(part - 1, parts);
  }
  fmt::print(stderr, "usage: exhaustive short | exhaustive full I/N\n");
  return 2;
}
