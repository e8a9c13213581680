// A View, as the page gets it from the engine in the browser, made of what the program exports.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Attempt, ClientRecord, LoadColumn, PolicyResult, ScenarioJson, Summary, View } from "../src/engine/types";

const program = fileURLToPath(new URL("../../build/release/retrygarden", import.meta.url));
const mostBytes = 1 << 28;

interface ExportedResult {
  policy: string;
  summary: Summary;
  load: LoadColumn[];
  attempts: Attempt[];
  clients: ClientRecord[];
}

interface Export {
  scenario: ScenarioJson;
  results: ExportedResult[];
}

/** Runs a scenario with the native program. All clients are in the lanes; there is no density and no diagnosis. */
export function runNatively(text: string, ticksPerColumn = 1): View {
  const output = execFileSync(program, ["export", "-"], { input: text, maxBuffer: mostBytes, encoding: "utf8" });
  const { scenario, results } = JSON.parse(output) as Export;
  return { scenario, results: results.map((result) => policyResult(result, ticksPerColumn)) };
}

function policyResult({ policy, summary, load, attempts, clients }: ExportedResult, ticksPerColumn: number): PolicyResult {
  return {
    policy,
    summary,
    diagnosis: [],
    ticks_per_column: ticksPerColumn,
    load: columns(load, ticksPerColumn),
    lanes: { first: 0, last: clients.length - 1, step: 1, complete: true, clients, attempts },
    density: null,
  };
}

// The export leaves out ticks in which nothing happens. What waits in the queue waits through them.
function columns(load: readonly LoadColumn[], ticksPerColumn: number): LoadColumn[] {
  const result: LoadColumn[] = [];
  const byTick = new Map(load.map((record) => [record.tick, record]));
  const end = load.length === 0 ? 0 : load.at(-1)!.tick + 1;
  let waiting = 0;
  for (let tick = 0; tick < end; tick += 1) {
    const record = byTick.get(tick) ?? { ...emptyColumn(tick), queued: waiting };
    waiting = record.queued;
    if (tick % ticksPerColumn === 0) {
      result.push(emptyColumn(tick));
    }
    add(result.at(-1)!, record);
  }
  return result;
}

function emptyColumn(tick: number): LoadColumn {
  return {
    tick,
    attempts: 0,
    accepted: 0,
    overloaded: 0,
    unavailable: 0,
    lost_requests: 0,
    short_circuited: 0,
    started: 0,
    dropped: 0,
    effects: 0,
    acknowledged: 0,
    queued: 0,
  };
}

function add(column: LoadColumn, record: LoadColumn): void {
  for (const name of Object.keys(column) as (keyof LoadColumn)[]) {
    if (name === "queued") {
      column.queued = Math.max(column.queued, record.queued);
    } else if (name !== "tick") {
      column[name] += record[name];
    }
  }
}
