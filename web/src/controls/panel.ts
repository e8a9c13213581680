// The controls: preset, then the scenario as a form or as text. A text that holds no object has no fields; then the
// form shows the last one, is out of use, and says why.

import { h } from "../dom";
import type { JsonValue } from "../json/document";
import { parseJson } from "../json/parse";
import type { Store } from "../state";
import { createForm } from "./form";
import { createHintLine } from "./hint_line";
import { createPresetChoice } from "./preset_choice";
import { createTabs } from "./tabs";
import { createTextView } from "./text_view";

export function createControls(store: Store): HTMLElement {
  const form = createForm(store);
  const textView = createTextView(store);
  const notJson = h("p", { class: "fault not-json", hidden: true });
  const legend = h("legend", { class: "unseen" }, "Scenario as a form");
  const fields = h("fieldset", { class: "whole-form" }, legend, form.element);
  let lastScenario: JsonValue = { type: "object", at: 0, members: [] };
  const update = () => {
    const { text, faults } = store.state;
    textView.update(text, faults);
    const scenario = parseJson(text);
    const isObject = scenario?.type === "object";
    fields.disabled = !isObject;
    notJson.hidden = isObject;
    if (isObject) {
      lastScenario = scenario;
      form.update(scenario, faults);
    } else {
      form.update(lastScenario, []);
      notJson.textContent = `The text holds no scenario, so there are no fields to change. ${faults[0]?.text ?? ""}`;
    }
  };
  store.subscribe((state, before) => {
    if (state.text !== before.text || state.faults !== before.faults) {
      update();
    }
  });
  update();
  return h(
    "div",
    { class: "controls-body" },
    createPresetChoice(store),
    createTabs("How the scenario is shown", [
      {
        name: "Form",
        content: h(
          "div",
          { class: "form-tab" },
          h("div", { class: "form-scroll" }, notJson, fields),
          createHintLine(form.element),
        ),
      },
      { name: "Text", content: textView.element },
    ]),
  );
}
