// Outages as shaded, hatched bands behind what happens in them.

import type { Tick } from "../engine/types";
import type { TimeScale } from "../time_scale";
import type { Colours } from "./canvas";
import type { Outage } from "./outages";

const hatchDistance = 7;

/** Where outages overlap, the band is as dark as elsewhere. */
export function shadeOutages(
  context: CanvasRenderingContext2D,
  outages: readonly Outage[],
  scale: TimeScale,
  [begin, end]: readonly [Tick, Tick],
  { top, bottom }: { top: number; bottom: number },
  colours: Colours,
): void {
  const bands = new Path2D();
  for (const { from, ticks } of outages) {
    if (from < end && from + ticks > begin) {
      const left = scale.left(Math.max(begin, from));
      bands.rect(left, top, Math.max(1, scale.left(Math.min(end, from + ticks)) - left), bottom - top);
    }
  }
  context.save();
  context.clip(bands);
  context.fillStyle = colours("--outage");
  context.fillRect(0, top, scale.left(end), bottom - top);
  context.strokeStyle = colours("--line-strong");
  context.globalAlpha = 0.28;
  context.lineWidth = 0.75;
  context.beginPath();
  for (let x = top - bottom; x < scale.left(end); x += hatchDistance) {
    context.moveTo(x, bottom);
    context.lineTo(x + bottom - top, top);
  }
  context.stroke();
  context.restore();
}
