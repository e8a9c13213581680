// When what happened to an attempt, and what could be seen of it when some tick ended: stepping through time must not
// tell what comes later.

import type { Attempt, Tick } from "../engine/types";

/** The tick in which the response is due, whatever becomes of it; null where the request was never started. */
export function dueTick({ started_tick }: Attempt, serviceTicks: number): Tick | null {
  return started_tick === null ? null : started_tick + serviceTicks;
}

/** The tick in which the client learned of success by this attempt, else null. */
export function acknowledgedTick(attempt: Attempt, serviceTicks: number): Tick | null {
  return attempt.response === "acknowledged" ? dueTick(attempt, serviceTicks) : null;
}

/** The ticks in which something happened to the attempt, or to the client because of it. */
export function ticksOf(attempt: Attempt, serviceTicks: number): Tick[] {
  const isHeard = attempt.response === "acknowledged" || attempt.response === "late";
  const due = isHeard ? dueTick(attempt, serviceTicks) : null;
  const { tick, started_tick, dropped_tick, failed_tick } = attempt;
  return [tick, started_tick, dropped_tick, failed_tick, due].filter((each) => each !== null);
}

/** The attempt as it stood at the end of `tick`; null if it had not been made. */
export function asOf(attempt: Attempt, tick: Tick, serviceTicks: number): Attempt | null {
  if (attempt.tick > tick) {
    return null;
  }
  const isPast = (when: Tick | null): boolean => when !== null && when <= tick;
  const isStarted = isPast(attempt.started_tick);
  const hasFailed = isPast(attempt.failed_tick);
  return {
    ...attempt,
    started_tick: isStarted ? attempt.started_tick : null,
    dropped_tick: isPast(attempt.dropped_tick) ? attempt.dropped_tick : null,
    effect: isStarted ? attempt.effect : "none",
    response: isPast(dueTick(attempt, serviceTicks)) ? attempt.response : "none",
    failed_tick: hasFailed ? attempt.failed_tick : null,
    next_tick: hasFailed ? attempt.next_tick : null,
  };
}
