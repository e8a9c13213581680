// Paints the lanes that can be seen: one client a lane, ticks from left to right.

import type { Attempt, Tick } from "../engine/types";
import { labelDistance, labelledTicks, marginRight, type TimeScale } from "../time_scale";
import { acknowledgedTick, asOf, dueTick } from "./as_of";
import type { Colours } from "./canvas";
import type { Lane } from "./lanes_by_client";
import { markOf } from "./marks";
import type { MarkSprites } from "./mark_sprites";
import { shadeOutages } from "./outage_shading";
import { crashAfter, type Outage } from "./outages";
import { axisHeight, paintClientNumber, paintTimeAxis } from "./time_axis";

export interface LanesPicture {
  lanes: readonly Lane[];
  laneHeight: number;
  radius: number;
  scale: TimeScale;
  /** The ticks that can be seen: the first, and the first one behind them. */
  domain: readonly [Tick, Tick];
  width: number;
  height: number;
  /** How far the lanes are scrolled up. */
  scrolled: number;
  outages: readonly Outage[];
  serviceTicks: number;
  /** Where the cursor stands; what comes later is dimmed. */
  tick: Tick;
  /** Whether nothing comes later. */
  isTickLast: boolean;
  /** The attempt under the pointer or the keyboard's focus, and the one whose details are open. */
  pointed: Attempt | null;
  focused: Attempt | null;
  selected: Attempt | null;
}

const futureAlpha = 0.28;
/** From the last tick to the sign at the end of a lane. */
const endSignRoom = 10;

export function paintLanes(
  context: CanvasRenderingContext2D,
  picture: LanesPicture,
  sprites: MarkSprites,
  colours: Colours,
): void {
  const { lanes, laneHeight, domain, width, height, scrolled } = picture;
  const laneTop = (index: number): number => axisHeight + index * laneHeight - scrolled;
  const first = Math.max(0, Math.floor(scrolled / laneHeight));
  const last = Math.min(lanes.length - 1, Math.floor((scrolled + height - axisHeight) / laneHeight));
  const bottom = Math.min(height, laneTop(lanes.length));

  context.clearRect(0, 0, width, height);
  paintGrid(context, picture, bottom, colours);
  context.save();
  context.beginPath();
  context.rect(0, axisHeight, width, height - axisHeight);
  context.clip();
  for (let index = first; index <= last; ++index) {
    const lane = lanes[index]!;
    paintLaneGround(context, picture, lane, laneTop(index), colours);
    const middle = laneTop(index) + laneHeight / 2;
    paintInTime(context, picture, (known) => {
      for (const attempt of lane.attempts) {
        const seen = known(attempt);
        if (seen !== null && attempt.tick < domain[1] && courseEnd(attempt, picture.serviceTicks) >= domain[0]) {
          paintCourse(context, picture, seen, middle, colours);
        }
      }
    });
    paintMarks(context, picture, lane, middle, sprites, colours);
  }
  context.restore();
  paintTimeAxis(context, picture.scale, picture.domain, width, colours);
  paintCursor(context, picture, bottom, colours);
}

function paintGrid(context: CanvasRenderingContext2D, picture: LanesPicture, bottom: number, colours: Colours): void {
  const { scale, domain, outages } = picture;
  shadeOutages(context, outages, scale, domain, { top: axisHeight, bottom }, colours);
  context.fillStyle = colours("--line");
  for (const tick of labelledTicks(domain, scale, labelDistance)) {
    context.fillRect(Math.round(scale.centre(tick)), axisHeight, 1, bottom - axisHeight);
  }
}

// The row that has the reader's attention, the client's number, and how its lane ends.
function paintLaneGround(
  context: CanvasRenderingContext2D,
  { laneHeight, scale, domain, pointed, focused, selected }: LanesPicture,
  { client: { client } }: Lane,
  top: number,
  colours: Colours,
): void {
  const isLookedAt = [pointed, focused, selected].some((attempt) => attempt?.client === client);
  if (isLookedAt) {
    context.save();
    context.globalAlpha = 0.45;
    context.fillStyle = colours("--line");
    context.fillRect(0, top, scale.left(domain[1]) + marginRight, laneHeight);
    context.restore();
  }
  paintClientNumber(context, client, top + laneHeight / 2, colours(isLookedAt ? "--ink" : "--muted"));
}

// Calls `paint` for what is known at the cursor, and once more, dimmed, for what comes after it.
function paintInTime(
  context: CanvasRenderingContext2D,
  { scale, width, height, tick, isTickLast, serviceTicks }: LanesPicture,
  paint: (known: (attempt: Attempt) => Attempt | null) => void,
): void {
  if (isTickLast) {
    paint((attempt) => attempt);
    return;
  }
  const now = scale.left(tick + 1);
  const within = (left: number, right: number, alpha: number, known: (attempt: Attempt) => Attempt | null): void => {
    context.save();
    context.beginPath();
    context.rect(left, 0, right - left, height);
    context.clip();
    context.globalAlpha = alpha;
    paint(known);
    context.restore();
  };
  within(0, now, 1, (attempt) => asOf(attempt, tick, serviceTicks));
  within(now, width, futureAlpha, (attempt) => (courseEnd(attempt, serviceTicks) > tick ? attempt : null));
}

// Where what paintCourse() paints of the attempt ends.
function courseEnd(attempt: Attempt, serviceTicks: number): Tick {
  const { dropped_tick, failed_tick, next_tick, response } = attempt;
  if (failed_tick === null && response !== "acknowledged") {
    return Infinity;
  }
  return Math.max(dueTick(attempt, serviceTicks) ?? 0, dropped_tick ?? 0, failed_tick ?? 0, next_tick ?? 0);
}

// What lies between an attempt and the client's next one: dotted while the client waits for the response, solid while
// it waits to send again. Below it the way of the request through the server: thin in the queue, thick in service.
function paintCourse(
  context: CanvasRenderingContext2D,
  { scale, domain: [begin, end], laneHeight, serviceTicks, outages }: LanesPicture,
  attempt: Attempt,
  middle: number,
  colours: Colours,
): void {
  const place = (tick: Tick): number =>
    tick < begin ? scale.left(begin) : tick >= end ? scale.left(end) : scale.centre(tick);
  const line = (from: Tick, to: Tick, y: number, width: number, dash: number[], colour: string): void => {
    context.strokeStyle = colours(colour);
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(place(from), y);
    context.lineTo(place(to), y);
    context.stroke();
  };
  const { tick, started_tick, dropped_tick, failed_tick, next_tick, outcome } = attempt;
  const known = acknowledgedTick(attempt, serviceTicks) ?? failed_tick ?? Infinity;
  if (known > tick) {
    line(tick, known, middle, 1.25, [1.25, 2.5], "--muted");
  }
  if (failed_tick !== null && next_tick !== null) {
    line(failed_tick, next_tick, middle, 1, [], "--line-strong");
  }
  if (outcome === "accepted") {
    const below = middle + 0.36 * laneHeight;
    const left = started_tick ?? dropped_tick ?? Infinity;
    if (left > tick) {
      line(tick, left, below, 1, [], "--muted");
    }
    if (started_tick !== null && serviceTicks > 0) {
      const served = Math.min(started_tick + serviceTicks, crashAfter(outages, started_tick));
      line(started_tick, served, below, 3, [], "--accepted");
    }
  }
  context.setLineDash([]);
}

function paintMarks(
  context: CanvasRenderingContext2D,
  { scale, domain, radius, tick, isTickLast, serviceTicks, pointed, focused, selected }: LanesPicture,
  { client, attempts }: Lane,
  middle: number,
  sprites: MarkSprites,
  colours: Colours,
): void {
  let lastPlace = -Infinity;
  let lastMark = "";
  for (const attempt of attempts) {
    if (!isWithin(attempt.tick, domain)) {
      continue;
    }
    const seen = isTickLast ? attempt : asOf(attempt, tick, serviceTicks);
    const mark = markOf(seen ?? attempt);
    const x = scale.centre(attempt.tick);
    const name = `${mark.shape} ${mark.fill} ${seen === null}`;
    // Marks that would lie on one of their own kind within the same pixel need no painting.
    if (x - lastPlace >= 0.75 || name !== lastMark) {
      context.globalAlpha = seen === null ? futureAlpha : 1;
      sprites.stampMark(context, mark, x, middle);
      lastPlace = x;
      lastMark = name;
    }
  }
  context.globalAlpha = isTickLast || laneEnd({ client, attempts }) <= tick ? 1 : futureAlpha;
  sprites.stampEnd(context, client.state, scale.left(domain[1]) + endSignRoom, middle);
  context.globalAlpha = 1;

  const ring = (attempt: Attempt | null, distance: number, width: number, colour: string): void => {
    if (attempt?.client === client.client && isWithin(attempt.tick, domain)) {
      context.strokeStyle = colours(colour);
      context.lineWidth = width;
      context.beginPath();
      context.arc(scale.centre(attempt.tick), middle, 1.3 * radius + distance, 0, 2 * Math.PI);
      context.stroke();
    }
  };
  ring(pointed, 2, 1, "--muted");
  ring(selected, 2, 2, "--accent");
  ring(focused, 4.5, 2, "--focus");
}

// The tick in which it was settled what becomes of the client; never, if it still waits at the end of the run.
function laneEnd({ client, attempts }: Lane): Tick {
  const isOpen = client.state === "awaiting" || client.state === "scheduled";
  return isOpen ? Infinity : (client.acknowledged_tick ?? attempts.at(-1)?.failed_tick ?? Infinity);
}

function paintCursor(
  context: CanvasRenderingContext2D,
  { scale, domain, tick, isTickLast }: LanesPicture,
  bottom: number,
  colours: Colours,
): void {
  if (!isWithin(tick, domain)) {
    return;
  }
  const x = Math.round(scale.centre(tick)) + 0.5;
  context.fillStyle = context.strokeStyle = colours("--accent");
  context.beginPath();
  context.moveTo(x - 4.5, axisHeight - 7);
  context.lineTo(x + 4.5, axisHeight - 7);
  context.lineTo(x, axisHeight);
  context.fill();
  context.lineWidth = 1;
  context.globalAlpha = isTickLast ? 0.45 : 0.9;
  context.beginPath();
  context.moveTo(x, axisHeight);
  context.lineTo(x, bottom);
  context.stroke();
  context.globalAlpha = 1;
}

function isWithin(tick: Tick, [begin, end]: readonly [Tick, Tick]): boolean {
  return begin <= tick && tick < end;
}
