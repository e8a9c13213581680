// Why the next attempt comes when it does, against docs/model.md, sections 6 and 7.

import { describe, expect, test } from "vitest";
import type { DelayExplanation } from "../../src/engine/types";
import { delayInWords, drawFrom, dueInWords } from "../../src/garden/delay_in_words";

const fixed = { delay: { kind: "fixed", ticks: 4 }, jitter: { kind: "none" } };
const exponential = { delay: { kind: "exponential", base: 2, multiplier: 2, cap: 16 }, jitter: { kind: "full" } };
const decorrelated = { delay: { kind: "decorrelated", base: 2, cap: 10 } };

const plain: DelayExplanation = {
  interval: [4, 4],
  words: [],
  drawn: 4,
  previous: null,
  max_delay: null,
  hint: null,
  on_retry_after: "ignore",
  delay: 4,
  due: 8,
};

const text = (...args: Parameters<typeof delayInWords>): string =>
  delayInWords(...args)
    .flatMap(({ text: sentence, formulas }) => [sentence, ...formulas])
    .join("\n");

test("a draw is exact where a product of doubles is not", () => {
  // (2^31 - 1) · (2^31 + 1) = 2^62 - 1, which a double rounds up to 2^62.
  expect(drawFrom(2 ** 31 - 1, 1, 2 ** 31 + 1)).toBe(1 + 2 ** 30 - 1);
  expect(drawFrom(0, 5, 3)).toBe(5);
  expect(drawFrom(2 ** 31, 1, 4)).toBe(3);
});

test("nothing to draw", () => {
  expect(text(plain, fixed, 1)).toBe("After attempt 1 the policy (fixed delay) gives 4 ticks: there is nothing to draw.");
});

test("a word and what becomes of it", () => {
  const drawn = { ...plain, interval: [1, 4] as [number, number], words: [{ word: 0x80000000, rejected: false }], drawn: 3, delay: 3 };
  expect(text(drawn, exponential, 2)).toBe(
    [
      "After attempt 2 the policy (exponential delay, full jitter) gives 1 to 4 ticks, both included.",
      "The word drawn is 80000000 hex, 2\u00a0147\u00a0483\u00a0648.",
      "low + floor(word · size / 2^32)",
      "= 1 + floor(2\u00a0147\u00a0483\u00a0648 · 4 / 4\u00a0294\u00a0967\u00a0296)",
      "= 1 + 2 = 3",
    ].join("\n"),
  );
});

test("a rejected word is told, with what it was rejected for", () => {
  // 2^32 mod 3 = 1, and 0 · 3 mod 2^32 = 0 is less.
  const words = [
    { word: 0, rejected: true },
    { word: 0x40000000, rejected: false },
  ];
  const sentences = delayInWords({ ...plain, interval: [1, 3], words, drawn: 1, delay: 1 }, exponential, 3);
  expect(sentences[1]!.text).toBe(
    "The word drawn is 00000000 hex, 0. It is rejected, and another one drawn: with it, the draw would not be exactly uniform.",
  );
  expect(sentences[1]!.formulas).toEqual(["(0 · 3) mod 2^32 = 0", "less than 2^32 mod 3 = 1"]);
  expect(sentences[2]!.formulas.at(-1)).toBe("= 1 + 0 = 1");
});

test("decorrelated delays grow from the one before, and are cut by their cap after the draw", () => {
  const cut = { ...plain, interval: [2, 15] as [number, number], previous: 5, words: [{ word: 0xffffffff, rejected: false }], drawn: 10 };
  const said = text(cut, decorrelated, 3);
  expect(said).toContain("[base, 3 · previous] = [2, 3 · 5]");
  expect(said).toContain("= 2 + 13 = 15");
  expect(said).toContain("The law's cap of 10 ticks cuts that to 10.");
});

describe("what is done to the delay afterwards", () => {
  test("the longest delay cuts it, or does not", () => {
    expect(text({ ...plain, max_delay: 3, delay: 3 }, fixed, 1)).toContain("The policy's longest delay cuts 4 to 3 ticks.");
    expect(text({ ...plain, max_delay: 9 }, fixed, 1)).toContain("The policy's longest delay, 9 ticks, cuts nothing.");
  });

  test("the hint", () => {
    const hinted = { ...plain, hint: 6 };
    expect(text({ ...hinted, on_retry_after: "ignore" }, fixed, 1)).toContain("the policy ignores it");
    expect(text({ ...hinted, on_retry_after: "at_least", delay: 6 }, fixed, 1)).toContain("max(4, 6) = 6");
    expect(text({ ...hinted, on_retry_after: "replace", interval: null, drawn: null, delay: 6 }, fixed, 1)).toBe(
      "With its refusal the server sent the hint to come back after 6 ticks; the policy takes it in place of a delay of its own.",
    );
  });
});

test("when it is due", () => {
  expect(dueInWords(plain, 4, 80)).toBe("It failed at tick 4: 4 + 4 = 8.");
  expect(dueInWords({ ...plain, due: 80 }, 76, 80)).toBe("It failed at tick 76: 76 + 4 = 80, after the last tick of the run, 79.");
});
