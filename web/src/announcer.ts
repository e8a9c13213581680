// Tells those who listen what changed, in the one live region of the page; and, for a moment, those who look.

import { h } from "./dom";

const visibleMilliseconds = 4000;

const spoken = h("div", { class: "unseen", "aria-live": "polite", "aria-atomic": "true" });
const seen = h("div", { class: "message", "aria-hidden": "true", hidden: true });
let timer: number | undefined;

/** To be put into the page once. */
export function announcerElements(): HTMLElement[] {
  return [spoken, seen];
}

/** For what can be seen anyway. */
export function announce(text: string): void {
  spoken.textContent = text;
}

/** For what could be missed otherwise. */
export function announceVisibly(text: string): void {
  announce(text);
  seen.textContent = text;
  seen.hidden = false;
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    seen.hidden = true;
  }, visibleMilliseconds);
}
