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
  RC_ASSERT(s.accepted + s.overloaded + s.unavailable == s.attempts);
  RC_ASSERT(s.acknowledged + s.exhausted + s.scheduled == s.clients);
  RC_ASSERT(s.effects + s.suppressed_effects == s.accepted);
  RC_ASSERT(s.accepted == s.acknowledged + s.lost_responses);
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
  RC_ASSERT(with_outcome(Outcome::kAccepted) == s.accepted);
  RC_ASSERT(with_outcome(Outcome::kOverloaded) == s.overloaded);
  RC_ASSERT(with_outcome(Outcome::kUnavailable) == s.unavailable);
  RC_ASSERT(with_effect(Effect::kApplied) + with_effect(Effect::kDuplicate) == s.effects);
  RC_ASSERT(with_effect(Effect::kDuplicate) == s.duplicate_effects);
  RC_ASSERT(with_effect(Effect::kSuppressed) == s.suppressed_effects);
  RC_ASSERT(count(full.attempts, [](const Attempt& a) { return a.response == Response::kLost; }) ==
            s.lost_responses);
}

RC_GTEST_PROP(Run, LoadCountsTheAttemptsOfEachTick, ()) {
  const FullRun full = any_run();
  std::map<Tick, TickLoad> expected;
  for (const Attempt& attempt : full.attempts) {
    TickLoad& load = expected[attempt.tick];
    load.tick = attempt.tick;
    ++load.attempts;
    load.accepted += attempt.outcome == Outcome::kAccepted;
    load.overloaded += attempt.outcome == Outcome::kOverloaded;
    load.unavailable += attempt.outcome == Outcome::kUnavailable;
    load.effects += has_effect(attempt);
    load.acknowledged += attempt.response == Response::kAcknowledged;
  }
  RC_ASSERT(expected.size() == full.load.size());
  RC_ASSERT(std::equal(full.load.begin(), full.load.end(), expected.begin(),
                       [](const TickLoad& a, const auto& b) { return a == b.second; }));
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
  for (std::size_t i = 0; i + 1 < full.attempts.size(); ++i) {
    const Attempt& a = full.attempts[i];
    const Attempt& b = full.attempts[i + 1];
    RC_ASSERT(!(a.tick == b.tick && a.outcome == Outcome::kOverloaded &&
                b.outcome == Outcome::kAccepted));
  }
  for (const TickLoad& load : full.load) {
    RC_ASSERT(load.accepted <= full.plan.capacity);
    RC_ASSERT(load.overloaded == 0U || load.accepted == full.plan.capacity);
  }
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
    RC_ASSERT(attempt.failed_tick.has_value() == (attempt.response != Response::kAcknowledged));
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
        RC_ASSERT(client.acknowledged_tick == attempt.tick);
        break;
      case ClientState::kExhausted:
        RC_ASSERT(attempt.attempt == full.plan.attempts);
        RC_ASSERT(!attempt.next_tick);
        break;
      case ClientState::kScheduled:
        RC_ASSERT(*attempt.next_tick >= full.plan.horizon);
        break;
    }
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
