// Delays given one by one. An entry with a second number is a pair: the shortest and the longest delay.

import { h } from "../dom";
import { fromPlain, fromTyped, items, type JsonValue, valueAt } from "../json/document";
import { put, remove } from "../json/edit";
import type { Control, Place } from "./control";
import { createListRows, createRemoveButton } from "./list_rows";
import { createNumberField, textOf } from "./number_field";
import { delayTicks } from "./schema";

/** `place` is the list. A pair brings its own jitter, so the jitter at `jitter` goes when there comes to be one. */
export function createListDelay(place: Place, jitter: Place): Control {
  const rows = createListRows({
    place,
    createRow: (row, index, removeRow) => createEntryRow(row, index, jitter, removeRow),
    addLabel: "Add a delay",
    newItem: (scenario) => items(valueAt(scenario, place.path)).at(-1) ?? fromPlain(1),
    least: 1,
  });
  return {
    element: h("fieldset", { class: "group wide" }, h("legend", null, "Ticks after each attempt"), rows.element),
    update: (scenario, faults) => rows.update(scenario, faults),
  };
}

function createEntryRow(place: Place, index: number, jitter: Place, removeRow: () => void): Control {
  const ends = (scenario: JsonValue): (JsonValue | undefined)[] => {
    const entry = valueAt(scenario, place.path);
    return entry?.type === "array" ? entry.items : [entry];
  };
  const write = (end: 0 | 1, typed: string) =>
    place.edit((scenario) => {
      const before = ends(scenario).map(textOf);
      const [shortest = "", longest = ""] = end === 0 ? [typed, before[1]] : [before[0], typed];
      if (longest === "") {
        put(scenario, place.path, fromTyped(shortest));
      } else {
        put(scenario, place.path, { type: "array", at: 0, items: [fromTyped(shortest), fromTyped(longest)] });
        remove(scenario, jitter.path);
      }
    });
  const common = { unit: "ticks", order: [] };
  const shortest = createNumberField({
    ...common,
    place: place.to(0),
    label: `After attempt ${index + 1}`,
    absent: "",
    schema: { ...delayTicks, description: "Ticks from the failure of this attempt to the next one." },
    read: (scenario) => ends(scenario)[0],
    write: (typed) => write(0, typed),
    faultsAlsoAt: place.pointer,
  });
  const longest = createNumberField({
    ...common,
    place: place.to(1),
    label: "Or up to",
    absent: "same",
    schema: { ...delayTicks, description: "Any delay up to this one is possible then, and the policy takes no jitter." },
    read: (scenario) => ends(scenario)[1],
    write: (typed) => write(1, typed),
  });
  const fields = [shortest, longest];
  return {
    element: h(
      "div",
      { class: "row entry-row", role: "group", "aria-label": `Delay after attempt ${index + 1}` },
      fields.map((field) => field.element),
      createRemoveButton(`Remove the delay after attempt ${index + 1}`, removeRow),
    ),
    update(scenario, faults) {
      for (const field of fields) {
        field.update(scenario, faults);
      }
    },
  };
}
