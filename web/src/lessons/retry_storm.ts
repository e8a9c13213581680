// Lesson 5: retries can keep a server from recovering after the fault that caused them is gone.

import scenario from "../../../golden/scenarios/published/retry-storm.json?raw";
import type { View } from "../engine/types";
import { grouped } from "../format";
import { clients, columnOf, endOfOutage, firstColumn, lastAcknowledged, resultOf, ticksOf } from "./figures";
import type { Lesson } from "./lesson";
import { lessonText } from "./scenario_text";

const policy = "four attempts";

const peakOfQueue = (view: View): number => Math.max(...resultOf(view, policy).load.map(({ queued }) => queued));

/** Long after the outage, and long before the last client arrives. */
const midway = (view: View): number => Math.floor((endOfOutage(view) + view.scenario.arrivals.over) / 2);

export const retryStorm: Lesson = {
  title: "A retry storm that outlives its outage",
  setting:
    "Four clients arrive in each of 1,000 ticks. The server starts five requests a tick, so there is room, and up to 400 " +
    "more may wait in its queue; in ticks 100 to 159 it hangs and starts none. A client waits 20 ticks for a response " +
    "and then tries again, up to four attempts in all, with exponential backoff and full jitter.",
  text: lessonText(scenario),
  question: {
    prompt: "From when on will clients be acknowledged again?",
    options: [
      "At once, from tick 160: the server is as fast as before.",
      "After at most 80 ticks: first the server works off a full queue.",
      "Later, but before the end of the run: clients give up, and the load falls.",
      "Not at all in this run.",
    ],
    correct(view) {
      const result = resultOf(view, policy);
      const end = endOfOutage(view);
      const recovery = firstColumn(result, end, ({ acknowledged }) => acknowledged > 0);
      if (recovery === undefined) {
        return 3;
      }
      const wait = recovery.tick - end;
      const { queue, capacity } = view.scenario.server;
      return wait < result.ticks_per_column ? 0 : wait <= queue / capacity ? 1 : 2;
    },
    explain(view) {
      const result = resultOf(view, policy);
      const { summary } = result;
      const { capacity } = view.scenario.server;
      const { timeout } = view.scenario.policies[0];
      const queue = peakOfQueue(view);
      return (
        `${grouped(summary.acknowledged)} of ${clients(summary.clients)} were acknowledged, the last in tick ` +
        `${grouped(lastAcknowledged(result))}. The queue grew to ${grouped(queue)} requests, which take ` +
        `${grouped(queue / capacity)} ticks, and a client waits ${grouped(timeout)}: each request was started when its ` +
        `client had already given up on it. The server is busy all the time, but ${grouped(summary.late_responses)} of ` +
        `its ${grouped(summary.started)} responses come too late, and whoever gets none in time sends again ` +
        `(${grouped(summary.attempts)} attempts), which keeps the queue full. The outage is only the trigger; the ` +
        "retries sustain the failure when it is over. This is called a metastable failure."
      );
    },
  },
  look: {
    describe(view) {
      const result = resultOf(view, policy);
      const column = columnOf(result, midway(view));
      return (
        `Long after the outage. In ${ticksOf(column, result)} the server starts ${grouped(column.started)} requests, ` +
        `${grouped(column.queued)} wait, and ${clients(column.acknowledged)} are acknowledged.`
      );
    },
    place: (view) => ({ tick: midway(view) }),
  },
  change: {
    suggestion:
      "Shorten the queue to 100 places: what the server starts in the 20 ticks that a client waits. A longer queue " +
      "takes in requests that must come too late.",
    action: "Set the queue to 100",
    path: ["server", "queue"],
    value: 100,
    figures(view) {
      const { acknowledged, attempts, late_responses } = resultOf(view, policy).summary;
      return [
        { name: "Clients acknowledged", value: acknowledged },
        { name: "Attempts", value: attempts },
        { name: "Responses that came too late", value: late_responses },
      ];
    },
    conclusion: () =>
      "A queue is useful up to the time that its clients wait. What is beyond it, the server does in vain.",
  },
};
