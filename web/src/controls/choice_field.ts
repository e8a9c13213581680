// One of several words.

import { h } from "../dom";
import { stringOf, valueAt } from "../json/document";
import { put } from "../json/edit";
import type { Control, Place } from "./control";
import { Field } from "./field";

export interface ChoiceFieldOptions {
  place: Place;
  label: string;
  hint: string;
  choices: readonly { value: string; words: string }[];
  /** What is chosen where the scenario says nothing. */
  otherwise: string;
  order: readonly string[];
  /** What happens instead of the usual when something was chosen. */
  choose?: (value: string) => void;
  isWide?: boolean;
}

export function createChoiceField(options: ChoiceFieldOptions): Control {
  const { place, label, hint, choices, otherwise, order, isWide = false } = options;
  const choose =
    options.choose ??
    ((value: string) => place.edit((scenario) => put(scenario, place.path, { type: "string", at: 0, value }, order)));
  const select = h(
    "select",
    { id: place.id, onchange: () => choose(select.value) },
    choices.map(({ value, words }) => h("option", { value }, words)),
  );
  const field = new Field({ input: select, label, hint, isWide });
  return {
    element: field.element,
    update(scenario, faults) {
      const value = valueAt(scenario, place.path);
      // A word that is not among the choices leaves none chosen; the engine tells which there are.
      select.value = value === undefined ? otherwise : (stringOf(value) ?? "");
      field.showFaults(faults.takeAt(place.pointer));
    },
  };
}
