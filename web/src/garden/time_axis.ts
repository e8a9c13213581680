// The strip of ticks above lanes and density.

import { grouped } from "../format";
import { labelDistance, labelledTicks, marginLeft, marginRight, type TimeScale } from "../time_scale";
import { canvasFont, type Colours } from "./canvas";

export const axisHeight = 24;
/** Between the clients' numbers and the first tick. */
const labelRoom = 12;

const baseline = axisHeight - 9;
const fontSize = 11;

export function paintTimeAxis(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  domain: readonly [number, number],
  width: number,
  colours: Colours,
): void {
  const left = marginLeft;
  const right = scale.left(domain[1]);
  context.font = canvasFont(fontSize);
  context.textBaseline = "alphabetic";
  context.fillStyle = colours("--muted");
  context.textAlign = "right";
  context.fillText("client", left - labelRoom, baseline);
  context.fillText("tick", right + marginRight, baseline);
  const room = width - context.measureText("tick").width - 8;
  context.textAlign = "center";
  for (const tick of labelledTicks(domain, scale, labelDistance)) {
    const label = grouped(tick);
    const x = scale.centre(tick);
    if (x + context.measureText(label).width / 2 < room) {
      context.fillText(label, x, baseline);
    }
    context.fillRect(Math.round(x), axisHeight - 5, 1, 5);
  }
  context.fillRect(left, axisHeight - 1, right - left, 1);
}

/** The number of a client, or of the first one of some, at the left of its row. */
export function paintClientNumber(
  context: CanvasRenderingContext2D,
  client: number,
  middle: number,
  colour: string,
): void {
  const label = grouped(client);
  context.font = canvasFont(label.length > 7 ? 9 : fontSize);
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(label, marginLeft - labelRoom, middle + 0.5);
}
