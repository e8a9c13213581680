// What the parts of the page share, and how they learn of changes.

import type { Fault, RunProgress, Tick, View } from "./engine/types";

export interface PageState {
  /** The scenario as JSON text: the one source of truth. Form, address and text box show it. */
  text: string;
  /** Of the last run that ended well. */
  view: View | null;
  /** The text that `view` belongs to. */
  viewText: string;
  /** What is wrong with `text`; empty if it is valid. */
  faults: Fault[];
  running: RunProgress | "starting" | null;
  /** Where the time cursor stands. */
  tick: Tick;
  selected: { policy: number; client: number; attempt: number } | null;
}

/** For `tick`: beyond every run, so that all of it is shown. */
export const endOfRun: Tick = Number.MAX_SAFE_INTEGER;

export type Subscriber = (state: Readonly<PageState>, before: Readonly<PageState>) => void;

export class Store {
  #state: Readonly<PageState>;
  readonly #subscribers = new Set<Subscriber>();
  readonly #changes: { state: Readonly<PageState>; before: Readonly<PageState> }[] = [];
  #isTelling = false;

  constructor(text: string) {
    this.#state = { text, view: null, viewText: "", faults: [], running: null, tick: 0, selected: null };
  }

  get state(): Readonly<PageState> {
    return this.#state;
  }

  /** Nobody is told of a change that changes nothing. */
  update(change: Partial<PageState>): void {
    const before = this.#state;
    const names = Object.keys(change) as (keyof PageState)[];
    if (names.every((name) => change[name] === before[name])) {
      return;
    }
    this.#state = { ...before, ...change };
    this.#changes.push({ state: this.#state, before });
    this.#tell();
  }

  /** Returns a function that ends the subscription. */
  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  // A subscriber may update in turn. All are told of one change before they are told of the next, so that nobody sees
  // changes in the wrong order.
  #tell(): void {
    if (this.#isTelling) {
      return;
    }
    this.#isTelling = true;
    for (let change = this.#changes.shift(); change; change = this.#changes.shift()) {
      for (const subscriber of [...this.#subscribers]) {
        // What goes wrong in one part of the page must not take the others with it.
        try {
          subscriber(change.state, change.before);
        } catch (error) {
          reportError(error);
        }
      }
    }
    this.#isTelling = false;
  }
}
