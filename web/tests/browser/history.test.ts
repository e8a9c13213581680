// Undo and redo, and the scenario in the address.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { enterText, fileUrl, isFocused, openPage, openUnsettled, pageFile, scenario, scenarioText, settled, summary, textBox } from "./browser";

const clients = (page: Page) => page.getByRole("textbox", { name: "Clients", exact: true });
const undo = (page: Page) => page.getByRole("button", { name: "Undo" });
const redo = (page: Page) => page.getByRole("button", { name: "Redo" });

/** As somebody does it: who opens a list goes there. */
async function choose(list: Locator, option: string): Promise<void> {
  await list.focus();
  await list.selectOption(option);
}

test("undo and redo, by buttons", async () => {
  const page = await openPage();
  const texts = [await scenarioText(page)];
  expect(await undo(page).isDisabled()).toBe(true);
  expect(await redo(page).isDisabled()).toBe(true);
  await clients(page).fill("9");
  texts.push(await scenarioText(page));
  await choose(page.getByRole("combobox", { name: "Deduplication" }), "forever");
  texts.push(await scenarioText(page));
  await choose(page.getByLabel("Preset"), "horizon");
  texts.push(await scenarioText(page));
  expect(new Set(texts).size).toBe(4);

  for (const text of texts.slice(0, -1).reverse()) {
    await undo(page).click();
    expect(await scenarioText(page)).toBe(text);
  }
  expect(await undo(page).isDisabled()).toBe(true);
  await settled(page);
  expect(await summary(page)).toMatchObject({ effects: ["9", "10"] });
  for (const text of texts.slice(1)) {
    await redo(page).click();
    expect(await scenarioText(page)).toBe(text);
  }
  expect(await redo(page).isDisabled()).toBe(true);
});

test("a change after an undo leaves nothing to redo", async () => {
  const page = await openPage();
  await clients(page).fill("9");
  await undo(page).click();
  expect(await redo(page).isDisabled()).toBe(false);
  await clients(page).fill("10");
  expect(await redo(page).isDisabled()).toBe(true);
});

test("undo and redo, by keys", async () => {
  const page = await openPage();
  const before = await scenarioText(page);
  await choose(page.getByRole("combobox", { name: "Deduplication" }), "forever");
  await page.keyboard.press("Control+z");
  expect(await scenarioText(page)).toBe(before);
  await page.keyboard.press("Control+Shift+z");
  expect(await scenarioText(page)).toContain('"forever"');
});

test("what is typed in one go is undone in one go", async () => {
  const page = await openPage();
  const before = await scenarioText(page);
  await clients(page).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1234");
  expect(await clients(page).inputValue()).toBe("1234");
  expect(await isFocused(clients(page))).toBe(true);
  await undo(page).click();
  expect(await scenarioText(page)).toBe(before);
});

test("arrow keys step a number", async () => {
  const page = await openPage();
  await clients(page).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("PageUp");
  expect(await clients(page).inputValue()).toBe("19");
  expect(JSON.parse(await scenarioText(page)).clients).toBe(19);
});

test("the address of the page opens the same scenario elsewhere", async () => {
  const page = await openPage();
  const name = "ü — 操作, #&=%?/ and </script>";
  await enterText(page, scenario("everything").replace('"everything"', JSON.stringify(name)));
  await settled(page);
  await page.waitForURL(/#z=/);
  const other = await openPage({ url: page.url() });
  expect(await scenarioText(other)).toBe(await scenarioText(page));
  expect(await other.getByRole("heading", { level: 2, name }).isVisible()).toBe(true);
  expect(await summary(other)).toEqual(await summary(page));
});

test("a link is copied that opens the same scenario elsewhere", async () => {
  const page = await openPage({ permissions: ["clipboard-read", "clipboard-write"] });
  await clients(page).fill("31");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied.").first().waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await openPage({ url: link });
  expect(await clients(other).inputValue()).toBe("31");
});

test("a preset has a short address, and an address put in by hand is followed", async () => {
  const page = await openPage();
  await page.getByLabel("Preset").selectOption("horizon");
  await page.waitForURL(/#preset=horizon$/);
  await page.evaluate(() => {
    window.location.hash = "#preset=retry-storm";
  });
  await page.getByRole("heading", { level: 2, name: "retry storm" }).waitFor();
  expect(await page.getByLabel("Preset").inputValue()).toBe("retry-storm");
});

test.each(["#z=AAAA", "#t=***", "#preset=nothing"])("an address that holds nothing: %s", async (hash) => {
  const page = await openPage({ url: fileUrl(pageFile) + hash });
  expect(await scenarioText(page)).toBe(scenario("lost-responses"));
});

test("a link to a broken text shows what is wrong with it", async () => {
  const page = await openUnsettled({ text: '{"retrygarden": 1,\n  "clients": }' });
  await page.getByText("expected").first().waitFor();
  expect(await textBox(page).inputValue()).toBe('{"retrygarden": 1,\n  "clients": }');
});
