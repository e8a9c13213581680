// A scenario in the address.

import { expect, test } from "vitest";
import { fragmentOf, textInFragment } from "../../src/address";
import { presets } from "../../src/presets";

test.each(presets.map(({ name, text }) => [name, text]))("the preset %s has a short address", async (name, text) => {
  expect(await fragmentOf(text)).toBe(`preset=${name}`);
  expect(await textInFragment(`#preset=${name}`)).toBe(text);
});

test.each(["", "{", "näht — ✓ 𝄞", '{"clients": 8}\n', "x".repeat(100_000)])("a text comes back as it was", async (text) => {
  const fragment = await fragmentOf(text);
  expect(fragment).toMatch(/^z=[-_A-Za-z0-9]+$/);
  expect(await textInFragment("#" + fragment)).toBe(text);
});

test("a text that is not compressed is read, too", async () => {
  expect(await textInFragment("#t=e30")).toBe("{}");
});

test.each(["", "#", "#preset=no-such", "#z=", "#z=!!!", "#z=AAAA", "#t=%", "#other=1", "#z"])(
  "%j holds no scenario",
  async (fragment) => {
    expect(await textInFragment(fragment)).toBeNull();
  },
);

test("a short address that unpacks into too much is refused", async () => {
  const fragment = await fragmentOf(" ".repeat(5_000_000));
  expect(fragment.length).toBeLessThan(10_000);
  expect(await textInFragment(fragment)).toBeNull();
});
