// The marks that occur in the lanes shown, in a few words each: what one needs to read them without the whole legend.

import { h } from "../dom";
import type { Lanes } from "../engine/types";
import { fillNames, fills, markOf, shapeNames, shapes, type Mark } from "./marks";
import { markSvg } from "./mark_svg";

export interface MarkKey {
  element: HTMLElement;
  show(lanes: Lanes): void;
}

const signSize = 18;

export function createMarkKey(): MarkKey {
  const element = h("ul", { class: "garden-key" });
  return {
    element,
    show({ attempts }) {
      const occurring = new Map<string, Mark>();
      for (const attempt of attempts) {
        const mark = markOf(attempt);
        occurring.set(`${mark.shape} ${mark.fill}`, mark);
      }
      const inOrder = shapeNames.flatMap((shape) => fillNames.map((fill) => occurring.get(`${shape} ${fill}`)));
      const marks = inOrder.filter((mark) => mark !== undefined);
      element.replaceChildren(...marks.map((mark) => h("li", null, markSvg(mark, signSize), inWords(mark))));
    },
  };
}

// That a refusal is told needs no saying.
function inWords({ shape, fill }: Mark): string {
  const { short } = shapes[shape];
  return fill === "refused" ? short : `${short}, ${fills[fill].short}`;
}
