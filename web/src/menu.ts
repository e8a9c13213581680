// A button that opens a short list of buttons.

import { h } from "./dom";

export interface MenuItem {
  name: string;
  choose: () => void;
}

export function createMenu(name: string, items: readonly MenuItem[]): HTMLElement {
  const summary = h("summary", { class: "button" }, name);
  const details = h(
    "details",
    {
      class: "menu",
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === "Escape" && details.open) {
          event.preventDefault();
          details.open = false;
          summary.focus();
        }
      },
      onfocusout: (event: FocusEvent) => {
        if (event.relatedTarget instanceof Node && !details.contains(event.relatedTarget)) {
          details.open = false;
        }
      },
    },
    summary,
    h(
      "ul",
      null,
      items.map((item) =>
        h(
          "li",
          null,
          h(
            "button",
            {
              type: "button",
              onclick: () => {
                details.open = false;
                summary.focus();
                item.choose();
              },
            },
            item.name,
          ),
        ),
      ),
    ),
  );
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !details.contains(event.target)) {
      details.open = false;
    }
  });
  return details;
}
