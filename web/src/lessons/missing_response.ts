// Lesson 1: a client without a response cannot know whether its operation was applied.

import type { View } from "../engine/types";
import { counted, grouped } from "../format";
import { clients, findAttempt, operationsApplied, placeOfAttempt, resultOf } from "./figures";
import type { Lesson } from "./lesson";
import { lessonText } from "./scenario_text";
import scenario from "./scenarios/missing-response.json?raw";

const once = "send once";
const again = "send again";

const neverApplied = (view: View, policy: string): number =>
  view.scenario.clients - operationsApplied(resultOf(view, policy));
const answerLost = (view: View) => findAttempt(resultOf(view, once), ({ response }) => response === "lost");
const requestLost = (view: View) => findAttempt(resultOf(view, once), ({ outcome }) => outcome === "request_lost");

export const missingResponse: Lesson = {
  title: "The missing response",
  setting:
    "Twelve clients have one operation each. Some requests are lost on their way to the server, and some responses on " +
    "their way back; a client notices neither, and stops waiting after 3 ticks. With “send once” that is the end; with " +
    "“send again” the client repeats the operation until it is acknowledged, in up to six attempts.",
  text: lessonText(scenario),
  question: {
    prompt: "How often will the server have applied the operations?",
    options: [
      "Each exactly once, with both: where no response comes, nothing was applied.",
      "“send once”: each exactly once. “send again”: some more than once.",
      "“send once”: some never. “send again”: some more than once.",
      "“send once”: some never. “send again”: each exactly once, since only what failed is repeated.",
    ],
    correct(view) {
      const someNever = neverApplied(view, once) > 0;
      const someAgain = resultOf(view, again).summary.duplicate_effects > 0;
      return someNever ? (someAgain ? 2 : 3) : someAgain ? 1 : 0;
    },
    explain(view) {
      const first = resultOf(view, once).summary;
      const second = resultOf(view, again).summary;
      return (
        `With “send once”, ${clients(first.clients - first.acknowledged)} saw no response. The server had applied ` +
        `the operations of ${grouped(first.applied_unacknowledged)} of them, and had never received those of the other ` +
        `${grouped(neverApplied(view, once))}; to the clients both look the same. With “send again”, ` +
        `${grouped(second.acknowledged)} of ${clients(second.clients)} were acknowledged, at the price of ` +
        `${counted(second.duplicate_effects, "duplicate effect", "duplicate effects")}: where only the response had ` +
        "been lost, the repetition applied the operation again. A timeout is not a negative acknowledgement. Whoever " +
        "gives up risks that nothing was done, whoever repeats risks that it is done twice, and no number of attempts " +
        "removes both risks."
      );
    },
  },
  look: {
    describe(view) {
      return (
        `Client ${answerLost(view).client} of “send once”: the server applied its operation, and the response was lost. ` +
        `The request of client ${requestLost(view).client} never arrived. Compare what the two clients know.`
      );
    },
    place: (view) => placeOfAttempt(view, once, answerLost(view)),
  },
  change: {
    suggestion: "Let no response be lost. A missing response then always means that the request did not arrive.",
    action: "Set response loss to 0",
    path: ["faults", "response_loss"],
    value: 0,
    figures: (view) => [
      { name: "Duplicate effects, “send again”", value: resultOf(view, again).summary.duplicate_effects },
      { name: "Operations never applied, “send once”", value: neverApplied(view, once) },
    ],
    conclusion: () =>
      "It was the lost responses that made repeating dangerous. Sending once still leaves operations undone.",
  },
};
