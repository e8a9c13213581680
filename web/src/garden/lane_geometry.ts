// Where lanes and marks lie in the field.

import type { Tick } from "../engine/types";
import { timeScale, type TimeScale } from "../time_scale";
import type { Lane } from "./lanes_by_client";
import { axisHeight } from "./time_axis";

const mostFieldHeight = 420;
const leastLaneHeight = 16;
const mostLaneHeight = 26;
/** Half the size of a mark: as wide as ticks allow, as high as lanes do, and never too small to be told apart. */
const radii = { least: 3.6, perTick: 0.8, perLaneHeight: 0.27 };
/** How far beside a mark the pointer may be. */
const reach = 14;

/** An attempt by its place: the number of its lane in the field, and its own in the lane. */
export interface Place {
  lane: number;
  place: number;
}

export interface LaneGeometry {
  laneHeight: number;
  radius: number;
  scale: TimeScale;
  /** Of everything, and of what is seen of it at once. */
  height: number;
  fieldHeight: number;
}

export function laneGeometry(lanes: number, width: number, ticks: readonly [Tick, Tick]): LaneGeometry {
  const share = Math.floor((mostFieldHeight - axisHeight) / lanes);
  const laneHeight = Math.min(mostLaneHeight, Math.max(leastLaneHeight, share));
  const scale = timeScale(ticks, width);
  const height = axisHeight + lanes * laneHeight;
  return {
    laneHeight,
    radius: Math.min(radii.perLaneHeight * laneHeight, Math.max(radii.least, radii.perTick * scale.step)),
    scale,
    height,
    fieldHeight: Math.min(mostFieldHeight, height),
  };
}

/** The attempt nearest to a point of the field whose lanes are scrolled up by some pixels. */
export function placeAt(
  { laneHeight, scale }: LaneGeometry,
  lanes: readonly Lane[],
  { x, y }: { x: number; y: number },
  scrolled: number,
): Place | null {
  const lane = Math.floor((y - axisHeight + scrolled) / laneHeight);
  if (y < axisHeight) {
    return null;
  }
  let found: Place | null = null;
  let nearest = reach;
  lanes[lane]?.attempts.forEach((attempt, place) => {
    const distance = Math.abs(scale.centre(attempt.tick) - x);
    if (distance <= nearest) {
      nearest = distance;
      found = { lane, place };
    }
  });
  return found;
}
