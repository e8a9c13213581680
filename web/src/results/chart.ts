// Draws a panel of a policy.

import * as Plot from "@observablehq/plot";
import type { LoadColumn } from "../engine/types";
import { rate } from "../format";
import { labelDistance, labelledTicks, marginLeft, marginRight, timeScale } from "../time_scale";
import type { ChartColumns } from "./chart_columns";
import type { Frame, Panel } from "./panels";

/** The value of a custom property of the theme: `var(…)` in the page, the plain colour in a file. */
export type Palette = (name: string) => string;

export interface ChartOptions {
  frame: Frame;
  panel: Panel;
  columns: ChartColumns;
  width: number;
  /** Whether the ticks of the time axis are labelled. */
  hasTimeAxis: boolean;
  palette: Palette;
  label: string;
}

// The load has room above it for what the outages are.
const marginTop = { load: 20, goodput: 6, queue: 6 };
const axisHeight = 20;
const letterWidth = 8;
// Narrower columns have no gaps in between, and are drawn as one area.
const leastBarPixels = 3;
const outageWords: Record<string, string> = { refuse: "down", hang: "hangs", crash: "crashed" };

export function drawChart(options: ChartOptions): SVGSVGElement {
  const { frame, panel, width, hasTimeAxis, palette, label } = options;
  const scale = timeScale(frame.domain, width);
  const marginBottom = hasTimeAxis ? axisHeight : 4;
  const svg = Plot.plot({
    width,
    height: marginTop[panel.name] + panel.height + marginBottom,
    marginLeft,
    marginRight,
    marginTop: marginTop[panel.name],
    marginBottom,
    style: { fontSize: "11px", background: "none", color: palette("--muted"), overflow: "visible" },
    x: { type: "linear", domain: frame.domain, axis: null },
    y: { type: "linear", domain: [0, panel.top], axis: null },
    marks: [
      outageMarks(options),
      Plot.gridY(valueTicks(panel), { stroke: palette("--line"), strokeOpacity: 1 }),
      Plot.axisY(valueTicks(panel), { tickSize: 0, label: null, tickFormat: axisNumber, tickPadding: 6 }),
      barMarks(options, scale.step),
      panel.name === "load" ? capacityMarks(options) : [],
      Plot.ruleY([0], { stroke: palette("--line-strong") }),
      hasTimeAxis ? timeAxis(options) : null,
    ],
  });
  // Plot draws in an SVG, as long as it is asked for no legend.
  const drawing = svg as SVGSVGElement;
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", label);
  // The whole drawing has a name; those that Plot gives to its parts are of no use to anybody.
  for (const part of drawing.querySelectorAll("[aria-label]")) {
    part.removeAttribute("aria-label");
  }
  return drawing;
}

function outageMarks({ frame, panel, palette, width }: ChartOptions): Plot.Markish[] {
  const end = frame.domain[1];
  const scale = timeScale(frame.domain, width);
  const outages = (frame.scenario.server.outages as { from: number; ticks: number; kind: string }[])
    .filter(({ from }) => from < end)
    .map(({ from, ticks, kind }) => ({ from, to: Math.min(end, from + ticks), words: outageWords[kind] ?? kind }));
  const area = { x1: "from", x2: "to", y1: 0, y2: panel.top };
  return [
    Plot.rect(outages, { ...area, fill: palette("--outage") }),
    Plot.rect(outages, { ...area, fill: "url(#outage-hatch)" }),
    panel.name === "load"
      ? Plot.text(withRoom(outages, scale.step), {
          x: "from",
          y: panel.top,
          text: "words",
          textAnchor: "start",
          lineAnchor: "bottom",
          dy: -4,
          fill: palette("--muted"),
        })
      : null,
  ];
}

/** Those whose words do not run into the words before. */
function withRoom<Outage extends { from: number; words: string }>(outages: readonly Outage[], step: number): Outage[] {
  let end = -Infinity;
  return [...outages]
    .sort((a, b) => a.from - b.from)
    .filter(({ from, words }) => {
      const hasRoom = from * step > end;
      end = hasRoom ? from * step + words.length * letterWidth : end;
      return hasRoom;
    });
}

// A label stands below the middle of its tick.
function timeAxis({ frame, width }: ChartOptions): Plot.Markish {
  const ticks = labelledTicks(frame.domain, timeScale(frame.domain, width), labelDistance);
  const middles = ticks.map((tick) => tick + 0.5);
  return Plot.axisX(middles, { tickSize: 4, label: null, tickFormat: (middle: number) => axisNumber(middle - 0.5) });
}

function barMarks({ panel, columns: { columns, ticksPerColumn }, palette }: ChartOptions, step: number): Plot.Markish[] {
  const below = new Array<number>(columns.length).fill(0);
  const isWide = step * ticksPerColumn >= leastBarPixels;
  return panel.parts.map(({ colour, value }) => {
    const bars = columns.map((column: LoadColumn, i) => {
      const y1 = below[i] ?? 0;
      const y2 = y1 + value(column, ticksPerColumn);
      below[i] = y2;
      return { x1: column.tick, x2: column.tick + ticksPerColumn, y1, y2 };
    });
    if (bars.every(({ y1, y2 }) => y1 === y2)) {
      return null;
    }
    const fill = palette(colour);
    if (isWide) {
      const seen = bars.filter(({ y1, y2 }) => y2 > y1);
      return Plot.rect(seen, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill, insetLeft: 0.5, insetRight: 0.5 });
    }
    const last = bars.at(-1);
    const steps = last ? [...bars, { ...last, x1: last.x2 }] : bars;
    return Plot.areaY(steps, { x: "x1", y1: "y1", y2: "y2", fill, curve: "step-after" });
  });
}

function capacityMarks({ frame, panel, palette }: ChartOptions): Plot.Markish[] {
  const { value } = frame.rate;
  return value === 0 || value > panel.top
    ? []
    : [Plot.ruleY([value], { stroke: palette("--capacity"), strokeWidth: 1.25, strokeDasharray: "5 3" })];
}

/** Whole numbers where there are such, at most five. */
function valueTicks({ top, height }: Panel): number[] {
  const most = height > 100 ? 5 : 3;
  const power = 10 ** Math.floor(Math.log10(top / most));
  const step = ([1, 2, 5].find((factor) => factor * power * most >= top) ?? 10) * power;
  const whole = top >= 1 ? Math.max(1, step) : step;
  const ticks: number[] = [];
  for (let tick = 0; tick <= top; tick += whole) {
    ticks.push(tick);
  }
  return ticks;
}

const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

function axisNumber(value: number): string {
  return value < 100_000 ? rate(value) : short.format(value);
}
