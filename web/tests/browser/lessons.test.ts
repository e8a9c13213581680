// The guided tour from start to end, with the keyboard alone.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { isFocused, openPage, settled, spoken, summary, tabTo } from "./browser";

/** The lessons, how many options each has, and which is right: docs/model.md, worked out by the native program. */
const lessons = [
  { title: "The missing response", options: 4, right: 2, change: "Set response loss to 0" },
  { title: "What deduplication changes", options: 3, right: 0, change: "" },
  { title: "Synchronised retries and jitter", options: 4, right: 3, change: "Set capacity to 20" },
  { title: "Exhausted or still scheduled", options: 4, right: 1, change: "Set the horizon to 200 ticks" },
  { title: "A retry storm that outlives its outage", options: 4, right: 3, change: "Set the queue to 100" },
  { title: "Budgets, breakers and expired work", options: 4, right: 2, change: "Drop abandoned requests" },
];

const results = (page: Page) => page.getByRole("table", { name: /^Summary/ });
const tour = (page: Page) => page.getByRole("complementary", { name: "Guided tour" });

async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, page.getByRole("button", { name }));
  await page.keyboard.press("Enter");
}

async function startTour(page: Page): Promise<void> {
  await press(page, "Lessons");
  await press(page, lessons[0]!.title);
}

/** Chooses an option of the question and shows the run. */
async function predict(page: Page, option: number): Promise<void> {
  const radios = tour(page).getByRole("radio");
  await tabTo(page, radios.first());
  await page.keyboard.press("Space");
  for (let at = 0; at < option; at += 1) {
    await page.keyboard.press("ArrowDown");
  }
  expect(await radios.nth(option).isChecked()).toBe(true);
  await press(page, "Show the run");
  await tour(page).getByRole("heading", { name: "What came out" }).waitFor();
}

test("all six, with right and wrong predictions in turn", async () => {
  const page = await openPage();
  await startTour(page);
  for (const [index, { title, options, right, change }] of lessons.entries()) {
    const heading = tour(page).getByRole("heading", { name: title });
    expect(await isFocused(heading), title).toBe(true);
    expect(await tour(page).getByRole("radio").count()).toBe(options);
    expect(await results(page).isVisible()).toBe(false);

    const isRight = index % 2 === 0;
    await predict(page, isRight ? right : (right + 1) % options);
    await settled(page);
    expect(await results(page).isVisible()).toBe(true);
    const verdict = isRight ? "Your prediction was right." : "Your prediction was wrong.";
    expect(await tour(page).getByText(verdict).isVisible(), title).toBe(true);
    expect(await isFocused(tour(page).getByRole("heading", { name: "What came out" }))).toBe(true);

    if (change) {
      await press(page, change);
      await tour(page).getByRole("table", { name: "Before and after the change" }).waitFor();
    }
    await press(page, /^(Next: |End of the tour)/);
  }
  expect(await tour(page).isVisible()).toBe(false);
  expect(await isFocused(page.getByRole("button", { name: "Lessons" }))).toBe(true);

  await page.keyboard.press("Enter");
  expect(await tour(page).getByText("6 of 6 lessons done").isVisible()).toBe(true);
});

test("a lesson shows nothing before a prediction", async () => {
  const page = await openPage();
  await startTour(page);
  await press(page, "Show the run");
  expect(await tour(page).getByRole("alert").textContent()).toBe("Choose an answer first.");
  expect(await isFocused(tour(page).getByRole("radio").first())).toBe(true);
  expect(await results(page).isVisible()).toBe(false);
  expect(await page.getByRole("main").getByRole("grid").count()).toBe(0);

  await predict(page, 0);
  await settled(page);
  expect(await results(page).isVisible()).toBe(true);
  expect(await tour(page).getByText("Your prediction was wrong.").isVisible()).toBe(true);
});

test("who listens hears nothing of a covered run", async () => {
  const page = await openPage({ prepare: (page) => page.clock.install() });
  await page.clock.runFor(2000);
  expect(await spoken(page).textContent()).toMatch(/^Done: fixed delay/);
  await startTour(page);
  await page.locator(".results-body:not(.is-stale)").waitFor({ state: "attached" });
  await page.clock.runFor(2000);
  expect(await spoken(page).textContent()).not.toContain("send once");
});

test("the results of a lesson are those of its scenario", async () => {
  const page = await openPage();
  await press(page, "Lessons");
  await press(page, "Exhausted or still scheduled");
  await predict(page, 1);
  await settled(page);
  expect(await summary(page)).toMatchObject({ "clients acknowledged": ["4"], "clients scheduled": ["76"] });
  await press(page, "Select this attempt");
  await page.getByRole("dialog", { name: /^Client \d+, attempt 4/ }).waitFor();
});

test("whoever changes the scenario meanwhile sees its results, and can go back", async () => {
  const page = await openPage();
  await startTour(page);
  const clients = page.getByRole("textbox", { name: "Clients", exact: true });
  await clients.fill("5");
  await settled(page);
  expect(await results(page).isVisible()).toBe(true);
  await page.getByRole("button", { name: "Load it again" }).click();
  expect(await results(page).isVisible()).toBe(false);
  expect(await clients.inputValue()).toBe("12");
});

test("closing the tour uncovers the results", async () => {
  const page = await openPage();
  await startTour(page);
  await press(page, "Close the tour");
  await settled(page);
  expect(await results(page).isVisible()).toBe(true);
});
