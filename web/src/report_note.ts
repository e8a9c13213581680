// Says that the results are those that are stored in the file, for as long as they are shown.

import { h } from "./dom";
import type { Report } from "./report";
import type { Store } from "./state";

export function createReportNote({ view }: Report, store: Store): HTMLElement {
  const sampled = view.results.some(({ density }) => density !== null);
  const sample = sampled ? " The garden shows a sample of the clients." : "";
  const note = h("p", { class: "report-note" }, `Report: results stored in this file.${sample}`);
  store.subscribe((state) => {
    note.hidden = state.view !== view;
  });
  return note;
}
