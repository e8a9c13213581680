// Where faults stand that belong to no single field.

import { h } from "../dom";
import type { Fault } from "../engine/types";

export interface FaultSlot {
  element: HTMLElement;
  show(faults: readonly Fault[]): void;
}

export function createFaultSlot(): FaultSlot {
  const element = h("ul", { class: "fault-slot", hidden: true });
  return {
    element,
    show(faults) {
      element.hidden = faults.length === 0;
      element.replaceChildren(...faults.map((fault) => h("li", { class: "fault" }, fault.text)));
    },
  };
}
