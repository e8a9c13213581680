// A scenario from a file, opened or dropped; and texts that are no scenario.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { nativeExport } from "../native";
import { description, enterText, openPage, openUnsettled, refused, scenario, scenarioText, settled, summary } from "./browser";

async function drop(page: Page, name: string, content: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content!], name!, { type: "application/json" }));
      return transfer;
    },
    [name, content],
  );
  for (const type of ["dragenter", "dragover", "drop"]) {
    await page.dispatchEvent("main", type, { dataTransfer: transfer });
  }
  await page.getByText(`Opened ${name}`).first().waitFor();
}

test("a file that is dropped", async () => {
  const page = await openPage();
  await drop(page, "a.json", scenario("horizon"));
  await settled(page);
  expect(await scenarioText(page)).toBe(scenario("horizon"));
  expect(await summary(page)).toMatchObject({ "clients scheduled": ["76"] });
  expect(await page.locator(".is-dropping").count()).toBe(0);
});

test("a file that is opened", async () => {
  const page = await openPage();
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  const file = { name: "b.json", mimeType: "application/json", buffer: Buffer.from(scenario("horizon")) };
  await (await choosing).setFiles(file);
  await page.getByText("Opened b.json").first().waitFor();
  expect(await scenarioText(page)).toBe(scenario("horizon"));
});

test("of an export, the scenario is taken", async () => {
  const page = await openPage();
  const exported = nativeExport(scenario("everything")).toString();
  await drop(page, "everything.export.json", exported);
  await settled(page);
  expect(JSON.parse(await scenarioText(page))).toEqual(JSON.parse(exported).scenario);
  expect(nativeExport(await scenarioText(page)).toString()).toBe(exported);
});

test("a file that holds something else is shown, with what is wrong", async () => {
  const page = await openPage();
  await drop(page, "notes.txt", "Dear diary,");
  await page.getByRole("tab", { name: "Text" }).click();
  await page.getByRole("button", { name: "Line 1, column 1" }).waitFor();
  expect(await scenarioText(page)).toBe("Dear diary,");
  await page.getByRole("button", { name: "Undo" }).click();
  await settled(page);
  expect(await scenarioText(page)).toBe(scenario("lost-responses"));
});

test("broken JSON shows its line and column, where the engine read too far", async () => {
  const page = await openPage();
  await enterText(page, '{\n  "retrygarden": 1,\n  "clients": 8 "horizon": 80\n}');
  const faults = page.getByRole("tabpanel", { name: "Text" }).getByRole("listitem");
  await faults.first().waitFor();
  expect(await faults.allTextContents()).toEqual([expect.stringMatching(/^Line 3, column 24 expected .*found/)]);
  await faults.getByRole("button", { name: "Line 3, column 24" }).click();
  const selected = await page.evaluate(() => {
    const box = document.activeElement as HTMLTextAreaElement;
    return box.value.slice(box.selectionStart, box.selectionEnd);
  });
  expect(selected).toBe('  "clients": 8 "horizon": 80');

  await page.getByRole("tab", { name: "Form" }).click();
  expect(await page.getByRole("textbox", { name: "Clients", exact: true }).isDisabled()).toBe(true);
  expect(await page.getByText("The text holds no scenario, so there are no fields to change.").isVisible()).toBe(true);
});

test("several faults are shown at once, each at its line", async () => {
  const page = await openPage();
  await enterText(page, '{\n  "retrygarden": 1,\n  "clients": 0,\n  "horizon": 80,\n  "seed": -1,\n  "server": {"capacity": 3},\n  "policies": []\n}');
  const faults = page.getByRole("tabpanel", { name: "Text" }).getByRole("listitem");
  await faults.nth(2).waitFor();
  const lines = (await faults.allTextContents()).map((text) => /^Line \d/.exec(text)?.[0]);
  expect(lines).toEqual(["Line 3", "Line 5", "Line 7"]);
});

// What comes from elsewhere is text, whatever it looks like.
const markup = "<img src=x onerror=alert(1)>";
const hostileNames = [markup, "</script><script>alert(1)</script>", "\u202e]]>&amp;\u{1f600}"];

test.each(hostileNames)("a hostile name is a text: %s", async (name) => {
  const value = JSON.parse(scenario("lost-responses"));
  value.name = value.description = name;
  value.policies[0].name = name;
  const page = await openPage({ text: JSON.stringify(value) });
  page.on("dialog", (dialog) => {
    throw new Error(dialog.message());
  });
  expect(await page.getByRole("heading", { level: 2, name, exact: true }).textContent()).toBe(name);
  expect(await page.getByRole("heading", { level: 3, name, exact: true }).textContent()).toBe(name);
  await page.getByRole("grid").first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText(name, { exact: true }).waitFor();
  expect(await page.locator("img, body script:not([type=module])").count()).toBe(0);
});

const deep = 100_000;
const hostileTexts: [string, string][] = [
  ["deep nesting", "[".repeat(deep)],
  ["deep nesting that is JSON", "[".repeat(deep) + "]".repeat(deep)],
  ["deep nesting in a member", `{"retrygarden": 1, "name": ${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`],
  ["nothing", ""],
  ["null", "null"],
  ["a number", "1e999"],
  ["a member named __proto__", '{"retrygarden": 1, "__proto__": {"x": 1}}'],
  ["half a surrogate pair", '{"retrygarden": 1, "name": "\\ud800"}'],
  ["a long line", `{"retrygarden": 1, "name": "${"x".repeat(1_000_000)}"}`],
];

test("hostile texts harm nothing", async () => {
  const page = await openPage();
  for (const [name, text] of hostileTexts) {
    await drop(page, `${name}.json`, text);
    await page.getByText(/^The scenario has [\d\s]+ faults?\./).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await settled(page);
    expect(await summary(page), name).toMatchObject({ effects: ["9", "10"] });
  }
});

test("a hostile text in the address, too", async () => {
  const page = await openUnsettled({ text: "[".repeat(deep) });
  await page.getByText(/^The scenario has 1 fault\./).waitFor();
});

test("more clients than a page has memory for are refused at their field", async () => {
  const page = await openPage();
  const clients = page.getByRole("textbox", { name: "Clients", exact: true });
  await clients.fill("4294967295");
  await refused(clients);
  expect(await description(clients)).toContain("Expected a run that fits into the memory of a page");
  await clients.fill("7");
  await settled(page);
  expect(await page.getByRole("heading", { level: 2, name: "lost responses" }).isVisible()).toBe(true);
});

test("64 policies", async () => {
  const value = JSON.parse(scenario("lost-responses"));
  value.policies = Array.from({ length: 64 }, (_, i) => ({ ...value.policies[1], name: `policy ${i + 1}` }));
  const page = await openPage({ text: JSON.stringify(value) });
  expect(await page.getByRole("grid").count()).toBe(64);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
