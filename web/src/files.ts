// A scenario from a file: opened, or dropped anywhere on the page. Of an export, the scenario in it is taken.

import { announceVisibly } from "./announcer";
import { h } from "./dom";
import { member } from "./json/document";
import { parseJson } from "./json/parse";
import { printJson } from "./json/print";
import { endOfRun, type Store } from "./state";

// An export of a large run holds more than a page can read at once.
const mostBytes = 64_000_000;

export function createOpenButton(store: Store): HTMLElement {
  const input = h("input", {
    type: "file",
    class: "unseen",
    accept: ".json,application/json",
    tabindex: -1,
    "aria-hidden": "true",
    onchange: () => {
      void open(store, input.files?.[0]);
      input.value = ""; // so that the same file can be opened again
    },
  });
  return h(
    "div",
    { class: "opener" },
    h("button", { type: "button", class: "button", onclick: () => input.click() }, "Open"),
    input,
  );
}

export function acceptDroppedFiles(store: Store): void {
  const isFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const mark = (isOver: boolean) => document.documentElement.classList.toggle("is-dropping", isOver);
  document.addEventListener("dragover", (event) => {
    if (isFile(event)) {
      event.preventDefault();
      mark(true);
    }
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) {
      mark(false);
    }
  });
  document.addEventListener("drop", (event) => {
    mark(false);
    if (isFile(event)) {
      event.preventDefault();
      void open(store, event.dataTransfer?.files[0]);
    }
  });
}

async function open(store: Store, file: File | undefined): Promise<void> {
  if (!file) {
    return;
  }
  if (file.size > mostBytes) {
    announceVisibly(`${file.name} is larger than 64 MB. Take the scenario out of it first.`);
    return;
  }
  const text = scenarioIn(await file.text());
  store.update({ text, tick: endOfRun, selected: null });
  announceVisibly(`Opened ${file.name}`);
}

/** The text itself, or, if it is an export, the text of the scenario in it. */
function scenarioIn(text: string): string {
  const document = parseJson(text);
  const scenario = document && member(document, "scenario");
  return scenario?.type === "object" ? printJson(scenario) : text;
}
