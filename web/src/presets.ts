// The scenarios to start from: the same as those of `retrygarden new`, in the same order.

import { member, stringOf } from "./json/document";
import { parseJson } from "./json/parse";
import { printJson } from "./json/print";

import lostResponses from "../../golden/scenarios/lost-responses.json?raw";
import lostResponsesDeduplicated from "../../golden/scenarios/lost-responses-deduplicated.json?raw";
import outage from "../../golden/scenarios/outage.json?raw";
import capacity from "../../golden/scenarios/capacity.json?raw";
import horizon from "../../golden/scenarios/horizon.json?raw";
import jitterComparison from "../../golden/scenarios/jitter-comparison.json?raw";
import retryStorm from "../../golden/scenarios/published/retry-storm.json?raw";
import retryStormBudget from "../../golden/scenarios/published/retry-storm-budget.json?raw";
import retryStormBreaker from "../../golden/scenarios/published/retry-storm-breaker.json?raw";
import crashLosesKeys from "../../golden/scenarios/crash-loses-keys.json?raw";
import keyExpiry from "../../golden/scenarios/key-expiry.json?raw";
import rateLimit from "../../golden/scenarios/rate-limit.json?raw";

export interface Preset {
  /** As `retrygarden new` knows it. */
  name: string;
  /** The scenario's own name. */
  title: string;
  text: string;
}

export const presets: readonly Preset[] = Object.entries({
  "lost-responses": lostResponses,
  "lost-responses-deduplicated": lostResponsesDeduplicated,
  outage,
  capacity,
  horizon,
  "jitter-comparison": jitterComparison,
  "retry-storm": retryStorm,
  "retry-storm-budget": retryStormBudget,
  "retry-storm-breaker": retryStormBreaker,
  "crash-loses-keys": crashLosesKeys,
  "key-expiry": keyExpiry,
  "rate-limit": rateLimit,
}).map(([name, text]) => ({ name, title: titleOf(text) ?? name, text }));

const printed = new Map(presets.map((preset) => [inOneForm(preset.text), preset]));

/** The preset that says the same, whatever its lines and spaces. */
export function presetOf(text: string): Preset | undefined {
  return printed.get(inOneForm(text));
}

function inOneForm(text: string): string {
  const scenario = parseJson(text);
  return scenario ? printJson(scenario) : text;
}

function titleOf(text: string): string | undefined {
  const scenario = parseJson(text);
  return scenario ? stringOf(member(scenario, "name")) : undefined;
}
