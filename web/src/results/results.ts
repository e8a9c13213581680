// The results: what the scenario is, a column for each policy, the timeline, the summary, and the diagnosis.

import { h } from "../dom";
import type { Engine, View } from "../engine/types";
import { createGarden } from "../garden/garden";
import { createTimeline } from "../timeline/timeline";
import type { Runner } from "../run";
import type { PageState, Store } from "../state";
import { createDiagnosis } from "./diagnosis";
import { createLegend } from "./legend";
import { makeFrame, policiesInARow } from "./panels";
import { createPolicyColumn, type PolicyColumn } from "./policy_column";
import { createRunStatus } from "./run_status";
import { scenarioWords } from "./scenario_words";
import { createSummaryTable } from "./summary_table";

/** `note` stands above everything, for what is to be known of these results. */
export function createResults(store: Store, engine: Engine, runner: Runner, note: HTMLElement | null): HTMLElement {
  const name = h("h2");
  const facts = h("p", { class: "facts" });
  const description = h("p", { class: "description" });
  const legend = h("div");
  const grid = h("div", { class: "policy-grid" });
  const summary = h("div", { class: "table-scroll", role: "region", "aria-labelledby": "summary-title", tabindex: 0 });
  const diagnosis = h("div");
  const views = h("div", { class: "views" }, legend, grid, createTimeline(store, engine));
  const body = h(
    "div",
    { class: "results-body", hidden: true },
    h("div", { class: "scenario-head" }, name, facts, description),
    views,
    h(
      "div",
      { class: "findings" },
      h("section", null, h("h3", { id: "summary-title", class: "label" }, "Summary"), summary),
      h(
        "section",
        { "aria-labelledby": "diagnosis-title" },
        h("h3", { id: "diagnosis-title", class: "label" }, "Diagnosis"),
        diagnosis,
      ),
    ),
  );

  // A garden subscribes to the store once and for all, so columns are kept and used again.
  const columns: PolicyColumn[] = [];
  const columnsFor = (count: number): PolicyColumn[] => {
    while (columns.length < count) {
      const index = columns.length;
      columns.push(createPolicyColumn(store, index, createGarden(store, engine, index)));
    }
    return columns.slice(0, count);
  };

  let shownColumns = 0;
  // Whether what there is to say of a tick takes more than a row.
  const adapt = () => {
    const columnsInARow = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
    views.classList.toggle("has-rows", shownColumns > columnsInARow);
  };
  new ResizeObserver(adapt).observe(grid);
  const showView = (view: View) => {
    const { scenario } = view;
    const frame = makeFrame(view);
    name.textContent = scenario.name ?? "Scenario without a name";
    facts.textContent = scenarioWords(scenario);
    description.textContent = scenario.description ?? "";
    description.hidden = !scenario.description;
    legend.replaceChildren(createLegend(frame));
    const used = columnsFor(view.results.length);
    if (shownColumns !== used.length) {
      shownColumns = used.length;
      grid.style.setProperty("--in-a-row", String(policiesInARow(used.length)));
      adapt();
      grid.replaceChildren(...used.map((column) => column.element));
    }
    body.hidden = false;
    for (const column of used) {
      column.show(view, frame);
    }
    summary.replaceChildren(createSummaryTable(view));
    diagnosis.replaceChildren(createDiagnosis(view));
  };

  const showState = (state: Readonly<PageState>) => {
    body.classList.toggle("is-stale", state.text !== state.viewText || state.running !== null);
  };
  store.subscribe((state, before) => {
    if (state.view !== before.view && state.view) {
      showView(state.view);
    }
    if (state.tick !== before.tick) {
      for (const column of columns) {
        column.showTick(state.tick);
      }
    }
    showState(state);
  });
  if (store.state.view) {
    showView(store.state.view);
  }
  return h("main", { id: "results", class: "results", tabindex: -1 }, note, createRunStatus(store, runner), body);
}
