// The policies, one below the other, and how they become more.

import { h } from "../dom";
import { items, type JsonValue, member, type Path, stringOf, valueAt } from "../json/document";
import { insert, put, remove } from "../json/edit";
import type { Control, Place } from "./control";
import { createFaultSlot } from "./fault_slot";
import { createPolicy } from "./policy";
import { itemSchema, memberNames, type Schema } from "./schema";
import { startingValue } from "./starting_values";

// From here on they begin closed: the list of them is easier to read then.
const manyPolicies = 4;

export function createPolicies(place: Place, schema: Schema): Control {
  const policies: { element: HTMLElement; control: Control }[] = [];
  const list = h("div", { class: "policies" });
  const slot = createFaultSlot();
  const add = h("button", { type: "button", class: "link add", onclick: () => addPolicy() }, "Add a policy");

  const addPolicy = () => {
    place.edit((scenario) => {
      const others = items(valueAt(scenario, place.path));
      const policy = startingValue("policy");
      put(policy, ["name"], nameLike("new policy", scenario, place.path));
      // Where one policy needs a timeout, all do.
      const timeout = member(others.at(-1), "timeout");
      if (timeout) {
        put(policy, ["timeout"], timeout, memberNames(itemSchema(schema)));
      }
      insert(scenario, place.path, others.length, policy);
    });
    focusName(policies.length - 1);
  };
  const duplicate = (index: number) => {
    place.edit((scenario) => {
      const original = items(valueAt(scenario, place.path))[index];
      if (original) {
        const copy = structuredClone(original);
        put(copy, ["name"], nameLike(stringOf(member(original, "name")) ?? "", scenario, place.path));
        insert(scenario, place.path, index + 1, copy);
      }
    });
    focusName(index + 1);
  };
  const removePolicy = (index: number) => {
    place.edit((scenario) => remove(scenario, [...place.path, index]));
    add.focus();
  };
  const focusName = (index: number) => {
    const element = policies[index]?.element;
    if (element instanceof HTMLDetailsElement) {
      element.open = true;
      element.querySelector("input")?.select();
    }
  };

  return {
    element: h(
      "section",
      { class: "part", "aria-labelledby": "part-policies" },
      h("h2", { id: "part-policies", class: "label" }, "Policies"),
      list,
      slot.element,
      add,
    ),
    update(scenario, faults) {
      const count = items(valueAt(scenario, place.path)).length;
      while (policies.length > count) {
        policies.pop()?.element.remove();
      }
      while (policies.length < count) {
        const index = policies.length;
        const control = createPolicy(place.to(index), itemSchema(schema), {
          duplicate: () => duplicate(index),
          remove: () => removePolicy(index),
        });
        if (count >= manyPolicies) {
          control.element.removeAttribute("open");
        }
        policies.push({ element: control.element, control });
        list.append(control.element);
      }
      for (const { element, control } of policies) {
        const before = faults.count;
        control.update(scenario, faults);
        if (faults.count < before) {
          element.setAttribute("open", "");
        }
      }
      slot.show(faults.takeWithin(place.pointer));
    },
  };
}

/** The name, with a number where there is a policy of that name already. */
function nameLike(name: string, scenario: JsonValue, policies: Path): JsonValue {
  const taken = new Set(items(valueAt(scenario, policies)).map((policy) => stringOf(member(policy, "name"))));
  const stem = name.replace(/ [0-9]+$/, "");
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) {
    candidate = `${stem} ${number}`;
  }
  return { type: "string", at: 0, value: candidate };
}
