// A number as it was typed. The arrow keys change it by one, or by one in its last decimal place; Page Up and Page
// Down by ten. What is no number is written into the scenario as a string, and the engine says what it expects
// instead.

import { h } from "../dom";
import { fromTyped, type JsonValue, valueAt } from "../json/document";
import { put, remove } from "../json/edit";
import { printJson } from "../json/print";
import type { Control, Place } from "./control";
import { Field } from "./field";
import { hintOf } from "./hints";
import type { Schema } from "./schema";

export interface NumberFieldOptions {
  place: Place;
  label: string;
  unit: string;
  /** What stands in the empty field. */
  absent: string;
  schema: Schema;
  /** The names of the object's members, in their order. */
  order: readonly string[];
  /** Where the number stands, if that is not simply the place. */
  read?: (scenario: JsonValue) => JsonValue | undefined;
  /** What happens when something was typed, if it is not simply put there. */
  write?: (typed: string) => void;
  /** A further place whose faults are shown here. */
  faultsAlsoAt?: string;
  isWide?: boolean;
}

export function createNumberField(options: NumberFieldOptions): Control {
  const { place, label, unit, absent, schema, order, isWide = false } = options;
  const read = options.read ?? ((scenario: JsonValue) => valueAt(scenario, place.path));
  const write = options.write ?? ((typed: string) => writeMember(place, typed, order));
  const input = h("input", {
    id: place.id,
    class: "number",
    type: "text",
    inputmode: schema.type === "integer" ? "numeric" : "decimal",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: placeholderOf(schema, absent),
    oninput: () => write(input.value.trim()),
    onkeydown: (event: KeyboardEvent) => {
      const steps = stepsOf(event);
      const next = steps === 0 ? null : stepped(input.value, steps, schema);
      if (next !== null) {
        event.preventDefault();
        write(next);
      }
    },
  });
  const field = new Field({ input, label, unit, hint: hintOf(schema), isWide });
  return {
    element: field.element,
    update(scenario, faults) {
      const shown = textOf(read(scenario));
      if (input.value.trim() !== shown) {
        input.value = shown;
      }
      const also = options.faultsAlsoAt;
      field.showFaults([...faults.takeAt(place.pointer), ...(also === undefined ? [] : faults.takeAt(also))]);
    },
  };
}

/** Nothing typed means that the member is not there. */
function writeMember(place: Place, typed: string, order: readonly string[]): void {
  place.edit((scenario) => {
    if (typed === "") {
      remove(scenario, place.path);
    } else {
      put(scenario, place.path, fromTyped(typed), order);
    }
  });
}

export function textOf(value: JsonValue | undefined): string {
  if (value === undefined) {
    return "";
  }
  switch (value.type) {
    case "number":
      return value.text;
    case "string":
      return value.value;
    default:
      return printJson(value).trim();
  }
}

function placeholderOf(schema: Schema, absent: string): string {
  return typeof schema.default === "number" ? `default ${schema.default}` : absent;
}

function stepsOf(event: KeyboardEvent): number {
  if (event.altKey || event.ctrlKey || event.metaKey) {
    return 0;
  }
  return { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key] ?? 0;
}

/** The text that is so many steps further, within the range; null where the text is no number that can be stepped. */
export function stepped(text: string, steps: number, schema: Schema): string | null {
  const minimum = schema.minimum ?? 0;
  const maximum = schema.maximum ?? Number.MAX_SAFE_INTEGER;
  const from = text.trim() === "" ? String(schema.default ?? minimum) : text.trim();
  const match = /^([0-9]+)(?:\.([0-9]{1,6}))?$/.exec(from);
  if (match === null) {
    return null;
  }
  const isFraction = schema.type !== "integer";
  const decimals = isFraction ? Math.max(match[2]?.length ?? 0, maximum <= 2 ? 1 : 0) : 0;
  const next = Number(from) + steps / 10 ** decimals;
  return Number(Math.min(maximum, Math.max(minimum, next)).toFixed(decimals)).toString();
}
