// The charts that stand below each other for a policy, and the scales that all policies share.

import type { LoadColumn, ScenarioJson, View } from "../engine/types";
import { timeDomain } from "../time_scale";
import { type ChartColumns, chartColumns, outcomeParts } from "./chart_columns";
import { type SustainedRate, sustainedRate } from "./sustained_rate";

export type PanelName = "load" | "goodput" | "queue";

export interface Panel {
  name: PanelName;
  title: string;
  /** Pixels, the time axis not included. */
  height: number;
  /** The value at the upper end, of all policies. */
  top: number;
  /** What is stacked in a column, from the bottom; per tick, or the most of its ticks. */
  parts: readonly { name: string; colour: string; value: (column: LoadColumn, ticksPerColumn: number) => number }[];
}

export interface Frame {
  scenario: ScenarioJson;
  domain: [number, number];
  rate: SustainedRate;
  panels: Panel[];
  /** By policy. */
  columns: ChartColumns[];
}

const mostInARow = 3;

/** How many policies stand side by side where there is room. Four are better two by two than three and one. */
export function policiesInARow(policies: number): number {
  return policies === 4 ? 2 : Math.min(policies, mostInARow);
}

export function makeFrame(view: View): Frame {
  const columns = view.results.map(chartColumns);
  const rate = sustainedRate(view.scenario);
  const loadPeak = peakOf(loadParts, columns);
  const panels: Panel[] = [
    // The capacity is worth some room, but not at any price.
    { name: "load", title: "Load", height: 150, top: top(loadPeak, rate.value), parts: loadParts },
    { name: "goodput", title: "Goodput", height: 64, top: top(peakOf(goodputParts, columns)), parts: goodputParts },
  ];
  if (view.scenario.server.queue > 0) {
    panels.push({ name: "queue", title: "Queue", height: 64, top: top(peakOf(queueParts, columns)), parts: queueParts });
  }
  return { scenario: view.scenario, domain: timeDomain(view), rate, panels, columns };
}

/** What the numbers of a panel are, with the ticks that a column of the policy takes together. */
export function panelMeaning(name: PanelName, ticksPerColumn: number): string {
  const together = ticksPerColumn === 1 ? "" : ` of ${ticksPerColumn} ticks`;
  switch (name) {
    case "load":
      return `attempts per tick${together && `, mean${together}`}`;
    case "goodput":
      return `clients acknowledged per tick${together && `, mean${together}`}`;
    case "queue":
      return `requests that wait${together && `, the most${together}`}`;
  }
}

const loadParts: Panel["parts"] = outcomeParts.map(({ name, member, colour }) => ({
  name,
  colour,
  value: (column, ticks) => column[member] / ticks,
}));

const goodputParts: Panel["parts"] = [
  { name: "acknowledged", colour: "--acknowledged", value: (column, ticks) => column.acknowledged / ticks },
];

const queueParts: Panel["parts"] = [{ name: "waiting", colour: "--muted", value: (column) => column.queued }];

function peakOf(parts: Panel["parts"], policies: readonly ChartColumns[]): number {
  let peak = 0;
  for (const { columns, ticksPerColumn } of policies) {
    for (const column of columns) {
      peak = Math.max(
        peak,
        parts.reduce((sum, part) => sum + part.value(column, ticksPerColumn), 0),
      );
    }
  }
  return peak;
}

/** What is to be seen has to fit; what would be good to see does if it is at most twice as high. */
function top(peak: number, welcome = 0): number {
  return Math.max(1, peak, welcome <= 2 * peak ? welcome * 1.05 : 0);
}
