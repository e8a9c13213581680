// What is needed more rarely, behind a word. How much of it the scenario sets stands beside it; a fault within opens
// it.

import { h } from "../dom";
import { member, valueAt } from "../json/document";
import type { Control, Place } from "./control";

/** `names` are the members of the object that count. */
export function createMore(object: Place, names: readonly string[], controls: readonly Control[]): Control {
  const count = h("span", { class: "count" });
  const details = h(
    "details",
    { class: "more wide" },
    h("summary", null, "More", count),
    h(
      "div",
      { class: "fields" },
      controls.map((control) => control.element),
    ),
  );
  let hadFaults = false;
  return {
    element: details,
    update(scenario, faults) {
      const before = faults.count;
      for (const control of controls) {
        control.update(scenario, faults);
      }
      const value = valueAt(scenario, object.path);
      const set = names.filter((name) => member(value, name) !== undefined).length;
      count.textContent = set === 0 ? "" : `${set} set`;
      const hasFaults = faults.count < before;
      if (hasFaults && !hadFaults) {
        details.open = true;
      }
      hadFaults = hasFaults;
    },
  };
}
