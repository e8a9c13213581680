// An object that is there or not: a box to tick, and its fields while it is ticked.

import { h } from "../dom";
import { valueAt } from "../json/document";
import { put, remove } from "../json/edit";
import type { Control, Place } from "./control";
import { createFaultSlot } from "./fault_slot";
import { Field } from "./field";
import { createFields } from "./object_fields";
import { memberNames, type Schema } from "./schema";
import { startingValue } from "./starting_values";

export interface OptionalObjectOptions {
  place: Place;
  /** What the object is called in wording.ts and starting_values.ts. */
  object: string;
  label: string;
  schema: Schema;
  order: readonly string[];
}

export function createOptionalObject({ place, object, label, schema, order }: OptionalObjectOptions): Control {
  const input = h("input", {
    id: place.id,
    type: "checkbox",
    onchange: () =>
      place.edit((scenario) => {
        if (input.checked) {
          put(scenario, place.path, startingValue(object), order);
        } else {
          remove(scenario, place.path);
        }
      }),
  });
  const field = new Field({ input, label, hint: schema.description ?? "", isWide: true });
  const controls = createFields(place, object, schema, memberNames(schema));
  const inner = h(
    "div",
    { class: "fields" },
    controls.map((control) => control.element),
  );
  const slot = createFaultSlot();
  return {
    element: h("div", { class: "variant wide" }, field.element, inner, slot.element),
    update(scenario, faults) {
      const isThere = valueAt(scenario, place.path) !== undefined;
      input.checked = isThere;
      inner.hidden = !isThere;
      field.showFaults(faults.takeAt(place.pointer));
      for (const control of controls) {
        control.update(scenario, faults);
      }
      slot.show(faults.takeWithin(place.pointer));
    },
  };
}
