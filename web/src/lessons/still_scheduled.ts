// Lesson 4: a client that still has attempts left when the observation ends has neither failed nor succeeded.

import scenario from "../../../golden/scenarios/horizon.json?raw";
import type { Summary, View } from "../engine/types";
import { grouped } from "../format";
import { clients, findAttempt, placeOfAttempt, resultOf } from "./figures";
import type { Lesson } from "./lesson";
import { lessonText } from "./scenario_text";

const policy = "fixed delay";

const failed = ({ exhausted, deadline_exceeded, budget_denied }: Summary): number =>
  exhausted + deadline_exceeded + budget_denied;
const undecided = ({ awaiting, scheduled }: Summary): number => awaiting + scheduled;

const cutOff = (view: View) =>
  findAttempt(resultOf(view, policy), ({ next_tick }) => next_tick !== null && next_tick >= view.scenario.horizon);

export const stillScheduled: Lesson = {
  title: "Exhausted or still scheduled",
  setting:
    "Eighty clients send at once to a server that starts one request a tick. Whoever is refused comes back 20 ticks " +
    "later, up to eight attempts in all. The run is observed for 80 ticks: its horizon is tick 80.",
  text: lessonText(scenario),
  question: {
    prompt: "How many clients will have failed when the observation ends?",
    options: [
      "None: all 80 are acknowledged, since one request can start in each of the 80 ticks.",
      "None: those that are not acknowledged have attempts left.",
      "Some: those that have used up their eight attempts. Others still have attempts left.",
      "All those that are not acknowledged.",
    ],
    correct(view) {
      const { summary } = resultOf(view, policy);
      if (failed(summary) === 0) {
        return undecided(summary) === 0 ? 0 : 1;
      }
      return undecided(summary) > 0 ? 2 : 3;
    },
    explain(view) {
      const { summary } = resultOf(view, policy);
      const attempt = cutOff(view);
      const share = Math.round((100 * undecided(summary)) / summary.clients);
      return (
        `At the end ${clients(summary.acknowledged)} are acknowledged, ${grouped(summary.exhausted)} exhausted and ` +
        `${grouped(summary.scheduled)} scheduled: these have made ${attempt.attempt} attempts, and the next is due in ` +
        `tick ${grouped(attempt.next_tick!)}, which is not observed any more. All come at once, every 20 ` +
        `ticks, so the server could start ${grouped(summary.started)} requests, not 80. Whoever counts ` +
        `“not acknowledged” as failed reports ${share} % failures; whoever leaves the scheduled out reports none. ` +
        "Neither was measured. A scheduled client has neither failed nor succeeded, and only a longer observation decides."
      );
    },
  },
  look: {
    describe(view) {
      const { client, attempt, tick, next_tick } = cutOff(view);
      return (
        `Attempt ${attempt} of client ${client}: refused in tick ${tick}; the next one is due in tick ` +
        `${grouped(next_tick!)}, the horizon.`
      );
    },
    place: (view) => placeOfAttempt(view, policy, cutOff(view)),
  },
  change: {
    suggestion: "Observe the same clients longer, until all have an outcome.",
    action: "Set the horizon to 200 ticks",
    path: ["horizon"],
    value: 200,
    figures(view) {
      const { acknowledged, exhausted, scheduled } = resultOf(view, policy).summary;
      return [
        { name: "Clients acknowledged", value: acknowledged },
        { name: "Clients exhausted", value: exhausted },
        { name: "Clients scheduled", value: scheduled },
      ];
    },
    conclusion: () => "Neither the clients nor the server were changed, only how long they are observed.",
  },
};
