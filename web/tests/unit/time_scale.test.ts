// The scale that charts and garden share.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { labelledTicks, lastEventTick, marginLeft, marginRight, timeDomain, timeScale } from "../../src/time_scale";
import { runNatively } from "../view_of_export";

const golden = (name: string): string => readFileSync(new URL(`../../../golden/scenarios/${name}.json`, import.meta.url), "utf8");

test("the empty end of a horizon is left out", () => {
  // Something happens up to tick 12 of 80.
  const view = runNatively(golden("lost-responses"));
  expect(timeDomain(view)).toEqual([0, 13]);
  expect(lastEventTick(view)).toBe(12);
});

test("a horizon that is mostly used is shown whole", () => {
  // 80 clients, a retry each 20 ticks: the last attempts are made in tick 60 of 80.
  const view = runNatively(golden("horizon"));
  expect(timeDomain(view)).toEqual([0, 80]);
  expect(lastEventTick(view)).toBe(60);
});

test("the last event may be a client that stops to wait", () => {
  const scenario = JSON.parse(golden("lost-responses"));
  scenario.faults = { request_loss: 1 };
  scenario.policies = [{ name: "patient", attempts: 1, timeout: 30, delay: { kind: "fixed", ticks: 1 } }];
  const view = runNatively(JSON.stringify(scenario));
  expect(lastEventTick(view)).toBe(30);
  expect(timeDomain(view)).toEqual([0, 31]);
});

test("a column of several ticks is shown whole, but its ticks are known where all attempts are", () => {
  const view = runNatively(golden("lost-responses"), 5);
  expect(timeDomain(view)).toEqual([0, 15]);
  expect(lastEventTick(view)).toBe(12);
  const results = view.results.map((result) => ({ ...result, lanes: { ...result.lanes, step: 2 } }));
  expect(lastEventTick({ ...view, results })).toBe(14);
});

test("ticks and places", () => {
  const scale = timeScale([10, 20], marginLeft + 100 + marginRight);
  expect(scale.step).toBe(10);
  expect(scale.left(10)).toBe(marginLeft);
  expect(scale.centre(12)).toBe(marginLeft + 25);
  expect(scale.tickAt(marginLeft + 25)).toBe(12);
  expect(scale.tickAt(0)).toBe(10);
  expect(scale.tickAt(1000)).toBe(19);
});

test("labels are round numbers that leave each other room", () => {
  const domain: [number, number] = [3, 103];
  const scale = timeScale(domain, marginLeft + 500 + marginRight);
  expect(labelledTicks(domain, scale, 60)).toEqual([20, 40, 60, 80, 100]);
  expect(labelledTicks([0, 3], timeScale([0, 3], 1000), 60)).toEqual([0, 1, 2]);
});
