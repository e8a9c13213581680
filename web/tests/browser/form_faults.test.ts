// What the engine finds wrong with a value is shown at its field, in the engine's words.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../native";
import { description, openPage, scenarioText } from "./browser";
import { fields, locate, openForm, whole } from "./form_fields";

test("a number out of range", async () => {
  const { page, form } = await openForm(whole);
  const undo = page.getByRole("button", { name: "Undo" });
  const faulty = form.locator("[aria-invalid]");
  const numbers = fields.filter(({ input, role }) => role === "textbox" && /^[\d.]+$/.test(input));
  expect(numbers.length).toBeGreaterThan(60);
  for (const field of numbers) {
    const target = locate(form, field);
    await target.fill("-1");
    const expected = nativeFault(await scenarioText(page));
    await faulty.waitFor();
    expect(await target.getAttribute("aria-invalid"), field.pointer).toBe("true");
    expect(await description(target)).toContain(expected);
    await undo.click();
    await faulty.waitFor({ state: "detached" });
  }
});

test.each([
  ["no number", "Clients", "many"],
  ["a fraction", "Clients", "1.5"],
  ["nothing", "Seed", ""],
  ["markup", "Horizon ticks", "<img src=x onerror=alert(1)>"],
])("%s", async (_, name, typed) => {
  const page = await openPage();
  const target = page.getByRole("textbox", { name, exact: true });
  await target.fill(typed);
  await page.locator("[aria-invalid]").and(target).waitFor();
  expect(await description(target)).toContain(nativeFault(await scenarioText(page)));
});

test("the button at the results leads to the field, wherever it is", async () => {
  const { page, form } = await openForm(whole);
  const threshold = locate(form, fields.find(({ name }) => name === "Threshold tokens")!);
  await threshold.fill("-1");
  await page.getByRole("tab", { name: "Text" }).click();
  await page.getByRole("main").getByRole("button", { name: "Show" }).click();
  expect(await threshold.evaluate((element) => element === document.activeElement)).toBe(true);
});

/** The one fault that the program finds in a text, as the form words it. */
function nativeFault(text: string): string {
  const { stderr } = spawnSync(path.join(root, "build/release/retrygarden"), ["check", "-"], { input: text, encoding: "utf8" });
  const faults = [...stderr.matchAll(/^ {2}\S*: expected (.*, found .*)$/gm)];
  expect(faults, stderr).toHaveLength(1);
  return `Expected ${faults[0]![1]!}.`;
}
