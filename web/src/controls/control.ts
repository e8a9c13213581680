// What the parts of the form have in common: each shows one place of the scenario, and edits the text.

import type { Fault } from "../engine/types";
import type { JsonValue, Path } from "../json/document";
import { edited } from "../json/edit";
import { pointerOf } from "../json/pointer";
import type { Store } from "../state";

export interface Control {
  element: HTMLElement;
  /** Shows the scenario as it is now. */
  update(scenario: JsonValue, faults: PendingFaults): void;
}

/** The place that a control shows, and how it changes the text. */
export class Place {
  constructor(
    readonly store: Store,
    readonly path: Path,
  ) {}

  get pointer(): string {
    return pointerOf(this.path);
  }

  /** Unique in the page, and the same whenever the control is made anew. */
  get id(): string {
    return "field" + this.pointer;
  }

  to(...steps: (string | number)[]): Place {
    return new Place(this.store, [...this.path, ...steps]);
  }

  edit(change: (scenario: JsonValue) => void): void {
    this.store.update({ text: edited(this.store.state.text, change) });
  }
}

/**
 * Faults that no part of the form shows yet. Fields take those of their own place; then what stands around them takes
 * what is left of the places within; so each fault is shown once, as near to its place as there is something.
 */
export class PendingFaults {
  #faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
  }

  get count(): number {
    return this.#faults.length;
  }

  takeAt(pointer: string): Fault[] {
    return this.#take((fault) => fault.pointer === pointer);
  }

  takeWithin(pointer: string): Fault[] {
    return this.#take((fault) => fault.pointer === pointer || fault.pointer.startsWith(pointer + "/"));
  }

  #take(isTaken: (fault: Fault) => boolean): Fault[] {
    const taken = this.#faults.filter(isTaken);
    if (taken.length > 0) {
      this.#faults = this.#faults.filter((fault) => !isTaken(fault));
    }
    return taken;
  }
}

/** The fault in the engine's words, for a place where it is clear what is meant. */
export function faultWords(fault: Fault): string {
  return `Expected ${fault.expected}, found ${fault.found}.`;
}
