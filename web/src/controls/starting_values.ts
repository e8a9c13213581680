// What an object is filled with when it is chosen in the form. What it had before, under the same names, stays.

import { fromPlain, type JsonValue, member } from "../json/document";

const startingValues: Record<string, Record<string, unknown>> = {
  "arrivals.burst": { kind: "burst", at: 0 },
  "arrivals.spread": { kind: "spread", over: 10 },
  "arrivals.random": { kind: "random", over: 10 },
  "deduplication.none": { kind: "none" },
  "deduplication.forever": { kind: "forever" },
  "deduplication.ttl": { kind: "ttl", ticks: 20 },
  "delay.fixed": { kind: "fixed", ticks: 4 },
  "delay.linear": { kind: "linear", base: 2, step: 2, cap: 32 },
  "delay.exponential": { kind: "exponential", base: 2, multiplier: 2, cap: 32 },
  "delay.list": { kind: "list", ticks: [1, 2, 4, 8] },
  "delay.decorrelated": { kind: "decorrelated", base: 2, cap: 32 },
  "jitter.none": { kind: "none" },
  "jitter.full": { kind: "full" },
  "jitter.equal": { kind: "equal" },
  "jitter.proportional": { kind: "proportional", fraction: 0.5 },
  "jitter.scaled": { kind: "scaled", from: 0.5, to: 1.5 },
  "budget.tokens": { kind: "tokens", capacity: 10, success_deposit: 0.1, retry_cost: 1 },
  "budget.concurrent": { kind: "concurrent", fraction: 0.2, minimum: 3 },
  breaker: { window: 20, failures: 10, open_ticks: 50, probes: 3 },
  first_response_lost: { every: 3, offset: 0 },
  outage: { from: 0, ticks: 5, kind: "refuse" },
  policy: { name: "new policy", attempts: 4, delay: { kind: "fixed", ticks: 4 }, jitter: { kind: "none" } },
};

export function startingValue(name: string, before?: JsonValue): JsonValue {
  const value = fromPlain(startingValues[name] ?? {});
  if (value.type === "object") {
    for (const own of value.members) {
      const kept = member(before, own.name);
      // A list of delays is no number of ticks, and the other way round.
      if (own.name !== "kind" && kept?.type === own.value.type) {
        own.value = kept;
      }
    }
  }
  return value;
}
