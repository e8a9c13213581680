// The outages of the server, one row each.

import { h } from "../dom";
import { member, numberOf, stringOf, valueAt } from "../json/document";
import type { Control, Place } from "./control";
import { createFaultSlot } from "./fault_slot";
import { createListRows, createRemoveButton } from "./list_rows";
import { createFields } from "./object_fields";
import { itemSchema, type Schema } from "./schema";
import { startingValue } from "./starting_values";

export function createOutages(place: Place, schema: Schema): Control {
  const rows = createListRows({
    place,
    createRow: (row, index, removeRow) => createOutageRow(row, index, itemSchema(schema), removeRow),
    addLabel: "Add an outage",
    newItem: () => startingValue("outage"),
    least: 0,
  });
  const slot = createFaultSlot();
  return {
    element: h(
      "fieldset",
      { class: "group wide" },
      h("legend", null, "Outages"),
      rows.element,
      slot.element,
    ),
    update(scenario, faults) {
      rows.update(scenario, faults);
      slot.show(faults.takeWithin(place.pointer));
    },
  };
}

function createOutageRow(place: Place, index: number, schema: Schema, removeRow: () => void): Control {
  const legend = h("legend", { class: "unseen" });
  const controls = createFields(place, "outage", schema, ["from", "ticks", "kind"]);
  const losesKeys = createFields(place, "outage", schema, ["loses_keys"]);
  const all = [...controls, ...losesKeys];
  return {
    element: h(
      "fieldset",
      { class: "row outage" },
      legend,
      controls.map((control) => control.element),
      createRemoveButton(`Remove outage ${index + 1}`, removeRow),
      losesKeys.map((control) => control.element),
    ),
    update(scenario, faults) {
      const outage = valueAt(scenario, place.path);
      legend.textContent = `Outage ${index + 1}, from tick ${numberOf(member(outage, "from")) ?? "?"}`;
      // Keys can be lost only where there are some.
      const deduplication = stringOf(valueAt(scenario, ["server", "deduplication", "kind"])) ?? "none";
      for (const control of losesKeys) {
        control.element.hidden = deduplication === "none" && member(outage, "loses_keys") === undefined;
      }
      for (const control of all) {
        control.update(scenario, faults);
      }
    },
  };
}
