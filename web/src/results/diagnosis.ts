// What an operator should notice, in the engine's sentences.

import { h } from "../dom";
import type { View } from "../engine/types";

export function createDiagnosis({ results }: View): HTMLElement {
  return h(
    "div",
    { class: "diagnosis-list" },
    results.map(({ policy, diagnosis }) =>
      h(
        "div",
        null,
        h("h4", null, policy),
        diagnosis.length === 0
          ? h("p", { class: "nothing" }, "Nothing to notice.")
          : h(
              "ul",
              null,
              diagnosis.map((sentence) => h("li", null, sentence)),
            ),
      ),
    ),
  );
}
