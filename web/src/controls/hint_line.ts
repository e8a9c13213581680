// One line at the foot of the controls that shows the hint of the field that has the focus, or is pointed at. Each
// hint also belongs to its field as a description, so this line is for eyes only.

import { h } from "../dom";

const idle = "Point at a field, or go to it, to read what it means.";

export function createHintLine(form: HTMLElement): HTMLElement {
  const line = h("p", { class: "hint-line", "aria-hidden": "true" }, idle);
  const show = (event: Event) => {
    const field = event.target instanceof Element ? event.target.closest(".field") : null;
    const focused = form.contains(document.activeElement) ? document.activeElement?.closest(".field") : null;
    line.textContent = (field ?? focused)?.querySelector(".hint")?.textContent || idle;
  };
  form.addEventListener("focusin", show);
  form.addEventListener("pointerover", show);
  return line;
}
