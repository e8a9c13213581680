// Takes the picture of the page that README.md shows: RETRYGARDEN_PICTURE names the file.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../native";
import { openPage } from "./browser";

test("picture of the page", async () => {
  const file = process.env.RETRYGARDEN_PICTURE ?? path.join(root, "build/web/page.png");
  const page = await openPage({ width: 1280, height: 800, colorScheme: "light" });
  await page.getByRole("grid", { name: "Attempts by client, fixed delay" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("heading", { name: "Why tick 8" }).waitFor();
  // The charts and the garden of a policy, from its name on.
  await page.getByRole("heading", { level: 3, name: "fixed delay" }).evaluate((heading) => {
    window.scrollBy(0, heading.getBoundingClientRect().top - 59);
  });
  await page.screenshot({ path: file });
  const picture = readFileSync(file);
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1280, 800]);
});
