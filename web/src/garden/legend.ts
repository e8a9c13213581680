// What the marks mean, in words, from the tables by which they are drawn.

import { h } from "../dom";
import { clientStates, laneEnds } from "./lane_ends";
import { exampleFill, exampleShape, fillNames, fills, shapeNames, shapes } from "./marks";
import { laneEndSvg, markSvg } from "./mark_svg";

const signSize = 22;

export function createLegend(): HTMLElement {
  return h(
    "details",
    { class: "garden-legend" },
    h("summary", null, "What the marks mean"),
    h(
      "div",
      { class: "garden-legend-parts" },
      part(
        "Shape: the server …",
        shapeNames.map((shape) =>
          entry(markSvg({ shape, fill: exampleFill(shape) }, signSize), shapes[shape].form, shapes[shape].meaning),
        ),
      ),
      part(
        "Fill: the client …",
        fillNames.map((fill) =>
          entry(markSvg({ shape: exampleShape(fill), fill }, signSize), fills[fill].form, fills[fill].meaning),
        ),
      ),
      part(
        "End of the lane: the client …",
        clientStates.map((state) => entry(laneEndSvg(state, signSize), laneEnds[state].short, laneEnds[state].meaning)),
      ),
      part(
        "Lines",
        lines.map(({ sign, form, meaning }) => entry(h("span", { class: `garden-line ${sign}` }), form, meaning)),
      ),
    ),
  );
}

const lines = [
  { sign: "is-waiting", form: "dotted", meaning: "the client waits for the response" },
  { sign: "is-delay", form: "solid", meaning: "the client waits before it sends again" },
  { sign: "is-queue", form: "thin, below", meaning: "the request waits in the server's queue" },
  { sign: "is-service", form: "thick, below", meaning: "the server works on the request" },
  { sign: "is-outage", form: "hatched", meaning: "an outage of the server" },
  { sign: "is-cursor", form: "upright", meaning: "the tick of the time line; what comes later is pale" },
] as const;

function part(title: string, entries: HTMLElement[]): HTMLElement {
  return h("div", null, h("p", { class: "label" }, title), h("ul", null, entries));
}

function entry(sign: Element, form: string, meaning: string): HTMLElement {
  return h("li", null, sign, h("span", null, h("b", null, form), " ", meaning));
}
