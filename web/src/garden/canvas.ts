// What every canvas of the garden needs: the colours of the theme, and pixels as fine as the screen's.

const colourNames = [
  "--paper",
  "--ink",
  "--muted",
  "--line",
  "--line-strong",
  "--accent",
  "--focus",
  "--accepted",
  "--overloaded",
  "--unavailable",
  "--lost",
  "--short-circuited",
  "--acknowledged",
  "--duplicate",
  "--outage",
] as const;

/** The value of a custom property of the theme. */
export type Colours = (name: string) => string;

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const values = new Map<string, string>(colourNames.map((name) => [name, style.getPropertyValue(name).trim()]));
  return (name) => values.get(name) || "#808080";
}

/** Calls `redraw` when the page turns light or dark. */
export function onThemeChange(redraw: () => void): void {
  new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}

/** A cleared context that takes CSS pixels. */
export function prepareCanvas(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = pixelRatio();
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

export function pixelRatio(): number {
  return window.devicePixelRatio || 1;
}

/** The page's font in some size, as a canvas takes it. */
export function canvasFont(pixels: number): string {
  return `${pixels}px ${getComputedStyle(document.documentElement).fontFamily}`;
}

/** Makes of many wishes to draw one drawing in the next frame. */
export function oncePerFrame(draw: () => void): () => void {
  let isAsked = false;
  return () => {
    if (!isAsked) {
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        draw();
      });
    }
  };
}
