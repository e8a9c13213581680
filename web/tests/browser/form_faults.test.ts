// What the engine finds wrong with a value is shown at its field, in the engine's words.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../native";
import { description, enterText, isFocused, openControls, openDisclosures, openPage, openUnsettled, refused, scenarioText, settled } from "./browser";
import { fields, type FormField, format, locate, openForm, whole } from "./form_fields";

const allNumbers = fields.filter(({ value }) => typeof value === "number");
const isOfPolicy = ({ pointer }: FormField) => pointer.startsWith("/policies");

// The program lists 50 faults at most.
test.each([
  { of: "the policies", numbers: allNumbers.filter(isOfPolicy) },
  { of: "all else", numbers: allNumbers.filter((field) => !isOfPolicy(field)) },
])("every number out of range: $of", async ({ numbers }) => {
  const { page, form } = await openForm(whole);
  expect(numbers.length).toBeGreaterThan(15);
  for (const field of numbers) {
    await locate(form, field).fill("-1");
  }
  await refused(locate(form, numbers.at(-1)!));
  const faults = nativeFaults(await scenarioText(page));
  for (const field of numbers) {
    const target = locate(form, field);
    expect(await target.getAttribute("aria-invalid"), field.pointer).toBe("true");
    expect(await description(target), field.pointer).toContain(faults.get(field.pointer));
  }
  expect(await form.locator("[aria-invalid]").count()).toBe(numbers.length);
});

test("what is no number", async () => {
  const page = await openPage();
  const clients = page.getByRole("textbox", { name: "Clients", exact: true });
  for (const typed of ["many", "", "1.5", "08", "1e3", "8 8", "<img src=x onerror=alert(1)>"]) {
    await clients.fill(typed);
    const words = nativeFaults(await scenarioText(page)).get("/clients");
    await expect.poll(() => description(clients)).toContain(words);
    expect(await clients.getAttribute("aria-invalid")).toBe("true");
    expect(await clients.inputValue()).toBe(typed);
  }
});

test("members that do not belong there are shown where they stand", async () => {
  const value = structuredClone(whole) as any;
  const [policy, rising] = value.policies;
  const objects = [value, value.arrivals, value.server, value.server.outages[0], value.server.deduplication, value.faults];
  for (const object of [...objects, value.faults.first_response_lost, policy, policy.delay, rising.jitter, policy.budget, policy.breaker]) {
    object.colour = "red";
  }
  const page = await openUnsettled({ text: format(value), width: 1440, height: 900 });
  const form = await openControls(page);
  await form.locator(".fault").filter({ visible: true }).first().waitFor();
  await openDisclosures(form);
  const shown = await form.locator(".fault").filter({ visible: true }).allTextContents();
  const faults = [...nativeFaults(await scenarioText(page))];
  expect(faults).toHaveLength(12);
  expect(shown.map((text) => /^(\S*): expected /.exec(text)?.[1]).sort()).toEqual(faults.map(([pointer]) => pointer).sort());
});

test("members of the wrong type", async () => {
  const { page, form } = await openForm(whole);
  const shown = form.locator(".fault").filter({ visible: true });
  const wrong = { server: 5, policies: [], arrivals: "burst", faults: null, clients: "8", name: 8 };
  for (const change of Object.entries(wrong)) {
    await enterText(page, format({ ...whole, ...Object.fromEntries([change]) }));
    await page.getByRole("tab", { name: "Form" }).click();
    await shown.first().waitFor();
    const [fault] = nativeFaults(await scenarioText(page)).values();
    expect((await shown.allTextContents()).join().toLowerCase()).toContain(fault!.slice(0, -1).toLowerCase());
    await enterText(page, format(whole));
    await settled(page);
  }
});

test("the button at the results leads to the field, wherever it is", async () => {
  const { page, form } = await openForm(whole);
  const threshold = locate(form, fields.find(({ name }) => name === "Threshold tokens")!);
  await threshold.fill("-1");
  await refused(threshold);
  await page.getByRole("tab", { name: "Text" }).click();
  await page.getByRole("main").getByRole("button", { name: "Show" }).click();
  expect(await isFocused(threshold)).toBe(true);
});

/** What the program finds in a text, by JSON Pointer, as the form words it. */
function nativeFaults(text: string): Map<string, string> {
  const { stderr } = spawnSync(path.join(root, "build/release/retrygarden"), ["check", "-"], { input: text, encoding: "utf8" });
  const faults = stderr.matchAll(/^ {2}(\S*): expected (.*, found .*)$/gm);
  return new Map([...faults].map(([, pointer, words]) => [pointer!, `Expected ${words}.`]));
}
