// One attempt opened: what arrived, what the server did, what the client learned and decided, and why its next attempt
// falls where it does.

import "./garden.css";
import { h, s } from "../dom";
import { Cancelled, type Attempt, type ClientRecord, type Engine, type Explanation, type ScenarioJson } from "../engine/types";
import { grouped } from "../format";
import type { PageState, Store } from "../state";
import { attemptInWords } from "./attempt_in_words";
import { attemptTable, course, reason } from "./details_parts";
import { laneEnds } from "./lane_ends";
import { laneEndSvg, markSvg } from "./mark_svg";
import { markOf } from "./marks";

const cross = "M2,2L10,10M10,2L2,10";

type Selection = NonNullable<PageState["selected"]>;

export function createAttemptDetails(store: Store, engine: Engine): HTMLElement {
  const title = h("h2", { id: "attempt-details-title", tabindex: -1 });
  const policyName = h("p", { class: "details-policy" });
  const sign = h("span", { class: "details-sign" });
  const body = h("div", { class: "details-body" });
  const announcement = h("p", { class: "unseen", "aria-live": "polite" });
  const previous = h("button", { class: "button", type: "button", onclick: () => step(-1) }, "Previous attempt");
  const next = h("button", { class: "button", type: "button", onclick: () => step(1) }, "Next attempt");
  const element = h(
    "section",
    { class: "attempt-details", role: "dialog", "aria-labelledby": title.id, hidden: true },
    h(
      "div",
      { class: "details-head" },
      sign,
      h("div", null, title, policyName),
      h(
        "button",
        { class: "button details-close", type: "button", "aria-label": "Close", title: "Close", onclick: close },
        s("svg", { viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" }, s("path", { d: cross })),
      ),
    ),
    body,
    h("div", { class: "details-steps" }, previous, next),
    announcement,
  );

  let opener: HTMLElement | null = null;
  let latest = 0;
  let attempts = 0;

  function close(): void {
    store.update({ selected: null });
  }

  function step(by: number): void {
    const { selected } = store.state;
    const attempt = (selected?.attempt ?? 0) + by;
    if (selected !== null && attempt >= 1 && attempt <= attempts) {
      store.update({ selected: { ...selected, attempt } });
    }
  }

  // Who opens an attempt from the garden is taken here and, in the end, back to where they were. An attempt that
  // something else opens takes nobody away from what they do.
  function showOrHide(selected: Selection | null): void {
    if (selected === null) {
      const wasInside = element.contains(document.activeElement);
      element.hidden = true;
      ++latest;
      if (wasInside) {
        opener?.focus();
      }
      opener = null;
      return;
    }
    element.hidden = false;
    const field = document.activeElement?.closest<HTMLElement>(".garden-field");
    void fill(selected).then(() => {
      if (field) {
        opener = field;
        title.focus({ preventScroll: true });
      }
    });
  }

  async function fill(selected: Selection): Promise<void> {
    const call = ++latest;
    const { view, viewText } = store.state;
    const { policy, client, attempt } = selected;
    const result = view?.results[policy];
    if (view === null || result === undefined || client >= view.scenario.clients) {
      close();
      return;
    }
    element.setAttribute("aria-busy", "true");
    try {
      const isHere = result.lanes.complete && result.lanes.clients.some((each) => each.client === client);
      const lanes = isHere ? result.lanes : await engine.lanes(viewText, policy, client, client);
      const own = lanes.attempts.filter((each) => each.client === client);
      if (call === latest && own.length < attempt && lanes.complete) {
        close();
        return;
      }
      const explanation = await engine.explain(viewText, policy, client, attempt);
      if (call === latest) {
        policyName.textContent = result.policy;
        const record = lanes.clients.find((each) => each.client === client)!;
        showExplanation(view.scenario, selected, explanation, own, record);
      }
    } catch (error) {
      if (call === latest && !(error instanceof Cancelled)) {
        title.textContent = `Client ${grouped(client)}, attempt ${grouped(attempt)}`;
        body.replaceChildren(h("p", { role: "alert" }, "This attempt could not be explained."));
      }
    } finally {
      if (call === latest) {
        element.removeAttribute("aria-busy");
      }
    }
  }

  function showExplanation(
    scenario: ScenarioJson,
    selected: Selection,
    explanation: Explanation,
    own: readonly Attempt[],
    client: ClientRecord,
  ): void {
    const { attempt } = explanation;
    const service: number = scenario.server.service_ticks;
    attempts = client.attempts;
    sign.replaceChildren(markSvg(markOf(attempt), 34));
    title.textContent = `Client ${grouped(attempt.client)}, attempt ${grouped(attempt.attempt)}`;
    previous.setAttribute("aria-disabled", String(attempt.attempt <= 1));
    next.setAttribute("aria-disabled", String(attempt.attempt >= attempts));
    body.replaceChildren(
      course(scenario, selected.policy, explanation),
      ...reason(scenario, selected.policy, explanation),
      h("h3", { class: "label" }, "All attempts of this client"),
      attemptTable(own, client.attempts, attempt, service, (number) => step(number - attempt.attempt)),
      h(
        "p",
        { class: "details-end" },
        laneEndSvg(client.state, 20),
        `In the end the client ${laneEnds[client.state].meaning}.`,
      ),
    );
    announcement.textContent = attemptInWords(attempt, client, service);
    body.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("keydown", (event) => {
    // Fields have a use for the key of their own.
    const isInField = (event.target as Element).closest("input, select, textarea") !== null;
    if (event.key === "Escape" && !element.hidden && !event.defaultPrevented && !isInField) {
      close();
    }
  });
  store.subscribe((state, before) => {
    if (state.selected !== before.selected) {
      showOrHide(state.selected);
    } else if (state.view !== before.view && state.selected !== null) {
      void fill(state.selected);
    }
  });
  return element;
}
