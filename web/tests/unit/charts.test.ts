// What the charts are drawn from.

import { describe, expect, test } from "vitest";
import type { View } from "../../src/engine/types";
import { chartColumns, columnAt } from "../../src/results/chart_columns";
import { makeFrame, panelMeaning } from "../../src/results/panels";
import { sustainedRate } from "../../src/results/sustained_rate";
import { goldenScenario } from "../native";
import { runNatively } from "../view_of_export";

const storm = runNatively(goldenScenario("published/retry-storm.json"));

describe("columns", () => {
  const result = storm.results[0]!;
  const { columns, ticksPerColumn } = chartColumns(result);

  test("are as few as can be told apart, and lose nothing", () => {
    expect(result.load.length).toBeGreaterThan(600);
    expect(columns.length).toBeLessThanOrEqual(600);
    expect(columns.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(result.summary.attempts);
    expect(Math.max(...columns.map(({ queued }) => queued))).toBe(400);
  });

  test("are found by their ticks", () => {
    expect(ticksPerColumn).toBe(2);
    expect(columnAt({ columns, ticksPerColumn }, 101)!.tick).toBe(100);
    expect(columnAt({ columns, ticksPerColumn }, 99_999)).toBeUndefined();
  });

  test("of a short run are those of the engine", () => {
    const short = runNatively(goldenScenario("lost-responses.json")).results[0]!;
    expect(chartColumns(short)).toEqual({ columns: short.load, ticksPerColumn: 1 });
  });
});

describe("panels", () => {
  const panelsOf = (view: View): [string, number][] => makeFrame(view).panels.map(({ name, top }) => [name, top]);

  test("a queue where there is one", () => {
    expect(panelsOf(storm).map(([name]) => name)).toEqual(["load", "goodput", "queue"]);
  });

  test("all policies have the same scale, with room for the capacity unless it is far above", () => {
    expect(panelsOf(runNatively(goldenScenario("lost-responses.json")))).toEqual([
      ["load", 8],
      ["goodput", 2],
    ]);
    const capacity = (value: number): number => {
      const scenario = JSON.parse(goldenScenario("lost-responses.json"));
      scenario.server.capacity = value;
      return panelsOf(runNatively(JSON.stringify(scenario)))[0]![1];
    };
    expect(capacity(10)).toBe(10.5);
    expect(capacity(100)).toBe(8);
  });

  test("say what their numbers are", () => {
    expect(panelMeaning("load", 1)).toBe("attempts per tick");
    expect(panelMeaning("load", 4)).toBe("attempts per tick, mean of 4 ticks");
    expect(panelMeaning("queue", 4)).toBe("requests that wait, the most of 4 ticks");
  });
});

test.each([
  [{ capacity: 3, capacity_window: 1, service_ticks: 0 }, 3, "capacity 3"],
  [{ capacity: 10, capacity_window: 20, service_ticks: 0 }, 0.5, "mean capacity 10 in 20 ticks"],
  [{ capacity: 3, capacity_window: 1, service_ticks: 4, concurrency: 2 }, 0.5, "mean capacity 2 in 4 ticks"],
  [{ capacity: 3, capacity_window: 1, service_ticks: 0, concurrency: 2 }, 3, "capacity 3"],
])("the capacity of %j", (server, value, label) => {
  expect(sustainedRate({ ...storm.scenario, server })).toEqual({ value, label });
});
