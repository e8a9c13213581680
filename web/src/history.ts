// Undo and redo over the texts of the scenario. What is typed into a field in one go is undone in one go.

import { announce } from "./announcer";
import { h, s } from "./dom";
import type { Store } from "./state";

const sameGoMilliseconds = 1000;
const mostEntries = 500;

export class History {
  readonly #store: Store;
  readonly #texts: string[];
  #at = 0;
  // When, and in which text box, if in one.
  #lastChange: { time: number; box: Element | null } = { time: 0, box: null };
  #isRestoring = false;
  readonly #listeners: (() => void)[] = [];

  constructor(store: Store) {
    this.#store = store;
    this.#texts = [store.state.text];
    store.subscribe((state, before) => {
      if (state.text !== before.text && !this.#isRestoring) {
        this.#record(state.text);
      }
    });
  }

  get canUndo(): boolean {
    return this.#at > 0;
  }

  get canRedo(): boolean {
    return this.#at < this.#texts.length - 1;
  }

  undo(): void {
    this.#restore(this.#at - 1, "Undone");
  }

  redo(): void {
    this.#restore(this.#at + 1, "Redone");
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #record(text: string): void {
    const change = { time: performance.now(), box: isTextBox(document.activeElement) ? document.activeElement : null };
    const isSameGo =
      change.box !== null &&
      change.box === this.#lastChange.box &&
      change.time - this.#lastChange.time < sameGoMilliseconds;
    this.#texts.length = isSameGo ? this.#at : this.#at + 1;
    this.#texts.push(text);
    if (this.#texts.length > mostEntries) {
      this.#texts.shift();
    }
    this.#at = this.#texts.length - 1;
    this.#lastChange = change;
    this.#tell();
  }

  #restore(at: number, word: string): void {
    const text = this.#texts[at];
    if (text === undefined) {
      return;
    }
    this.#at = at;
    this.#lastChange = { time: 0, box: null };
    this.#isRestoring = true;
    this.#store.update({ text });
    this.#isRestoring = false;
    announce(word);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** Buttons, and Ctrl+Z and Ctrl+Shift+Z outside text boxes, which have an undo of their own. */
export function createHistoryButtons(history: History): HTMLElement {
  const undo = iconButton("Undo", "M5 3 2 6l3 3M2 6h7.5a4 4 0 0 1 0 8H6", () => history.undo());
  const redo = iconButton("Redo", "m11 3 3 3-3 3m3-3H6.5a4 4 0 0 0 0 8H10", () => history.redo());
  const update = () => {
    undo.disabled = !history.canUndo;
    redo.disabled = !history.canRedo;
  };
  history.onChange(update);
  update();
  document.addEventListener("keydown", (event) => {
    const isModified = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!isModified || isTextBox(event.target)) {
      return;
    }
    const key = event.key.toLowerCase();
    if (key === "z") {
      event.preventDefault();
      (event.shiftKey ? () => history.redo() : () => history.undo())();
    } else if (key === "y") {
      event.preventDefault();
      history.redo();
    }
  });
  return h("div", { class: "button-pair" }, undo, redo);
}

function iconButton(name: string, path: string, onclick: () => void): HTMLButtonElement {
  const icon = s(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    s("path", { d: path, fill: "none", stroke: "currentColor", "stroke-width": 1.5 }),
  );
  return h("button", { type: "button", class: "button icon", "aria-label": name, title: name, onclick }, icon);
}

function isTextBox(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "checkbox");
}
