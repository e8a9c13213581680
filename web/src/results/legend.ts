// What the colours and lines of the charts mean: as far as they are there to be seen.

import { h } from "../dom";
import { outcomeParts } from "./chart_columns";
import type { Frame } from "./panels";

export interface LegendEntry {
  name: string;
  /** A colour of the theme. */
  colour: string;
  kind: "area" | "line" | "hatch";
}

export function legendEntries({ columns, scenario, rate, panels, domain }: Frame): LegendEntry[] {
  const load = panels.find(({ name }) => name === "load");
  const isSeen = (member: (typeof outcomeParts)[number]["member"]) =>
    columns.some((policy) => policy.columns.some((column) => column[member] > 0));
  const entries: LegendEntry[] = outcomeParts
    .filter(({ member }) => isSeen(member))
    .map(({ name, colour }) => ({ name, colour, kind: "area" }));
  entries.push({ name: "acknowledged", colour: "--acknowledged", kind: "area" });
  if (load && rate.value > 0 && rate.value <= load.top) {
    entries.push({ name: rate.label, colour: "--capacity", kind: "line" });
  }
  if (scenario.server.outages.some(({ from }: { from: number }) => from < domain[1])) {
    entries.push({ name: "outage", colour: "--outage", kind: "hatch" });
  }
  return entries;
}

export function createLegend(frame: Frame): HTMLElement {
  return h(
    "ul",
    { class: "legend", "aria-label": "What the charts show" },
    legendEntries(frame).map(({ name, colour, kind }) =>
      h("li", null, h("span", { class: `swatch ${kind}`, style: `--colour: var(${colour})` }), name),
    ),
  );
}
