// The scenario as text, with the numbers of its lines. A line with a fault is marked, and the fault leads to it.

import { h } from "../dom";
import type { Fault } from "../engine/types";
import { parseJson } from "../json/parse";
import { lineOf, placeOf } from "../json/pointer";
import type { Store } from "../state";

export interface TextView {
  element: HTMLElement;
  update(text: string, faults: readonly Fault[]): void;
}

export function createTextView(store: Store): TextView {
  const numbers = h("div", { class: "line-numbers", "aria-hidden": "true" });
  const area = h("textarea", {
    class: "code",
    "aria-label": "Scenario as JSON text",
    "aria-describedby": "text-faults",
    wrap: "off",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    oninput: () => store.update({ text: area.value }),
    onscroll: () => {
      numbers.style.transform = `translateY(${-area.scrollTop}px)`;
    },
  });
  const list = h("ul", { class: "fault-slot", id: "text-faults" });
  let shownLines = 0;

  const goTo = (line: number) => {
    const lines = area.value.split("\n");
    const begin = lines.slice(0, line - 1).reduce((sum, content) => sum + content.length + 1, 0);
    area.focus();
    area.setSelectionRange(begin, begin + (lines[line - 1]?.length ?? 0));
    area.scrollTop = (line - 4) * (area.scrollHeight / lines.length);
  };

  const lineButton = (line: number, column: number | null) =>
    h(
      "button",
      { type: "button", class: "link", onclick: () => goTo(line) },
      column === null ? `Line ${line}` : `Line ${line}, column ${column}`,
    );

  return {
    element: h(
      "div",
      { class: "text-view" },
      list,
      h("div", { class: "editor" }, h("div", { class: "gutter" }, numbers), area),
    ),
    update(text, faults) {
      if (area.value !== text) {
        area.value = text;
      }
      const count = text.split("\n").length;
      if (count !== shownLines) {
        shownLines = count;
        numbers.replaceChildren(...Array.from({ length: count }, (_, i) => h("div", null, i + 1)));
      }
      const placed = placeFaults(text, faults);
      for (const [i, number] of [...numbers.children].entries()) {
        number.classList.toggle("faulty", placed.some(({ line }) => line === i + 1));
      }
      list.hidden = faults.length === 0;
      list.replaceChildren(
        ...placed.map(({ fault, line }) =>
          h("li", { class: "fault" }, line === null ? fault.text : [lineButton(line, fault.column), " ", wordsAt(fault)]),
        ),
      );
      area.setAttribute("aria-invalid", String(faults.length > 0));
    },
  };
}

function placeFaults(text: string, faults: readonly Fault[]): { fault: Fault; line: number | null }[] {
  const root = faults.length > 0 ? parseJson(text) : null;
  return faults.map((fault) => ({
    fault,
    line: fault.line ?? (root && fault.pointer !== "" ? lineOf(text, placeOf(root, fault.pointer)) : null),
  }));
}

// Line and column stand before it already.
function wordsAt(fault: Fault): string {
  return fault.line === null ? fault.text : `expected ${fault.expected}, found ${fault.found}`;
}
