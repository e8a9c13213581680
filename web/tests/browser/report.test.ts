// What `retrygarden report` writes: the page with results inside.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { nativeReport } from "../native";
import { changed, fileUrl, openPage, openUnsettled, scenario, scenarioText, settled, spoken, summary } from "./browser";

const folder = mkdtempSync(path.join(tmpdir(), "retrygarden-report-"));
afterAll(() => rmSync(folder, { recursive: true }));

function report(text: string): string {
  const file = path.join(folder, "report.html");
  nativeReport(text, file);
  return fileUrl(file);
}

/** The engine is there and says nothing, ever. */
const withoutEngine = (page: Page) =>
  page.addInitScript(() => {
    window.Worker = class extends EventTarget {
      postMessage() {}
      terminate() {}
    } as unknown as typeof Worker;
  });

const note = (page: Page) => page.getByText("Report: results stored in this file.");

test("opens without computing", async () => {
  const page = await openPage({ url: report(scenario("lost-responses")), prepare: withoutEngine });
  expect(await note(page).textContent()).toBe("Report: results stored in this file.");
  expect(await summary(page)).toMatchObject({ attempts: ["26", "26"], effects: ["9", "10"], "clients acknowledged": ["6", "7"] });
  expect(await scenarioText(page)).toBe(scenario("lost-responses"));
  expect(await page.getByRole("heading", { level: 2, name: "lost responses" }).isVisible()).toBe(true);
  expect(await page.getByRole("region", { name: "Time line" }).getByRole("listitem").last().textContent()).toBe(
    "Tick 12, bounded jitter: nothing happens.",
  );
  expect(await spoken(page).textContent()).toBe("");
  expect(await page.getByRole("progressbar").isVisible()).toBe(false);
});

test("without the engine, a page that is no report has no results", async () => {
  const page = await openUnsettled({ prepare: withoutEngine });
  await page.getByText("Starting", { exact: true }).waitFor();
  expect(await page.getByRole("table").count()).toBe(0);
});

test("explains attempts, and runs when a value is changed", async () => {
  const page = await openPage({ url: report(scenario("lost-responses")) });
  await page.getByRole("grid").first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("nothing: it is down").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Deduplication" }).selectOption("forever");
  await settled(page);
  expect(await summary(page)).toMatchObject({ effects: ["7", "8"] });
  expect(await note(page).isVisible()).toBe(false);
});

test("of many attempts, it says that the garden shows a sample", async () => {
  const text = changed("lost-responses", (value) => {
    value.clients = 60_000;
  });
  const page = await openPage({ url: report(text), prepare: withoutEngine });
  expect(await note(page).textContent()).toBe(
    "Report: results stored in this file. The garden shows a sample of the clients.",
  );
  expect(await page.getByRole("grid").first().isVisible()).toBe(true);
  expect(await page.getByText("of 60 000 clients").first().isVisible()).toBe(true);
});

test("a link to another scenario goes before the report", async () => {
  const page = await openPage({ url: `${report(scenario("lost-responses"))}#preset=horizon` });
  expect(await summary(page)).toMatchObject({ "clients scheduled": ["76"] });
  expect(await note(page).count()).toBe(0);
});

test.each(["</script><script>alert(1)</script>", "<!--<script>", "\u2028 & ' \" \\"])("a hostile name is a text: %s", async (name) => {
  const text = changed("lost-responses", (value) => {
    value.name = value.policies[1].name = name;
  });
  const page = await openPage({ url: report(text), prepare: withoutEngine });
  const headings = await page.getByRole("main").getByRole("heading").allTextContents();
  expect(headings.slice(0, 3)).toEqual([name, "fixed delay", name]);
  expect(await summary(page)).toMatchObject({ effects: ["9", "10"] });
});
