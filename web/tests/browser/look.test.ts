// Light and dark, and reduced motion.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "./browser";

/** What the background is in fact. */
const isDark = (page: Page) =>
  page.evaluate(() => {
    const channels = getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g)!.map(Number);
    return Math.max(...channels) < 128;
  });

test("as the system has it, until somebody says otherwise", async () => {
  const page = await openPage({ colorScheme: "dark" });
  expect(await isDark(page)).toBe(true);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(() => isDark(page)).toBe(false);
  await page.getByRole("button", { name: "Dark theme" }).click();
  expect(await isDark(page)).toBe(true);
  await page.reload();
  expect(await isDark(page)).toBe(true);
  await page.getByRole("button", { name: "Light theme" }).click();
  expect(await isDark(page)).toBe(false);
});

test("the legend keeps its colours where the system forces others upon the page", async () => {
  const page = await openPage({ forcedColors: "active" });
  const legend = page.getByRole("list", { name: "What the charts show" }).getByRole("listitem");
  const colours = await legend.locator(".swatch").evaluateAll((swatches) =>
    swatches.map((swatch) => getComputedStyle(swatch).backgroundColor),
  );
  // --accepted, --overloaded, --unavailable and --acknowledged of theme.css.
  expect(colours.slice(0, 4)).toEqual(["rgb(43, 126, 161)", "rgb(184, 119, 8)", "rgb(169, 59, 49)", "rgb(31, 125, 82)"]);
});

test("the marks of the garden are drawn anew", async () => {
  const page = await openPage();
  const paper = () =>
    page.getByRole("grid").first().locator("canvas").evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const copy = new OffscreenCanvas(width, height).getContext("2d")!;
      copy.drawImage(canvas as HTMLCanvasElement, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      const colours = new Set<string>();
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] === 255) {
          colours.add(`${data[i]},${data[i + 1]},${data[i + 2]}`);
        }
      }
      return [...colours];
    });
  // --duplicate of theme.css: #b8126c and #f272ae.
  await expect.poll(paper).toContain("184,18,108");
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect.poll(paper).toContain("242,114,174");
  expect(await paper()).not.toContain("184,18,108");
});

test.each(["no-preference", "reduce"] as const)("playing, with reduced motion: %s", async (reducedMotion) => {
  const page = await openPage({ reducedMotion, prepare: (page) => page.clock.install() });
  const timeline = page.getByRole("region", { name: "Time line" });
  const tick = async () => Number(await timeline.getByRole("slider").inputValue());
  await timeline.getByRole("combobox", { name: "Speed" }).selectOption("5 ticks a second");
  await timeline.getByRole("button", { name: "First tick" }).click();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await timeline.getByRole("button", { name: "Play" }).click();
  // The picture changes once a second then, but time goes on as fast.
  await page.clock.runFor(950);
  expect(await tick()).toBe(reducedMotion === "reduce" ? 0 : 4);
  await page.clock.runFor(100);
  expect(await tick()).toBe(5);
});

test("nothing moves by itself where motion is reduced", async () => {
  const page = await openPage({ reducedMotion: "reduce" });
  await page.getByRole("button", { name: "Lessons" }).click();
  const moving = await page.evaluate(() => {
    const styles = [...document.querySelectorAll("*")].map((element) => getComputedStyle(element));
    return {
      animations: document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1).length,
      transitions: styles.filter(({ transitionDuration }) => parseFloat(transitionDuration) > 0.001).length,
      smooth: styles.filter(({ scrollBehavior }) => scrollBehavior === "smooth").length,
    };
  });
  expect(moving).toEqual({ animations: 0, transitions: 0, smooth: 0 });
});
