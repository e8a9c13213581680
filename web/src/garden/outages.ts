// The outages of a scenario, as an engine has filled them in.

import type { ScenarioJson, Tick } from "../engine/types";

export interface Outage {
  from: Tick;
  ticks: Tick;
  kind: "refuse" | "hang" | "crash";
  loses_keys: boolean;
}

export function outagesOf(scenario: ScenarioJson): Outage[] {
  return scenario.server.outages;
}

/** The first crash after a request was started: it ends its service, and takes its response. */
export function crashAfter(outages: readonly Outage[], started: Tick): Tick {
  return Math.min(...outages.filter(({ from, kind }) => kind === "crash" && from > started).map(({ from }) => from));
}
