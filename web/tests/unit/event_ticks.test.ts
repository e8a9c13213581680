// Going from event to event.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventFrom, eventTicks } from "../../src/timeline/event_ticks";
import { runNatively } from "../view_of_export";

const scenario = readFileSync(new URL("../../../golden/scenarios/lost-responses.json", import.meta.url), "utf8");

test("the ticks in which something happens under any policy", () => {
  // fixed delay: 0, 4, 8, 12; bounded jitter: 0 to 3, 5 to 7, 10; the outage ends in tick 2
  expect(eventTicks(runNatively(scenario))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12]);
});

test("the first ticks of columns, where no more is known", () => {
  const view = runNatively(scenario, 5);
  const results = view.results.map((result) => ({ ...result, lanes: { ...result.lanes, complete: false } }));
  expect(eventTicks({ ...view, results })).toEqual([0, 2, 5, 10]);
});

test("from an event, from between two, and beyond the last", () => {
  const ticks = [0, 4, 8, 12];
  expect(eventFrom(ticks, 4, 1)).toBe(8);
  expect(eventFrom(ticks, 4, -1)).toBe(0);
  expect(eventFrom(ticks, 5, 1)).toBe(8);
  expect(eventFrom(ticks, 5, -1)).toBe(4);
  expect(eventFrom(ticks, 0, 3)).toBe(12);
  expect(eventFrom(ticks, 12, 1)).toBe(12);
  expect(eventFrom(ticks, 0, -1)).toBe(0);
  expect(eventFrom(ticks, 40, -1)).toBe(12);
});
