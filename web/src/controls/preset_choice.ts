// A preset to start from.

import { h } from "../dom";
import { presetOf, presets } from "../presets";
import { endOfRun, type Store } from "../state";

export function createPresetChoice(store: Store): HTMLElement {
  const own = h("option", { value: "", disabled: true });
  const select = h(
    "select",
    {
      id: "preset",
      onchange: () => {
        const preset = presets.find(({ name }) => name === select.value);
        if (preset) {
          store.update({ text: preset.text, tick: endOfRun, selected: null });
        }
      },
    },
    own,
    presets.map(({ name, title }) => h("option", { value: name }, title)),
  );
  // The preset that was changed into what there is now stays visible.
  let last = "";
  const update = (text: string) => {
    const preset = presetOf(text);
    last = preset?.title ?? last;
    own.textContent = last ? `Changed: ${last}` : "Own scenario";
    select.value = preset?.name ?? "";
  };
  store.subscribe((state, before) => {
    if (state.text !== before.text) {
      update(state.text);
    }
  });
  update(store.state.text);
  return h(
    "div",
    { class: "field preset" },
    h("label", { for: "preset" }, "Preset"),
    h("div", { class: "entry" }, select),
  );
}
