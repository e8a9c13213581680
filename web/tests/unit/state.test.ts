// The store that the parts of the page share.

import { expect, test, vi } from "vitest";
import { Store } from "../../src/state";

test("all are told of one change before they are told of the next", () => {
  const store = new Store("a");
  const seen: string[] = [];
  store.subscribe(({ text }) => {
    seen.push(`first ${text}`);
    if (text === "b") {
      store.update({ text: "c" });
    }
  });
  store.subscribe(({ text }, before) => seen.push(`second ${before.text} to ${text}`));
  store.update({ text: "b" });
  expect(seen).toEqual(["first b", "second a to b", "first c", "second b to c"]);
});

test("a change that changes nothing is none", () => {
  const store = new Store("a");
  const subscriber = vi.fn();
  store.subscribe(subscriber);
  store.update({ text: "a", tick: 0 });
  expect(subscriber).not.toHaveBeenCalled();
});

test("a subscription ends", () => {
  const store = new Store("a");
  const subscriber = vi.fn();
  const end = store.subscribe(subscriber);
  end();
  store.update({ tick: 1 });
  expect(subscriber).not.toHaveBeenCalled();
});

test("what goes wrong in one subscriber is reported, and the others are told", () => {
  const report = vi.fn();
  vi.stubGlobal("reportError", report);
  const store = new Store("a");
  const subscriber = vi.fn();
  store.subscribe(() => {
    throw new Error("broken");
  });
  store.subscribe(subscriber);
  store.update({ tick: 1 });
  expect(report).toHaveBeenCalledOnce();
  expect(subscriber).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});
