// Puts the page together.

import "./theme.css";
import "./layout.css";
import "./controls.css";
import "./results.css";
import { keepAddress, textInFragment } from "./address";
import { announcerElements } from "./announcer";
import { createControls } from "./controls/panel";
import { h } from "./dom";
import { createDownloadMenu } from "./downloads";
import { createEngine } from "./engine/engine";
import { acceptDroppedFiles, createOpenButton } from "./files";
import { createAttemptDetails } from "./garden/details";
import { createHistoryButtons, History } from "./history";
import { createLessons, openLessons } from "./lessons/panel";
import { presets } from "./presets";
import { storedReport } from "./report";
import { createReportNote } from "./report_note";
import { hatchForThePage } from "./results/hatch";
import { createResults } from "./results/results";
import { Runner } from "./run";
import { createShareButton } from "./share";
import { Store } from "./state";
import { createThemeSwitch } from "./theme";

async function start(): Promise<void> {
  const report = storedReport();
  // Who opens a link wants to see what it holds, whatever the file holds.
  const linked = await textInFragment(window.location.hash);
  const isReport = report !== null && linked === null;
  const store = new Store(linked ?? report?.text ?? presets[0]?.text ?? "");
  if (isReport) {
    store.update({ view: report.view, viewText: report.text });
  }
  const engine = createEngine();
  const runner = new Runner(store, engine);
  document.body.append(...createPage(store, engine, runner, isReport ? createReportNote(report, store) : null));
  keepAddress(store);
  acceptDroppedFiles(store);
  if (!isReport) {
    runner.start();
  }
}

function createPage(
  store: Store,
  engine: ReturnType<typeof createEngine>,
  runner: Runner,
  note: HTMLElement | null,
): Element[] {
  return [
    h("a", { class: "skip-link", href: "#results", onclick: skipTo("results") }, "To the results"),
    hatchForThePage(),
    h(
      "header",
      { class: "page-header" },
      h("h1", null, "RetryGarden"),
      h(
        "div",
        { class: "toolbar", role: "group", "aria-label": "Tools" },
        createHistoryButtons(new History(store)),
        h("button", { type: "button", class: "button", onclick: openLessons }, "Lessons"),
        createOpenButton(store),
        createShareButton(store),
        createDownloadMenu(store, engine),
      ),
      createThemeSwitch(),
    ),
    createLessons(store, engine),
    h(
      "div",
      { class: "page-body" },
      createControlsAside(store),
      createResults(store, engine, runner, note),
    ),
    createAttemptDetails(store, engine),
    ...announcerElements(),
  ];
}

// On a wide screen the controls are always open: the disclosure is for small ones.
function createControlsAside(store: Store): HTMLElement {
  const details = h("details", { class: "controls" }, h("summary", null, "Scenario and policies"), createControls(store));
  const wide = window.matchMedia("(min-width: 60rem)");
  const adapt = () => {
    details.open = wide.matches;
  };
  wide.addEventListener("change", adapt);
  adapt();
  return h("aside", { class: "controls-aside", "aria-label": "Controls" }, details);
}

// The fragment of the address holds the scenario, so links within the page must not change it.
function skipTo(id: string): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    document.getElementById(id)?.focus();
  };
}

void start();
