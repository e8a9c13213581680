// Every field of the form: how it is found, where its value stands in the scenario, and a value to put there. The
// scenarios have every member of the format, so that every field is there.

import type { Locator, Page } from "playwright-core";
import { openControls, openDisclosures, openPage } from "./browser";

export interface FormField {
  /** The groups around it, from the outside. */
  groups: (string | RegExp)[];
  role: "textbox" | "combobox" | "checkbox";
  /** Label and unit. */
  name: string;
  pointer: string;
  /** What is put in; what stands in the scenario then. A check box is clicked. */
  input: string;
  value: unknown;
}

export const format = (scenario: unknown) => JSON.stringify(scenario, null, 2);

/** The page with a scenario and every field of it open. */
export async function openForm(scenario: unknown): Promise<{ page: Page; form: Locator }> {
  const page = await openPage({ text: format(scenario), width: 1440, height: 900 });
  const form = await openControls(page);
  await openDisclosures(form);
  return { page, form };
}

export function locate(form: Locator, { groups, role, name }: FormField): Locator {
  const group = groups.reduce<Locator>((around, name) => around.getByRole("group", { name, exact: true }), form);
  return group.getByRole(role, { name, exact: true });
}

const server = {
  capacity: 3,
  capacity_window: 2,
  service_ticks: 2,
  concurrency: 3,
  queue: 3,
  discipline: "fifo",
  drop_abandoned: true,
  retry_after: 3,
  tie_break: "random",
  outages: [{ from: 6, ticks: 3, kind: "refuse", loses_keys: true }],
  deduplication: { kind: "ttl", ticks: 8 },
};
const common = { attempts: 5, timeout: 4 };
/** A breaker as it is when its box is ticked. */
const newBreaker = { window: 20, failures: 10, open_ticks: 50, probes: 3 };
const breaker = { window: 6, failures: 4, open_ticks: 4, probes: 2 };

const policies = [
  {
    name: "constant",
    ...common,
    delay: { kind: "fixed", ticks: 4 },
    jitter: { kind: "proportional", fraction: 0.25 },
    max_delay: 9,
    deadline: 40,
    on_retry_after: "at_least",
    budget: {
      kind: "tokens",
      capacity: 4,
      initial: 3,
      tick_refill: 0.05,
      attempt_deposit: 0.1,
      success_deposit: 0.2,
      refund: true,
      failure_cost: 0.5,
      retry_cost: 0.75,
      timeout_cost: 1,
      threshold: 0.5,
    },
    breaker,
  },
  {
    name: "rising",
    ...common,
    delay: { kind: "linear", base: 2, step: 3, cap: 20 },
    jitter: { kind: "scaled", from: 0.5, to: 1.25 },
    budget: { kind: "concurrent", fraction: 0.6, minimum: 2 },
  },
  {
    name: "doubling",
    ...common,
    delay: { kind: "exponential", base: 2, multiplier: 1.5, cap: 20 },
    jitter: { kind: "full" },
  },
  { name: "listed", ...common, delay: { kind: "list", ticks: [2, [3, 6]] } },
  { name: "random walk", ...common, delay: { kind: "decorrelated", base: 2, cap: 20 } },
];

export const whole = {
  retrygarden: 1,
  name: "whole",
  description: "Every member of the format.",
  tick: "10ms",
  clients: 20,
  clients_per_host: 5,
  horizon: 60,
  seed: 9,
  arrivals: { kind: "burst", at: 0 },
  server,
  faults: { first_response_lost: { every: 5, offset: 2 }, response_loss: 0.1, request_loss: 0.2 },
  policies,
};

/** The same with the other kinds of arrivals, of which only these fields are new. */
export const spread = { ...whole, arrivals: { kind: "spread", over: 20 } };
export const random = { ...whole, arrivals: { kind: "random", over: 20 } };

function text(groups: FormField["groups"], name: string, pointer: string, value: string): FormField {
  return { groups, role: "textbox", name, pointer, input: value, value };
}

function number(groups: FormField["groups"], name: string, pointer: string, value: number): FormField {
  return { ...text(groups, name, pointer, String(value)), value };
}

function choice(groups: FormField["groups"], name: string, pointer: string, input: string, value = input): FormField {
  return { groups, role: "combobox", name, pointer, input, value };
}

/** `value` is what stands there after the click. */
function box(groups: FormField["groups"], name: string, pointer: string, value: unknown): FormField {
  return { groups, role: "checkbox", name, pointer, input: "", value };
}

const outage = ["Server", /^Outage 1/];
const constant = ["Policy constant"];
const rising = ["Policy rising"];
const doubling = ["Policy doubling"];
const listed = ["Policy listed"];
const walk = ["Policy random walk"];
const delayAfter = (attempt: number) => [...listed, "Ticks after each attempt", `Delay after attempt ${attempt}`];
const over = (value: number): FormField => number(["Scenario"], "Over ticks", "/arrivals/over", value);

export const fieldsOfSpread = [over(30)];
export const fieldsOfRandom = [over(31)];

/** What every policy has. */
function commonFields(policy: string[], pointer: string): FormField[] {
  return [
    text(policy, "Name", `${pointer}/name`, `policy at ${pointer}`),
    number(policy, "Attempts", `${pointer}/attempts`, 6),
    number(policy, "Timeout ticks", `${pointer}/timeout`, 5),
    number(policy, "Deadline ticks", `${pointer}/deadline`, 41),
    number(policy, "Longest delay ticks", `${pointer}/max_delay`, 10),
    choice(policy, "On retry after", `${pointer}/on_retry_after`, "replace"),
    text(policy, "Description", `${pointer}/description`, "What it is,\nand from where."),
  ];
}

export const fields: FormField[] = [
  number(["Scenario"], "Clients", "/clients", 21),
  number(["Scenario"], "Horizon ticks", "/horizon", 61),
  number(["Scenario"], "Seed", "/seed", 9007199254740991),
  choice(["Scenario"], "Arrivals", "/arrivals/kind", "spread: evenly", "spread"),
  number(["Scenario"], "At tick", "/arrivals/at", 5),
  number(["Scenario"], "Clients per host clients", "/clients_per_host", 4),
  text(["Scenario"], "Name", "/name", "another name"),
  text(["Scenario"], "Description", "/description", "Two lines\nof words."),
  text(["Scenario"], "Length of a tick", "/tick", "250us"),

  number(["Server"], "Capacity requests", "/server/capacity", 4),
  choice(["Server"], "Deduplication", "/server/deduplication/kind", "forever"),
  number(["Server"], "Keeps keys for ticks", "/server/deduplication/ticks", 9),
  number(outage, "From tick", "/server/outages/0/from", 7),
  number(outage, "Length ticks", "/server/outages/0/ticks", 4),
  choice(outage, "Kind", "/server/outages/0/kind", "crash"),
  box(outage, "Loses deduplication keys", "/server/outages/0/loses_keys", false),
  number(["Server"], "Capacity window ticks", "/server/capacity_window", 3),
  number(["Server"], "Service time ticks", "/server/service_ticks", 3),
  number(["Server"], "Concurrency requests", "/server/concurrency", 4),
  number(["Server"], "Queue requests", "/server/queue", 4),
  choice(["Server"], "Discipline", "/server/discipline", "lifo: last come first", "lifo"),
  choice(["Server"], "Tie break", "/server/tie_break", "client: lowest numbers first", "client"),
  number(["Server"], "Retry after ticks", "/server/retry_after", 4),
  box(["Server"], "Drop abandoned requests", "/server/drop_abandoned", false),

  box(["Faults"], "First response lost", "/faults/first_response_lost", undefined),
  number(["Faults"], "Every clients", "/faults/first_response_lost/every", 6),
  number(["Faults"], "Offset", "/faults/first_response_lost/offset", 3),
  number(["Faults"], "Response loss", "/faults/response_loss", 0.123456),
  number(["Faults"], "Request loss", "/faults/request_loss", 0.25),

  ...commonFields(constant, "/policies/0"),
  choice(constant, "Delay", "/policies/0/delay/kind", "linear"),
  number(constant, "Ticks", "/policies/0/delay/ticks", 5),
  choice(constant, "Jitter", "/policies/0/jitter/kind", "equal"),
  number(constant, "Fraction", "/policies/0/jitter/fraction", 0.75),
  choice(constant, "Retry budget", "/policies/0/budget/kind", "concurrent"),
  number(constant, "Capacity tokens", "/policies/0/budget/capacity", 5),
  number(constant, "Initial tokens", "/policies/0/budget/initial", 2),
  number(constant, "Refill per tick tokens", "/policies/0/budget/tick_refill", 0.06),
  number(constant, "First attempt adds tokens", "/policies/0/budget/attempt_deposit", 0.11),
  number(constant, "Success adds tokens", "/policies/0/budget/success_deposit", 0.21),
  box(constant, "Refund on success", "/policies/0/budget/refund", false),
  number(constant, "Failure cost tokens", "/policies/0/budget/failure_cost", 0.51),
  number(constant, "Retry cost tokens", "/policies/0/budget/retry_cost", 0.76),
  number(constant, "Timeout cost tokens", "/policies/0/budget/timeout_cost", 1.1),
  number(constant, "Threshold tokens", "/policies/0/budget/threshold", 0.6),
  box(constant, "Circuit breaker", "/policies/0/breaker", undefined),
  number(constant, "Window results", "/policies/0/breaker/window", 7),
  number(constant, "Failures", "/policies/0/breaker/failures", 5),
  number(constant, "Open for ticks", "/policies/0/breaker/open_ticks", 5),
  number(constant, "Probes attempts", "/policies/0/breaker/probes", 3),

  ...commonFields(rising, "/policies/1"),
  choice(rising, "Delay", "/policies/1/delay/kind", "exponential"),
  number(rising, "Base ticks", "/policies/1/delay/base", 3),
  number(rising, "Step ticks", "/policies/1/delay/step", 4),
  number(rising, "Cap ticks", "/policies/1/delay/cap", 21),
  choice(rising, "Jitter", "/policies/1/jitter/kind", "none"),
  number(rising, "From times", "/policies/1/jitter/from", 0.6),
  number(rising, "To times", "/policies/1/jitter/to", 1.5),
  choice(rising, "Retry budget", "/policies/1/budget/kind", "tokens"),
  number(rising, "Fraction", "/policies/1/budget/fraction", 0.7),
  number(rising, "Minimum clients", "/policies/1/budget/minimum", 3),
  box(rising, "Circuit breaker", "/policies/1/breaker", newBreaker),

  ...commonFields(doubling, "/policies/2"),
  choice(doubling, "Delay", "/policies/2/delay/kind", "decorrelated"),
  number(doubling, "Base ticks", "/policies/2/delay/base", 3),
  number(doubling, "Multiplier", "/policies/2/delay/multiplier", 1.75),
  number(doubling, "Cap ticks", "/policies/2/delay/cap", 21),
  choice(doubling, "Jitter", "/policies/2/jitter/kind", "proportional"),
  choice(doubling, "Retry budget", "/policies/2/budget/kind", "tokens"),
  box(doubling, "Circuit breaker", "/policies/2/breaker", newBreaker),

  ...commonFields(listed, "/policies/3"),
  choice(listed, "Delay", "/policies/3/delay/kind", "fixed"),
  number(delayAfter(1), "After attempt 1 ticks", "/policies/3/delay/ticks/0", 3),
  { ...text(delayAfter(1), "Or up to ticks", "/policies/3/delay/ticks/0", "5"), value: [3, 5] },
  number(delayAfter(2), "After attempt 2 ticks", "/policies/3/delay/ticks/1/0", 4),
  number(delayAfter(2), "Or up to ticks", "/policies/3/delay/ticks/1/1", 7),
  choice(listed, "Retry budget", "/policies/3/budget/kind", "concurrent"),
  box(listed, "Circuit breaker", "/policies/3/breaker", newBreaker),

  ...commonFields(walk, "/policies/4"),
  choice(walk, "Delay", "/policies/4/delay/kind", "list"),
  number(walk, "Base ticks", "/policies/4/delay/base", 3),
  number(walk, "Cap ticks", "/policies/4/delay/cap", 21),
  choice(walk, "Retry budget", "/policies/4/budget/kind", "tokens"),
  box(walk, "Circuit breaker", "/policies/4/breaker", newBreaker),
];
