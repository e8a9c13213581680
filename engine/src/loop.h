// The event loop, as a template over the source of its random draws: a run draws by its seed, a
// test may go through all outcomes.
//
// A tick is handled whole. PhasedTicks goes through its five phases (docs/model.md, section 4) one
// after the other. Where attempts are decided in their tick, and touch nothing that others touch
// but the capacity, ShortTicks takes each through all phases at once.
#pragma once

#include "draw.h"
#include "phased_ticks.h"
#include "short_ticks.h"

namespace retrygarden {

template <class Draws, bool kRecords>
Summary run_with(const Plan& plan, const Observers& observers, Draws& draws,
                 const Workers& workers) {
  return plan.needs_phases() ? PhasedTicks<Draws, kRecords>(plan, observers, draws, workers).run()
                             : ShortTicks<Draws, kRecords>(plan, observers, draws, workers).run();
}

template <class Draws>
Summary run_with(const Plan& plan, const Observers& observers, Draws& draws,
                 const Workers& workers = {}) {
  return observers.attempt || observers.client_end
             ? run_with<Draws, true>(plan, observers, draws, workers)
             : run_with<Draws, false>(plan, observers, draws, workers);
}

}  // namespace retrygarden
