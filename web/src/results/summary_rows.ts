// The rows of the summary table: those that every run has, and others where they apply, as `retrygarden run` has
// them.

import type { ScenarioJson, Summary, View } from "../engine/types";

export interface SummaryRow {
  name: string;
  /** Part of the row above. */
  isPart: boolean;
  value: (summary: Summary) => number | null;
  decimals: 0 | 2;
  /** How a difference is called. */
  more: string;
  less: string;
  /** Whether more or less of it is clearly good; null where neither is. */
  good: Good;
}

type Good = "more" | "less" | null;

type Count = (summary: Summary) => number | null;

const fewer = { more: "more", less: "fewer", decimals: 0, isPart: false, good: null } as const;
const later = { more: "later", less: "earlier", decimals: 0, isPart: false, good: null } as const;

export function summaryRows({ scenario, results }: View): SummaryRow[] {
  const features = featuresOf(scenario);
  const tells = (isExpected: boolean, value: Count) =>
    features.needsPhases && (isExpected || results.some(({ summary }) => (value(summary) ?? 0) > 0));
  const extra = (isExpected: boolean, row: SummaryRow) => (tells(isExpected, row.value) ? [row] : []);
  const count = (name: string, value: Count, good: Good = null): SummaryRow => ({ ...fewer, name, value, good });
  const part = (name: string, value: Count, good: Good = null) => ({ ...count(name, value, good), isPart: true });
  // Waits of few clients cannot be better or worse than those of many.
  const isSameNumber = results.every(({ summary }) => summary.acknowledged === results[0]?.summary.acknowledged);
  const good = isSameNumber ? "less" : null;
  const wait = (name: string, value: Count): SummaryRow => ({ ...later, name, value, good });

  return [
    count("attempts", (s) => s.attempts),
    ...extra(features.hasBreaker, part("short-circuited", (s) => s.short_circuited)),
    ...extra(features.losesRequests, part("requests lost", (s) => s.lost_requests)),
    ...extra(scenario.server.drop_abandoned, part("dropped from the queue", (s) => s.dropped)),
    ...extra(features.takesTime, part("timed out", (s) => s.timeouts)),
    ...(tells(features.takesTime, startedInVain)
      ? [count("requests started", (s) => s.started), part("in vain", startedInVain, "less")]
      : []),
    ...extra(scenario.faults.response_loss > 0, part("responses lost", (s) => s.lost_responses)),
    ...extra(features.crashes, part("responses crashed", (s) => s.crashed_responses)),
    ...extra(features.takesTime, part("responses late", (s) => s.late_responses)),
    count("effects", (s) => s.effects),
    part("duplicates", (s) => s.duplicate_effects, "less"),
    count("clients acknowledged", (s) => s.acknowledged, "more"),
    count("clients exhausted", (s) => s.exhausted, "less"),
    ...extra(features.hasDeadline, count("clients over deadline", (s) => s.deadline_exceeded, "less")),
    ...extra(features.hasBudget, count("clients out of budget", (s) => s.budget_denied, "less")),
    ...extra(features.takesTime, count("clients awaiting", (s) => s.awaiting)),
    count("clients scheduled", (s) => s.scheduled),
    count("applied but unacknowledged", (s) => s.applied_unacknowledged, "less"),
    { ...count("amplification", amplification), decimals: 2, less: "less" },
    { ...count("peak load", (s) => s.peak_load.requests), less: "lower", more: "higher" },
    { ...later, name: "in tick", isPart: true, value: (s) => s.peak_load.tick },
    wait("ticks to acknowledge, p50", (s) => s.time_to_acknowledge.p50),
    ...(["p90", "p99", "max"] as const).map((name) => ({
      ...wait(name, (s) => s.time_to_acknowledge[name]),
      isPart: true,
    })),
  ];
}

// Attempts per client with two decimals, so that a difference is that of the numbers as they are shown.
function amplification(summary: Summary): number {
  return Math.round((summary.attempts / summary.clients) * 100) / 100;
}

// Requests that the server worked on for nobody.
function startedInVain(summary: Summary): number {
  return summary.started - summary.acknowledged;
}

interface Features {
  takesTime: boolean;
  losesRequests: boolean;
  crashes: boolean;
  hasBreaker: boolean;
  hasBudget: boolean;
  hasDeadline: boolean;
  /** Where every attempt is decided at once, the usual rows tell it all. */
  needsPhases: boolean;
}

function featuresOf({ server, faults, policies }: ScenarioJson): Features {
  const has = (holds: (policy: ScenarioJson[string]) => unknown): boolean => policies.some(holds);
  const hasOutage = (holds: (outage: ScenarioJson[string]) => unknown): boolean => server.outages.some(holds);
  const hangs = hasOutage((outage) => outage.kind === "hang");
  const takesTime = server.service_ticks > 0 || server.queue > 0 || has((policy) => policy.timeout > 0);
  const hasBreaker = has((policy) => policy.breaker);
  const hasBudget = has((policy) => policy.budget);
  const hasDeadline = has((policy) => policy.deadline !== undefined);
  const depends = server.capacity_window > 1 || server.tie_break === "random" || hasOutage((outage) => outage.loses_keys);
  const loses = faults.request_loss > 0 || faults.response_loss > 0;
  const heedsHint = server.retry_after > 0 && has((policy) => policy.on_retry_after !== "ignore");
  return {
    takesTime,
    losesRequests: faults.request_loss > 0 || hangs,
    crashes: hasOutage((outage) => outage.kind === "crash"),
    hasBreaker,
    hasBudget,
    hasDeadline,
    needsPhases: takesTime || hangs || hasBreaker || hasBudget || hasDeadline || depends || loses || heedsHint,
  };
}
