// One policy: its fields, and buttons to duplicate and to remove it.

import { h } from "../dom";
import { items, member, stringOf, valueAt } from "../json/document";
import { remove } from "../json/edit";
import type { Control, Place } from "./control";
import { createFaultSlot } from "./fault_slot";
import { createListDelay } from "./list_delay";
import { createMore } from "./more";
import { createFields } from "./object_fields";
import { createOptionalObject } from "./optional_object";
import { memberNames, memberSchema, type Schema } from "./schema";
import { createVariant } from "./variant";

const moreFields = ["timeout", "deadline", "max_delay", "on_retry_after"];
const moreMembers = [...moreFields, "budget", "breaker"];

export interface PolicyActions {
  duplicate: () => void;
  remove: () => void;
}

export function createPolicy(place: Place, schema: Schema, actions: PolicyActions): Control {
  const order = memberNames(schema);
  const jitterPlace = place.to("jitter");
  const delay = createVariant({
    place: place.to("delay"),
    object: "delay",
    schema: memberSchema(schema, "delay"),
    otherwise: "fixed",
    order,
    special: (at, kind, name) =>
      kind === "list" && name === "ticks" ? createListDelay(at.to(name), jitterPlace) : undefined,
    alsoChange: (scenario, kind) => {
      if (kind === "decorrelated") {
        remove(scenario, jitterPlace.path);
      }
    },
  });
  const jitter = createVariant({
    place: jitterPlace,
    object: "jitter",
    schema: memberSchema(schema, "jitter"),
    otherwise: "none",
    order,
  });
  const budget = createVariant({
    place: place.to("budget"),
    object: "budget",
    schema: memberSchema(schema, "budget"),
    otherwise: "",
    order,
  });
  const breaker = createOptionalObject({
    place: place.to("breaker"),
    object: "breaker",
    label: "Circuit breaker",
    schema: memberSchema(schema, "breaker"),
    order,
  });
  const more = createMore(place, moreMembers, [
    ...createFields(place, "policy", schema, moreFields),
    budget,
    breaker,
    ...createFields(place, "policy", schema, ["description"]),
  ]);
  const controls = [...createFields(place, "policy", schema, ["name", "attempts"]), delay, jitter, more];
  const slot = createFaultSlot();
  const summary = h("summary");
  const legend = h("legend", { class: "unseen" });
  const removeButton = h("button", { type: "button", class: "link", onclick: actions.remove }, "Remove");
  return {
    element: h(
      "details",
      { class: "policy", open: true },
      summary,
      h(
        "fieldset",
        null,
        legend,
        h(
          "div",
          { class: "fields" },
          controls.map((control) => control.element),
          slot.element,
          h(
            "p",
            { class: "actions wide" },
            h("button", { type: "button", class: "link", onclick: actions.duplicate }, "Duplicate"),
            removeButton,
          ),
        ),
      ),
    ),
    update(scenario, faults) {
      const policy = valueAt(scenario, place.path);
      const name = stringOf(member(policy, "name")) || "policy without a name";
      summary.textContent = name;
      legend.textContent = `Policy ${name}`;
      removeButton.disabled = items(valueAt(scenario, place.path.slice(0, -1))).length <= 1;
      const delayValue = member(policy, "delay");
      const hasOwnJitter =
        stringOf(member(delayValue, "kind")) === "decorrelated" ||
        items(member(delayValue, "ticks")).some((entry) => entry.type === "array");
      jitter.element.hidden = hasOwnJitter && member(policy, "jitter") === undefined;
      for (const control of controls) {
        control.update(scenario, faults);
      }
      slot.show(faults.takeWithin(place.pointer));
    },
  };
}
