// Lesson 2: deduplication makes repeating safe; it tells no client anything, and it saves no attempt.

import scenario from "../../../golden/scenarios/lost-responses-deduplicated.json?raw";
import type { Summary, View } from "../engine/types";
import { grouped } from "../format";
import { clients, findAttempt, placeOfAttempt, resultOf } from "./figures";
import type { Lesson } from "./lesson";
import { lessonText } from "./scenario_text";

const fixed = "fixed delay";
const jitter = "bounded jitter";

/** A figure of both policies. */
const both = (view: View, figure: keyof Summary & ("duplicate_effects" | "applied_unacknowledged")): number =>
  resultOf(view, fixed).summary[figure] + resultOf(view, jitter).summary[figure];

const neverLearned = (view: View) => {
  const result = resultOf(view, fixed);
  const unaware = result.lanes.clients.find(({ effects, state }) => effects > 0 && state === "exhausted");
  return findAttempt(result, ({ client, attempt }) => client === unaware?.client && attempt === unaware.attempts);
};

export const deduplication: Lesson = {
  title: "What deduplication changes",
  setting:
    "Eight clients have up to four attempts each. The server is down in ticks 0 and 1 and then starts three requests a " +
    "tick; clients 0, 3 and 6 never see the response to the first of their requests that it starts. This server " +
    "remembers the key of each operation that it has applied, and suppresses the effect of a repetition.",
  text: lessonText(scenario),
  question: {
    prompt: "What will be true at the end?",
    options: [
      "No operation is applied twice, but some clients whose operation was applied give up without knowing it.",
      "No operation is applied twice, and every client whose operation was applied knows it.",
      "Some operations are applied twice: the server cannot know that a client sends the same again.",
    ],
    correct(view) {
      return both(view, "duplicate_effects") > 0 ? 2 : both(view, "applied_unacknowledged") > 0 ? 0 : 1;
    },
    explain(view) {
      const one = resultOf(view, fixed).summary;
      const other = resultOf(view, jitter).summary;
      const last = neverLearned(view);
      return (
        `The server suppressed ${grouped(one.suppressed_effects)} repetitions with “fixed delay” and ` +
        `${grouped(other.suppressed_effects)} with “bounded jitter”, and answered them like the first request: no effect ` +
        `is a duplicate. Yet ${clients(one.applied_unacknowledged)} with “fixed delay” and ` +
        `${grouped(other.applied_unacknowledged)} with “bounded jitter” never learned that the operation was applied. ` +
        `The server can answer a repetition only if there is one: the response to attempt ${last.attempt} of client ` +
        `${last.client} was lost, and the client had no attempt left. Deduplication makes it safe to repeat; it tells ` +
        "no client anything by itself, and it saves the server no request."
      );
    },
  },
  look: {
    describe(view) {
      const last = neverLearned(view);
      return (
        `Attempt ${last.attempt} of client ${last.client}, “fixed delay”: applied in tick ${last.tick}, its response ` +
        "lost, and nothing follows."
      );
    },
    place: (view) => placeOfAttempt(view, fixed, neverLearned(view)),
  },
  change: {
    suggestion: "Turn deduplication off, and see which numbers change.",
    action: "Set deduplication to none",
    path: ["server", "deduplication"],
    value: { kind: "none" },
    figures: (view) =>
      [fixed, jitter].flatMap((policy) => {
        const { attempts, acknowledged, duplicate_effects } = resultOf(view, policy).summary;
        return [
          { name: `Attempts, “${policy}”`, value: attempts },
          { name: `Clients acknowledged, “${policy}”`, value: acknowledged },
          { name: `Duplicate effects, “${policy}”`, value: duplicate_effects },
        ];
      }),
    conclusion: () => "Deduplication changes what a repetition does, not how often clients repeat.",
  },
};
