// Two or more views of the same thing, of which one is shown.

import { h, setAttribute } from "../dom";

export interface Tab {
  name: string;
  content: HTMLElement;
}

export function createTabs(label: string, tabs: readonly Tab[]): HTMLElement {
  const buttons = tabs.map(({ name }, i) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: tabId(name),
        "aria-controls": panelId(name),
        onclick: () => choose(i),
        onkeydown: (event: KeyboardEvent) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            const next = (i + step + tabs.length) % tabs.length;
            choose(next);
            buttons[next]?.focus();
          }
        },
      },
      name,
    ),
  );
  const panels = tabs.map(({ name, content }) =>
    h("div", { role: "tabpanel", id: panelId(name), "aria-labelledby": tabId(name) }, content),
  );
  const choose = (chosen: number) => {
    for (const [i, button] of buttons.entries()) {
      setAttribute(button, "aria-selected", String(i === chosen));
      setAttribute(button, "tabindex", i === chosen ? 0 : -1);
    }
    for (const [i, panel] of panels.entries()) {
      panel.hidden = i !== chosen;
    }
  };
  choose(0);
  return h("div", { class: "tabs" }, h("div", { role: "tablist", "aria-label": label }, buttons), panels);
}

function tabId(name: string): string {
  return "tab-" + name.toLowerCase();
}

function panelId(name: string): string {
  return "tabpanel-" + name.toLowerCase();
}
