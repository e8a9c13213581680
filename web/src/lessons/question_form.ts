// The question of a lesson, to be answered before its run is seen.

import { h } from "../dom";
import type { Question } from "./lesson";

/** `answer` is called with the index of the option that was chosen. */
export function createQuestionForm({ prompt, options }: Question, answer: (option: number) => void): HTMLElement {
  const radios = options.map((_, option) => h("input", { type: "radio", name: "prediction", value: option }));
  const message = h("p", { class: "message-line", id: "prediction-message", role: "alert" });
  const fieldset = h(
    "fieldset",
    { "aria-describedby": "prediction-hint prediction-message" },
    h("legend", null, prompt),
    options.map((option, index) => h("label", { class: "option" }, radios[index], h("span", null, option))),
  );
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const chosen = radios.findIndex((radio) => radio.checked);
    if (chosen < 0) {
      message.textContent = "Choose an answer first.";
      radios[0]?.focus();
    } else {
      message.textContent = "";
      answer(chosen);
    }
  };
  return h(
    "form",
    { class: "question", onsubmit: submit, onchange: () => message.replaceChildren() },
    fieldset,
    message,
    h("button", { type: "submit", class: "button primary" }, "Show the run"),
    h("p", { class: "hint", id: "prediction-hint" }, "The results of the lesson are covered until you have answered."),
  );
}
