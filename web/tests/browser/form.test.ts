// Each field of the form changes its member of the scenario, and the run.

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import schema from "../../../engine/schema/scenario.schema.json";
import { scenarioText, settled } from "./browser";
import { fields, fieldsOfRandom, fieldsOfSpread, type FormField, locate, openForm, random, spread, whole } from "./form_fields";

const kinds = [
  { name: "the whole format", scenario: whole, fields },
  { name: "spread arrivals", scenario: spread, fields: fieldsOfSpread },
  { name: "random arrivals", scenario: random, fields: fieldsOfRandom },
];

test("the fields that are tested are all that there are", async () => {
  const { form } = await openForm(whole);
  const shown = await form.locator("input, select, textarea").filter({ visible: true }).all();
  const idsShown = await Promise.all(shown.map((field) => field.getAttribute("id")));
  const ids = await Promise.all(fields.map((field) => locate(form, field).getAttribute("id")));
  expect(ids.sort()).toEqual(idsShown.sort());
});

test("every member of the format has a field", () => {
  const members = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === "object" && value !== null) {
      const properties = "properties" in value ? Object.keys(value.properties as object) : [];
      properties.forEach((name) => members.add(name));
      Object.values(value).forEach(collect);
    }
  };
  collect(schema);
  const steps = kinds.flatMap((kind) => kind.fields.flatMap(({ pointer }) => pointer.split("/").slice(1)));
  expect([...members].filter((name) => !steps.includes(name)).sort()).toEqual(["$schema", "retrygarden"]);
});

test.each(kinds)("a field changes its member, the run, and nothing else: $name", async ({ scenario, fields }) => {
  const { page, form } = await openForm(scenario);
  let before: unknown = scenario;
  for (const field of fields.toSorted((a, b) => rank(a) - rank(b))) {
    const where = `${field.groups} ${field.name}`;
    await operate(locate(form, field), field);
    const after: unknown = JSON.parse(await scenarioText(page));
    expect(memberOf(after, field.pointer), where).toEqual(field.value);
    expect(memberOf(before, field.pointer), where).not.toEqual(field.value);
    expect(without(after, field.pointer), where).toEqual(without(before, field.pointer));
    await settled(page);
    expect(await form.locator("[aria-invalid]").count(), where).toBe(0);
    before = after;
  }
});

// Boxes and choices can take away other fields, a kind of delay the choice of jitter; and a policy is found by its name.
function rank({ role, pointer }: FormField): number {
  const last = ["/delay/kind", "/name"].findIndex((end) => pointer.endsWith(end));
  return last < 0 ? ["textbox", "checkbox", "combobox"].indexOf(role) : 3 + last;
}

async function operate(target: Locator, { role, input }: FormField): Promise<void> {
  await (role === "textbox" ? target.fill(input) : role === "combobox" ? target.selectOption(input) : target.click());
}

function memberOf(scenario: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<any>((value, step) => value?.[step], scenario);
}

/** The scenario without what a field stands for. A kind brings its own members, and a delay can take away the jitter. */
function without(scenario: unknown, pointer: string): unknown {
  const copy = structuredClone(scenario);
  const object = pointer.replace(/\/kind$/, "");
  for (const each of [object, ...(object.endsWith("/delay") ? [object.replace("/delay", "/jitter")] : [])]) {
    const end = each.lastIndexOf("/");
    const around: any = memberOf(copy, each.slice(0, end));
    delete around[each.slice(end + 1)];
  }
  return copy;
}
