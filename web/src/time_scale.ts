// The horizontal scale that charts and garden of a policy share, so that they line up.

import type { Lanes, PolicyResult, Tick, View } from "./engine/types";
import { ticksOf } from "./garden/as_of";
import { isWhole } from "./garden/lanes_by_client";

/** Room for the labels left of tick 0, in pixels. */
export const marginLeft = 56;
/** Room right of the last tick, in pixels. */
export const marginRight = 16;

/** A horizon up to this is shown whole, so that runs of a scenario whose values change can be compared. */
const wholeHorizon = 120;

/** From tick 0 to the end of what is shown. Of a horizon that is long, or mostly empty, the empty end is left out. */
export function timeDomain({ scenario, results }: View): [number, number] {
  const { horizon, server } = scenario;
  const ends = results.map((result) => Math.max(endOfColumns(result), endOfLanes(result.lanes, server.service_ticks)));
  const end = Math.max(1, ...ends);
  return [0, horizon <= wholeHorizon && 2 * end >= horizon ? horizon : end];
}

/** The last tick in which something happens under any policy; 0 if nothing ever does. */
export function lastEventTick({ scenario, results }: View): Tick {
  const ends = results.map((result) =>
    isWhole(result.lanes, scenario) ? endOfLanes(result.lanes, scenario.server.service_ticks) : endOfColumns(result),
  );
  return Math.min(scenario.horizon, Math.max(1, ...ends)) - 1;
}

/** Where ticks lie in a drawing of some width. Tick t takes the room from `left(t)` to `left(t + 1)`. */
export interface TimeScale {
  /** Pixels of one tick. */
  readonly step: number;
  left(tick: Tick): number;
  centre(tick: Tick): number;
  /** The tick that has this place; outside of the drawing, the nearest one. */
  tickAt(x: number): Tick;
}

export function timeScale([from, to]: readonly [number, number], width: number): TimeScale {
  const step = Math.max(1, width - marginLeft - marginRight) / (to - from);
  const left = (tick: Tick): number => marginLeft + (tick - from) * step;
  return {
    step,
    left,
    centre: (tick) => left(tick + 0.5),
    tickAt: (x) => Math.min(to - 1, Math.max(from, from + Math.floor((x - marginLeft) / step))),
  };
}

/** Least distance of two labelled ticks, in pixels. */
export const labelDistance = 56;

/** Whole ticks to label: round numbers, at least `gap` pixels apart. */
export function labelledTicks([from, to]: readonly [number, number], scale: TimeScale, gap: number): Tick[] {
  const least = Math.max(1, gap / scale.step);
  const power = 10 ** Math.floor(Math.log10(least));
  const distance = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power);
  const ticks: Tick[] = [];
  for (let tick = Math.ceil(from / distance) * distance; tick < to; tick += distance) {
    ticks.push(tick);
  }
  return ticks;
}

function endOfColumns({ load, ticks_per_column }: PolicyResult): Tick {
  const last = load.at(-1);
  return last === undefined ? 0 : last.tick + ticks_per_column;
}

// What happens last may be that a client stops to wait, and that is in no column.
const endsOfLanes = new WeakMap<Lanes, Tick>();

function endOfLanes(lanes: Lanes, serviceTicks: number): Tick {
  const known = endsOfLanes.get(lanes);
  if (known !== undefined) {
    return known;
  }
  let end = 0;
  for (const attempt of lanes.attempts) {
    end = Math.max(end, ...ticksOf(attempt, serviceTicks).map((tick) => tick + 1));
  }
  endsOfLanes.set(lanes, end);
  return end;
}
