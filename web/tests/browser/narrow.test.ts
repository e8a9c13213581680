// On a small screen the page never scrolls sideways, and says the same.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { changed, openControls, openDisclosures, openPage, scenario, settled, summary } from "./browser";
import { format, whole } from "./form_fields";

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window: width } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: window.innerWidth,
  }));
  expect(width).toBe(390);
  expect(content).toBe(390);
}

const fourPolicies = changed("lost-responses", (value) => {
  value.policies.push(
    { name: "one attempt", attempts: 1, delay: { kind: "fixed", ticks: 1 } },
    { name: "a policy whose name is so long that it cannot stand on one line of a small screen", attempts: 64, delay: { kind: "list", ticks: [1, [2, 5], 1_000_000, 3, 9] } },
  );
});
const longWord = changed("lost-responses", (value) => {
  value.name = value.description = value.policies[0].name = "x".repeat(300);
});
const largeNumbers = changed("lost-responses", (value) => {
  value.clients = 20_000;
  value.horizon = 2_000_000_000;
  value.policies[0].delay.ticks = 1_000_000_000;
});

test.each([
  { name: "a preset", text: scenario("lost-responses"), colorScheme: "light" },
  { name: "a preset", text: scenario("lost-responses"), colorScheme: "dark" },
  { name: "four policies", text: fourPolicies, colorScheme: "light" },
  { name: "every member", text: format(whole), colorScheme: "dark" },
  { name: "a long word", text: longWord, colorScheme: "light" },
  { name: "large numbers", text: largeNumbers, colorScheme: "light" },
  { name: "a queue", text: scenario("published/retry-storm"), colorScheme: "light" },
] as const)("results, form, text and details: $name, $colorScheme", async ({ text, colorScheme }) => {
  const page = await openPage({ text, width: 390, height: 844, colorScheme });
  await expectNoSidewaysScroll(page);
  for (const legend of await page.getByText("What the marks mean").all()) {
    await legend.click();
  }
  await expectNoSidewaysScroll(page);
  await openDisclosures(await openControls(page));
  await expectNoSidewaysScroll(page);
  await page.getByRole("tab", { name: "Text" }).click();
  await expectNoSidewaysScroll(page);
  await page.getByText("Download", { exact: true }).click();
  await expectNoSidewaysScroll(page);
  await page.keyboard.press("Escape");
  await page.getByRole("grid").first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("heading", { level: 3 }).first().waitFor();
  await expectNoSidewaysScroll(page);
});

test("faults", async () => {
  const page = await openPage({ width: 390, height: 844 });
  const form = await openControls(page);
  await form.getByRole("textbox", { name: "Seed" }).fill("9".repeat(400));
  await page.getByText("The scenario has 1 fault.").waitFor();
  await expectNoSidewaysScroll(page);
  await page.getByRole("tab", { name: "Text" }).click();
  await expectNoSidewaysScroll(page);
});

test("a lesson", async () => {
  const page = await openPage({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Lessons" }).click();
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Budgets, breakers and expired work" }).click();
  await expectNoSidewaysScroll(page);
  await page.getByRole("radio").first().check();
  await page.getByRole("button", { name: "Show the run" }).click();
  await settled(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Drop abandoned requests" }).click();
  await page.getByRole("table", { name: "Before and after the change" }).waitFor();
  await expectNoSidewaysScroll(page);
});

test("the controls are closed at first, and the figures are the same", async () => {
  const page = await openPage({ width: 390, height: 844 });
  expect(await page.getByLabel("Preset").isVisible()).toBe(false);
  expect(await summary(page)).toMatchObject({ attempts: ["26", "26"], effects: ["9", "10"] });
});
