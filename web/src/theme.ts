// Light or dark: as the system has it, until somebody says otherwise. The root element always says which it is, in
// `data-theme`; index.html sets it before anything is drawn.

import { h, s } from "./dom";

const storageKey = "retrygarden-theme";

export function createThemeSwitch(): HTMLElement {
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const toggle = () => choose(isDark() ? "light" : "dark");
  const button = h("button", { type: "button", class: "button icon", onclick: toggle }, icon());
  const isDark = () => root.dataset.theme === "dark";
  const show = (theme: "light" | "dark") => {
    root.dataset.theme = theme;
    const words = theme === "dark" ? "Light theme" : "Dark theme";
    button.setAttribute("aria-label", words);
    button.title = words;
  };
  const systemTheme = () => (system.matches ? "dark" : "light");
  // A choice that is what the system has anyway is none: the page follows the system again.
  const choose = (theme: "light" | "dark") => {
    show(theme);
    store(theme === systemTheme() ? null : theme);
  };
  system.addEventListener("change", () => {
    if (stored() === null) {
      show(systemTheme());
    }
  });
  show(isDark() ? "dark" : "light");
  return button;
}

// Storage can be forbidden, for a page from disk for example; then the choice lasts as long as the page.
function stored(): string | null {
  try {
    return window.localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function store(theme: string | null): void {
  try {
    if (theme === null) {
      window.localStorage.removeItem(storageKey);
    } else {
      window.localStorage.setItem(storageKey, theme);
    }
  } catch {
    // Nothing to keep it in.
  }
}

function icon(): SVGElement {
  return s(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    s("circle", { cx: 8, cy: 8, r: 6, fill: "none", stroke: "currentColor", "stroke-width": 1.5 }),
    s("path", { d: "M8 2a6 6 0 0 1 0 12z", fill: "currentColor" }),
  );
}
