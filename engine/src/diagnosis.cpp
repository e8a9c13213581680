#include "retrygarden/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "check.h"
#include "retrygarden/event_loop.h"
#include "retrygarden/grouped.h"

namespace retrygarden {

namespace {

using Sentence = std::optional<std::string>;

// Of fewer, a share or a rate is chance.
constexpr std::uint64_t kFewest = 20;

bool is_noteworthy(std::uint64_t part, std::uint64_t whole) {
  return whole >= kFewest && 4 * part >= whole;
}

// For example: 3 of 7 clients (43 %). Rounded half up.
std::string share(std::uint64_t part, std::uint64_t whole, std::string_view of_what) {
  return fmt::format("{} of {} {} ({} %)", grouped(part), grouped(whole), of_what,
                     (200 * part + whole) / (2 * whole));
}

std::string ticks(std::uint32_t count) {
  return count == 1 ? "1 tick" : grouped(count) + " ticks";
}

// Ticks begin … end-1, and the clients acknowledged in them.
struct Span {
  Tick begin;
  Tick end;
  std::uint64_t acknowledged = 0;

  std::uint64_t ticks() const { return end - begin; }

  void add(const TickLoad& load) {
    if (begin <= load.tick && load.tick < end) {
      acknowledged += load.acknowledged;
    }
  }

  // Clients acknowledged a tick, rounded half up.
  std::string goodput() const {
    const std::uint64_t hundredths = (200 * acknowledged + ticks()) / (2 * ticks());
    return fmt::format("{}.{:02}", grouped(hundredths / 100), hundredths % 100);
  }
};

// What tells whether a failure outlived its cause.
struct Recovery {
  Span before;             // from the first arrival to the first outage
  Span after;              // the last tenth of the arrivals
  Tick up_since;           // no outage from here to the end of `after`
  std::uint64_t arrivals;  // those in `after`
};

// Nothing where `after` does not come after an outage, or is not free of outages.
std::optional<Recovery> recovery(const Plan& plan) {
  Tick first = std::numeric_limits<Tick>::max();
  Tick last = 0;
  for (Client client = 0; client < plan.clients; ++client) {
    const Tick arrival = arrival_tick(plan, client);
    first = std::min(first, arrival);
    last = std::max(last, arrival);
  }
  const Tick begin = last - (last - first) / 10;
  const auto later =
      std::upper_bound(plan.outages.begin(), plan.outages.end(), last,
                       [](Tick tick, const OutageWindow& window) { return tick < window.begin; });
  if (later == plan.outages.begin() || std::prev(later)->end > begin) {
    return std::nullopt;
  }
  Recovery recovery{.before = {.begin = first, .end = plan.outages.front().begin},
                    .after = {.begin = begin, .end = last + 1},
                    .up_since = std::prev(later)->end,
                    .arrivals = 0};
  for (Client client = 0; client < plan.clients; ++client) {
    recovery.arrivals += arrival_tick(plan, client) >= begin;
  }
  return recovery;
}

Sentence outlived_failure(const Recovery& recovery) {
  const auto& [before, after, up_since, arrivals] = recovery;
  if (before.acknowledged < kFewest || arrivals < kFewest) {
    return std::nullopt;
  }
  // Below 2^64: fewer than 2^32 clients, fewer than 2^31 ticks.
  const bool is_below_half =
      2 * after.acknowledged * before.ticks() < before.acknowledged * after.ticks();
  // Where arrivals are random, fewer may just have come.
  if (!is_below_half || 2 * after.acknowledged >= arrivals) {
    return std::nullopt;
  }
  return fmt::format(
      "The failure outlived its cause: {} clients a tick were acknowledged before the first "
      "outage, but {} in the last tenth of the arrivals, ticks {} to {}, although the server was "
      "up again from tick {} on.",
      before.goodput(), after.goodput(), after.begin, after.end - 1, up_since);
}

Sentence too_short_timeout(const Plan& plan) {
  if (plan.timeout >= plan.server.service_ticks) {
    return std::nullopt;
  }
  return fmt::format(
      "No response can be in time: the timeout of {} is shorter than the service time of {}.",
      ticks(plan.timeout), ticks(plan.server.service_ticks));
}

// The cap of a law that has one.
std::optional<std::uint32_t> cap_of(const Delay& delay) {
  return std::visit(
      [](const auto& law) -> std::optional<std::uint32_t> {
        if constexpr (requires { law.cap; }) {
          return law.cap;
        } else {
          return std::nullopt;
        }
      },
      delay);
}

// What only the single attempts of a run tell.
struct Details {
  std::uint64_t delays = 0;  // those that a next attempt follows
  std::uint64_t delays_at_cap = 0;
  std::uint64_t delays_after_refusal = 0;
  std::uint64_t delays_below_hint = 0;
  std::uint64_t given_up_starts = 0;     // their clients no longer waited on them
  std::uint64_t acknowledged_lower = 0;  // clients of the lower half of numbers
  std::uint64_t acknowledged_upper = 0;
  std::vector<std::uint64_t> starts;  // client·2^32 + tick, where there are duplicates
};

Details observe(const Plan& plan, std::optional<std::uint32_t> cap, const Summary& summary) {
  Details details;
  if (summary.duplicate_effects > 0) {
    details.starts.reserve(static_cast<std::size_t>(summary.started));
  }
  const auto add_delay = [&](const Attempt& attempt) {
    const std::uint32_t delay = *attempt.next_tick - *attempt.failed_tick;
    ++details.delays;
    details.delays_at_cap += cap == delay;
    if (attempt.outcome == Outcome::kOverloaded || attempt.outcome == Outcome::kUnavailable) {
      ++details.delays_after_refusal;
      details.delays_below_hint += delay < plan.server.retry_after;
    }
  };
  const auto add_start = [&](const Attempt& attempt) {
    // A timeout comes last in its tick, so one in the tick of the start comes after it.
    details.given_up_starts += attempt.failed_tick && *attempt.failed_tick < *attempt.started_tick;
    if (summary.duplicate_effects > 0) {
      details.starts.push_back(std::uint64_t{attempt.client} << 32 | *attempt.started_tick);
    }
  };
  const auto add = [&](const Attempt& attempt) {
    if (attempt.next_tick) {
      add_delay(attempt);
    }
    if (attempt.started_tick) {
      add_start(attempt);
    }
  };
  const auto count = [&](const ClientEnd& end) {
    if (end.state == ClientState::kAcknowledged) {
      ++(end.client < plan.clients / 2 ? details.acknowledged_lower : details.acknowledged_upper);
    }
  };
  run(plan, {.attempt = add, .client_end = count});
  return details;
}

// What becomes of the same starts where nothing but outages takes keys.
struct Forever {
  std::uint64_t duplicates = 0;
  std::uint32_t longest = 0;  // ticks from the storing of a key to the last start it suppresses
};

// Precondition: there are starts.
Forever with_deduplication_forever(const Plan& plan, std::vector<std::uint64_t> starts) {
  // In the order of ticks, which is not that of attempts where late requests wait.
  std::sort(starts.begin(), starts.end());
  const auto losses_until = [&](Tick tick) {
    return std::upper_bound(plan.key_losses.begin(), plan.key_losses.end(), tick);
  };
  Forever forever;
  std::uint64_t stored = starts.front();
  for (const std::uint64_t start : starts) {
    if (start >> 32 != stored >> 32) {
      stored = start;
    } else if (losses_until(static_cast<Tick>(start)) != losses_until(static_cast<Tick>(stored))) {
      ++forever.duplicates;
      stored = start;
    } else {
      forever.longest = std::max(forever.longest, static_cast<std::uint32_t>(start - stored));
    }
  }
  return forever;
}

Sentence avoidable_duplicates(const Plan& plan, const Summary& summary,
                              std::vector<std::uint64_t> starts) {
  if (starts.empty()) {
    return std::nullopt;
  }
  const std::uint64_t duplicates = summary.duplicate_effects;
  const Forever forever = with_deduplication_forever(plan, std::move(starts));
  RETRYGARDEN_CHECK(forever.duplicates <= duplicates);
  const std::uint64_t avoidable = duplicates - forever.duplicates;
  if (avoidable == 0) {
    return fmt::format(
        "No TTL would have suppressed any of the duplicate effects ({}): outages lose the keys.",
        grouped(duplicates));
  }
  const auto* ttl = std::get_if<DeduplicationTtl>(&plan.server.deduplication);
  const std::string what =
      ttl != nullptr
          ? fmt::format("A TTL above {}, in place of {},", ticks(forever.longest),
                        ticks(ttl->ticks))
          : fmt::format("Deduplication that keeps keys longer than {}", ticks(forever.longest));
  if (forever.duplicates == 0) {
    return fmt::format("{} would have suppressed all duplicate effects ({}).", what,
                       grouped(duplicates));
  }
  return fmt::format("{} would have suppressed {}; of the others an outage loses the keys.", what,
                     share(avoidable, duplicates, "duplicate effects"));
}

Sentence given_up_work(const Summary& summary, const Details& details) {
  if (!is_noteworthy(details.given_up_starts, summary.started)) {
    return std::nullopt;
  }
  return fmt::format(
      "Wasted work: when the server started {}, their clients had already given up on them.",
      share(details.given_up_starts, summary.started, "requests"));
}

Sentence unfair_ties(const Plan& plan, const Summary& summary, const Details& details) {
  // Where arrivals are spread, numbers differ by more than how ties are broken.
  if (plan.server.tie_break == TieBreak::kRandom ||
      std::holds_alternative<SpreadArrivals>(plan.arrivals)) {
    return std::nullopt;
  }
  const std::uint64_t stopped =
      summary.exhausted + summary.deadline_exceeded + summary.budget_denied;
  if (!is_noteworthy(stopped, summary.clients) || summary.acknowledged < kFewest ||
      4 * details.acknowledged_upper >= details.acknowledged_lower) {
    return std::nullopt;
  }
  return fmt::format(
      "Ties are broken by client, and the lowest numbers win: {} clients of the lower half of "
      "numbers were acknowledged, {} of the upper half.",
      grouped(details.acknowledged_lower), grouped(details.acknowledged_upper));
}

Sentence spent_budget(const Summary& summary) {
  if (!is_noteworthy(summary.budget_denied, summary.clients)) {
    return std::nullopt;
  }
  return fmt::format("The retry budget stopped {} that had attempts left.",
                     share(summary.budget_denied, summary.clients, "clients"));
}

Sentence delays_at_cap(std::optional<std::uint32_t> cap, const Details& details) {
  if (!is_noteworthy(details.delays_at_cap, details.delays)) {
    return std::nullopt;
  }
  return fmt::format(
      "{} were exactly the cap of {}: clients that fail together then try again together.",
      share(details.delays_at_cap, details.delays, "delays"), ticks(*cap));
}

Sentence unreached_cap(const Plan& plan, const Delay& law, const Summary& summary) {
  const auto cap = cap_of(law);
  if (!cap || std::holds_alternative<DecorrelatedDelay>(law) || plan.attempts == 1 ||
      summary.exhausted == 0) {
    return std::nullopt;
  }
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const DelayTable raw_delays(law, NoJitter{}, kMost);
  const auto is_cap_after = [&](std::uint32_t attempt) {
    return raw_delays.after(attempt).hi == *cap;
  };
  if (is_cap_after(plan.attempts - 1)) {
    return std::nullopt;
  }
  if (!is_cap_after(kMost)) {
    return fmt::format("The raw delay never reaches its cap of {}: it does not grow.", ticks(*cap));
  }
  // Raw delays never shrink: between an attempt with a shorter one and one with the cap.
  std::uint32_t before = plan.attempts - 1;
  std::uint32_t after = kMost;
  while (after - before > 1) {
    const std::uint32_t middle = before + (after - before) / 2;
    (is_cap_after(middle) ? after : before) = middle;
  }
  return fmt::format(
      "The raw delay would reach its cap of {} only after attempt {}; a client's last delay is the "
      "one after attempt {}.",
      ticks(*cap), after, plan.attempts - 1);
}

Sentence ignored_hint(const Plan& plan, const Details& details) {
  if (plan.on_retry_after != OnRetryAfter::kIgnore ||
      !is_noteworthy(details.delays_below_hint, details.delays_after_refusal)) {
    return std::nullopt;
  }
  return fmt::format(
      "The policy ignores the hint: {} were shorter than the {} that it asks for.",
      share(details.delays_below_hint, details.delays_after_refusal, "delays after a refusal"),
      ticks(plan.server.retry_after));
}

Sentence early_horizon(const Summary& summary) {
  const std::uint64_t undecided = summary.awaiting + summary.scheduled;
  if (!is_noteworthy(undecided, summary.clients)) {
    return std::nullopt;
  }
  return fmt::format(
      "At the horizon {} had neither failed nor succeeded: a longer horizon would tell.",
      share(undecided, summary.clients, "clients"));
}

}  // namespace

std::vector<std::string> diagnose(const Scenario& scenario, std::size_t policy_index) {
  const Plan plan = make_plan(scenario, policy_index);
  const Delay& law = scenario.policies[policy_index].delay;
  const auto cap = cap_of(law);
  auto spans = recovery(plan);
  const auto add_load = [&](const TickLoad& load) {
    if (spans) {
      spans->before.add(load);
      spans->after.add(load);
    }
  };
  const Summary summary = run(plan, {.tick_load = add_load});
  const bool has_details = summary.attempts <= kMostDiagnosedAttempts;
  Details details;  // empty, it gives no sentence
  if (has_details) {
    details = observe(plan, cap, summary);
  }

  std::vector<std::string> sentences;
  const auto say = [&](Sentence sentence) {
    if (sentence) {
      sentences.push_back(*std::move(sentence));
    }
  };
  if (spans) {
    say(outlived_failure(*spans));
  }
  say(too_short_timeout(plan));
  say(avoidable_duplicates(plan, summary, std::move(details.starts)));
  say(given_up_work(summary, details));
  say(unfair_ties(plan, summary, details));
  say(spent_budget(summary));
  say(delays_at_cap(cap, details));
  say(unreached_cap(plan, law, summary));
  say(ignored_hint(plan, details));
  say(early_horizon(summary));
  if (!has_details) {
    say(fmt::format("More than {} attempts were made; single attempts were not looked at.",
                    grouped(kMostDiagnosedAttempts)));
  }
  return sentences;
}

std::uint64_t diagnosis_memory_bytes(const Plan& plan) {
  const std::uint64_t observed = std::min(plan.most_attempts(), kMostDiagnosedAttempts);
  return run_memory_bytes(plan) + records_memory_bytes(plan, {}, observed) +
         sizeof(std::uint64_t) * observed;
}

}  // namespace retrygarden
