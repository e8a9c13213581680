// The figures of docs/model.md, section 10, as somebody sees them who opens the page.

import { expect, test } from "vitest";
import { openPage, settled, summary } from "./browser";

test("lost responses, without and with deduplication", async () => {
  const page = await openPage();
  await page.getByLabel("Preset").selectOption("lost responses");
  await settled(page);
  expect(await summary(page)).toMatchObject({
    attempts: ["26", "26"],
    effects: ["9", "10"],
    duplicates: ["2", "2"],
    "clients acknowledged": ["6", "7"],
  });

  await page.getByRole("combobox", { name: "Deduplication" }).selectOption("forever");
  await settled(page);
  expect(await summary(page)).toMatchObject({
    attempts: ["26", "26"],
    effects: ["7", "8"],
    duplicates: ["0", "0"],
    "clients acknowledged": ["6", "7"],
  });
});

test("horizon", async () => {
  const page = await openPage();
  await page.getByLabel("Preset").selectOption("horizon");
  await settled(page);
  expect(await summary(page)).toMatchObject({
    "clients acknowledged": ["4"],
    "clients scheduled": ["76"],
    "clients exhausted": ["0"],
  });
});

test("the columns belong to the policies that they name", async () => {
  const page = await openPage();
  const header = page.getByRole("table", { name: "Summary, compared with fixed delay" }).getByRole("columnheader");
  expect(await header.allTextContents()).toEqual(["fixed delayreference", "bounded jitter"]);
});
