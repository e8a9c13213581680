// Reading, editing and writing the text of a scenario.

import { describe, expect, test } from "vitest";
import { fromPlain, fromTyped, numberOf, stringOf, valueAt } from "../../src/json/document";
import { edited, insert, put, remove } from "../../src/json/edit";
import { parseJson } from "../../src/json/parse";
import { lineOf, placeOf, pointerOf } from "../../src/json/pointer";
import { printJson } from "../../src/json/print";
import { goldenNames, goldenScenario } from "../native";

describe("reading", () => {
  test.each(["", " ", "{", "[1,]", '{"a" 1}', "01", "1.", "+1", "nul", "'a'", '"\n"', '"\\x"', "[1] 2", "\u00a01"])(
    "%j is no JSON",
    (text) => {
      expect(parseJson(text)).toBeNull();
      expect(() => JSON.parse(text) as unknown).toThrow();
    },
  );

  test("numbers stay as they were written", () => {
    for (const number of ["0", "-0", "3.0", "1e5", "9007199254740993", "0.10"]) {
      expect(parseJson(number)).toEqual({ type: "number", at: 0, text: number });
    }
  });

  test("members that stand twice are kept", () => {
    expect(printJson(parseJson('{"a": 1, "a": 2}')!)).toBe('{\n  "a": 1,\n  "a": 2\n}\n');
  });

  test("a byte order mark is skipped, and deep nesting refused", () => {
    expect(parseJson("\ufeff[]")).not.toBeNull();
    expect(parseJson("[".repeat(60) + "]".repeat(60))).not.toBeNull();
    expect(parseJson("[".repeat(100_000))).toBeNull();
  });
});

describe("writing", () => {
  test.each(goldenNames())("%s says the same after it was read and written", (name) => {
    const text = goldenScenario(name);
    const printed = printJson(parseJson(text)!);
    expect(JSON.parse(printed)).toEqual(JSON.parse(text));
    expect(printJson(parseJson(printed)!)).toBe(printed);
  });

  test("small objects stand on one line", () => {
    expect(printJson(fromPlain({ a: { kind: "list", ticks: [1, [2, 3]] }, b: [{}, { c: null }] }))).toBe(
      '{\n  "a": {"kind": "list", "ticks": [1, [2, 3]]},\n  "b": [\n    {},\n    {"c": null}\n  ]\n}\n',
    );
  });
});

describe("editing", () => {
  const after = (text: string, change: Parameters<typeof edited>[1]): unknown => JSON.parse(edited(text, change));

  test("a value is put where it is, or where the order has it", () => {
    expect(after('{"a": 1}', (root) => put(root, ["a"], fromTyped("2")))).toEqual({ a: 2 });
    expect(edited('{"a": 1, "c": 3}', (root) => put(root, ["b"], fromTyped("2"), ["a", "b", "c"]))).toBe(
      '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n',
    );
  });

  test("objects on the way are made, and take the place of what is none", () => {
    expect(after("{}", (root) => put(root, ["a", "b"], fromTyped("x")))).toEqual({ a: { b: "x" } });
    expect(after('{"a": 5}', (root) => put(root, ["a", "b"], fromTyped("1")))).toEqual({ a: { b: 1 } });
  });

  test("members and items are taken out", () => {
    expect(after('{"a": 1, "b": [1, 2, 3]}', (root) => remove(root, ["a"]))).toEqual({ b: [1, 2, 3] });
    expect(after('{"b": [1, 2, 3]}', (root) => remove(root, ["b", 1]))).toEqual({ b: [1, 3] });
    expect(after("{}", (root) => remove(root, ["a", "b"]))).toEqual({});
  });

  test("items are put into a list, which is made if need be", () => {
    expect(after('{"b": [1, 3]}', (root) => insert(root, ["b"], 1, fromPlain(2)))).toEqual({ b: [1, 2, 3] });
    expect(after("{}", (root) => insert(root, ["a", "b"], 0, fromPlain(1)))).toEqual({ a: { b: [1] } });
  });

  test("what is no JSON stays as it is", () => {
    expect(edited("{", () => expect.unreachable())).toBe("{");
  });
});

test("values are found by their path", () => {
  const root = parseJson('{"a": [{"b": "c"}, 4]}')!;
  expect(stringOf(valueAt(root, ["a", 0, "b"]))).toBe("c");
  expect(numberOf(valueAt(root, ["a", 1]))).toBe(4);
  expect(valueAt(root, ["a", 2, "b"])).toBeUndefined();
});

test("pointers lead to lines", () => {
  const text = '{\n  "a/b": [\n    1,\n    {"c~": 2}\n  ]\n}';
  const root = parseJson(text)!;
  const line = (pointer: string): number => lineOf(text, placeOf(root, pointer));
  expect(pointerOf(["a/b", 1, "c~"])).toBe("/a~1b/1/c~0");
  expect([line(""), line("/a~1b"), line("/a~1b/0"), line("/a~1b/1/c~0")]).toEqual([1, 2, 3, 4]);
  // A member that is missing is missing in its object.
  expect([line("/x"), line("/a~1b/1/x")]).toEqual([1, 4]);
});
