// Downloads: the scenario, the export, and the charts as a drawing or a picture.

import { announceVisibly } from "./announcer";
import { Cancelled, type Engine } from "./engine/types";
import { createMenu } from "./menu";
import { drawFigure } from "./results/figure";
import type { Store } from "./state";

// Sharp on fine screens, and no larger than browsers draw.
const pixelsPerUnit = 2;
const mostPixels = 16_000;

export function createDownloadMenu(store: Store, engine: Engine): HTMLElement {
  const isReady = () => {
    const { view, viewText, text } = store.state;
    if (!view || viewText !== text) {
      announceVisibly("There are no results of this scenario to download.");
      return false;
    }
    return true;
  };
  return createMenu("Download", [
    {
      name: "Scenario (JSON)",
      choose: () => save(new Blob([store.state.text], { type: "application/json" }), fileName(store, ".json")),
    },
    { name: "Export: every record (JSON)", choose: () => void (isReady() && saveExport(store, engine)) },
    { name: "Charts (SVG)", choose: () => isReady() && save(svgBlob(figureOf(store)), fileName(store, ".svg")) },
    { name: "Charts (PNG)", choose: () => void (isReady() && savePng(store)) },
  ]);
}

async function saveExport(store: Store, engine: Engine): Promise<void> {
  const name = fileName(store, "-export.json");
  announceVisibly("Writing the export");
  try {
    save(await engine.export(store.state.viewText), name);
  } catch (error) {
    announceVisibly(
      error instanceof Cancelled ? "The export was cancelled, as the scenario changed." : `No export: ${String(error)}`,
    );
  }
}

async function savePng(store: Store): Promise<void> {
  const name = fileName(store, ".png");
  const figure = figureOf(store);
  const url = URL.createObjectURL(svgBlob(figure));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    const width = figure.width.baseVal.value;
    const height = figure.height.baseVal.value;
    const scale = Math.min(pixelsPerUnit, mostPixels / Math.max(width, height));
    canvas.width = Math.floor(width * scale);
    canvas.height = Math.floor(height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => {
      if (blob) {
        save(blob, name);
      }
    }, "image/png");
  } catch {
    announceVisibly("The browser cannot draw the picture. Take the SVG instead.");
  } finally {
    URL.revokeObjectURL(url);
  }
}

function figureOf(store: Store): SVGSVGElement {
  if (!store.state.view) {
    throw new Error("there are no results to draw");
  }
  return drawFigure(store.state.view);
}

function svgBlob(figure: SVGSVGElement): Blob {
  return new Blob([new XMLSerializer().serializeToString(figure)], { type: "image/svg+xml" });
}

/** The name of the scenario, as a file can be called everywhere. */
function fileName(store: Store, ending: string): string {
  const name = String(store.state.view?.scenario.name ?? "");
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  return (plain || "scenario") + ending;
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has to get hold of it first.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
