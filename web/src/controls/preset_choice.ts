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
  const update = (text: string) => {
    const changed = presets.find((preset) => nameIn(preset.text) === nameIn(text));
    own.textContent = changed ? `Changed: ${changed.title}` : "Own scenario";
    select.value = presetOf(text)?.name ?? "";
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

/** The member `name` of a scenario, by which a preset is known that was changed. */
function nameIn(text: string): unknown {
  try {
    return JSON.parse(text).name;
  } catch {
    return null; // no preset's
  }
}
