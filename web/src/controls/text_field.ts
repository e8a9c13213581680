// A string, such as a name.

import { h } from "../dom";
import { stringOf, valueAt } from "../json/document";
import { put, remove } from "../json/edit";
import type { Control, Place } from "./control";
import { Field } from "./field";

export interface TextFieldOptions {
  place: Place;
  label: string;
  hint: string;
  order: readonly string[];
  isLong?: boolean;
  /** An empty string says the same as no member. */
  isOptional: boolean;
}

export function createTextField({ place, label, hint, order, isLong, isOptional }: TextFieldOptions): Control {
  const write = () =>
    place.edit((scenario) => {
      if (input.value === "" && isOptional) {
        remove(scenario, place.path);
      } else {
        put(scenario, place.path, { type: "string", at: 0, value: input.value }, order);
      }
    });
  const attributes = { id: place.id, class: "text", autocomplete: "off", oninput: write };
  const input = isLong ? h("textarea", { ...attributes, rows: 4 }) : h("input", { ...attributes, type: "text" });
  const field = new Field({ input, label, hint, isWide: true });
  return {
    element: field.element,
    update(scenario, faults) {
      const shown = stringOf(valueAt(scenario, place.path)) ?? "";
      if (input.value !== shown) {
        input.value = shown;
      }
      field.showFaults(faults.takeAt(place.pointer));
    },
  };
}
