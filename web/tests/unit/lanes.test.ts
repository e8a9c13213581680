// Lanes: which attempts they hold, where these lie in the field, and how they are read out.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { attemptInWords } from "../../src/garden/attempt_in_words";
import { laneGeometry, placeAt } from "../../src/garden/lane_geometry";
import { isWhole, lanesByClient, nearestAttempt } from "../../src/garden/lanes_by_client";
import { TickWindow } from "../../src/garden/tick_window";
import { axisHeight } from "../../src/garden/time_axis";
import { marginLeft, marginRight } from "../../src/time_scale";
import { runNatively } from "../view_of_export";

const scenario = readFileSync(new URL("../../../golden/scenarios/lost-responses.json", import.meta.url), "utf8");
const view = runNatively(scenario);
const { lanes } = view.results[0]!;
const all = lanesByClient(lanes);

describe("the attempts of clients", () => {
  test("each client has its own, in order", () => {
    expect(all.map(({ attempts }) => attempts.length)).toEqual([3, 2, 2, 4, 3, 4, 4, 4]);
    expect(all[3]!.attempts.map(({ tick }) => tick)).toEqual([0, 4, 8, 12]);
  });

  test("of a sample too", () => {
    const isThird = ({ client }: { client: number }): boolean => client % 3 === 0;
    const sample = lanesByClient({ clients: lanes.clients.filter(isThird), attempts: lanes.attempts.filter(isThird) });
    expect(sample.map(({ client }) => client.client)).toEqual([0, 3, 6]);
    expect(sample.map(({ attempts }) => attempts.length)).toEqual([3, 4, 4]);
  });

  test("all, or not all", () => {
    expect(isWhole(lanes, view.scenario)).toBe(true);
    expect(isWhole({ ...lanes, step: 7 }, view.scenario)).toBe(false);
    expect(isWhole({ ...lanes, complete: false }, view.scenario)).toBe(false);
    expect(isWhole({ ...lanes, last: 6 }, view.scenario)).toBe(false);
  });

  test("the one nearest to a tick", () => {
    expect(nearestAttempt(all[3]!, 0)).toBe(0);
    expect(nearestAttempt(all[3]!, 7)).toBe(2);
    expect(nearestAttempt(all[3]!, 1000)).toBe(3);
  });
});

describe("the place under the pointer", () => {
  // Ten pixels a tick, so tick 4 is in the middle of pixels 40 to 50 behind the margin.
  const geometry = laneGeometry(all.length, marginLeft + 130 + marginRight, [0, 13]);
  const middle = axisHeight + 3.5 * geometry.laneHeight;

  test("is the nearest attempt of the lane", () => {
    expect(placeAt(geometry, all, { x: marginLeft + 47, y: middle }, 0)).toEqual({ lane: 3, place: 1 });
    expect(placeAt(geometry, all, { x: marginLeft + 78, y: middle }, 0)).toEqual({ lane: 3, place: 2 });
  });

  test("moves with the lanes that are scrolled", () => {
    const point = { x: marginLeft + 47, y: middle - 2 * geometry.laneHeight };
    expect(placeAt(geometry, all, point, 2 * geometry.laneHeight)).toEqual({ lane: 3, place: 1 });
  });

  test("is none far from all marks, on the axis, and below the lanes", () => {
    expect(placeAt(geometry, all, { x: marginLeft + 24, y: middle }, 0)).toBeNull();
    expect(placeAt(geometry, all, { x: marginLeft + 47, y: axisHeight - 1 }, 0)).toBeNull();
    expect(placeAt(geometry, all, { x: marginLeft + 47, y: 10_000 }, 0)).toBeNull();
  });
});

test("a window of ticks stays where it is while it shows what is asked for", () => {
  const ticks = new TickWindow();
  expect(ticks.shown(1000)).toEqual([0, 1000]);
  ticks.zoom = 100;
  ticks.reveal(99, 1000);
  expect(ticks.shown(1000)).toEqual([0, 100]);
  ticks.reveal(100, 1000);
  expect(ticks.shown(1000)).toEqual([75, 175]);
  ticks.reveal(999, 1000);
  expect(ticks.shown(1000)).toEqual([900, 1000]);
  expect(ticks.shown(40)).toEqual([0, 40]);
});

describe("an attempt in one line", () => {
  const words = (client: number, place: number): string =>
    attemptInWords(all[client]!.attempts[place]!, all[client]!.client, view.scenario.server.service_ticks);

  test.each([
    [3, 0, "Client 3, attempt 1, tick 0: down; told of failure; next attempt at tick 4."],
    [3, 2, "Client 3, attempt 3, tick 8: applied; no response; next attempt at tick 12."],
    [3, 3, "Client 3, attempt 4, tick 12: duplicate; acknowledged."],
    [6, 3, "Client 6, attempt 4, tick 12: applied; no response; gives up: attempts used up."],
    [7, 3, "Client 7, attempt 4, tick 12: over capacity; told of failure; gives up: attempts used up."],
  ])("client %i, place %i", (client, place, sentence) => {
    expect(words(client, place)).toBe(sentence);
  });

  test("names the ticks that are not the one of the attempt", () => {
    const waited = { ...all[0]!.attempts[1]!, started_tick: 6, response: "late", failed_tick: 7, next_tick: 11 } as const;
    expect(attemptInWords(waited, all[0]!.client, 3)).toBe(
      "Client 0, attempt 2, tick 4: applied at tick 6; no response by tick 7; next attempt at tick 11.",
    );
  });
});
