// What the details of an attempt are made of: its course, the reason for the next one, and all attempts of its client.

import { h } from "../dom";
import type { Attempt, Explanation, ScenarioJson } from "../engine/types";
import { grouped } from "../format";
import { acknowledgedTick, dueTick } from "./as_of";
import { clientInWords, serverInWords } from "./attempt_in_words";
import { delayInWords, dueInWords } from "./delay_in_words";
import { markSvg } from "./mark_svg";
import { markOf } from "./marks";

/** Of a client with very many attempts, those around the chosen one are listed. */
const mostListed = 200;

const tableColumns = ["Attempt", "Tick", "The server", "The client"];

/** What happened, and when, if the words do not say it. */
export function course(scenario: ScenarioJson, policyIndex: number, explanation: Explanation): HTMLElement {
  const { attempt, server, response, client, next } = explanation;
  const service: number = scenario.server.service_ticks;
  const known = acknowledgedTick(attempt, service) ?? attempt.failed_tick;
  const isOnItsWay = attempt.response === "none" || attempt.response === "late" || attempt.response === "acknowledged";
  const number = grouped(attempt.attempt);
  const most = grouped(scenario.policies[policyIndex].attempts);
  const rows: [number | null, string, string][] = [
    [attempt.tick, "Arrived", `attempt ${number} of at most ${most}: ${arrivalInWords(attempt, scenario)}`],
    [attempt.started_tick ?? attempt.dropped_tick ?? attempt.tick, "The server did", server],
    [isOnItsWay ? dueTick(attempt, service) : null, "Its response", response],
    [known, "The client knows", client],
    [known, "It then", next],
  ];
  return h(
    "dl",
    { class: "details-course" },
    rows.map(([tick, who, what]) => {
      const isSaid = tick === null || what.includes(`at tick ${tick}`);
      return h(
        "div",
        null,
        h("dt", null, who),
        h("dd", null, what),
        !isSaid && h("dd", { class: "details-tick" }, `tick ${grouped(tick)}`),
      );
    }),
  );
}

function arrivalInWords({ outcome, tick, started_tick }: Attempt, { faults }: ScenarioJson): string {
  switch (outcome) {
    case "short_circuited":
      return "it was never sent";
    case "request_lost":
      return faults.request_loss > 0 ? "it was lost on its way" : "it met a server that hangs";
    case "accepted":
      return started_tick === tick ? "it reached the server" : "it reached the server's queue";
    case "overloaded":
    case "unavailable":
      return "it reached the server";
  }
}

/** Why the next attempt is due when it is; nothing where there is none that was ever thought of. */
export function reason(
  scenario: ScenarioJson,
  policyIndex: number,
  { attempt, delay }: Explanation,
): HTMLElement[] {
  if (delay === null || attempt.failed_tick === null) {
    return [];
  }
  const isStopped = attempt.next_tick === null;
  const heading = isStopped ? "When its next attempt would have been due" : `Why tick ${grouped(delay.due)}`;
  const steps = delayInWords(delay, scenario.policies[policyIndex], attempt.attempt);
  return [
    h("h3", { class: "label" }, heading),
    h(
      "ol",
      { class: "details-reason" },
      steps.map(({ text, formulas }) =>
        h("li", null, text, formulas.length > 0 && h("code", null, formulas.join("\n"))),
      ),
      h("li", null, dueInWords(delay, attempt.failed_tick, scenario.horizon)),
    ),
  ];
}

/** All attempts that the client made, or those around the current one. */
export function attemptTable(
  own: readonly Attempt[],
  made: number,
  current: Attempt,
  service: number,
  onChoose: (attempt: number) => void,
): HTMLElement {
  const from = Math.max(0, Math.min(own.length - mostListed, current.attempt - mostListed / 2));
  const listed = own.slice(from, from + mostListed);
  return h(
    "div",
    { class: "details-table" },
    h(
      "table",
      null,
      listed.length < made &&
        h(
          "caption",
          null,
          `Attempts ${grouped(from + 1)} to ${grouped(from + listed.length)} of ${grouped(made)}`,
        ),
      h("thead", null, h("tr", null, tableColumns.map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        null,
        listed.map((attempt) =>
          h(
            "tr",
            { "aria-current": attempt.attempt === current.attempt && "true" },
            h(
              "td",
              null,
              markSvg(markOf(attempt), 18),
              h(
                "button",
                { class: "link", type: "button", onclick: () => onChoose(attempt.attempt) },
                grouped(attempt.attempt),
              ),
            ),
            h("td", null, grouped(attempt.tick)),
            h("td", null, serverInWords(attempt)),
            h("td", null, clientInWords(attempt, service)),
          ),
        ),
      ),
    ),
  );
}
