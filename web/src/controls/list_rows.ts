// A list of which each item has a row. Rows are kept from one update to the next, so that the focus stays where it
// is.

import { h } from "../dom";
import { items, type JsonValue, valueAt } from "../json/document";
import { insert, remove } from "../json/edit";
import type { Control, Place } from "./control";

export interface ListRowsOptions {
  place: Place;
  createRow: (place: Place, index: number, removeRow: () => void) => Control;
  addLabel: string;
  /** The item that is added. */
  newItem: (scenario: JsonValue) => JsonValue;
  /** How many items must stay. */
  least: number;
}

export function createListRows({ place, createRow, addLabel, newItem, least }: ListRowsOptions): Control {
  const rows: Control[] = [];
  const list = h("div", { class: "rows" });
  const add = h(
    "button",
    {
      type: "button",
      class: "link add",
      onclick: () =>
        place.edit((scenario) => {
          const count = items(valueAt(scenario, place.path)).length;
          insert(scenario, place.path, count, newItem(scenario));
        }),
    },
    addLabel,
  );
  const removeRow = (index: number) => {
    place.edit((scenario) => remove(scenario, [...place.path, index]));
    add.focus();
  };
  return {
    element: h("div", { class: "list wide" }, list, add),
    update(scenario, faults) {
      const count = items(valueAt(scenario, place.path)).length;
      while (rows.length > count) {
        rows.pop()?.element.remove();
      }
      while (rows.length < count) {
        const index = rows.length;
        const row = createRow(place.to(index), index, () => removeRow(index));
        rows.push(row);
        list.append(row.element);
      }
      list.dataset.isLeast = String(count <= least);
      for (const row of rows) {
        row.update(scenario, faults);
      }
    },
  };
}

/** The button that removes a row. It is out of use while no fewer items may be. */
export function createRemoveButton(label: string, removeRow: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "remove", "aria-label": label, title: label, onclick: removeRow }, "×");
}
