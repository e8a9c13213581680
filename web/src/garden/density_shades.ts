// How dark a cell of the density is, for what is counted in it.

import { h } from "../dom";
import type { View } from "../engine/types";
import { grouped } from "../format";

export const measures = {
  attempts: { label: "attempts", colour: "--ink" },
  effects: { label: "effects", colour: "--accepted" },
  duplicates: { label: "duplicate effects", colour: "--duplicate" },
  acknowledged: { label: "acknowledgements", colour: "--acknowledged" },
} satisfies Record<string, { label: string; colour: string }>;

export type Measure = keyof typeof measures;

const mostShades = 5;
const leastShade = 0.14;

/** Of any policy, so that the same shade says the same beside each other. */
export function mostInACell({ results }: View, measure: Measure): number {
  let most = 0;
  for (const { density } of results) {
    for (const cell of density?.cells ?? []) {
      most = Math.max(most, cell[measure]);
    }
  }
  return most;
}

/** Few things in a cell must be seen beside many, so the first of them count for more. */
export function shade(value: number, most: number): number {
  return leastShade + (1 - leastShade) * (value / most) ** 0.7;
}

/** Some shades from the lightest to the darkest, between the numbers that they stand for. */
export function shadeKey(measure: Measure, most: number): (Node | string)[] {
  if (most === 0) {
    return ["none"];
  }
  const distinct = Math.min(mostShades, most);
  const boxes = Array.from({ length: distinct }, (_, number) => {
    const value = Math.max(1, Math.round(most * ((number + 1) / distinct) ** 2));
    return h("span", {
      class: "density-shade",
      style: `background: var(${measures[measure].colour}); opacity: ${shade(value, most)}`,
    });
  });
  return ["1 ", h("span", { class: "density-shades" }, boxes), ` ${grouped(most)} in a cell`];
}
