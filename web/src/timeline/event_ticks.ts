// The ticks in which something happens under any policy, so that one can go from one to the next.

import type { PolicyResult, ScenarioJson, Tick, View } from "../engine/types";
import { ticksOf } from "../garden/as_of";
import { isWhole } from "../garden/lanes_by_client";
import { outagesOf } from "../garden/outages";

/** Ascending. Where only columns of ticks are known, the first tick of each column that holds anything. */
export function eventTicks({ scenario, results }: View): Tick[] {
  const ticks = new Set<Tick>([0]);
  for (const result of results) {
    addEvents(ticks, result, scenario);
  }
  for (const { from, ticks: length } of outagesOf(scenario)) {
    for (const tick of [from, from + length]) {
      if (tick < scenario.horizon) {
        ticks.add(tick);
      }
    }
  }
  return [...ticks].sort((a, b) => a - b);
}

/** The event so many places behind the tick, or before it where `by` is negative; at most the last or first one. */
export function eventFrom(ticks: readonly Tick[], tick: Tick, by: number): Tick {
  const place = by > 0 ? ticks.findLastIndex((each) => each <= tick) : ticks.findIndex((each) => each >= tick);
  const from = place < 0 ? ticks.length : place;
  return ticks[Math.min(ticks.length - 1, Math.max(0, from + by))]!;
}

function addEvents(ticks: Set<Tick>, { lanes, load }: PolicyResult, scenario: ScenarioJson): void {
  if (!isWhole(lanes, scenario)) {
    for (const { tick, attempts, started, dropped, acknowledged } of load) {
      if (attempts + started + dropped + acknowledged > 0) {
        ticks.add(tick);
      }
    }
    return;
  }
  for (const attempt of lanes.attempts) {
    for (const tick of ticksOf(attempt, scenario.server.service_ticks)) {
      ticks.add(tick);
    }
  }
}
