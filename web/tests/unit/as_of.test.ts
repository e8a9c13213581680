// Stepping through time shows what could be seen then, and nothing that comes later.

import { describe, expect, test } from "vitest";
import type { Attempt } from "../../src/engine/types";
import { acknowledgedTick, asOf } from "../../src/garden/as_of";
import { markOf } from "../../src/garden/marks";

const serviceTicks = 3;

const queued: Attempt = {
  tick: 2,
  client: 0,
  attempt: 1,
  outcome: "accepted",
  started_tick: 5,
  dropped_tick: null,
  effect: "applied",
  response: "acknowledged",
  failed_tick: null,
  next_tick: null,
};

function lookAt(attempt: Attempt, tick: number): string | null {
  const seen = asOf(attempt, tick, serviceTicks);
  if (seen === null) {
    return null;
  }
  const { shape, fill } = markOf(seen);
  return `${shape}, ${fill}`;
}

test("a request that waits, is started, and is answered", () => {
  expect(lookAt(queued, 1)).toBeNull();
  expect(lookAt(queued, 2)).toBe("not-started, waiting");
  expect(lookAt(queued, 4)).toBe("not-started, waiting");
  expect(lookAt(queued, 5)).toBe("applied, waiting");
  expect(lookAt(queued, 7)).toBe("applied, waiting");
  expect(lookAt(queued, 8)).toBe("applied, acknowledged");
  expect(acknowledgedTick(queued, serviceTicks)).toBe(8);
});

describe("a client that times out", () => {
  const late: Attempt = { ...queued, response: "late", failed_tick: 6, next_tick: 9 };

  test("does not know what it will know", () => {
    expect(lookAt(late, 5)).toBe("applied, waiting");
    expect(lookAt(late, 6)).toBe("applied, ambiguous");
    expect(lookAt(late, 20)).toBe("applied, ambiguous");
  });

  test("has no next attempt before it failed", () => {
    expect(asOf(late, 5, serviceTicks)?.next_tick).toBeNull();
    expect(asOf(late, 6, serviceTicks)?.next_tick).toBe(9);
    expect(acknowledgedTick(late, serviceTicks)).toBeNull();
  });
});

test("in the end nothing is held back", () => {
  expect(asOf(queued, 8, serviceTicks)).toEqual(queued);
});
