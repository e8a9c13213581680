// Chromium, and the page in it: the steps that tests of the page share. Chromium is started once for each file of tests.

import path from "node:path";
import { pathToFileURL } from "node:url";
import { type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import { goldenScenario, root } from "../native";

export const pageFile = path.join(root, "build/web/single/index.html");

export const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
afterAll(() => browser.close());

// What the page complains of in the console is a fault, whatever the test looks at.
let complaints: string[] = [];
afterEach(async () => {
  const seen = complaints;
  complaints = [];
  for (const context of browser.contexts()) {
    await context.close();
  }
  expect(seen).toEqual([]);
});

export interface PageOptions extends BrowserContextOptions {
  /** The scenario to start with; otherwise the page's own, "lost responses". */
  text?: string;
  width?: number;
  height?: number;
  /** What is opened, if not the page from disk. */
  url?: string;
  /** What is done to the page before anything is loaded. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Whether complaints are expected. */
  mayComplain?: boolean;
}

/** The page, with its first results. */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const page = await openUnsettled(options);
  await settled(page);
  return page;
}

/** The page, of which no results are expected. */
export async function openUnsettled(options: PageOptions = {}): Promise<Page> {
  const { text, width = 1280, height = 800, url = fileUrl(pageFile), prepare, mayComplain, ...rest } = options;
  const context = await browser.newContext({ viewport: { width, height }, ...rest });
  const page = await context.newPage();
  if (!mayComplain) {
    watch(page);
  }
  await prepare?.(page);
  await page.goto(url + (text === undefined ? "" : `#t=${Buffer.from(text).toString("base64url")}`));
  await page.getByRole("main").waitFor();
  return page;
}

function watch(page: Page): void {
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      complaints.push(message.text());
    }
  });
}

export function fileUrl(file: string): string {
  return pathToFileURL(file).href;
}

export function scenario(name: string): string {
  return goldenScenario(`${name}.json`);
}

/** The text of a scenario in which some members are changed. */
export function changed(name: string, change: (scenario: any) => void): string {
  const value = JSON.parse(scenario(name));
  change(value);
  return JSON.stringify(value, null, 2);
}

/** Waits until the results are those of the scenario as it stands. */
export async function settled(page: Page): Promise<void> {
  await page.locator(".results-body:not(.is-stale)").waitFor();
}

/** Waits until a field is marked as one with a fault. */
export async function refused(field: Locator): Promise<void> {
  await field.and(field.page().locator('[aria-invalid="true"]')).waitFor();
}

/** The summary table: the numbers of each row, one for each policy, without spaces. */
export async function summary(page: Page): Promise<Record<string, (string | undefined)[]>> {
  const rows = await page.getByRole("table", { name: /^Summary/ }).getByRole("row").all();
  const entries = await Promise.all(
    rows.slice(1).map(async (row) => {
      const cells = await row.getByRole("cell").allTextContents();
      const name = await row.getByRole("rowheader").textContent();
      return [name, cells.map((cell) => /^[\d\s.]+|^–/.exec(cell)?.[0].replaceAll(/\s/g, ""))];
    }),
  );
  return Object.fromEntries(entries);
}

/** The form, on a small screen too. */
export async function openControls(page: Page): Promise<Locator> {
  const form = page.getByRole("group", { name: "Scenario as a form" });
  if (!(await form.isVisible())) {
    await page.getByText("Scenario and policies", { exact: true }).click();
  }
  return form;
}

/** Opens everything in the form that can be opened. */
export async function openDisclosures(form: Locator): Promise<void> {
  const closed = form.locator("details:not([open]) > summary");
  while ((await closed.count()) > 0) {
    await closed.first().click();
  }
}

/** The box with the text of the scenario, whether it is shown or not. */
export function textBox(page: Page): Locator {
  return page.getByRole("textbox", { name: "Scenario as JSON text", includeHidden: true });
}

export async function scenarioText(page: Page): Promise<string> {
  return textBox(page).inputValue();
}

/** Puts a text into the box, as if it were pasted there. */
export async function enterText(page: Page, text: string): Promise<void> {
  await page.getByRole("tab", { name: "Text" }).click();
  await textBox(page).fill(text);
}

export async function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const element = await target.elementHandle();
  for (let presses = 0; presses < 200; presses += 1) {
    if (await element?.evaluate((each) => each === document.activeElement)) {
      return;
    }
    await page.keyboard.press(key);
  }
  throw new Error(`the keyboard does not get to ${String(target)}`);
}

/** The words by which an element is described to those who listen. */
export async function description(target: Locator): Promise<string> {
  return target.evaluate((element) =>
    (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" "),
  );
}

/** What the page said last to those who listen. */
export function spoken(page: Page): Locator {
  return page.locator("body > [aria-live]");
}
