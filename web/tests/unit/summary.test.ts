// The summary of the page has the rows and numbers that `retrygarden run` prints.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { View } from "../../src/engine/types";
import { grouped } from "../../src/format";
import { summaryRows } from "../../src/results/summary_rows";
import { goldenNames, goldenScenario, nativeExport, root } from "../native";

interface PrintedRow {
  name: string;
  isPart: boolean;
  values: string[];
}

/** What the program tells beside a number of ticks where a tick has a length; the page tells ticks alone. */
const time = / = [0-9. ]+ (?:ns|µs|ms|s|min|h)(?= |$)/g;

/** Of many policies, the program prints several tables below each other. */
function printedRows(text: string): PrintedRow[] {
  const program = path.join(root, "build/release/retrygarden");
  const lines = execFileSync(program, ["run", "-"], { input: text, encoding: "utf8" }).split("\n");
  const rows: PrintedRow[] = [];
  for (let first = nextTable(lines, 0); first >= 0; first = nextTable(lines, first + 1)) {
    for (const [i, line] of lines.slice(first, lines.indexOf("", first)).entries()) {
      const match = /^( *)(.*?)((?: {2,}[-0-9. ]+?)+)$/.exec(line.replaceAll(time, ""))!;
      rows[i] ??= { name: match[2]!, isPart: match[1] !== "", values: [] };
      rows[i].values.push(...match[3]!.trim().split(/ {2,}/));
    }
  }
  return rows;
}

function nextTable(lines: readonly string[], from: number): number {
  return lines.findIndex((line, i) => i >= from && line.startsWith("attempts  "));
}

/** As much of a view as the summary needs. */
function viewOf(text: string): View {
  return JSON.parse(nativeExport(text).toString()) as View;
}

describe("the same rows as the program", () => {
  test.each(goldenNames())("%s", (name) => {
    const text = goldenScenario(name);
    const view = viewOf(text);
    const rows = summaryRows(view).map((row) => ({
      name: row.name,
      isPart: row.isPart,
      values: view.results.map(({ summary }) => {
        const value = row.value(summary);
        return value === null ? "-" : row.decimals === 2 ? value.toFixed(2) : grouped(value).replaceAll("\u00a0", " ");
      }),
    }));
    expect(rows).toEqual(printedRows(text));
  });
});

test("times are judged only between policies that serve the same number of clients", () => {
  const judged = (name: string): unknown =>
    summaryRows(viewOf(goldenScenario(name))).find((row) => row.name === "ticks to acknowledge, p50")!.good;
  expect(judged("lost-responses.json")).toBeNull();
  expect(judged("capacity.json")).toBe("less");
});
