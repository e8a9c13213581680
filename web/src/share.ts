// Copies a link to the scenario as it is.

import { fragmentOf } from "./address";
import { announceVisibly } from "./announcer";
import { h } from "./dom";
import type { Store } from "./state";

export function createShareButton(store: Store): HTMLElement {
  const copy = async () => {
    const address = new URL(window.location.href);
    address.hash = await fragmentOf(store.state.text);
    try {
      await navigator.clipboard.writeText(address.href);
      announceVisibly("Link copied. It holds the whole scenario.");
    } catch {
      announceVisibly("The browser does not let the page copy. The address of the page is the link.");
    }
  };
  return h("button", { type: "button", class: "button", onclick: () => void copy() }, "Copy link");
}
