// The column of one policy: its name, its charts, and its garden. What has not changed is not drawn again.

import { h } from "../dom";
import type { PolicyResult, Tick, View } from "../engine/types";
import { counted, grouped } from "../format";
import type { Store } from "../state";
import { timeScale } from "../time_scale";
import { drawChart } from "./chart";
import { columnAt } from "./chart_columns";
import { type Frame, type Panel, panelMeaning, type PanelName } from "./panels";
import { policyWords } from "./policy_words";

export interface PolicyColumn {
  element: HTMLElement;
  show(view: View, frame: Frame): void;
  showTick(tick: Tick): void;
}

interface Figure {
  element: HTMLElement;
  title: HTMLElement;
  meaning: HTMLElement;
  reading: HTMLElement;
  drawing: HTMLElement;
  cursor: HTMLElement;
  /** What is drawn, so that the same is not drawn twice. */
  drawn: string;
}

const panelNames: readonly PanelName[] = ["load", "goodput", "queue"];

export function createPolicyColumn(store: Store, index: number, garden: HTMLElement): PolicyColumn {
  const name = h("h3", { id: `policy-${index}` });
  const words = h("p", { class: "policy-words" });
  const figures = new Map(panelNames.map((panel) => [panel, createFigure(panel)]));
  const element = h(
    "section",
    { class: "policy-column", "aria-labelledby": name.id },
    h("header", null, name, words),
    [...figures.values()].map((figure) => figure.element),
    garden,
  );
  let shown: { view: View; frame: Frame; result: PolicyResult } | null = null;
  let pointedAt: Tick | null = null;

  const draw = () => {
    const width = Math.floor(element.clientWidth);
    if (shown === null || width === 0) {
      return;
    }
    const { frame } = shown;
    const lowest = frame.panels.at(-1);
    for (const [panelName, figure] of figures) {
      const panel = frame.panels.find((candidate) => candidate.name === panelName);
      figure.element.hidden = panel === undefined;
      if (panel) {
        drawPanel(figure, panel, panel === lowest, width);
      }
    }
    showCursors();
  };

  const drawPanel = (figure: Figure, panel: Panel, hasTimeAxis: boolean, width: number) => {
    const { frame, result } = shown!;
    const columns = frame.columns[index];
    if (!columns) {
      return;
    }
    const { outages } = frame.scenario.server;
    const drawn = JSON.stringify([columns, panel, frame.domain, frame.rate, outages, width, hasTimeAxis, result.policy]);
    if (drawn === figure.drawn) {
      return;
    }
    figure.drawn = drawn;
    const meaning = panelMeaning(panel.name, columns.ticksPerColumn);
    figure.title.textContent = panel.title;
    figure.meaning.textContent = meaning + aboveWords(frame, panel);
    const label = `${panel.title} of ${result.policy}: ${meaning}. ${peakWords(panel, result)}`;
    const palette = (colour: string) => `var(${colour})`;
    figure.drawing.replaceChildren(drawChart({ frame, panel, columns, width, hasTimeAxis, palette, label }));
  };

  const showCursors = () => {
    if (shown === null) {
      return;
    }
    const { frame } = shown;
    const tick = store.state.tick;
    const scale = timeScale(frame.domain, element.clientWidth);
    for (const [panelName, figure] of figures) {
      figure.cursor.style.transform = `translateX(${scale.centre(tick)}px)`;
      figure.reading.textContent = reading(frame, index, panelName, pointedAt ?? tick);
    }
  };

  const tickUnder = (event: PointerEvent | MouseEvent): Tick | null => {
    if (shown === null || !(event.target instanceof Element) || event.target.closest(".chart-drawing") === null) {
      return null;
    }
    const left = element.getBoundingClientRect().left;
    return timeScale(shown.frame.domain, element.clientWidth).tickAt(event.clientX - left);
  };
  const pointAt = (tick: Tick | null) => {
    if (tick !== pointedAt) {
      pointedAt = tick;
      showCursors();
    }
  };
  element.addEventListener("pointermove", (event) => pointAt(tickUnder(event)));
  element.addEventListener("pointerleave", () => pointAt(null));
  // The same for the keyboard is the timeline.
  element.addEventListener("click", (event) => {
    const tick = tickUnder(event);
    if (tick !== null) {
      store.update({ tick });
    }
  });
  new ResizeObserver(draw).observe(element);

  return {
    element,
    show(view, frame) {
      const result = view.results[index];
      if (!result) {
        return;
      }
      shown = { view, frame, result };
      name.textContent = result.policy;
      words.textContent = policyWords(view.scenario, index);
      draw();
    },
    showTick: showCursors,
  };
}

function createFigure(name: PanelName): Figure {
  const title = h("span", { class: "chart-title" });
  const meaning = h("span", { class: "chart-meaning" });
  const reading = h("p", { class: "chart-reading", "aria-hidden": "true" });
  const drawing = h("div", { class: "chart-svg" });
  const cursor = h("div", { class: "cursor", "aria-hidden": "true" });
  const element = h(
    "figure",
    { class: `chart ${name}` },
    h("figcaption", null, title, " ", meaning, reading),
    h("div", { class: "chart-drawing" }, drawing, cursor),
  );
  return { element, title, meaning, reading, drawing, cursor, drawn: "" };
}

/** The numbers of the column that holds the tick. */
function reading(frame: Frame, index: number, name: PanelName, tick: Tick): string {
  const policy = frame.columns[index];
  const panel = frame.panels.find((candidate) => candidate.name === name);
  if (!policy || !panel) {
    return "";
  }
  const { ticksPerColumn } = policy;
  const from = tick - (tick % ticksPerColumn);
  const to = from + ticksPerColumn - 1;
  const when = from === to ? `tick ${grouped(tick)}` : `ticks ${grouped(from)}–${grouped(to)}`;
  const column = columnAt(policy, tick);
  switch (name) {
    case "load": {
      const parts = panel.parts
        .map((part) => ({ ...part, count: column ? Math.round(part.value(column, 1)) : 0 }))
        .filter(({ count }) => count > 0)
        .map(({ name: outcome, count }) => `${grouped(count)} ${outcome}`);
      const attempts = counted(column?.attempts ?? 0, "attempt", "attempts");
      return `${when}: ${parts.length === 0 ? attempts : parts.join(", ")}`;
    }
    case "goodput":
      return `${when}: ${grouped(column?.acknowledged ?? 0)} acknowledged`;
    case "queue":
      return `${when}: ${grouped(column?.queued ?? 0)} waiting`;
  }
}

function aboveWords({ rate }: Frame, panel: Panel): string {
  return panel.name === "load" && rate.value > panel.top ? `; the ${rate.label} is above the chart` : "";
}

function peakWords(panel: Panel, { summary }: PolicyResult): string {
  if (panel.name !== "load" || summary.peak_load.tick === null) {
    return "";
  }
  return `Most reach the server in tick ${grouped(summary.peak_load.tick)}: ${grouped(summary.peak_load.requests)}.`;
}
