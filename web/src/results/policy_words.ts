// A policy in a few words.

import type { ScenarioJson } from "../engine/types";
import { counted, grouped } from "../format";

type Json = ScenarioJson[string];

export function policyWords(scenario: ScenarioJson, index: number): string {
  const policy: Json = scenario.policies[index];
  return [
    counted(policy.attempts, "attempt", "attempts"),
    delayWords(policy.delay),
    jitterWords(policy.jitter),
    policy.timeout > 0 && `timeout ${grouped(policy.timeout)}`,
    policy.max_delay !== undefined && `delay at most ${grouped(policy.max_delay)}`,
    policy.deadline !== undefined && `deadline ${grouped(policy.deadline)}`,
    policy.on_retry_after !== "ignore" && `retry after: ${policy.on_retry_after.replace("_", " ")}`,
    policy.budget && "retry budget",
    policy.breaker && "circuit breaker",
  ]
    .filter(Boolean)
    .join(", ");
}

function delayWords(delay: Json): string {
  switch (delay.kind) {
    case "fixed":
      return `fixed delay ${grouped(delay.ticks)}`;
    case "linear":
      return `linear delay ${grouped(delay.base)} + ${grouped(delay.step)}, cap ${grouped(delay.cap)}`;
    case "exponential":
      return `exponential delay ${grouped(delay.base)} × ${grouped(delay.multiplier)}ⁿ, cap ${grouped(delay.cap)}`;
    case "decorrelated":
      return `decorrelated delay from ${grouped(delay.base)}, cap ${grouped(delay.cap)}`;
    default:
      return `listed delays ${listWords(delay.ticks)}`;
  }
}

function listWords(ticks: Json[]): string {
  const entryWords = (entry: Json) => (Array.isArray(entry) ? entry.map(grouped).join("–") : grouped(entry));
  return ticks.slice(0, 4).map(entryWords).join(" ") + (ticks.length > 4 ? " …" : "");
}

function jitterWords(jitter: Json): string {
  switch (jitter?.kind) {
    case "full":
    case "equal":
      return `${jitter.kind} jitter`;
    case "proportional":
      return `jitter ±${grouped(jitter.fraction * 100)} %`;
    case "scaled":
      return `jitter ${grouped(jitter.from)} to ${grouped(jitter.to)} times`;
    default:
      return "";
  }
}
