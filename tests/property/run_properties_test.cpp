// What holds for every run.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "support/documents.h"
#include "support/scenario_generator.h"

namespace retrygarden::test {
namespace {

// A run with everything it yields.
struct FullRun {
  Plan plan;
  Summary summary;
  std::vector<TickLoad> load;
  std::vector<Attempt> attempts;
  std::vector<ClientRecord> clients;
};

FullRun any_run() {
  const Scenario scenario = scenario_of(*scenario_texts());
  FullRun result{make_plan(scenario, 0), {}, {}, {}, {}};
  result.summary =
      run(result.plan,
          {.tick_load = [&](const TickLoad& load) { result.load.push_back(load); },
           .attempt = [&](const Attempt& attempt) { result.attempts.push_back(attempt); }});
  result.clients = run_clients(result.plan);
  return result;
}

template <class Records, class Predicate>
std::uint64_t count(const Records& records, Predicate predicate) {
  return static_cast<std::uint64_t>(std::count_if(records.begin(), records.end(), predicate));
}

bool has_effect(const Attempt& attempt) {
  return attempt.effect == Effect::kApplied || attempt.effect == Effect::kDuplicate;
}

RC_GTEST_PROP(Run, YieldsTheSameWithAndWithoutObservers, ()) {
  const FullRun full = any_run();
  RC_ASSERT(run(full.plan) == full.summary);
}

RC_GTEST_PROP(Run, TotalsAddUp, ()) {
  const FullRun full = any_run();
  const Summary& s = full.summary;
  RC_ASSERT(s.attempts == full.attempts.size());
  RC_ASSERT(s.accepted + s.overloaded + s.unavailable + s.lost_requests + s.short_circuited ==
            s.attempts);
  RC_ASSERT(s.acknowledged + s.exhausted + s.deadline_exceeded + s.budget_denied + s.awaiting +
                s.scheduled ==
            s.clients);
  RC_ASSERT(s.effects + s.suppressed_effects == s.started);
  RC_ASSERT(s.started + s.dropped + full.load.back().queued == s.accepted);
  const std::uint64_t under_way = count(full.attempts, [](const Attempt& a) {
    return a.started_tick && a.response == Response::kNone;
  });
  RC_ASSERT(s.acknowledged + s.lost_responses + s.late_responses + s.crashed_responses +
                under_way ==
            s.started);
  RC_ASSERT(s.acknowledged + s.timeouts + s.awaiting == s.accepted + s.lost_requests);
}

RC_GTEST_PROP(Run, SummaryCountsTheAttempts, ()) {
  const FullRun full = any_run();
  const Summary& s = full.summary;
  const auto with_effect = [&](Effect effect) {
    return count(full.attempts, [&](const Attempt& a) { return a.effect == effect; });
  };
  const auto with_outcome = [&](Outcome outcome) {
    return count(full.attempts, [&](const Attempt& a) { return a.outcome == outcome; });
  };
  const auto with_response = [&](Response response) {
    return count(full.attempts, [&](const Attempt& a) { return a.response == response; });
  };
  RC_ASSERT(with_outcome(Outcome::kAccepted) == s.accepted);
  RC_ASSERT(with_outcome(Outcome::kOverloaded) == s.overloaded);
  RC_ASSERT(with_outcome(Outcome::kUnavailable) == s.unavailable);
  RC_ASSERT(with_outcome(Outcome::kRequestLost) == s.lost_requests);
  RC_ASSERT(with_outcome(Outcome::kShortCircuited) == s.short_circuited);
  RC_ASSERT(with_effect(Effect::kApplied) + with_effect(Effect::kDuplicate) == s.effects);
  RC_ASSERT(with_effect(Effect::kDuplicate) == s.duplicate_effects);
  RC_ASSERT(with_effect(Effect::kSuppressed) == s.suppressed_effects);
  RC_ASSERT(with_response(Response::kAcknowledged) == s.acknowledged);
  RC_ASSERT(with_response(Response::kLost) == s.lost_responses);
  RC_ASSERT(with_response(Response::kLate) == s.late_responses);
  RC_ASSERT(with_response(Response::kCrashed) == s.crashed_responses);
  RC_ASSERT(count(full.attempts, [](const Attempt& a) { return a.started_tick.has_value(); }) ==
            s.started);
  RC_ASSERT(count(full.attempts, [](const Attempt& a) { return a.dropped_tick.has_value(); }) ==
            s.dropped);
}

// What the attempts say of each tick. A request that was accepted waits until it is started or
// dropped, which may be in the same tick.
std::map<Tick, TickLoad> load_by_attempts(const FullRun& full) {
  std::map<Tick, TickLoad> load;
  for (const Attempt& attempt : full.attempts) {
    TickLoad& sent = load[attempt.tick];
    ++sent.attempts;
    sent.accepted += attempt.outcome == Outcome::kAccepted;
    sent.overloaded += attempt.outcome == Outcome::kOverloaded;
    sent.unavailable += attempt.outcome == Outcome::kUnavailable;
    sent.lost_requests += attempt.outcome == Outcome::kRequestLost;
    sent.short_circuited += attempt.outcome == Outcome::kShortCircuited;
    if (attempt.started_tick) {
      ++load[*attempt.started_tick].started;
      load[*attempt.started_tick].effects += has_effect(attempt);
    }
    if (attempt.dropped_tick) {
      ++load[*attempt.dropped_tick].dropped;
    }
    if (attempt.response == Response::kAcknowledged) {
      ++load[*attempt.started_tick + full.plan.server.service_ticks].acknowledged;
    }
  }
  std::uint64_t queued = 0;
  for (auto& [tick, each] : load) {
    each.tick = tick;
    queued += each.accepted - each.started - each.dropped;
    each.queued = queued;
  }
  return load;
}

RC_GTEST_PROP(Run, LoadCountsTheAttemptsOfEachTick, ()) {
  const FullRun full = any_run();
  const std::map<Tick, TickLoad> expected = load_by_attempts(full);
  RC_ASSERT(expected.size() == full.load.size());
  RC_ASSERT(std::equal(full.load.begin(), full.load.end(), expected.begin(),
                       [](const TickLoad& a, const auto& b) { return a == b.second; }));
}

RC_GTEST_PROP(Run, PeakLoadIsTheFirstTickWithMostRequests, ()) {
  const FullRun full = any_run();
  PeakLoad expected;
  for (const TickLoad& load : full.load) {
    const std::uint64_t requests = load.accepted + load.overloaded + load.unavailable;
    if (requests > expected.requests) {
      expected = {load.tick, requests};
    }
  }
  RC_ASSERT(full.summary.peak_load == expected);
}

RC_GTEST_PROP(Run, AttemptsStandInOrderOfTickAndClient, ()) {
  const FullRun full = any_run();
  RC_ASSERT(std::is_sorted(full.attempts.begin(), full.attempts.end(),
                           [](const Attempt& a, const Attempt& b) {
                             return std::pair(a.tick, a.client) < std::pair(b.tick, b.client);
                           }));
}

RC_GTEST_PROP(Run, CapacityGoesToTheLowestClients, ()) {
  const FullRun full = any_run();
  RC_PRE(full.plan.server.tie_break == TieBreak::kClient);
  for (std::size_t i = 0; i + 1 < full.attempts.size(); ++i) {
    const Attempt& a = full.attempts[i];
    const Attempt& b = full.attempts[i + 1];
    RC_ASSERT(!(a.tick == b.tick && a.outcome == Outcome::kOverloaded &&
                b.outcome == Outcome::kAccepted));
  }
}

RC_GTEST_PROP(Run, CapacityIsThatOfAWindowAndIsUsedUpBeforeAnybodyIsOverloaded, ()) {
  const FullRun full = any_run();
  RC_PRE(full.plan.server.service_ticks == 0U);  // so concurrency never limits
  std::map<Tick, std::uint64_t> started;
  for (const TickLoad& load : full.load) {
    std::uint64_t& in_window = started[load.tick / full.plan.server.capacity_window];
    in_window += load.started;
    RC_ASSERT(in_window <= full.plan.server.capacity);
    RC_ASSERT(load.overloaded == 0U || in_window == full.plan.server.capacity);
    RC_ASSERT(load.overloaded == 0U || load.queued == full.plan.server.queue);
  }
}

RC_GTEST_PROP(Run, NoMoreAreInServiceThanMayBe, ()) {
  const FullRun full = any_run();
  RC_PRE(full.plan.server.concurrency && full.plan.crashes.empty());
  for (const Attempt& first : full.attempts) {
    const auto is_in_service = [&](const Attempt& other) {
      return first.started_tick && other.started_tick &&
             *other.started_tick <= *first.started_tick &&
             *first.started_tick < *other.started_tick + full.plan.server.service_ticks;
    };
    RC_ASSERT(count(full.attempts, is_in_service) <= *full.plan.server.concurrency);
  }
}

// An attempt that nobody answers fails after the timeout, one that is refused at once.
bool fails_in_its_time(const Attempt& attempt, const Plan& plan) {
  const bool waits =
      attempt.outcome == Outcome::kAccepted || attempt.outcome == Outcome::kRequestLost;
  const Tick fails = attempt.tick + (waits ? plan.timeout : 0);
  return attempt.response == Response::kAcknowledged
             ? !attempt.failed_tick && *attempt.started_tick + plan.server.service_ticks <= fails
         : fails < plan.horizon ? attempt.failed_tick == fails
                                : !attempt.failed_tick;
}

RC_GTEST_PROP(Run, EachClientGoesFromAttemptToAttempt, ()) {
  const FullRun full = any_run();
  std::map<Client, Attempt> previous;
  for (const Attempt& attempt : full.attempts) {
    const auto it = previous.find(attempt.client);
    if (it == previous.end()) {
      RC_ASSERT(attempt.attempt == 1U);
      RC_ASSERT(attempt.tick == full.clients[attempt.client].arrival);
    } else {
      RC_ASSERT(attempt.attempt == it->second.attempt + 1);
      RC_ASSERT(attempt.tick == it->second.next_tick);
    }
    RC_ASSERT(attempt.attempt <= full.plan.attempts);
    RC_ASSERT(fails_in_its_time(attempt, full.plan));
    RC_ASSERT(!attempt.next_tick || attempt.next_tick > attempt.failed_tick);
    previous[attempt.client] = attempt;
  }
  RC_ASSERT(previous.size() == full.plan.clients);
}

RC_GTEST_PROP(Run, ClientsEndAsTheirLastAttemptSays, ()) {
  const FullRun full = any_run();
  std::vector<std::uint64_t> effects(full.plan.clients);
  std::vector<Attempt> last(full.plan.clients);
  for (const Attempt& attempt : full.attempts) {
    effects[attempt.client] += has_effect(attempt);
    last[attempt.client] = attempt;
  }
  std::uint64_t applied_unacknowledged = 0;
  for (const ClientRecord& client : full.clients) {
    const Attempt& attempt = last[client.client];
    RC_ASSERT(client.attempts == attempt.attempt);
    RC_ASSERT(client.effects == effects[client.client]);
    RC_ASSERT(client.next_tick == attempt.next_tick);
    switch (client.state) {
      case ClientState::kAcknowledged:
        RC_ASSERT(attempt.response == Response::kAcknowledged);
        RC_ASSERT(client.acknowledged_tick ==
                  *attempt.started_tick + full.plan.server.service_ticks);
        break;
      case ClientState::kExhausted:
        RC_ASSERT(attempt.attempt == full.plan.attempts);
        RC_ASSERT(attempt.failed_tick && !attempt.next_tick);
        break;
      case ClientState::kDeadlineExceeded:
        RC_ASSERT(full.plan.deadline.has_value());
        RC_ASSERT(attempt.failed_tick && !attempt.next_tick);
        break;
      case ClientState::kBudgetDenied:
        RC_ASSERT(full.plan.budget.has_value());
        RC_ASSERT(attempt.failed_tick && !attempt.next_tick);
        break;
      case ClientState::kAwaiting:
        RC_ASSERT(!attempt.failed_tick && attempt.response != Response::kAcknowledged);
        break;
      case ClientState::kScheduled:
        RC_ASSERT(*attempt.next_tick >= full.plan.horizon);
        break;
    }
    // RC_ASSERT looks at both sides of an operator, so the condition is worked out before.
    const bool is_before_deadline = !full.plan.deadline || !attempt.next_tick ||
                                    *attempt.next_tick - client.arrival <= *full.plan.deadline;
    RC_ASSERT(is_before_deadline);
    applied_unacknowledged += client.effects > 0 && client.state != ClientState::kAcknowledged;
  }
  RC_ASSERT(full.summary.applied_unacknowledged == applied_unacknowledged);
}

RC_GTEST_PROP(Export, AllFormatsHoldTheSameRecords, ()) {
  const Scenario scenario = scenario_of(*scenario_texts());
  const auto document = nlohmann::ordered_json::parse(export_text(scenario));
  std::istringstream ndjson(written(write_export_ndjson, scenario));
  std::vector<nlohmann::ordered_json> expected;
  for (const auto& result : document["results"]) {
    const auto add = [&](const std::string& kind, const nlohmann::ordered_json& record) {
      nlohmann::ordered_json line = {{"record", kind}, {"policy", result["policy"]}};
      line.insert(record.begin(), record.end());
      expected.push_back(line);
    };
    add("summary", result["summary"]);
    for (const auto& [list, kind] : std::map<std::string, std::string>{
             {"load", "load"}, {"attempts", "attempt"}, {"clients", "client"}}) {
      for (const auto& record : result[list]) {
        add(kind, record);
      }
    }
  }
  std::string head;
  std::getline(ndjson, head);
  RC_ASSERT(nlohmann::ordered_json::parse(head)["scenario"] == document["scenario"]);
  std::vector<nlohmann::ordered_json> found;
  for (std::string line; std::getline(ndjson, line);) {
    found.push_back(nlohmann::ordered_json::parse(line));
  }
  const auto text = [](std::vector<nlohmann::ordered_json> records) {
    std::vector<std::string> lines;
    for (const auto& record : records) {
      lines.push_back(record.dump());
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  };
  RC_ASSERT(text(found) == text(expected));
}

}  // namespace
}  // namespace retrygarden::test
