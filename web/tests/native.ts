// What the native programs say, for tests to compare with.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const program = path.join(root, "build/release/retrygarden");
const scenarioList = path.join(root, "build/release/tests/scenario_list");
const maxBuffer = 1 << 30;

/** The bytes of `retrygarden export`. */
export function nativeExport(text: string): Buffer {
  return execFileSync(program, ["export", "-"], { input: text, maxBuffer });
}

/** Writes the report of a scenario to a file. */
export function nativeReport(text: string, file: string): void {
  execFileSync(program, ["report", "-", "-o", file], { input: text });
}

/** Texts of random scenarios, the same ones each time. */
export function randomScenarios(count: number): string[] {
  const lines = execFileSync(scenarioList, [String(count)], { maxBuffer, encoding: "utf8" });
  return lines.trimEnd().split("\n");
}

/** The golden scenarios that have a trace. */
export function goldenNames(): string[] {
  return readdirSync(path.join(root, "golden/traces"));
}

export function goldenScenario(name: string): string {
  return readFileSync(path.join(root, "golden/scenarios", name), "utf8");
}

export function goldenTrace(name: string): Buffer {
  return readFileSync(path.join(root, "golden/traces", name));
}
