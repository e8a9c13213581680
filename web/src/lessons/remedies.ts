// Lesson 6: what a retry budget, a circuit breaker and dropping expired requests do against a retry storm.

import type { View } from "../engine/types";
import { grouped } from "../format";
import { columnOf, endOfOutage, firstColumn, resultOf, ticksOf } from "./figures";
import type { Lesson } from "./lesson";
import { lessonText } from "./scenario_text";
import scenario from "./scenarios/storm-remedies.json?raw";

const one = "one attempt";
const four = "four attempts";
const breaker = "circuit breaker";
const budget = "retry budget";
/** In the order of the options. */
const policies = [one, four, breaker, budget];

const acknowledged = (view: View, policy: string): number => resultOf(view, policy).summary.acknowledged;

/** Where the queue of the clients with breakers is empty for the first time after the outage. */
const emptied = (view: View) => {
  const column = firstColumn(resultOf(view, breaker), endOfOutage(view), ({ queued }) => queued === 0);
  if (column === undefined) {
    throw new Error("the queue never runs empty");
  }
  return column;
};

export const remedies: Lesson = {
  title: "Budgets, breakers and expired work",
  setting:
    "Again four clients arrive in a tick, the server starts five requests, and it hangs in ticks 100 to 159; now the " +
    "clients are on ten hosts. “one attempt” never retries, “four attempts” made the storm. With “circuit breaker” a " +
    "host sends nothing for 50 ticks when ten of its last 20 results are failures, and then tries with three requests. " +
    "With “retry budget” a host has ten tokens: a retry takes one, an acknowledgement gives back a tenth.",
  text: lessonText(scenario),
  question: {
    prompt: "With which policy will most clients be acknowledged?",
    options: [
      "One attempt: no retry ever adds to the load.",
      "Four attempts: every client has four chances.",
      "Circuit breaker: a host that sees failures leaves the server alone.",
      "Retry budget: some clients get a second chance, and there is no storm.",
    ],
    correct(view) {
      const counts = policies.map((policy) => acknowledged(view, policy));
      return counts.indexOf(Math.max(...counts));
    },
    explain(view) {
      const { capacity } = view.scenario.server;
      const rate = view.scenario.clients / view.scenario.arrivals.over;
      const { attempts, clients: operations } = resultOf(view, budget).summary;
      const delay = (attempts - operations) / (capacity - rate);
      return (
        `Acknowledged: ${grouped(acknowledged(view, breaker))} with the breaker, ${grouped(acknowledged(view, one))} with ` +
        `one attempt, ${grouped(acknowledged(view, budget))} with the budget, ${grouped(acknowledged(view, four))} with ` +
        "four attempts. The outage leaves a queue in which requests wait longer than their clients, and it shrinks by " +
        `only ${grouped(capacity - rate)} a tick, since ${grouped(rate)} clients still arrive. The budget prevents the storm, ` +
        `but its ${grouped(attempts - operations)} retries join that queue: recovery takes ${grouped(delay)} ticks more, in ` +
        `which ${grouped(delay * rate)} clients arrive and fail. The breaker holds back first attempts too, so the queue ` +
        `runs empty; its price is ${grouped(resultOf(view, breaker).summary.short_circuited)} attempts that it stopped. ` +
        "A budget limits what retries add, not what waits already."
      );
    },
  },
  look: {
    describe(view) {
      const column = emptied(view);
      const waiting = (policy: string): string => grouped(columnOf(resultOf(view, policy), column.tick).queued);
      return (
        `In ${ticksOf(column, resultOf(view, breaker))} nobody waits any more with the breaker. Waiting then with one ` +
        `attempt: ${waiting(one)}; with the budget: ${waiting(budget)}; with four attempts: ${waiting(four)}.`
      );
    },
    place: (view) => ({ tick: emptied(view).tick }),
  },
  change: {
    suggestion:
      "Let the server drop a waiting request when its client has given up on it, instead of working for nobody.",
    action: "Drop abandoned requests",
    path: ["server", "drop_abandoned"],
    value: true,
    figures: (view) => [
      ...policies.map((policy) => ({ name: `Clients acknowledged, “${policy}”`, value: acknowledged(view, policy) })),
      { name: `Responses that came too late, “${four}”`, value: resultOf(view, four).summary.late_responses },
    ],
    conclusion(changed) {
      const most = policies.toSorted((one, other) => acknowledged(changed, other) - acknowledged(changed, one))[0]!;
      return (
        `Most clients are now acknowledged with “${most}”. What is started has a client that waits for it, so no retry ` +
        "makes the server work in vain any more."
      );
    },
  },
};
