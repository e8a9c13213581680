// Many clients at once: rows of neighbouring clients, columns of ticks, and the darker a cell the more there is in it.

import { h } from "../dom";
import type { DensityCell, PolicyResult, Tick, View } from "../engine/types";
import { counted, grouped } from "../format";
import { lastEventTick, timeDomain, timeScale, type TimeScale } from "../time_scale";
import { oncePerFrame, onThemeChange, pixelRatio, prepareCanvas, readColours } from "./canvas";
import { measures, mostInACell, shade, shadeKey, type Measure } from "./density_shades";
import { shadeOutages } from "./outage_shading";
import { outagesOf } from "./outages";
import { axisHeight, paintClientNumber, paintTimeAxis } from "./time_axis";

export interface DensityMap {
  element: HTMLElement;
  show(view: View, result: PolicyResult): void;
  /** Marks the rows whose lanes are shown; none where these are a sample. */
  setClients(clients: { first: number; last: number } | null): void;
  setTick(tick: Tick): void;
}

const mostHeight = 264;
const mostRowHeight = 12;
const leastRowLabelDistance = 16;
const roundSteps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500];

export function createDensityMap(
  onChoose: (client: number, tick: Tick) => void,
  onRead: (words: string) => void,
): DensityMap {
  const canvas = h("canvas", { class: "density-canvas", role: "img" });
  const cursor = h("div", { class: "density-cursor" });
  const future = h("div", { class: "density-future" });
  const rows = h("div", { class: "density-rows" });
  const field = h("div", { class: "density-field" }, canvas, future, cursor, rows);
  const choice = h(
    "select",
    { onchange: () => draw() },
    Object.entries(measures).map(([value, { label }]) => h("option", { value }, label)),
  );
  const key = h("span", { class: "density-key", "aria-hidden": "true" });
  const element = h(
    "div",
    { class: "density" },
    h("p", { class: "density-head" }, h("label", null, "Shade: ", choice), key),
    field,
  );

  let shown: { view: View; result: PolicyResult } | null = null;
  let clients: { first: number; last: number } | null = null;
  let tick: Tick = 0;
  let colours = readColours();
  let scale: TimeScale = timeScale([0, 1], 0);
  let rowHeight = 1;
  let index = new Map<number, DensityCell>();

  const draw = oncePerFrame(() => {
    const width = element.clientWidth;
    const density = shown?.result.density;
    if (shown === null || density === null || density === undefined || width === 0) {
      return;
    }
    const domain = timeDomain(shown.view);
    const rowCount = Math.ceil(shown.view.scenario.clients / density.clients_per_row);
    rowHeight = Math.min(mostRowHeight, Math.max(1, Math.floor((mostHeight - axisHeight) / rowCount)));
    scale = timeScale(domain, width);
    const height = axisHeight + rowCount * rowHeight;
    const context = prepareCanvas(canvas, width, height);
    const measure = choice.value as Measure;
    const most = mostInACell(shown.view, measure);

    shadeOutages(context, outagesOf(shown.view.scenario), scale, domain, { top: axisHeight, bottom: height }, colours);
    paintCells(context, density.cells, measure, most);
    paintClients(context, rowCount, density.clients_per_row);
    paintTimeAxis(context, scale, domain, width, colours);
    const group = counted(density.clients_per_row, "client", "clients");
    canvas.setAttribute("aria-label", `${measures[measure].label} of each ${group} over time; at most ${grouped(most)} in a cell`);
    key.replaceChildren(...shadeKey(measure, most));
    place();
  });

  function paintCells(
    context: CanvasRenderingContext2D,
    cells: readonly DensityCell[],
    measure: Measure,
    most: number,
  ): void {
    const ratio = pixelRatio();
    const snap = (pixels: number): number => Math.round(pixels * ratio) / ratio;
    const columnTicks = shown!.result.ticks_per_column;
    context.fillStyle = colours(measures[measure].colour);
    for (const cell of cells) {
      if (cell[measure] > 0) {
        const left = snap(scale.left(cell.column * columnTicks));
        const right = Math.max(left + 1 / ratio, snap(scale.left((cell.column + 1) * columnTicks)));
        const top = axisHeight + cell.row * rowHeight;
        // Where columns are finer than pixels, the last one counts: cells must not add up to a darker one.
        context.clearRect(left, top, right - left, rowHeight);
        context.globalAlpha = shade(cell[measure], most);
        context.fillRect(left, top, right - left, rowHeight);
      }
    }
    context.globalAlpha = 1;
  }

  function paintClients(context: CanvasRenderingContext2D, rowCount: number, clientsPerRow: number): void {
    const apart = Math.ceil(leastRowLabelDistance / rowHeight);
    const step = roundSteps.find((each) => each >= apart) ?? apart;
    for (let row = 0; row < rowCount; row += step) {
      const middle = axisHeight + (row + 0.5) * rowHeight;
      paintClientNumber(context, row * clientsPerRow, middle, colours("--muted"));
    }
  }

  // Marks of what is chosen lie over the canvas, so that a moving cursor paints no cells.
  function place(): void {
    if (shown === null) {
      return;
    }
    const perRow = shown.result.density!.clients_per_row;
    const top = axisHeight + Math.floor((clients?.first ?? 0) / perRow) * rowHeight;
    const bottom = axisHeight + (Math.floor((clients?.last ?? 0) / perRow) + 1) * rowHeight;
    rows.hidden = clients === null;
    rows.style.transform = `translateY(${top}px)`;
    rows.style.height = `${Math.max(3, bottom - top)}px`;
    cursor.style.transform = `translateX(${Math.round(scale.centre(tick))}px)`;
    const end = scale.left(timeDomain(shown.view)[1]);
    const now = tick >= lastEventTick(shown.view) ? end : scale.left(tick + 1);
    future.style.transform = `translateX(${now}px)`;
    future.style.width = `${end - now}px`;
  }

  function find({ clientX, clientY }: MouseEvent): { row: number; column: number; tick: Tick } | null {
    const box = canvas.getBoundingClientRect();
    const row = Math.floor((clientY - box.top - axisHeight) / rowHeight);
    const at = scale.tickAt(clientX - box.left);
    return row < 0 || shown === null ? null : { row, tick: at, column: Math.floor(at / shown.result.ticks_per_column) };
  }

  function cellInWords(row: number, column: number): string {
    const { view, result } = shown!;
    const perRow = result.density!.clients_per_row;
    const last = Math.min((row + 1) * perRow, view.scenario.clients) - 1;
    const from = column * result.ticks_per_column;
    const to = from + result.ticks_per_column - 1;
    const cell = index.get(cellKey(row, column));
    const place = `Clients ${grouped(row * perRow)} to ${grouped(last)}, ${
      from === to ? `tick ${grouped(from)}` : `ticks ${grouped(from)} to ${grouped(to)}`
    }`;
    return cell === undefined
      ? `${place}: no attempt.`
      : `${place}: ${counted(cell.attempts, "attempt", "attempts")}; of them ${counted(cell.effects, "effect", "effects")}, ` +
          `${counted(cell.duplicates, "duplicate", "duplicates")}, ${grouped(cell.acknowledged)} acknowledged.`;
  }

  field.addEventListener("pointermove", (event) => {
    const at = find(event);
    onRead(at === null ? "" : cellInWords(at.row, at.column));
  });
  field.addEventListener("pointerleave", () => onRead(""));
  field.addEventListener("click", (event) => {
    const at = find(event);
    if (at !== null) {
      onChoose(at.row * shown!.result.density!.clients_per_row, at.tick);
    }
  });
  new ResizeObserver(draw).observe(element);
  onThemeChange(() => {
    colours = readColours();
    draw();
  });

  return {
    element,
    show(view, result) {
      shown = { view, result };
      index = new Map(result.density!.cells.map((cell) => [cellKey(cell.row, cell.column), cell]));
      draw();
    },
    setClients(next) {
      clients = next;
      place();
    },
    setTick(next) {
      tick = next;
      place();
    },
  };
}

function cellKey(row: number, column: number): number {
  return row * 2 ** 26 + column;
}
