// The form: the whole scenario as fields, in the order in which one thinks of it.

import { h } from "../dom";
import type { Fault } from "../engine/types";
import type { JsonValue } from "../json/document";
import type { Store } from "../state";
import { type Control, PendingFaults, Place } from "./control";
import { createFaultSlot } from "./fault_slot";
import { createMore } from "./more";
import { createFields } from "./object_fields";
import { createOptionalObject } from "./optional_object";
import { createOutages } from "./outages";
import { createPolicies } from "./policies";
import { memberNames, memberSchema, scenario as schema } from "./schema";
import { createVariant } from "./variant";

export interface Form {
  element: HTMLElement;
  update(scenario: JsonValue, faults: readonly Fault[]): void;
}

export function createForm(store: Store): Form {
  const root = new Place(store, []);
  const parts = [
    createScenarioPart(root),
    createServerPart(root),
    createFaultsPart(root),
    createPolicies(root.to("policies"), memberSchema(schema, "policies")),
  ];
  const rest = createFaultSlot();
  return {
    element: h(
      "div",
      { class: "form" },
      rest.element,
      parts.map((part) => part.element),
    ),
    update(scenario, faults) {
      const pending = new PendingFaults(faults);
      for (const part of parts) {
        part.update(scenario, pending);
      }
      rest.show(pending.takeWithin(""));
    },
  };
}

function createScenarioPart(root: Place): Control {
  const moreFields = ["name", "description", "tick", "clients_per_host"];
  const [name, description, tick, hosts] = createFields(root, "scenario", schema, moreFields);
  const arrivals = createVariant({
    place: root.to("arrivals"),
    object: "arrivals",
    schema: memberSchema(schema, "arrivals"),
    otherwise: "burst",
    order: memberNames(schema),
  });
  const more = [arrivals, hosts, tick, name, description].filter((control) => control !== undefined);
  return createPart("Scenario", root, [
    ...createFields(root, "scenario", schema, ["clients", "horizon", "seed"]),
    createMore(root, ["arrivals", "clients_per_host", "tick"], more),
  ]);
}

function createServerPart(root: Place): Control {
  const server = root.to("server");
  const serverSchema = memberSchema(schema, "server");
  const more = [
    "capacity_window",
    "service_ticks",
    "concurrency",
    "queue",
    "discipline",
    "tie_break",
    "retry_after",
    "drop_abandoned",
  ];
  return createPart("Server", server, [
    ...createFields(server, "server", serverSchema, ["capacity"]),
    createVariant({
      place: server.to("deduplication"),
      object: "deduplication",
      schema: memberSchema(serverSchema, "deduplication"),
      otherwise: "none",
      order: memberNames(serverSchema),
    }),
    createOutages(server.to("outages"), memberSchema(serverSchema, "outages")),
    createMore(server, more, createFields(server, "server", serverSchema, more)),
  ]);
}

function createFaultsPart(root: Place): Control {
  const faults = root.to("faults");
  const faultsSchema = memberSchema(schema, "faults");
  const more = ["response_loss", "request_loss"];
  return createPart("Faults", faults, [
    createOptionalObject({
      place: faults.to("first_response_lost"),
      object: "first_response_lost",
      label: "First response lost",
      schema: memberSchema(faultsSchema, "first_response_lost"),
      order: memberNames(faultsSchema),
    }),
    createMore(faults, more, createFields(faults, "faults", faultsSchema, more)),
  ]);
}

function createPart(title: string, place: Place, controls: readonly Control[]): Control {
  const slot = createFaultSlot();
  return {
    element: h(
      "fieldset",
      { class: "part" },
      h("legend", { class: "label" }, title),
      h(
        "div",
        { class: "fields" },
        controls.map((control) => control.element),
        slot.element,
      ),
    ),
    update(scenario, faults) {
      for (const control of controls) {
        control.update(scenario, faults);
      }
      // The whole document is everybody's place; what is wrong there stands above the form.
      slot.show(place.pointer === "" ? [] : faults.takeWithin(place.pointer));
    },
  };
}
