// How the lane of a client ends: a small sign for each state in which a run can leave a client.

import type { ClientState } from "../engine/types";

interface LaneEnd {
  /** What became of the client, as the end of a sentence that begins with "the client". */
  meaning: string;
  short: string;
  /** Strokes as SVG path data, around (0, 0), about one unit in each direction. */
  strokes: string;
  colour: string;
}

export const laneEnds: Record<ClientState, LaneEnd> = {
  acknowledged: {
    meaning: "learned of success",
    short: "acknowledged",
    strokes: "M-0.9,0.05L-0.25,0.7L0.95,-0.75",
    colour: "--acknowledged",
  },
  exhausted: {
    meaning: "gave up: its attempts are used up",
    short: "attempts used up",
    strokes: "M-0.9,0H0.3M0.3,-0.9V0.9M0.8,-0.9V0.9",
    colour: "--ink",
  },
  deadline_exceeded: {
    meaning: "gave up: the next attempt would come after its deadline",
    short: "past its deadline",
    strokes: "M-0.75,-0.95H0.75L-0.75,0.95H0.75Z",
    colour: "--ink",
  },
  budget_denied: {
    meaning: "gave up: no retry budget",
    short: "no retry budget",
    strokes: "M0.9,0A0.9,0.9 0 1 1 -0.9,0A0.9,0.9 0 1 1 0.9,0ZM-0.64,0.64L0.64,-0.64",
    colour: "--ink",
  },
  scheduled: {
    meaning: "neither failed nor succeeded: its next attempt falls after the end of the run",
    short: "scheduled",
    strokes: "M-0.95,0H0.9M0.25,-0.65L0.9,0L0.25,0.65",
    colour: "--muted",
  },
  awaiting: {
    meaning: "neither failed nor succeeded: it still waits when the run ends",
    short: "awaiting",
    strokes: "M-0.85,0H-0.8M-0.02,0H0.02M0.8,0H0.85",
    colour: "--muted",
  },
};

export const clientStates = Object.keys(laneEnds) as ClientState[];
