// The load of a policy as the charts show it: no more columns than can be told apart.

import type { LoadColumn, PolicyResult, Tick } from "../engine/types";

const mostColumns = 600;

/** The parts of which the load is stacked, from the bottom, each with its member of a load column. */
export const outcomeParts = [
  { name: "accepted", member: "accepted", colour: "--accepted" },
  { name: "overloaded", member: "overloaded", colour: "--overloaded" },
  { name: "unavailable", member: "unavailable", colour: "--unavailable" },
  { name: "lost", member: "lost_requests", colour: "--lost" },
  { name: "short-circuited", member: "short_circuited", colour: "--short-circuited" },
] as const;

export interface ChartColumns {
  ticksPerColumn: number;
  columns: LoadColumn[];
}

export function chartColumns({ load, ticks_per_column }: PolicyResult): ChartColumns {
  const together = Math.ceil(load.length / mostColumns);
  if (together <= 1) {
    return { ticksPerColumn: ticks_per_column, columns: load };
  }
  const columns: LoadColumn[] = [];
  for (let first = 0; first < load.length; first += together) {
    columns.push(load.slice(first, first + together).reduce(sum));
  }
  return { ticksPerColumn: ticks_per_column * together, columns };
}

/** The column that holds the tick; undefined behind the last one. */
export function columnAt({ columns, ticksPerColumn }: ChartColumns, tick: Tick): LoadColumn | undefined {
  return columns[Math.floor(tick / ticksPerColumn)];
}

function sum(a: LoadColumn, b: LoadColumn): LoadColumn {
  return {
    tick: a.tick,
    attempts: a.attempts + b.attempts,
    accepted: a.accepted + b.accepted,
    overloaded: a.overloaded + b.overloaded,
    unavailable: a.unavailable + b.unavailable,
    lost_requests: a.lost_requests + b.lost_requests,
    short_circuited: a.short_circuited + b.short_circuited,
    started: a.started + b.started,
    dropped: a.dropped + b.dropped,
    effects: a.effects + b.effects,
    acknowledged: a.acknowledged + b.acknowledged,
    queued: Math.max(a.queued, b.queued),
  };
}
