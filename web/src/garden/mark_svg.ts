// Marks and ends of lanes as SVG, for the legend and the details of an attempt.

import { s } from "../dom";
import type { ClientState } from "../engine/types";
import { laneEnds } from "./lane_ends";
import { fills, shapes, type Mark } from "./marks";

// Half of the sign, in its own units: the widest one reaches to 1.44, and its line beyond.
const reach = 1.7;
const lineWidth = 0.26;

export function markSvg({ shape, fill }: Mark, pixels: number): SVGSVGElement {
  const { outline, colour } = shapes[shape];
  const { painted, isDotted } = fills[fill];
  return sign(
    pixels,
    painted > 0 &&
      s("path", {
        d: outline,
        fill: `var(${colour})`,
        style: painted < 1 ? `clip-path: inset(${100 * (1 - painted)}% 0 0 0)` : null,
      }),
    s("path", {
      d: outline,
      fill: "none",
      stroke: `var(${colour})`,
      "stroke-width": lineWidth,
      "stroke-linejoin": "round",
      "stroke-dasharray": isDotted ? dots(lineWidth) : null,
    }),
  );
}

export function laneEndSvg(state: ClientState, pixels: number): SVGSVGElement {
  const { strokes, colour } = laneEnds[state];
  return sign(
    pixels,
    s("path", {
      d: strokes,
      fill: "none",
      stroke: `var(${colour})`,
      "stroke-width": 1.3 * lineWidth,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}

/** The dashes of a dotted outline, for a line of this width. */
export function dots(width: number): string {
  return `${width} ${1.25 * width}`;
}

function sign(pixels: number, ...parts: Parameters<typeof s>[2][]): SVGSVGElement {
  return s(
    "svg",
    {
      class: "garden-sign",
      viewBox: `${-reach} ${-reach} ${2 * reach} ${2 * reach}`,
      width: pixels,
      height: pixels,
      "aria-hidden": "true",
    },
    ...parts,
  );
}
