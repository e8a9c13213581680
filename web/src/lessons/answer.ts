// What a lesson tells when a prediction was made: what came out, why, where to look, and what to change next.

import { h } from "../dom";
import type { View } from "../engine/types";
import { grouped } from "../format";
import type { Figure, Lesson } from "./lesson";

export interface AnswerActions {
  look: () => void;
  change: () => void;
}

export interface Answer {
  element: HTMLElement;
  /** Takes the focus. */
  heading: HTMLElement;
  /** Right or wrong, in words. */
  verdict: string;
  /** Shows what the suggested change did; returns it in words. */
  showChange: (changed: View) => string;
}

export function createAnswer(lesson: Lesson, view: View, predicted: number, actions: AnswerActions): Answer {
  const { question, look, change } = lesson;
  const correct = question.correct(view);
  const isRight = predicted === correct;
  const verdict = isRight ? "Your prediction was right." : "Your prediction was wrong.";
  const heading = h("h4", { tabindex: -1 }, "What came out");
  const outcome = h("div", { class: "outcome" });
  const element = h(
    "div",
    { class: "answer" },
    heading,
    h(
      "p",
      { class: isRight ? "verdict right" : "verdict wrong" },
      h("span", { class: "sign", "aria-hidden": "true" }, isRight ? "✓" : "✗"),
      verdict,
    ),
    h("p", { class: "question-asked" }, question.prompt),
    h(
      "dl",
      { class: "options" },
      h("dt", null, isRight ? "In the run, as you predicted" : "In the run"),
      h("dd", null, question.options[correct]),
      !isRight && [h("dt", null, "Your prediction"), h("dd", null, question.options[predicted])],
    ),
    h("h4", null, "Why"),
    h("p", null, question.explain(view)),
    h("h4", null, "Look at this"),
    h("p", null, look.describe(view)),
    actionButton(look.place(view).selected ? "Select this attempt" : "Go to this tick", actions.look),
    h("h4", null, "Now change this"),
    h("p", null, change.suggestion),
    actionButton(change.action, actions.change),
    outcome,
  );
  const showChange = (changed: View): string => {
    const conclusion = change.conclusion(changed, view);
    const before = change.figures(view);
    const after = change.figures(changed);
    outcome.replaceChildren(comparison(before, after), h("p", null, conclusion));
    outcome.scrollIntoView({ block: "nearest" });
    return `${inWords(before, after)} ${conclusion}`;
  };
  return { element, heading, verdict, showChange };
}

function actionButton(name: string, onclick: () => void): HTMLElement {
  return h("button", { type: "button", class: "button", onclick }, name);
}

function comparison(before: readonly Figure[], after: readonly Figure[]): HTMLElement {
  return h(
    "table",
    null,
    h("caption", { class: "unseen" }, "Before and after the change"),
    h("thead", null, h("tr", null, h("td"), ["before", "after"].map((name) => h("th", { scope: "col" }, name)))),
    h(
      "tbody",
      null,
      after.map(({ name, value }, index) => {
        const old = before[index]!.value;
        return h(
          "tr",
          { class: value !== old && "changed" },
          h("th", { scope: "row" }, name),
          h("td", null, grouped(old)),
          h("td", null, grouped(value)),
        );
      }),
    ),
  );
}

function inWords(before: readonly Figure[], after: readonly Figure[]): string {
  return after
    .map(({ name, value }, index) => {
      const old = before[index]!.value;
      return `${name}: ${grouped(value)}, ${value === old ? "as before" : `before ${grouped(old)}`}.`;
    })
    .join(" ");
}
