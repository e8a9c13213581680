// Downloads: the export has the bytes of the native one, and the charts can be opened by whoever gets them.

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { nativeExport } from "../native";
import { browser, changed, openPage, refused, scenario, scenarioText, settled } from "./browser";

async function download(page: Page, name: string): Promise<{ name: string; bytes: Buffer }> {
  await page.getByText("Download", { exact: true }).click();
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name }).click();
  const file = await waiting;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test.each([
  ["lost-responses", "lost-responses-export.json"],
  ["everything", "everything-export.json"],
  ["names", "names-quotes-and-backslash-export.json"],
  ["published/retry-storm", "retry-storm-export.json"],
])("export of %s", async (name, fileName) => {
  const page = await openPage({ text: scenario(name) });
  const file = await download(page, "Export: every record");
  expect(file.bytes.equals(nativeExport(scenario(name)))).toBe(true);
  expect(file.name).toBe(fileName);
});

test("export of a scenario that was changed in the form", async () => {
  const page = await openPage();
  await page.getByRole("textbox", { name: "Seed" }).fill("12");
  await settled(page);
  const { bytes } = await download(page, "Export: every record");
  expect(bytes.equals(nativeExport(await scenarioText(page)))).toBe(true);
  expect(bytes.equals(nativeExport(scenario("lost-responses")))).toBe(false);
});

test("the scenario", async () => {
  const page = await openPage({ text: scenario("everything") });
  const file = await download(page, "Scenario");
  expect(file.bytes.toString()).toBe(scenario("everything"));
  expect(file.name).toBe("everything.json");
});

// The name is put into the drawing, and has to stay a text there.
const named = changed("lost-responses", (value) => {
  value.name = 'a <b> & "c"';
});

test("charts as SVG stand for themselves", async () => {
  const page = await openPage({ text: named, colorScheme: "dark" });
  const { name, bytes } = await download(page, "Charts (SVG)");
  const svg = bytes.toString();
  expect(name).toBe("a-b-c.svg");
  expect(svg).not.toMatch(/var\(|@import|<script|<foreignObject/i);

  const blank = await (await browser.newContext()).newPage();
  const drawing = await blank.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    const elements = [...parsed.querySelectorAll("*")];
    const values = elements.flatMap((element) => [...element.attributes].map(({ value }) => value));
    const urls = values.filter((value) => value.includes("url("));
    return {
      root: parsed.documentElement.tagName,
      error: parsed.querySelector("parsererror")?.textContent,
      links: elements.flatMap((element) => [...element.attributes]).filter((each) => /href|src/.test(each.name)).length,
      unresolved: urls.filter((url) => !parsed.querySelector(/url\("?(#[^")]+)/.exec(url)?.[1] ?? "none")),
      words: [...parsed.querySelectorAll("text")].map((each) => each.textContent),
    };
  }, svg);
  expect(drawing).toMatchObject({ root: "svg", error: undefined, links: 0, unresolved: [] });
  expect(drawing.words).toEqual(expect.arrayContaining(['a <b> & "c"', "fixed delay", "bounded jitter", "capacity 3"]));
  expect(svg.match(/https?:\/\/[^"]*/g)?.filter((url) => !url.startsWith("http://www.w3.org/"))).toEqual([]);
});

test("charts as PNG show them", async () => {
  const page = await openPage();
  const { name, bytes } = await download(page, "Charts (PNG)");
  expect(name).toBe("lost-responses.png");
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  expect(width).toBeGreaterThan(1600);
  expect(height).toBeGreaterThan(600);

  // The colours of outcomes are there, each as an area.
  const blank = await (await browser.newContext()).newPage();
  const areas = await blank.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const counts: Record<string, number> = {};
    for (let i = 0; i < data.length; i += 4) {
      const colour = `${data[i]},${data[i + 1]},${data[i + 2]}`;
      counts[colour] = (counts[colour] ?? 0) + 1;
    }
    return counts;
  }, `data:image/png;base64,${bytes.toString("base64")}`);
  for (const colour of ["--accepted", "--overloaded", "--unavailable", "--acknowledged"]) {
    const hex = await page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name), colour);
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.trim().slice(at, at + 2), 16));
    expect(areas[`${red},${green},${blue}`], colour).toBeGreaterThan(1000);
  }
});

test("without results of the scenario there is nothing to download", async () => {
  const page = await openPage();
  const seed = page.getByRole("textbox", { name: "Seed" });
  await seed.fill("-1");
  await refused(seed);
  await page.getByText("Download", { exact: true }).click();
  await page.getByRole("button", { name: "Charts (SVG)" }).click();
  await page.getByText("There are no results of this scenario to download.").first().waitFor();
});
