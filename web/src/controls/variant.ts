// An object that comes in several kinds: the choice of the kind, and the fields of the kind that is chosen.

import { h } from "../dom";
import { type JsonValue, stringOf, member, valueAt } from "../json/document";
import { put, remove } from "../json/edit";
import { createChoiceField } from "./choice_field";
import type { Control, Place } from "./control";
import { createFaultSlot } from "./fault_slot";
import { hintOf } from "./hints";
import { createFields } from "./object_fields";
import { memberNames, type Schema, variants } from "./schema";
import { startingValue } from "./starting_values";
import { choiceWords, labelOf } from "./wording";

export interface VariantOptions {
  place: Place;
  /** What the object is called in wording.ts. */
  object: string;
  schema: Schema;
  /** The kind that it means to say nothing; empty: that there is no such object. */
  otherwise: string;
  /** The names of the members of the object around, in their order. */
  order: readonly string[];
  /** Controls for members that are no plain fields; undefined for all others. */
  special?: (place: Place, kind: string, name: string) => Control | undefined;
  /** What else changes in the scenario with the kind. */
  alsoChange?: (scenario: JsonValue, kind: string) => void;
}

export function createVariant(options: VariantOptions): Control {
  const { place, object, schema, otherwise, order, special, alsoChange } = options;
  const kinds = variants(schema);
  const choices = [...kinds.keys()].map((value) => ({ value, words: choiceWords(object, value) }));
  if (otherwise === "") {
    choices.unshift({ value: "", words: "none" });
  }
  const choose = (kind: string) =>
    place.edit((scenario) => {
      if (kind === "") {
        remove(scenario, place.path);
      } else {
        put(scenario, place.path, startingValue(`${object}.${kind}`, valueAt(scenario, place.path)), order);
      }
      alsoChange?.(scenario, kind);
    });
  const choice = createChoiceField({
    place: place.to("kind"),
    label: labelOf(object, "kind"),
    hint: hintOf({ ...(schema.description === undefined ? {} : { description: schema.description }) }),
    choices,
    otherwise,
    order,
    choose,
    isWide: true,
  });
  const note = h("p", { class: "note" });
  const inner = h("div", { class: "fields" });
  const slot = createFaultSlot();
  let shownKind: string | null = null;
  let controls: Control[] = [];

  const showKind = (kind: string) => {
    shownKind = kind;
    const kindSchema = kinds.get(kind);
    const names = kindSchema ? memberNames(kindSchema).filter((name) => name !== "kind") : [];
    controls = names.flatMap((name) =>
      special?.(place, kind, name) ?? createFields(place, object, kindSchema ?? {}, [name]),
    );
    note.textContent = kindSchema?.description ?? "";
    note.hidden = note.textContent === "";
    inner.replaceChildren(...controls.map((control) => control.element));
    inner.hidden = controls.length === 0;
  };

  return {
    element: h("div", { class: "variant wide" }, choice.element, note, inner, slot.element),
    update(scenario, faults) {
      const value = valueAt(scenario, place.path);
      const kind = stringOf(member(value, "kind")) ?? (value === undefined ? otherwise : "burst");
      if (kind !== shownKind) {
        showKind(kind);
      }
      choice.update(scenario, faults);
      for (const control of controls) {
        control.update(scenario, faults);
      }
      slot.show(faults.takeWithin(place.pointer));
    },
  };
}
