// Shard: clients with neighbouring numbers, in a run whose attempts share nothing but the capacity
// of their tick (Plan::needs_phases() is false). Then it is enough to know how many of a shard's
// attempts are accepted: those with the lowest client numbers. All else a shard does by itself, so
// shards of one tick may be taken at the same time.
//
// Neighbours who are all due for the same attempt in the same tick, as after a burst or a fixed
// delay, are one range; others wait one by one. Where nobody looks at attempts nothing is sorted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "coming_clients.h"
#include "delays.h"
#include "first_response_losers.h"
#include "probe.h"
#include "run_totals.h"
#include "server_memory.h"
#include "sort_by_client.h"
#include "timing_wheel.h"
#include "wait_times.h"

namespace retrygarden {

// An attempt, and the end of its client, if it brought that.
struct FinishedAttempt {
  Attempt record;
  std::optional<ClientState> end;
};

// The attempts of a shard in one tick, where they are recorded. Reused, so that nothing is
// allocated again and again; it belongs to whoever takes the shard, so that there are few.
struct RecordedTick {
  std::vector<DueAttempt> due;
  std::vector<DueAttempt> scratch;
  std::vector<FinishedAttempt> finished;  // ascending by client

  // For each client of a shard.
  static constexpr std::size_t kBytesPerClient = 2 * sizeof(DueAttempt) + sizeof(FinishedAttempt);
};

// Draws: where random words come from, called like SeededDraws. kRecords: attempts are recorded.
template <class Draws, bool kRecords>
class Shard {
 public:
  // Clients begin … end-1.
  Shard(const Plan& plan, Draws& draws, Client begin, Client end)
      : plan_(plan),
        begin_(begin),
        end_(end),
        losers_(plan, begin, end),
        memory_(plan, losers_.count()),
        delays_(plan, draws, begin, end),
        coming_(plan, begin, end) {
    if (!ComingClients::are_known(plan)) {
      for (Client client = begin; client < end; ++client) {
        attempts_.add(arrival_tick(plan, client), {client, 1});
      }
    }
    advance();
  }

  // The tick of the next attempts, kNever if there are none; and how many there are.
  Tick next_tick() const { return now_; }
  std::size_t due() const { return due_; }

  // Takes the attempts of next_tick(): so many are accepted, and the others end in that outcome.
  // records: what takes them down, if they are recorded. Precondition: there are so many.
  void take(std::size_t accepted, Outcome refusal, RecordedTick& records) {
    load_ = {.tick = now_, .attempts = due_, .accepted = accepted, .started = accepted};
    (refusal == Outcome::kUnavailable ? load_.unavailable : load_.overloaded) = due_ - accepted;
    if constexpr (kRecords) {
      take_in_order(accepted, refusal, records);
    } else {
      take_apart(first_refused(accepted));
    }
    advance();
  }

  // Of the attempts taken last.
  const TickLoad& load() const { return load_; }

  // Of all attempts taken, what no load counts.
  const Summary& counts() const { return counts_; }
  WaitTimes& wait_times() { return wait_times_; }

  // An upper estimate of the bytes that so many shards of clients begin … end-1 hold, apart from
  // their delays.
  static std::uint64_t bytes(const Plan& plan, Client begin, Client end, std::uint64_t shards) {
    static_assert(sizeof(Shard) <= kOwnBytes);
    return (end - begin) * std::uint64_t{Attempts::bytes_per_item(plan.horizon)} +
           ServerMemory::bytes(plan, FirstResponseLosers(plan, begin, end).count()) +
           shards * (kOwnBytes + Attempts::slack_bytes(plan.horizon) +
                     Ranges::slack_bytes(plan.horizon) +
                     sizeof(std::uint32_t) * (kBins + WaitTimes::kTableTicks));
  }

 private:
  using Attempts = TimingWheel<DueAttempt>;
  using Ranges = TimingWheel<DueRange>;
  static constexpr std::size_t kMostAtOnce = Delays<Draws>::kMostAtOnce;
  static_assert(Attempts::kBlockItems <= kMostAtOnce);

  // Fewer clients wait one by one, so that ranges never take more memory than their clients would.
  static constexpr Client kSmallestRange = 4;

  static constexpr std::size_t kBins = 4096;
  static constexpr std::size_t kOwnBytes = std::size_t{32} * 1024;  // at least sizeof(Shard)

  // Goes to the next tick in which any of the clients has an attempt due. Ranges are asked before
  // single attempts: a range may leave single attempts behind, and never the other way round.
  void advance() {
    const Tick last = plan_.horizon - 1;
    const Tick arrival = coming_.next();
    const Tick range = ranges_.advance(std::min(arrival, last)).value_or(arrival);
    now_ = attempts_.advance(std::min(range, last)).value_or(range);
    due_ = 0;
    has_ranges_ = range == now_;
    if (now_ == kNever) {
      return;
    }
    while (coming_.next() == now_) {
      add(now_, coming_.take());
    }
    due_ = attempts_.count();
    if (has_ranges_) {
      ranges_.show([this](std::span<const DueRange> ranges) {
        for (const DueRange& one : ranges) {
          due_ += one.end - one.begin;
        }
      });
    }
  }

  void add(Tick tick, const DueRange& range) {
    if (range.end - range.begin >= kSmallestRange) {
      ranges_.add(tick, range);
    } else {
      for (Client client = range.begin; client < range.end; ++client) {
        add(tick, DueAttempt{client, range.attempt});
      }
    }
  }

  [[gnu::always_inline]] void add(Tick tick, DueAttempt due) { attempts_.add(tick, due); }

  // Gives the attempts of this tick: each range to take_range, all others as spans to take_single.
  template <class TakeRange, class TakeSingle>
  void take_due(TakeRange take_range, TakeSingle take_single) {
    if (has_ranges_) {
      ranges_.take([&](std::span<const DueRange> ranges) {
        for (const DueRange& range : ranges) {
          take_range(range);
        }
      });
    }
    attempts_.take(take_single);
  }

  // The attempts of this tick, with their records.
  void take_in_order(std::size_t accepted, Outcome refusal, RecordedTick& records) {
    std::vector<DueAttempt>& attempts = records.due;
    std::vector<FinishedAttempt>& finished = records.finished;
    attempts.clear();
    attempts.reserve(due_);
    take_due(
        [&](const DueRange& range) {
          for (Client client = range.begin; client < range.end; ++client) {
            attempts.push_back({client, range.attempt});
          }
        },
        [&](std::span<const DueAttempt> due) {
          attempts.insert(attempts.end(), due.begin(), due.end());
        });
    sort_by_client(attempts, records.scratch);
    finished.clear();
    finished.reserve(due_);
    for (const DueAttempt due : attempts) {
      finished.push_back(finished.size() < accepted ? accepted_record(due)
                                                    : failed_record(due, {.outcome = refusal}));
      Attempt& record = finished.back().record;
      record.tick = now_;
      record.client = due.client;
      record.attempt = due.attempt;
    }
  }

  FinishedAttempt accepted_record(DueAttempt due) {
    Attempt record{.outcome = Outcome::kAccepted, .started_tick = now_};
    record.effect = apply(due.client);
    if (loses_response(due.client, record.effect)) {
      record.response = Response::kLost;
      return failed_record(due, record);
    }
    record.response = Response::kAcknowledged;
    acknowledge(due.client);
    return {record, ClientState::kAcknowledged};
  }

  FinishedAttempt failed_record(DueAttempt due, Attempt record) {
    record.failed_tick = now_;
    if (due.attempt == plan_.attempts) {
      RETRYGARDEN_PROBE(kExhaustedAfterLostResponse, record.response == Response::kLost);
      ++counts_.exhausted;
      return {record, ClientState::kExhausted};
    }
    record.next_tick = now_ + delays_.after(due);  // below 2^32: the delay is at most 2^31
    RETRYGARDEN_PROBE(kScheduledAfterLostResponse,
                      record.response == Response::kLost && *record.next_tick >= plan_.horizon);
    schedule(*record.next_tick, DueAttempt{due.client, due.attempt + 1});
    return {record, std::nullopt};
  }

  // The attempts of this tick, where nobody looks at them: clients before first_refused are
  // accepted.
  void take_apart(Client first_refused) {
    take_due(
        [&](const DueRange& range) {
          const Client middle = std::clamp(first_refused, range.begin, range.end);
          accept(DueRange{range.begin, middle, range.attempt});
          fail(DueRange{middle, range.end, range.attempt});
        },
        [&](std::span<const DueAttempt> due) {
          if (first_refused == begin_) {
            fail(due);
          } else if (first_refused == end_) {
            accept(due);
          } else {
            take_apart(due, first_refused);
          }
        });
  }

  void take_apart(std::span<const DueAttempt> due, Client first_refused) {
    Some accepted;
    Some refused;
    for (const DueAttempt one : due) {
      (one.client < first_refused ? accepted : refused).push_back(one);
    }
    accept(accepted.all());
    fail(refused.all());
  }

  // The client such that so many attempts of this tick are of lower ones; the shard's end if that
  // is all of them. Nothing is sorted: attempts are counted by bins of clients, and only one bin is
  // looked into.
  Client first_refused(std::size_t accepted) {
    if (accepted == 0) {
      return begin_;
    }
    if (accepted == due_) {
      return end_;
    }
    RETRYGARDEN_PROBE(kSelectionWithoutSorting, true);
    const auto shift = static_cast<unsigned>(std::bit_width((end_ - begin_ - 1) / kBins));
    std::vector<std::uint32_t> bins(kBins);
    show_due([&](Client begin, Client end) {
      for (Client from = begin; from < end;) {
        const Client bin = (from - begin_) >> shift;
        const auto to = static_cast<Client>(
            std::min<std::uint64_t>(end, begin_ + ((std::uint64_t{bin} + 1) << shift)));
        bins[bin] += to - from;
        from = to;
      }
    });
    Client bin = 0;
    for (; bins[bin] <= accepted; ++bin) {
      accepted -= bins[bin];
    }
    std::vector<Client> clients;
    clients.reserve(bins[bin]);
    show_due([&](Client begin, Client end) {
      const Client bin_begin = begin_ + (bin << shift);
      const auto bin_end = static_cast<Client>(
          std::min<std::uint64_t>(end, std::uint64_t{bin_begin} + (std::uint64_t{1} << shift)));
      for (Client client = std::max(begin, bin_begin); client < bin_end; ++client) {
        clients.push_back(client);
      }
    });
    const auto nth = clients.begin() + static_cast<std::ptrdiff_t>(accepted);
    std::nth_element(clients.begin(), nth, clients.end());
    return *nth;
  }

  // Shows the clients that have an attempt due, begin … end-1 at a time.
  template <class Visit>
  void show_due(Visit visit) const {
    if (has_ranges_) {
      ranges_.show([&](std::span<const DueRange> ranges) {
        for (const DueRange& range : ranges) {
          visit(range.begin, range.end);
        }
      });
    }
    attempts_.show([&](std::span<const DueAttempt> due) {
      for (const DueAttempt one : due) {
        visit(one.client, one.client + 1);
      }
    });
  }

  void accept(const DueRange& range) {
    const Client clients = range.end - range.begin;
    const FirstResponseLosers losers(plan_, range.begin, range.end);
    const auto* burst = std::get_if<BurstArrivals>(&plan_.arrivals);
    if (burst == nullptr) {
      one_by_one(range, [this](std::span<const DueAttempt> due) { accept(due); });
      return;
    }
    load_.effects += clients - losers.count();
    load_.acknowledged += clients - losers.count();
    wait_times_.add(now_ - burst->at, clients - losers.count());
    Some some;
    for (std::uint32_t i = 0; i < losers.count(); ++i) {
      some.push_back({losers[i], range.attempt});
      if (some.is_full() || i + 1 == losers.count()) {
        accept(some.all());
        some.clear();
      }
    }
  }

  void accept(std::span<const DueAttempt> due) {
    Some failed;
    for (const DueAttempt one : due) {
      if (loses_response(one.client, apply(one.client))) {
        failed.push_back(one);
      } else {
        acknowledge(one.client);
      }
    }
    fail(failed.all());
  }

  void fail(const DueRange& range) {
    if (range.attempt == plan_.attempts) {
      counts_.exhausted += range.end - range.begin;
    } else if (const auto delay = delays_.same_for_all_after(range.attempt)) {
      schedule(now_ + *delay, DueRange{range.begin, range.end, range.attempt + 1});
    } else {
      one_by_one(range, [this](std::span<const DueAttempt> due) { fail(due); });
    }
  }

  void fail(std::span<const DueAttempt> due) {
    Some retried;
    for (const DueAttempt one : due) {
      retried.push_back_if(one.attempt != plan_.attempts, one);
    }
    counts_.exhausted += due.size() - retried.all().size();
    std::array<std::uint32_t, kMostAtOnce> delays;  // NOLINT(*-member-init)
    delays_.after(retried.all(), std::span(delays).first(retried.all().size()));
    for (std::size_t i = 0; i < retried.all().size(); ++i) {
      const DueAttempt one = retried.all()[i];
      schedule(now_ + delays[i], DueAttempt{one.client, one.attempt + 1});
    }
  }

  // Gives the attempts of a range, some at a time.
  template <class Visit>
  static void one_by_one(const DueRange& range, Visit visit) {
    for (Client begin = range.begin; begin < range.end;) {
      Some some;
      for (; begin < range.end && !some.is_full(); ++begin) {
        some.push_back({begin, range.attempt});
      }
      visit(some.all());
    }
  }

  template <class Due>
  [[gnu::always_inline]] void schedule(Tick next, const Due& due) {
    RETRYGARDEN_PROBE(kDelayOfTwoToThe30, next - now_ >= 1U << 30);
    RETRYGARDEN_PROBE(kNextAttemptAtHorizon, next == plan_.horizon);
    RETRYGARDEN_PROBE(kNextAttemptInLastTick, next + 1 == plan_.horizon);
    if (next < plan_.horizon) {
      add(next, due);
    }
  }

  // Section 5. A client whose response is not lost stops, so only the others need a place in the
  // server's memory.
  Effect apply(Client client) {
    const Effect effect =
        losers_.has(client) ? memory_.start(now_, losers_.index_of(client)) : Effect::kApplied;
    counts_.duplicate_effects += effect == Effect::kDuplicate ? 1 : 0;
    counts_.suppressed_effects += effect == Effect::kSuppressed ? 1 : 0;
    load_.effects += effect != Effect::kSuppressed ? 1 : 0;
    return effect;
  }

  // The first request of a client that the server starts is the one that it applies.
  bool loses_response(Client client, Effect effect) {
    const bool is_lost = effect == Effect::kApplied && losers_.has(client);
    counts_.lost_responses += is_lost ? 1 : 0;
    counts_.timeouts += is_lost ? 1 : 0;
    return is_lost;
  }

  void acknowledge(Client client) {
    ++load_.acknowledged;
    wait_times_.add(now_ - arrival_tick(plan_, client));
  }

  // Attempts on the way from one step to the next.
  class Some {
   public:
    void push_back(DueAttempt due) { due_[size_++] = due; }
    void push_back_if(bool condition, DueAttempt due) {
      due_[size_] = due;  // there is room for one more than needed
      size_ += condition ? 1 : 0;
    }
    void clear() { size_ = 0; }
    bool is_full() const { return size_ == kMostAtOnce; }
    std::span<const DueAttempt> all() const { return std::span(due_).first(size_); }

   private:
    std::array<DueAttempt, kMostAtOnce + 1> due_;  // NOLINT(*-member-init)
    std::size_t size_ = 0;
  };

  const Plan& plan_;
  Client begin_;
  Client end_;
  FirstResponseLosers losers_;
  ServerMemory memory_;  // of the losers
  Delays<Draws> delays_;
  ComingClients coming_;
  Ranges ranges_;
  Attempts attempts_;
  Tick now_ = 0;
  std::size_t due_ = 0;
  bool has_ranges_ = false;
  TickLoad load_;
  Summary counts_;  // what no load counts
  WaitTimes wait_times_;
};

}  // namespace retrygarden
