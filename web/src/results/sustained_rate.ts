// What the server can start in the long run: the capacity line.

import type { ScenarioJson } from "../engine/types";
import { counted, grouped } from "../format";

export interface SustainedRate {
  /** Requests a tick. */
  value: number;
  /** "capacity 3", "mean capacity 10 in 20 ticks" */
  label: string;
}

/** Each of the requests that are in service at once takes its place for the service time. */
export function sustainedRate({ server }: ScenarioJson): SustainedRate {
  const byWindow = server.capacity / server.capacity_window;
  const byService = server.concurrency === undefined ? Infinity : server.concurrency / server.service_ticks;
  if (byService < byWindow) {
    return { value: byService, label: meanLabel(server.concurrency, server.service_ticks) };
  }
  const isMean = server.capacity_window > 1;
  const label = isMean ? meanLabel(server.capacity, server.capacity_window) : `capacity ${grouped(server.capacity)}`;
  return { value: byWindow, label };
}

// Of a mean, a single tick can take more.
function meanLabel(requests: number, ticks: number): string {
  return `mean capacity ${grouped(requests)} in ${counted(ticks, "tick", "ticks")}`;
}
