// Says what goes on where it takes a while, and when the results are not those of the scenario as it is.

import { h } from "../dom";
import { showFault } from "../controls/show_fault";
import { counted, grouped } from "../format";
import { items, member, numberOf } from "../json/document";
import { parseJson } from "../json/parse";
import type { Runner } from "../run";
import type { PageState, Store } from "../state";

// A run that is over before is not worth a word.
const patienceMilliseconds = 300;

export function createRunStatus(store: Store, runner: Runner): HTMLElement {
  const words = h("p");
  const bar = h("progress", { "aria-label": "Progress of the run" });
  const cancel = h("button", { type: "button", class: "button", onclick: () => runner.cancel() }, "Cancel");
  const again = h("button", { type: "button", class: "button", onclick: () => runner.start() }, "Run");
  const show = h("button", { type: "button", class: "button", onclick: showFault }, "Show");
  const element = h("div", { class: "run-status", hidden: true }, words, bar, cancel, again, show);
  let isLong = false;
  let timer: number | undefined;

  const update = (state: Readonly<PageState>) => {
    const isRunning = state.running !== null;
    const isFaulty = state.faults.length > 0;
    element.hidden = !(isRunning ? isLong : runner.wasCancelled || isFaulty);
    bar.hidden = cancel.hidden = !isRunning;
    again.hidden = isRunning || isFaulty;
    show.hidden = isRunning || !isFaulty;
    words.textContent = isRunning ? progressWords(state) : staleWords(state);
    showProgress(bar, state);
  };
  store.subscribe((state, before) => {
    if (state.running !== null && before.running === null) {
      isLong = false;
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        isLong = true;
        update(store.state);
      }, patienceMilliseconds);
    }
    if (state.running !== before.running || state.faults !== before.faults || state.viewText !== before.viewText) {
      update(state);
    }
  });
  return element;
}

function progressWords({ running, view, text }: Readonly<PageState>): string {
  if (running === null || running === "starting") {
    return "Starting";
  }
  const { policies } = extentOf(text);
  const of = policies > 1 ? `policy ${running.policy + 1} of ${policies}, ` : "";
  const kept = view ? " The results below are those of the run before." : "";
  return `Running: ${of}tick ${grouped(running.tick)}, ${counted(running.attempts, "attempt", "attempts")}.${kept}`;
}

function staleWords({ view, faults }: Readonly<PageState>): string {
  const why = faults.length > 0 ? `The scenario has ${counted(faults.length, "fault", "faults")}.` : "Cancelled.";
  return view ? `${why} The results below are those of the scenario before.` : why;
}

// How far the run is in its ticks is known; how long they take is not.
function showProgress(bar: HTMLProgressElement, { running, text }: Readonly<PageState>): void {
  if (running === null || running === "starting") {
    bar.removeAttribute("value");
    return;
  }
  const { policies, horizon } = extentOf(text);
  bar.value = (running.policy + running.tick / horizon) / policies;
}

function extentOf(text: string): { policies: number; horizon: number } {
  const scenario = parseJson(text) ?? undefined;
  return {
    policies: items(member(scenario, "policies")).length,
    horizon: numberOf(member(scenario, "horizon")) ?? 1,
  };
}
