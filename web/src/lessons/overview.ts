// The list of the lessons, with those that are done.

import { h } from "../dom";
import type { Lesson } from "./lesson";

export function createOverview(
  lessons: readonly Lesson[],
  done: ReadonlySet<Lesson>,
  choose: (lesson: Lesson) => void,
): HTMLElement {
  return h(
    "div",
    { class: "overview" },
    h(
      "p",
      null,
      "Each lesson loads a scenario, asks what will come out, and then shows the run. It replaces the scenario on the " +
        "page; Undo brings that back.",
    ),
    h(
      "ol",
      null,
      lessons.map((lesson) =>
        h(
          "li",
          null,
          h("button", { type: "button", class: "link", onclick: () => choose(lesson) }, lesson.title),
          done.has(lesson) && h("span", { class: "done" }, h("span", { "aria-hidden": "true" }, "✓ "), "done"),
        ),
      ),
    ),
  );
}
