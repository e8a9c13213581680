// What the time line says, against sentences worked out by hand from docs/model.md and the traces in golden/traces/.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { View } from "../../src/engine/types";
import { ticksTold, tickInWords } from "../../src/timeline/tick_in_words";
import { runNatively } from "../view_of_export";

function run(name: string, ticksPerColumn = 1): View {
  const path = new URL(`../../../golden/scenarios/${name}.json`, import.meta.url);
  return runNatively(readFileSync(path, "utf8"), ticksPerColumn);
}

/** The same run, as if it had too many clients to hold the attempts of all of them. */
function withSampleOnly(view: View): View {
  const results = view.results.map((result) => ({ ...result, lanes: { ...result.lanes, step: 2 } }));
  return { ...view, results };
}

describe("lost responses, fixed delay", () => {
  const view = run("lost-responses");

  test.each([
    [0, "Tick 0, fixed delay: 8 attempts; the server is down and refuses 8; 8 will retry."],
    [1, "Tick 1, fixed delay: no attempts; the server is down."],
    [2, "Tick 2, fixed delay: nothing happens."],
    [
      4,
      "Tick 4, fixed delay: 8 attempts; the server starts 3 and refuses 5 over capacity; 3 effects; 1 response is lost; " +
        "2 clients are acknowledged; 6 will retry.",
    ],
    [
      8,
      "Tick 8, fixed delay: 6 attempts; the server starts 3 and refuses 3 over capacity; 3 effects, 1 of them a duplicate; " +
        "1 response is lost; 2 clients are acknowledged; 4 will retry.",
    ],
    [
      12,
      "Tick 12, fixed delay: 4 attempts; the server starts 3 and refuses 1 over capacity; 3 effects, 1 of them a duplicate; " +
        "1 response is lost; 2 clients are acknowledged; 2 give up: attempts used up.",
    ],
    [79, "Tick 79, fixed delay: nothing happens."],
  ])("tick %i", (tick, sentence) => {
    expect(tickInWords(view, 0, tick)).toBe(sentence);
  });

  test("is told tick by tick", () => {
    expect(ticksTold(view, 0, 5)).toEqual({ from: 5, to: 5 });
  });
});

describe("lost responses, bounded jitter", () => {
  const view = run("lost-responses");

  test.each([
    [3, "Tick 3, bounded jitter: 1 attempt; the server starts 1; 1 effect; 1 response is lost; 1 gives up: attempts used up."],
    [7, "Tick 7, bounded jitter: 2 attempts; the server starts 2; 2 effects, 1 of them a duplicate; 2 clients are acknowledged."],
    [10, "Tick 10, bounded jitter: 1 attempt; the server starts 1; 1 effect, a duplicate; 1 client is acknowledged."],
  ])("tick %i", (tick, sentence) => {
    expect(tickInWords(view, 1, tick)).toBe(sentence);
  });
});

describe("a server with a queue", () => {
  test("a crash takes what waits and what is under way", () => {
    const view = run("crash-drops-queue");
    expect(tickInWords(view, 0, 0)).toBe("Tick 0, fixed delay: 4 attempts; the server starts 1 and puts 3 into its queue; 1 effect.");
    expect(tickInWords(view, 0, 4)).toBe(
      "Tick 4, fixed delay: no attempts; the server crashes; the crash takes 2 waiting requests and 1 response.",
    );
    expect(tickInWords(view, 0, 10)).toBe("Tick 10, fixed delay: 3 clients time out; 3 will retry.");
  });

  test("requests of clients that gave up are dropped", () => {
    const view = run("queue-drop-abandoned");
    expect(tickInWords(view, 0, 2)).toBe(
      "Tick 2, impatient: the server starts 1 from its queue; 1 effect; 1 client is acknowledged; 3 clients time out; 3 will retry.",
    );
    expect(tickInWords(view, 0, 3)).toBe("Tick 3, impatient: 3 abandoned requests are dropped.");
  });
});

test("responses that come too late", () => {
  const view = run("late-responses");
  expect(tickInWords(view, 0, 6)).toBe("Tick 6, three ticks: 2 responses come too late.");
  expect(tickInWords(view, 0, 4)).toBe("Tick 4, three ticks: 2 attempts; the server starts 2; 2 repetitions are suppressed.");
});

test("a server that hangs refuses nobody", () => {
  expect(tickInWords(run("hang-without-queue"), 0, 4)).toBe(
    "Tick 4, fixed delay: 1 attempt; the server hangs; 1 request gets no answer; 1 client times out; 1 will retry.",
  );
});

test("breakers and budgets", () => {
  expect(tickInWords(run("breaker-opens"), 0, 5)).toBe("Tick 5, breaker: 1 attempt; breakers stop 1; 1 will retry.");
  expect(tickInWords(run("budget-threshold"), 0, 2)).toBe(
    "Tick 2, tokens: 1 attempt; the server is down and refuses 1; 1 gives up: no retry budget.",
  );
});

test("deduplication keys that an outage loses", () => {
  expect(tickInWords(run("crash-loses-keys"), 0, 29)).toBe(
    "Tick 29, fixed delay: no attempts; the server crashes and loses its keys; the crash takes 2 responses.",
  );
});

describe("where only the sums over columns are known", () => {
  const view = withSampleOnly(run("lost-responses", 4));

  test("ticks are told together", () => {
    expect(ticksTold(view, 1, 2)).toEqual({ from: 0, to: 3 });
    expect(tickInWords(view, 1, 2)).toBe(
      "Ticks 0 to 3, bounded jitter: 20 attempts; the server is down for a time, starts 4 and refuses 5 over capacity and " +
        "11 while it is down; 4 effects; 2 clients are acknowledged.",
    );
  });

  test("behind the last column nothing happens", () => {
    expect(tickInWords(view, 1, 79)).toBe("Ticks 76 to 79, bounded jitter: nothing happens.");
  });

  test("a column of one tick is a tick", () => {
    expect(tickInWords(withSampleOnly(run("lost-responses")), 0, 4)).toBe(
      "Tick 4, fixed delay: 8 attempts; the server starts 3 and refuses 5 over capacity; 3 effects; 2 clients are acknowledged.",
    );
  });
});
