// The marks of the garden: which one an attempt has, what it means, and how it looks. The shape says what the server
// did, the fill what the client knows. Drawing, legend and descriptions all read these tables, so they cannot differ.

import type { Attempt } from "../engine/types";

export type Shape =
  | "applied"
  | "duplicate"
  | "suppressed"
  | "not-started"
  | "overloaded"
  | "unavailable"
  | "request-lost"
  | "short-circuited";

export type Fill = "acknowledged" | "ambiguous" | "refused" | "waiting";

export interface Mark {
  shape: Shape;
  fill: Fill;
}

interface ShapeEntry {
  /** What one sees. */
  form: string;
  /** What the server did, as the end of a sentence that begins with "the server". */
  meaning: string;
  /** The same in a few words, where there is little room. */
  short: string;
  /** Its outline as SVG path data: closed, around (0, 0), about one unit in each direction. */
  outline: string;
  /** The custom property of the theme that colours it. The colour says nothing that the shape does not say. */
  colour: string;
}

export const shapes: Record<Shape, ShapeEntry> = {
  applied: {
    form: "disc",
    meaning: "applied the operation",
    short: "applied",
    outline: "M1,0A1,1 0 1 1 -1,0A1,1 0 1 1 1,0Z",
    colour: "--accepted",
  },
  duplicate: {
    form: "double diamond",
    meaning: "applied it again: a duplicate",
    short: "duplicate",
    outline: "M-0.72,-1.2L0,0L-0.72,1.2L-1.44,0ZM0.72,-1.2L1.44,0L0.72,1.2L0,0Z",
    colour: "--duplicate",
  },
  suppressed: {
    form: "square",
    meaning: "suppressed the repetition, and answered as for success",
    short: "suppressed",
    outline: "M-0.9,-0.9H0.9V0.9H-0.9Z",
    colour: "--accepted",
  },
  "not-started": {
    form: "triangle",
    meaning: "has not started it: it waits in the queue, or was dropped",
    short: "not started",
    outline: "M0,-1.1L1.1,0.85H-1.1Z",
    colour: "--muted",
  },
  overloaded: {
    form: "bar",
    meaning: "refused it: over capacity",
    short: "over capacity",
    outline: "M-1.3,-0.5H1.3V0.5H-1.3Z",
    colour: "--overloaded",
  },
  unavailable: {
    form: "cross",
    meaning: "refused it: it is down",
    short: "down",
    outline:
      "M-1.1,-0.6L-0.6,-1.1L0,-0.5L0.6,-1.1L1.1,-0.6L0.5,0L1.1,0.6L0.6,1.1L0,0.5L-0.6,1.1L-1.1,0.6L-0.5,0Z",
    colour: "--unavailable",
  },
  "request-lost": {
    form: "broken chevron",
    meaning: "never answers: the request was lost on its way, or the server hangs",
    short: "request lost",
    outline: "M-1,-1.15H-0.3L0.45,-0.38H-0.26ZM-1,1.15H-0.3L0.45,0.38H-0.26Z",
    colour: "--lost",
  },
  "short-circuited": {
    form: "slash",
    meaning: "was not asked: the breaker of the client's host stopped it",
    short: "stopped by breaker",
    outline: "M0.35,-1.15H1.05L-0.35,1.15H-1.05Z",
    colour: "--short-circuited",
  },
};

interface FillEntry {
  form: string;
  /** What the client knows, as the end of a sentence that begins with "the client". */
  meaning: string;
  short: string;
  /** How much of the inside is painted, from below. */
  painted: 0 | 0.5 | 1;
  isDotted: boolean;
}

export const fills: Record<Fill, FillEntry> = {
  acknowledged: {
    form: "solid",
    meaning: "was acknowledged: it knows of the success",
    short: "acknowledged",
    painted: 1,
    isDotted: false,
  },
  ambiguous: {
    form: "hollow",
    meaning: "saw no response in time: it cannot know what the server did",
    short: "no response",
    painted: 0,
    isDotted: false,
  },
  refused: {
    form: "half filled",
    meaning: "was told that the attempt failed",
    short: "told of failure",
    painted: 0.5,
    isDotted: false,
  },
  waiting: {
    form: "dotted outline",
    meaning: "still waits for a response",
    short: "still waits",
    painted: 0,
    isDotted: true,
  },
};

export const shapeNames = Object.keys(shapes) as Shape[];
export const fillNames = Object.keys(fills) as Fill[];

type WhatHappened = Pick<Attempt, "outcome" | "effect" | "response" | "failed_tick">;

export function markOf(attempt: WhatHappened): Mark {
  return { shape: shapeOf(attempt), fill: fillOf(attempt) };
}

function shapeOf({ outcome, effect }: WhatHappened): Shape {
  switch (outcome) {
    case "accepted":
      return effect === "none" ? "not-started" : effect;
    case "request_lost":
      return "request-lost";
    case "short_circuited":
      return "short-circuited";
    case "overloaded":
    case "unavailable":
      return outcome;
  }
}

function fillOf({ outcome, response, failed_tick }: WhatHappened): Fill {
  if (response === "acknowledged") {
    return "acknowledged";
  }
  if (failed_tick === null) {
    return "waiting";
  }
  // An attempt that failed without a refusal failed by timeout.
  return outcome === "accepted" || outcome === "request_lost" ? "ambiguous" : "refused";
}

/** Which fill a shape is shown with in the legend: one that it can have. */
export function exampleFill(shape: Shape): Fill {
  switch (shape) {
    case "overloaded":
    case "unavailable":
    case "short-circuited":
      return "refused";
    case "not-started":
      return "waiting";
    case "request-lost":
      return "ambiguous";
    default:
      return "acknowledged";
  }
}

/** Which shape a fill is shown with in the legend. */
export function exampleShape(fill: Fill): Shape {
  return fill === "refused" ? "overloaded" : "applied";
}
