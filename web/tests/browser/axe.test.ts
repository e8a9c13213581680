// axe-core finds nothing, in any state of the page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { enterText, openControls, openDisclosures, openPage, refused, scenario, settled } from "./browser";
import { format, whole } from "./form_fields";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const looks = [
  { width: 390, height: 844, colorScheme: "light" },
  { width: 390, height: 844, colorScheme: "dark" },
  { width: 1440, height: 900, colorScheme: "light" },
  { width: 1440, height: 900, colorScheme: "dark" },
] as const;

async function open(look: (typeof looks)[number], text?: string): Promise<Page> {
  // The page lets nobody in; a test is let in.
  const page = await openPage({ ...look, ...(text === undefined ? {} : { text }), bypassCSP: true });
  await page.evaluate(source);
  return page;
}

async function expectNothing(page: Page, state: string): Promise<void> {
  const { violations, passes } = await page.evaluate(
    () => (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
  );
  const found = violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html.slice(0, 200)) }));
  expect(found, state).toEqual([]);
  expect(passes.length).toBeGreaterThan(20);
}

test.each(looks)("every state: $width px, $colorScheme", async (look) => {
  const page = await open(look);
  await expectNothing(page, "results");

  for (const legend of await page.getByText("What the marks mean").all()) {
    await legend.click();
  }
  const form = await openControls(page);
  await openDisclosures(form);
  await expectNothing(page, "everything open");

  await page.getByRole("grid").first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("heading", { level: 3 }).first().waitFor();
  await page.getByText("Download", { exact: true }).click();
  await expectNothing(page, "details and menu");

  const seed = form.getByRole("textbox", { name: "Seed" });
  await seed.fill("-1");
  await refused(seed);
  await expectNothing(page, "a fault in the form");

  await enterText(page, "{");
  await page.getByRole("button", { name: /^Line/ }).waitFor();
  await expectNothing(page, "a fault in the text");

  await page.getByRole("button", { name: "Lessons" }).click();
  await expectNothing(page, "list of lessons");

  await page.getByRole("button", { name: "The missing response" }).click();
  await page.getByRole("button", { name: "Show the run" }).click();
  await expectNothing(page, "a question without an answer");

  await page.getByRole("radio").first().check();
  await page.getByRole("button", { name: "Show the run" }).click();
  await settled(page);
  await page.getByRole("button", { name: "Set response loss to 0" }).click();
  await page.getByRole("table", { name: "Before and after the change" }).waitFor();
  await settled(page);
  await expectNothing(page, "an answer");
});

test.each([looks[0], looks[3]])("every member, and many clients: $width px, $colorScheme", async (look) => {
  const page = await open(look, format(whole));
  await openDisclosures(await openControls(page));
  await expectNothing(page, "every member");
  await enterText(page, scenario("published/retry-storm"));
  await settled(page);
  await expectNothing(page, "density");
});
