#include "retrygarden/explanation.h"

#include <algorithm>
#include <variant>

#include "draw.h"
#include "retrygarden/event_loop.h"

namespace retrygarden {

namespace {

bool has_hint(const Plan& plan, const Attempt& attempt) {
  return plan.server.retry_after > 0 &&
         (attempt.outcome == Outcome::kUnavailable || attempt.outcome == Outcome::kOverloaded);
}

bool is_replaced(const Plan& plan, const Attempt& attempt) {
  return plan.on_retry_after == OnRetryAfter::kReplace && has_hint(plan, attempt);
}

// The words that draw() takes from an interval of several values.
std::vector<DrawnWord> drawn_words(std::uint64_t seed, Interval interval, std::uint32_t index,
                                   Client client) {
  std::vector<DrawnWord> words;
  const std::uint32_t size = interval.hi - interval.lo + 1;
  for (std::uint32_t block = 0; words.empty() || words.back().is_rejected; ++block) {
    for (const std::uint32_t word : random_words(seed, Purpose::kDelay, index, client, block)) {
      if (words.empty() || words.back().is_rejected) {
        words.push_back({word, !scaled(word, size)});
      }
    }
  }
  return words;
}

// The delay after a failed attempt. previous is the value of decorrelated delays, and becomes the
// one after this attempt.
DelayExplanation explain_delay(const Plan& plan, const Attempt& attempt, std::uint32_t& previous) {
  DelayExplanation delay;
  if (has_hint(plan, attempt)) {
    delay.hint = plan.server.retry_after;
  }
  if (is_replaced(plan, attempt)) {
    delay.ticks = plan.server.retry_after;
    return delay;
  }
  const auto* table = std::get_if<DelayTable>(&plan.delay);
  if (table != nullptr) {
    delay.interval = table->after(attempt.attempt);
  } else {
    delay.previous = previous;
    delay.interval = Interval{std::get<DecorrelatedDelay>(plan.delay).base, 3 * previous};
  }
  if (delay.interval->lo < delay.interval->hi) {
    delay.words = drawn_words(plan.seed, *delay.interval, attempt.attempt, attempt.client);
  }
  delay.drawn = draw(plan.seed, *delay.interval, Purpose::kDelay, attempt.attempt, attempt.client);
  if (table == nullptr) {
    delay.drawn = std::min(*delay.drawn, std::get<DecorrelatedDelay>(plan.delay).cap);
    previous = *delay.drawn;
  }
  delay.ticks = std::min(*delay.drawn, plan.max_delay);
  if (delay.hint && plan.on_retry_after == OnRetryAfter::kAtLeast) {
    delay.ticks = std::max(delay.ticks, *delay.hint);
  }
  return delay;
}

}  // namespace

std::optional<Explanation> explain(const Plan& plan, Client client, std::uint32_t attempt) {
  std::vector<Attempt> attempts;  // of the client, up to the one asked for
  std::optional<ClientState> end;
  const auto gather = [&](const Attempt& made) {
    if (made.client == client && made.attempt <= attempt) {
      attempts.push_back(made);
    }
  };
  const auto remember = [&](const ClientEnd& ended) {
    if (ended.client == client) {
      end = ended.state;
    }
  };
  run(plan, {.attempt = gather, .client_end = remember});
  if (attempt == 0 || attempts.size() < attempt) {
    return std::nullopt;
  }
  Explanation explanation{.attempt = attempts.back()};
  const Attempt& last = explanation.attempt;
  if (!last.next_tick) {
    explanation.end = end;
  }
  if (!last.failed_tick || last.attempt == plan.attempts) {
    return explanation;
  }
  const auto* decorrelated = std::get_if<DecorrelatedDelay>(&plan.delay);
  std::uint32_t previous = decorrelated != nullptr ? decorrelated->base : 0;
  for (const Attempt& made : attempts) {
    explanation.delay = explain_delay(plan, made, previous);
  }
  return explanation;
}

}  // namespace retrygarden
