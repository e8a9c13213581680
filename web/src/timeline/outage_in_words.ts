// What an outage makes of the server in some ticks: ends of a sentence that begins with "the server".

import type { ScenarioJson, Tick } from "../engine/types";
import { outagesOf, type Outage } from "../garden/outages";

/** For example ["is down"], ["crashes", "loses its keys"], or [] when no outage covers any of the ticks. */
export function outageInWords(scenario: ScenarioJson, from: Tick, to: Tick): string[] {
  const covering = outagesOf(scenario).filter((outage) => outage.from <= to && from < outage.from + outage.ticks);
  const beginning = covering.filter((outage) => outage.from >= from);
  const losesKeys = scenario.server.deduplication.kind !== "none" && beginning.some(({ loses_keys }) => loses_keys);
  return [...stateInWords(covering, beginning, from, to), ...(losesKeys ? ["loses its keys"] : [])];
}

// While outages overlap, one that refuses wins over one that hangs.
function stateInWords(covering: readonly Outage[], beginning: readonly Outage[], from: Tick, to: Tick): string[] {
  if (beginning.some(({ kind }) => kind === "crash")) {
    return ["crashes"];
  }
  const refusing = covering.filter(({ kind }) => kind !== "hang");
  const deciding = refusing.length > 0 ? refusing : covering;
  if (deciding.length === 0) {
    return [];
  }
  return [`${refusing.length > 0 ? "is down" : "hangs"}${coverWhole(deciding, from, to) ? "" : " for a time"}`];
}

function coverWhole(outages: readonly Outage[], from: Tick, to: Tick): boolean {
  let covered = from;
  for (const outage of [...outages].sort((a, b) => a.from - b.from)) {
    if (outage.from <= covered) {
      covered = Math.max(covered, outage.from + outage.ticks);
    }
  }
  return covered > to;
}
