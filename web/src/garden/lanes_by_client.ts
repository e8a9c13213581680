// The attempts of some clients, sorted out by client.

import type { Attempt, ClientRecord, Lanes, ScenarioJson } from "../engine/types";

export interface Lane {
  client: ClientRecord;
  /** In the order in which they were made. */
  attempts: Attempt[];
}

export function lanesByClient({ clients, attempts }: Pick<Lanes, "clients" | "attempts">): Lane[] {
  const lanes = clients.map((client): Lane => ({ client, attempts: [] }));
  const byClient = new Map(lanes.map((lane) => [lane.client.client, lane]));
  for (const attempt of attempts) {
    byClient.get(attempt.client)?.attempts.push(attempt);
  }
  return lanes;
}

/** Whether these are all attempts of all clients. */
export function isWhole({ first, last, step, complete }: Lanes, { clients }: ScenarioJson): boolean {
  return first === 0 && last === clients - 1 && step === 1 && complete;
}

/** The place in the lane of the attempt that was made nearest to `tick`. */
export function nearestAttempt({ attempts }: Lane, tick: number): number {
  let nearest = 0;
  attempts.forEach((attempt, place) => {
    if (Math.abs(attempt.tick - tick) < Math.abs(attempts[nearest]!.tick - tick)) {
      nearest = place;
    }
  });
  return nearest;
}
