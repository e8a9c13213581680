// A labelled field: label, what is typed or chosen, unit, the fault if there is one, and a hint.

import { h, setAttribute } from "../dom";
import type { Fault } from "../engine/types";
import { faultWords } from "./control";

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface FieldParts {
  input: Input;
  label: string;
  hint: string;
  unit?: string;
  isWide?: boolean;
}

/** Builds the field around its input, and shows faults at it. */
export class Field {
  readonly element: HTMLElement;
  readonly #input: Input;
  readonly #fault: HTMLElement;
  readonly #hintId: string;

  constructor({ input, label, hint, unit = "", isWide = false }: FieldParts) {
    this.#input = input;
    this.#hintId = input.id + ".hint";
    this.#fault = h("p", { class: "fault", id: input.id + ".fault", hidden: true });
    const isSwitch = input instanceof HTMLInputElement && input.type === "checkbox";
    const labelId = input.id + ".label";
    const unitId = unit ? input.id + ".unit" : null;
    const labelElement = h("label", { for: input.id, id: labelId }, label);
    const entry = h(
      "div",
      { class: "entry" },
      input,
      unitId && h("span", { class: "unit", id: unitId, "aria-hidden": "true" }, unit),
    );
    this.element = h(
      "div",
      { class: `field${isWide ? " wide" : ""}${isSwitch ? " switch" : ""}` },
      isSwitch ? [entry, labelElement] : [labelElement, entry],
      this.#fault,
      h("p", { class: "hint", id: this.#hintId }, hint),
    );
    if (unitId) {
      input.setAttribute("aria-labelledby", `${labelId} ${unitId}`);
    }
    this.showFaults([]);
  }

  showFaults(faults: readonly Fault[]): void {
    const isFaulty = faults.length > 0;
    this.#fault.hidden = !isFaulty;
    this.#fault.textContent = faults.map(faultWords).join(" ");
    setAttribute(this.#input, "aria-invalid", isFaulty ? "true" : null);
    setAttribute(this.#input, "aria-describedby", isFaulty ? `${this.#fault.id} ${this.#hintId}` : this.#hintId);
  }
}
