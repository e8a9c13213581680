// Why a client's next attempt falls where it does: docs/model.md, sections 6 and 7, with the numbers of one attempt.

import type { DelayExplanation, ScenarioJson, Tick, Word } from "../engine/types";
import { counted, grouped } from "../format";

/** How many words there are. */
const allWords = 2 ** 32;

/** A sentence of the explanation, and the formulas behind it. */
export interface DelayStep {
  text: string;
  formulas: string[];
}

type Policy = ScenarioJson["policies"][number];

/** The steps from the policy to the delay, in the order in which the model takes them. */
export function delayInWords(delay: DelayExplanation, policy: Policy, attempt: number): DelayStep[] {
  const { drawn, max_delay } = delay;
  const isReplaced = delay.hint !== null && delay.on_retry_after === "replace";
  return [
    ...(isReplaced ? [] : [intervalInWords(delay, policy, attempt), ...drawInWords(delay, policy)]),
    ...(drawn !== null && max_delay !== null ? [maximumInWords(drawn, max_delay)] : []),
    ...hintInWords(delay),
  ];
}

function intervalInWords({ interval, previous }: DelayExplanation, policy: Policy, attempt: number): DelayStep {
  const [low, high] = interval!;
  const range = low === high ? counted(low, "tick", "ticks") : `${grouped(low)} to ${counted(high, "tick", "ticks")}`;
  const rest = low === high ? ": there is nothing to draw." : ", both included.";
  return {
    text: `After attempt ${grouped(attempt)} the policy (${lawInWords(policy)}) gives ${range}${rest}`,
    formulas:
      previous === null ? [] : [`[base, 3 · previous] = [${grouped(policy.delay.base)}, 3 · ${grouped(previous)}]`],
  };
}

function lawInWords({ delay, jitter }: Policy): string {
  const law = `${delay.kind} delay`;
  return jitter === undefined || jitter.kind === "none" ? law : `${law}, ${jitter.kind} jitter`;
}

function drawInWords({ interval, words, drawn }: DelayExplanation, policy: Policy): DelayStep[] {
  const [low, high] = interval!;
  const size = high - low + 1;
  return [
    ...words.map((word) => wordInWords(word, low, size)),
    ...capInWords(words, low, size, drawn!, policy),
  ];
}

/** The draw that a word gives: low + floor(word · size / 2^32). */
export function drawFrom(word: number, low: number, size: number): number {
  return low + Number((BigInt(word) * BigInt(size)) / BigInt(allWords));
}

function wordInWords({ word, rejected }: Word, low: number, size: number): DelayStep {
  const hex = word.toString(16).toUpperCase().padStart(8, "0");
  const name = `The word drawn is ${hex} hex, ${grouped(word)}`;
  if (rejected) {
    const rest = Number((BigInt(word) * BigInt(size)) % BigInt(allWords));
    return {
      text: `${name}. It is rejected, and another one drawn: with it, the draw would not be exactly uniform.`,
      formulas: [
        `(${grouped(word)} · ${grouped(size)}) mod 2^32 = ${grouped(rest)}`,
        `less than 2^32 mod ${grouped(size)} = ${grouped(allWords % size)}`,
      ],
    };
  }
  return {
    text: `${name}.`,
    formulas: [
      `low + floor(word · size / 2^32)`,
      `= ${grouped(low)} + floor(${grouped(word)} · ${grouped(size)} / ${grouped(allWords)})`,
      `= ${grouped(low)} + ${grouped(drawFrom(word, low, size) - low)} = ${grouped(drawFrom(word, low, size))}`,
    ],
  };
}

// Only decorrelated delays are cut by their cap after the draw; other laws have it in the interval.
function capInWords(words: readonly Word[], low: number, size: number, drawn: number, policy: Policy): DelayStep[] {
  const accepted = words.find(({ rejected }) => !rejected);
  const before = accepted === undefined ? low : drawFrom(accepted.word, low, size);
  const cap = (): string => counted(policy.delay.cap, "tick", "ticks");
  return before === drawn ? [] : [{ text: `The law's cap of ${cap()} cuts that to ${grouped(drawn)}.`, formulas: [] }];
}

function maximumInWords(drawn: number, maximum: number): DelayStep {
  return {
    text:
      drawn > maximum
        ? `The policy's longest delay cuts ${grouped(drawn)} to ${counted(maximum, "tick", "ticks")}.`
        : `The policy's longest delay, ${counted(maximum, "tick", "ticks")}, cuts nothing.`,
    formulas: [],
  };
}

function hintInWords({ hint, on_retry_after, drawn, max_delay, delay }: DelayExplanation): DelayStep[] {
  if (hint === null) {
    return [];
  }
  const sent = `With its refusal the server sent the hint to come back after ${counted(hint, "tick", "ticks")}`;
  if (on_retry_after === "replace") {
    return [{ text: `${sent}; the policy takes it in place of a delay of its own.`, formulas: [] }];
  }
  if (on_retry_after === "ignore") {
    return [{ text: `${sent}; the policy ignores it.`, formulas: [] }];
  }
  const own = Math.min(drawn!, max_delay ?? Infinity);
  return [
    {
      text: `${sent}; the policy waits at least that long.`,
      formulas: [`max(${grouped(own)}, ${grouped(hint)}) = ${grouped(delay)}`],
    },
  ];
}

/** The sum in the end: "The attempt failed at tick 8; 8 + 4 = tick 12." */
export function dueInWords({ delay, due }: DelayExplanation, failed: Tick, horizon: Tick): string {
  const sum = `It failed at tick ${grouped(failed)}: ${grouped(failed)} + ${grouped(delay)} = ${grouped(due)}`;
  return due < horizon ? `${sum}.` : `${sum}, after the last tick of the run, ${grouped(horizon - 1)}.`;
}
