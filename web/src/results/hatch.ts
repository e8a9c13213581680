// The hatching of outages, so that they can be told from anything else that is shaded.

import { s } from "../dom";

export function hatchPattern(stroke: string): SVGElement {
  return s(
    "pattern",
    { id: "outage-hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    s("line", { x1: 0, x2: 0, y1: 0, y2: 7, stroke, "stroke-width": 1.2, "stroke-opacity": 0.3 }),
  );
}

/** For the whole page: the pattern is found by its name wherever it is. */
export function hatchForThePage(): SVGElement {
  const definitions = s("defs", null, hatchPattern("var(--line-strong)"));
  return s("svg", { width: 0, height: 0, class: "unseen", "aria-hidden": "true" }, definitions);
}
