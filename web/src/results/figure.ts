// All charts as one drawing that stands for itself: with title and legend, and with plain colours instead of those
// that only the page knows.

import { s } from "../dom";
import type { View } from "../engine/types";
import { drawChart, type Palette } from "./chart";
import { hatchPattern } from "./hatch";
import { type LegendEntry, legendEntries } from "./legend";
import { type Frame, makeFrame, panelMeaning, policiesInARow } from "./panels";
import { policyWords } from "./policy_words";
import { scenarioWords } from "./scenario_words";

const columnWidth = 520;
const gap = 32;
const margin = 28;
const headHeight = 104;
const policyHead = 44;
const captionHeight = 22;
const fontFamily = "Helvetica Neue, Helvetica, Arial, sans-serif";

export function drawFigure(view: View): SVGSVGElement {
  const palette = plainColours();
  const frame = makeFrame(view);
  const inARow = policiesInARow(view.results.length);
  const columns = view.results.map((_, index) => drawColumn(view, frame, index, palette));
  const columnHeight = Math.max(...columns.map(({ height }) => height));
  const rows = Math.ceil(columns.length / inARow);
  const width = 2 * margin + inARow * columnWidth + (inARow - 1) * gap;
  const height = headHeight + rows * (columnHeight + gap) + margin;
  return s(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      "font-family": fontFamily,
      "font-size": 12,
    },
    s("defs", null, hatchPattern(palette("--line-strong"))),
    s("rect", { width, height, fill: palette("--paper") }),
    text(margin, margin + 14, view.scenario.name ?? "RetryGarden", {
      fill: palette("--ink"),
      "font-size": 18,
      "font-weight": 600,
    }),
    text(margin, margin + 34, scenarioWords(view.scenario), { fill: palette("--muted") }),
    drawLegend(legendEntries(frame), palette),
    columns.map(({ drawing }, index) =>
      s(
        "g",
        {
          transform: `translate(${margin + (index % inARow) * (columnWidth + gap)} ${
            headHeight + Math.floor(index / inARow) * (columnHeight + gap)
          })`,
        },
        drawing,
      ),
    ),
  );
}

function drawColumn(view: View, frame: Frame, index: number, palette: Palette): { drawing: SVGElement; height: number } {
  const result = view.results[index];
  const columns = frame.columns[index];
  const drawing = s("g");
  let y = policyHead;
  if (result && columns) {
    drawing.append(
      text(0, 14, result.policy, { fill: palette("--ink"), "font-size": 14, "font-weight": 600 }),
      text(0, 31, policyWords(view.scenario, index), { fill: palette("--muted"), "font-size": 11 }),
    );
    for (const panel of frame.panels) {
      const hasTimeAxis = panel === frame.panels.at(-1);
      const meaning = panelMeaning(panel.name, columns.ticksPerColumn);
      const chart = drawChart({ frame, panel, columns, width: columnWidth, hasTimeAxis, palette, label: panel.title });
      chart.setAttribute("y", String(y + captionHeight));
      drawing.append(text(0, y + 14, `${panel.title}: ${meaning}`, { fill: palette("--ink"), "font-size": 11 }), chart);
      y += captionHeight + chart.height.baseVal.value + 6;
    }
  }
  return { drawing, height: y };
}

function drawLegend(entries: readonly LegendEntry[], palette: Palette): SVGElement {
  const legend = s("g", { transform: `translate(${margin} ${margin + 54})` });
  let x = 0;
  for (const { name, colour, kind } of entries) {
    const fill = palette(colour);
    legend.append(
      kind === "line"
        ? s("line", { x1: x, x2: x + 16, y1: -4, y2: -4, stroke: fill, "stroke-width": 1.5, "stroke-dasharray": "5 3" })
        : s("rect", { x, y: -9, width: 12, height: 10, fill }),
    );
    if (kind === "hatch") {
      legend.append(s("rect", { x, y: -9, width: 12, height: 10, fill: "url(#outage-hatch)" }));
    }
    legend.append(text(x + 21, 0, name, { fill: palette("--ink"), "font-size": 11 }));
    x += 21 + name.length * 6 + 22;
  }
  return legend;
}

function text(x: number, y: number, words: string, attributes: Record<string, string | number>): SVGTextElement {
  return s("text", { x, y, ...attributes }, words);
}

/** The colours of the theme as they are written in theme.css. */
function plainColours(): Palette {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(name).trim();
}
