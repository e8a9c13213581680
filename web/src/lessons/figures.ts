// Figures of a run, found in its View, and the ways in which the lessons write them.

import type { Attempt, LoadColumn, PolicyResult, Tick, View } from "../engine/types";
import { counted, grouped } from "../format";
import type { Look } from "./lesson";

export function policyIndex(view: View, name: string): number {
  const index = view.results.findIndex((result) => result.policy === name);
  if (index < 0) {
    throw new Error(`the run has no policy "${name}"`);
  }
  return index;
}

export function resultOf(view: View, name: string): PolicyResult {
  return view.results[policyIndex(view, name)]!;
}

/** The first tick after the only outage of a scenario. */
export function endOfOutage(view: View): Tick {
  const [outage] = view.scenario.server.outages;
  return outage.from + outage.ticks;
}

export function columnOf(result: PolicyResult, tick: Tick): LoadColumn {
  const column = result.load[Math.floor(tick / result.ticks_per_column)];
  if (column === undefined) {
    throw new Error(`tick ${tick} is after the last column`);
  }
  return column;
}

/** The first column that begins at a tick or later and of which the condition is true. */
export function firstColumn(
  result: PolicyResult,
  from: Tick,
  condition: (column: LoadColumn) => boolean,
): LoadColumn | undefined {
  return result.load.find((column) => column.tick >= from && condition(column));
}

export function lastAcknowledged({ policy, summary }: PolicyResult): Tick {
  if (summary.last_acknowledged_tick === null) {
    throw new Error(`no client of "${policy}" was acknowledged`);
  }
  return summary.last_acknowledged_tick;
}

export function findAttempt(result: PolicyResult, condition: (attempt: Attempt) => boolean): Attempt {
  const attempt = result.lanes.attempts.find(condition);
  if (attempt === undefined) {
    throw new Error(`no attempt of "${result.policy}" is such`);
  }
  return attempt;
}

/** Selects an attempt, and sets the time to its tick. */
export function placeOfAttempt(view: View, policy: string, { client, attempt, tick }: Attempt): ReturnType<Look["place"]> {
  return { selected: { policy: policyIndex(view, policy), client, attempt }, tick };
}

/** Operations that the server applied at least once. */
export function operationsApplied({ summary }: PolicyResult): number {
  return summary.effects - summary.duplicate_effects;
}

export function clients(value: number): string {
  return counted(value, "client", "clients");
}

/** "tick 14", or "ticks 14 to 16" where a column of the load holds several. */
export function ticksOf({ tick }: LoadColumn, { ticks_per_column }: PolicyResult): string {
  return ticks_per_column === 1 ? `tick ${grouped(tick)}` : `ticks ${grouped(tick)} to ${grouped(tick + ticks_per_column - 1)}`;
}
