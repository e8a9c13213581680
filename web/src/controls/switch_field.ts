// Yes or no.

import { h } from "../dom";
import { valueAt } from "../json/document";
import { put } from "../json/edit";
import type { Control, Place } from "./control";
import { Field } from "./field";

export interface SwitchFieldOptions {
  place: Place;
  label: string;
  hint: string;
  order: readonly string[];
}

export function createSwitchField({ place, label, hint, order }: SwitchFieldOptions): Control {
  const input = h("input", {
    id: place.id,
    type: "checkbox",
    onchange: () =>
      place.edit((scenario) => put(scenario, place.path, { type: "word", at: 0, value: input.checked }, order)),
  });
  const field = new Field({ input, label, hint, isWide: true });
  return {
    element: field.element,
    update(scenario, faults) {
      const value = valueAt(scenario, place.path);
      input.checked = value?.type === "word" && value.value === true;
      field.showFaults(faults.takeAt(place.pointer));
    },
  };
}
