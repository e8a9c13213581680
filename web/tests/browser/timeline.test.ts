// Going through time. The words are worked out by hand from docs/model.md, section 4, for "lost responses".

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { isFocused, openPage, scenario, spoken, tabTo } from "./browser";

const timeline = (page: Page) => page.getByRole("region", { name: "Time line" });
const button = (page: Page, name: string) => timeline(page).getByRole("button", { name });
const words = (page: Page) => timeline(page).getByRole("listitem").allTextContents();

// Three requests a tick; down in ticks 0 and 1; clients 0, 3 and 6 never see the response to their first accepted attempt;
// four attempts. With a fixed delay of 4 everybody comes at ticks 0, 4, 8 and 12, the lowest numbers first: 0, 1 and 2 at
// tick 4, then 0 (again), 3 and 4 at tick 8, then 3 (again), 5 and 6 at tick 12, where 6 and 7 have had their four attempts.
const fixedDelay: [number, string][] = [
  [0, "Tick 0, fixed delay: 8 attempts; the server is down and refuses 8; 8 will retry."],
  [1, "Tick 1, fixed delay: no attempts; the server is down."],
  [2, "Tick 2, fixed delay: nothing happens."],
  [3, "Tick 3, fixed delay: nothing happens."],
  [
    4,
    "Tick 4, fixed delay: 8 attempts; the server starts 3 and refuses 5 over capacity; 3 effects; 1 response is lost; " +
      "2 clients are acknowledged; 6 will retry.",
  ],
];

test("tick by tick, in words", async () => {
  const page = await openPage();
  const next = button(page, "Next tick");
  await tabTo(page, button(page, "First tick"));
  await page.keyboard.press("Enter");
  await tabTo(page, next);
  for (const [tick, sentence] of fixedDelay) {
    expect((await words(page))[0]).toBe(sentence);
    expect(await timeline(page).getByRole("slider").getAttribute("aria-valuetext")).toBe(`tick ${tick} of 12`);
    await page.keyboard.press("Enter");
  }
  await tabTo(page, button(page, "Last tick"));
  await page.keyboard.press("Enter");
  expect(await words(page)).toEqual([
    "Tick 12, fixed delay: 4 attempts; the server starts 3 and refuses 1 over capacity; 3 effects, 1 of them a duplicate; " +
      "1 response is lost; 2 clients are acknowledged; 2 give up: attempts used up.",
    "Tick 12, bounded jitter: nothing happens.",
  ]);
});

test("the slider, with the keyboard; what is said is heard", async () => {
  const page = await openPage();
  const slider = timeline(page).getByRole("slider", { name: "Tick" });
  await tabTo(page, slider);
  await page.keyboard.press("Home");
  expect((await words(page))[0]).toBe(fixedDelay[0]![1]);
  await page.keyboard.press("ArrowRight");
  expect((await words(page))[0]).toBe(fixedDelay[1]![1]);
  expect(await spoken(page).textContent()).toContain(fixedDelay[1]![1]);
  await page.keyboard.press("End");
  expect(await slider.getAttribute("aria-valuetext")).toBe("tick 12 of 12");
  await page.keyboard.press("ArrowLeft");
  expect(await slider.getAttribute("aria-valuetext")).toBe("tick 11 of 12");
});

test("empty ticks can be skipped", async () => {
  const page = await openPage();
  const next = button(page, "Next tick");
  await button(page, "First tick").click();
  await timeline(page).getByRole("checkbox", { name: "Skip empty ticks" }).check();
  await next.focus();
  const ticks = [];
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press("Enter");
    ticks.push(/Tick (\d+),/.exec((await words(page))[0]!)![1]);
  }
  // Those with attempts under a policy, and the tick after the outage: 9 and 11 are empty under both.
  expect(ticks.join(" ")).toBe("1 2 3 4 5 6 7 8 10 12 12 12");
});

test("playing goes to the end, and stops there", async () => {
  const page = await openPage();
  await timeline(page).getByRole("combobox", { name: "Speed" }).selectOption("50 ticks a second");
  await button(page, "Play").click();
  await button(page, "Pause").waitFor();
  await button(page, "Play").waitFor();
  expect((await words(page))[0]).toContain("Tick 12,");
});

test("playing can be paused with the space bar", async () => {
  const page = await openPage({ text: scenario("published/retry-storm") });
  const slider = timeline(page).getByRole("slider");
  await slider.focus();
  await page.keyboard.press("Space");
  await button(page, "Pause").waitFor();
  await page.keyboard.press("Space");
  await button(page, "Play").waitFor();
  const paused = await slider.getAttribute("aria-valuetext");
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await slider.getAttribute("aria-valuetext")).toBe(paused);
  expect(await isFocused(slider)).toBe(true);
});

test("a click into a chart goes to that tick", async () => {
  const page = await openPage();
  const chart = page.getByRole("img", { name: /^Load of fixed delay/ });
  const box = (await chart.boundingBox())!;
  // Ticks 0 to 12 between the margins of 56 and 16 pixels: tick 4 has its middle at 4.5 of 13.
  await chart.click({ position: { x: 56 + ((box.width - 72) * 4.5) / 13, y: 60 } });
  expect((await words(page))[0]).toBe(fixedDelay[4]![1]);
});
