// What the arrow keys make of a number.

import { expect, test } from "vitest";
import { stepped } from "../../src/controls/number_field";

const integer = { type: "integer", minimum: 1, maximum: 10 };
const share = { type: "number", minimum: 0, maximum: 1 };
const tokens = { type: "number", minimum: 0, maximum: 1_000_000_000 };

test.each([
  ["8", 1, integer, "9"],
  ["8", 10, integer, "10"],
  ["1", -1, integer, "1"],
  ["", 1, integer, "2"],
  ["", 1, { ...integer, default: 4 }, "5"],
  ["0.5", 1, share, "0.6"],
  ["0.29", -1, share, "0.28"],
  ["0", 1, share, "0.1"],
  ["1", 1, share, "1"],
  ["10", 1, tokens, "11"],
  ["0.000001", -1, tokens, "0"],
])("%j by %i", (text, steps, schema, result) => {
  expect(stepped(text, steps, schema)).toBe(result);
});

test.each(["eight", "1e3", "-1", "0.1234567"])("%j stays", (text) => {
  expect(stepped(text, 1, tokens)).toBeNull();
});
