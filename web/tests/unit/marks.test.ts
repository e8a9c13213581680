// Each attempt has one mark, and no two things that differ look the same.

import { describe, expect, test } from "vitest";
import type { Attempt, Effect, Outcome, Response } from "../../src/engine/types";
import { exampleFill, exampleShape, fillNames, fills, markOf, shapeNames, shapes } from "../../src/garden/marks";

const outcomes: Outcome[] = ["accepted", "overloaded", "unavailable", "request_lost", "short_circuited"];
const effects: Effect[] = ["none", "applied", "duplicate", "suppressed"];
const responses: Response[] = ["none", "acknowledged", "lost", "late", "crashed"];
const failures = [null, 7];

type Case = Pick<Attempt, "outcome" | "effect" | "response" | "failed_tick">;

const combinations: Case[] = outcomes.flatMap((outcome) =>
  effects.flatMap((effect) =>
    responses.flatMap((response) => failures.map((failed_tick) => ({ outcome, effect, response, failed_tick }))),
  ),
);

// By docs/model.md, sections 4 and 5: only what was accepted can have an effect or a response, a response belongs to a
// request that was started, an acknowledged attempt never fails, and a refused or short-circuited one always does.
function canHappen({ outcome, effect, response, failed_tick }: Case): boolean {
  if (outcome !== "accepted") {
    const mayWait = outcome === "request_lost";
    return effect === "none" && response === "none" && (mayWait || failed_tick !== null);
  }
  if (effect === "none") {
    return response === "none";
  }
  return response !== "acknowledged" || failed_tick === null;
}

const possible = combinations.filter(canHappen);

test("every combination has one shape and one fill of the tables", () => {
  for (const combination of combinations) {
    const { shape, fill } = markOf(combination);
    expect(shapeNames).toContain(shape);
    expect(fillNames).toContain(fill);
  }
});

test("every shape and every fill occurs", () => {
  expect(new Set(possible.map((each) => markOf(each).shape))).toEqual(new Set(shapeNames));
  expect(new Set(possible.map((each) => markOf(each).fill))).toEqual(new Set(fillNames));
});

test.each([
  ["accepted", "applied", "applied"],
  ["accepted", "duplicate", "duplicate"],
  ["accepted", "suppressed", "suppressed"],
  ["accepted", "none", "not-started"],
  ["overloaded", "none", "overloaded"],
  ["unavailable", "none", "unavailable"],
  ["request_lost", "none", "request-lost"],
  ["short_circuited", "none", "short-circuited"],
] as const)("what the server did: %s with effect %s is %s", (outcome, effect, shape) => {
  for (const each of possible.filter((one) => one.outcome === outcome && one.effect === effect)) {
    expect(markOf(each).shape).toBe(shape);
  }
});

test("what the client knows does not depend on what the server did", () => {
  for (const each of possible) {
    const isRefusal = each.outcome !== "accepted" && each.outcome !== "request_lost";
    const expected = isRefusal
      ? "refused"
      : each.response === "acknowledged"
        ? "acknowledged"
        : each.failed_tick === null
          ? "waiting"
          : "ambiguous";
    expect(markOf(each).fill).toBe(expected);
  }
});

describe("a duplicate and a missing acknowledgement", () => {
  const duplicates = possible.filter(({ effect }) => effect === "duplicate");
  const unacknowledged = possible.filter(({ effect, response }) => effect !== "duplicate" && response !== "acknowledged");

  test("never look the same", () => {
    for (const duplicate of duplicates) {
      for (const other of unacknowledged) {
        expect(shapes[markOf(duplicate).shape].outline).not.toBe(shapes[markOf(other).shape].outline);
      }
    }
  });

  test("an acknowledged duplicate differs from one that was not, by its fill", () => {
    const acknowledged = duplicates.filter(({ response }) => response === "acknowledged").map(markOf);
    const missing = duplicates.filter(({ response }) => response !== "acknowledged").map(markOf);
    expect(acknowledged.every(({ fill }) => fills[fill].painted === 1)).toBe(true);
    expect(missing.every(({ fill }) => fills[fill].painted === 0)).toBe(true);
  });
});

test("no two shapes have the same outline or words, no two fills the same look or words", () => {
  const distinct = (values: string[]): void => expect(new Set(values).size).toBe(values.length);
  distinct(shapeNames.map((shape) => shapes[shape].outline));
  distinct(shapeNames.map((shape) => shapes[shape].form));
  distinct(shapeNames.map((shape) => shapes[shape].short));
  distinct(fillNames.map((fill) => `${fills[fill].painted} ${fills[fill].isDotted}`));
  distinct(fillNames.map((fill) => fills[fill].form));
  distinct(fillNames.map((fill) => fills[fill].short));
});

test("the legend shows marks that can happen", () => {
  const marks = possible.map(markOf).map(({ shape, fill }) => `${shape} ${fill}`);
  for (const shape of shapeNames) {
    expect(marks).toContain(`${shape} ${exampleFill(shape)}`);
  }
  for (const fill of fillNames) {
    expect(marks).toContain(`${exampleShape(fill)} ${fill}`);
  }
});
