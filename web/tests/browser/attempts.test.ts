// The garden and the details of an attempt, with the keyboard alone; and that details say what `retrygarden attempts` says.

import { execFileSync } from "node:child_process";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { root } from "../native";
import { description, isFocused, openPage, scenario, tabTo } from "./browser";

const garden = (page: Page, policy: string) => page.getByRole("grid", { name: `Attempts by client, ${policy}` });
const details = (page: Page) => page.getByRole("dialog");
const heading = (page: Page, name: string) => details(page).getByRole("heading", { name, exact: true });

/** What a screen reader says of the place of the garden that has the focus. */
async function current(field: Locator): Promise<string> {
  return field.evaluate((element) => {
    return document.getElementById(element.getAttribute("aria-activedescendant") ?? "")?.textContent ?? "";
  });
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
  }
}

test("arrow keys go from mark to mark", async () => {
  const page = await openPage();
  const field = garden(page, "bounded jitter");
  await tabTo(page, field);
  expect(await description(field)).toContain("Enter opens an attempt");
  expect(await current(field)).toBe("Client 0, attempt 1, tick 0: down; told of failure; next attempt at tick 1.");
  await press(page, "ArrowRight", "ArrowRight");
  expect(await current(field)).toBe("Client 0, attempt 3, tick 2: applied; no response; next attempt at tick 10.");
  await press(page, "ArrowRight", "ArrowRight", "ArrowRight");
  expect(await current(field)).toBe("Client 0, attempt 4, tick 10: duplicate; acknowledged.");
  await press(page, "Control+End", "Home");
  expect(await current(field)).toBe("Client 7, attempt 1, tick 0: down; told of failure; next attempt at tick 2.");
  await press(page, "ArrowUp", "End");
  expect(await current(field)).toBe("Client 6, attempt 4, tick 7: duplicate; acknowledged.");
  // The attempt of client 3 that is nearest to tick 7.
  await press(page, "ArrowUp", "ArrowUp", "ArrowUp");
  expect(await current(field)).toBe("Client 3, attempt 4, tick 3: applied; no response; gives up: attempts used up.");
});

test("an attempt opens, and Escape goes back to its mark", async () => {
  const page = await openPage();
  const field = garden(page, "fixed delay");
  await tabTo(page, field);
  await press(page, "ArrowDown", "ArrowDown", "ArrowDown", "End", "Enter");
  await heading(page, "Client 3, attempt 4").waitFor();
  expect(await isFocused(heading(page, "Client 3, attempt 4"))).toBe(true);
  await press(page, "Escape");
  expect(await details(page).isVisible()).toBe(false);
  expect(await isFocused(field)).toBe(true);
  expect(await current(field)).toContain("Client 3, attempt 4,");
});

test("Escape closes the details from elsewhere too, but not from a field", async () => {
  const page = await openPage();
  await tabTo(page, garden(page, "fixed delay"));
  await press(page, "Enter");
  await heading(page, "Client 0, attempt 1").waitFor();
  await page.getByRole("textbox", { name: "Clients", exact: true }).focus();
  await press(page, "Escape");
  expect(await details(page).isVisible()).toBe(true);
  await page.getByRole("button", { name: "Previous tick" }).focus();
  await press(page, "Escape");
  expect(await details(page).isVisible()).toBe(false);
});

test("from attempt to attempt in the details, and Close", async () => {
  const page = await openPage();
  const field = garden(page, "fixed delay");
  await tabTo(page, field);
  await press(page, "Enter");
  await heading(page, "Client 0, attempt 1").waitFor();
  await tabTo(page, details(page).getByRole("button", { name: "Next attempt" }));
  await press(page, "Enter");
  await heading(page, "Client 0, attempt 2").waitFor();
  await press(page, "Enter");
  await heading(page, "Client 0, attempt 3").waitFor();
  // The last one: there is nowhere to go.
  await press(page, "Enter");
  expect(await heading(page, "Client 0, attempt 3").isVisible()).toBe(true);
  await tabTo(page, details(page).getByRole("button", { name: "1", exact: true }), "Shift+Tab");
  await press(page, "Enter");
  await heading(page, "Client 0, attempt 1").waitFor();
  await tabTo(page, details(page).getByRole("button", { name: "Close" }), "Shift+Tab");
  await press(page, "Enter");
  expect(await details(page).isVisible()).toBe(false);
  expect(await isFocused(field)).toBe(true);
});

test("why the next attempt is due when it is, by hand", async () => {
  const page = await openPage();
  await tabTo(page, garden(page, "bounded jitter"));
  await press(page, "ArrowRight", "ArrowRight", "Enter");
  await heading(page, "Client 0, attempt 3").waitFor();
  // base 2, multiplier 2: the raw delay after attempt 3 is 2 · 2 · 2 = 8, and full jitter makes [1, 8] of it.
  const steps = details(page).getByRole("listitem");
  expect(await steps.first().textContent()).toBe(
    "After attempt 3 the policy (exponential delay, full jitter) gives 1 to 8 ticks, both included.",
  );
  expect(await steps.last().textContent()).toBe("It failed at tick 2: 2 + 8 = 10.");
  const draw = await steps.nth(1).textContent();
  const word = BigInt(`0x${/([0-9A-F]{8}) hex/.exec(draw ?? "")![1]}`);
  expect(1n + ((word * 8n) >> 32n)).toBe(8n);
});

test.each([
  ["lost-responses", 0],
  ["lost-responses", 3],
  ["lost-responses", 6],
  ["everything", 7],
  ["everything", 16],
])("details of %s, client %i, as the program words them", async (name, client) => {
  const page = await openPage({ text: scenario(name) });
  for (const { policy, attempts } of nativeAttempts(name, client)) {
    await garden(page, policy).focus();
    await press(page, "Control+Home", ...new Array<string>(client).fill("ArrowDown"), "Home", "Enter");
    for (const [index, words] of attempts.entries()) {
      await heading(page, `Client ${client}, attempt ${index + 1}`).waitFor();
      const told = await course(page);
      for (const [term, word] of Object.entries(words)) {
        // The page says why a client gives up, too.
        expect(told[term]?.slice(0, word.length), `${policy}, attempt ${index + 1}: ${term}`).toBe(word);
      }
      await details(page).getByRole("button", { name: "Next attempt" }).focus();
      await press(page, "Enter");
    }
    await press(page, "Escape");
  }
});

/** The course of the attempt: what stands beside each term. */
async function course(page: Page): Promise<Record<string, string>> {
  return details(page).evaluate((element) => {
    const terms = [...element.querySelectorAll("dt")];
    return Object.fromEntries(terms.map((term) => [term.textContent, term.nextElementSibling?.textContent ?? ""]));
  });
}

/** What the program says of the attempts of a client, by policy. */
function nativeAttempts(name: string, client: number): { policy: string; attempts: Record<string, string>[] }[] {
  const file = path.join(root, "golden/scenarios", `${name}.json`);
  const program = path.join(root, "build/release/retrygarden");
  const output = execFileSync(program, ["attempts", file, "--client", String(client)], { encoding: "utf8" });
  const terms = { "what the server did": "The server did", "its response": "Its response", "the client knows": "The client knows", "next step": "It then" };
  return output.trimEnd().split("\n\n").map((block) => {
    const [policy = "", header = "", ...lines] = block.split("\n");
    const columns = Object.entries(terms)
      .map(([title, term]) => ({ term, from: header.indexOf(title) }))
      .filter(({ from }) => from >= 0);
    const attempts = lines.map((line) =>
      Object.fromEntries(columns.map(({ term, from }, i) => [term, line.slice(from, columns[i + 1]?.from).trim()])),
    );
    return { policy, attempts };
  });
}
