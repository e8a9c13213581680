// One attempt in one line, for those who listen and for the line below the garden. The words are those of the marks.

import type { Attempt, ClientRecord } from "../engine/types";
import { grouped } from "../format";
import { acknowledgedTick } from "./as_of";
import { laneEnds } from "./lane_ends";
import { fills, markOf, shapes } from "./marks";

/** "Client 6, attempt 3, tick 5: applied; no response; retries at tick 7." */
export function attemptInWords(attempt: Attempt, client: ClientRecord, serviceTicks: number): string {
  const who = `Client ${grouped(attempt.client)}, attempt ${grouped(attempt.attempt)}, tick ${grouped(attempt.tick)}`;
  return `${who}: ${serverInWords(attempt)}; ${clientInWords(attempt, serviceTicks)}${nextInWords(attempt, client)}.`;
}

export function serverInWords(attempt: Attempt): string {
  const { short } = shapes[markOf(attempt).shape];
  const { tick, started_tick, dropped_tick } = attempt;
  if (dropped_tick !== null) {
    return `dropped from the queue at tick ${grouped(dropped_tick)}`;
  }
  return started_tick === null || started_tick === tick ? short : `${short} at tick ${grouped(started_tick)}`;
}

export function clientInWords(attempt: Attempt, serviceTicks: number): string {
  const { fill } = markOf(attempt);
  const { short } = fills[fill];
  const when = acknowledgedTick(attempt, serviceTicks) ?? attempt.failed_tick;
  const known = fill === "ambiguous" ? "by" : "at";
  return when === null || when === attempt.tick ? short : `${short} ${known} tick ${grouped(when)}`;
}

function nextInWords(attempt: Attempt, client: ClientRecord): string {
  if (attempt.next_tick !== null) {
    return `; next attempt at tick ${grouped(attempt.next_tick)}`;
  }
  return attempt.failed_tick === null ? "" : `; gives up: ${laneEnds[client.state].short}`;
}
