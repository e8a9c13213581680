// How members and values are called in the form, where the name in the format is not enough for people.

/** Labels and units by object and member. What has none here is called by its name in the format. */
const members: Record<string, { label?: string; unit?: string; absent?: string }> = {
  "scenario.clients_per_host": { unit: "clients" },
  "scenario.horizon": { unit: "ticks" },
  "scenario.tick": { label: "Length of a tick" },
  "arrivals.kind": { label: "Arrivals" },
  "arrivals.at": { label: "At tick" },
  "arrivals.over": { label: "Over", unit: "ticks" },
  "server.capacity": { unit: "requests" },
  "server.capacity_window": { unit: "ticks" },
  "server.service_ticks": { label: "Service time", unit: "ticks" },
  "server.concurrency": { unit: "requests", absent: "no limit" },
  "server.queue": { unit: "requests" },
  "server.drop_abandoned": { label: "Drop abandoned requests" },
  "server.retry_after": { unit: "ticks" },
  "outage.from": { label: "From tick" },
  "outage.ticks": { label: "Length", unit: "ticks" },
  "outage.loses_keys": { label: "Loses deduplication keys" },
  "deduplication.kind": { label: "Deduplication" },
  "deduplication.ticks": { label: "Keeps keys for", unit: "ticks" },
  "first_response_lost.every": { label: "Every", unit: "clients" },
  "policy.timeout": { unit: "ticks" },
  "policy.max_delay": { label: "Longest delay", unit: "ticks", absent: "none" },
  "policy.deadline": { unit: "ticks", absent: "none" },
  "policy.on_retry_after": { label: "On retry after" },
  "delay.kind": { label: "Delay" },
  "delay.base": { unit: "ticks" },
  "delay.step": { unit: "ticks" },
  "delay.cap": { unit: "ticks" },
  "jitter.kind": { label: "Jitter" },
  "jitter.from": { label: "From", unit: "times" },
  "jitter.to": { label: "To", unit: "times" },
  "budget.kind": { label: "Retry budget" },
  "budget.capacity": { unit: "tokens" },
  "budget.initial": { unit: "tokens", absent: "capacity" },
  "budget.tick_refill": { label: "Refill per tick", unit: "tokens" },
  "budget.attempt_deposit": { label: "First attempt adds", unit: "tokens" },
  "budget.success_deposit": { label: "Success adds", unit: "tokens" },
  "budget.failure_cost": { unit: "tokens" },
  "budget.retry_cost": { unit: "tokens" },
  "budget.timeout_cost": { unit: "tokens", absent: "retry cost" },
  "budget.threshold": { unit: "tokens", absent: "none" },
  "budget.refund": { label: "Refund on success" },
  "budget.minimum": { unit: "clients" },
  "breaker.window": { unit: "results" },
  "breaker.open_ticks": { label: "Open for", unit: "ticks" },
  "breaker.probes": { unit: "attempts" },
};

/** What a choice means, after its name in the format. */
const choices: Record<string, string> = {
  "arrivals.burst": "all at once",
  "arrivals.spread": "evenly",
  "arrivals.random": "each at a random tick",
  "discipline.fifo": "longest wait first",
  "discipline.lifo": "last come first",
  "tie_break.client": "lowest numbers first",
  "deduplication.ttl": "for a time",
};

export function labelOf(object: string, member: string): string {
  const plain = member.replaceAll("_", " ");
  return members[`${object}.${member}`]?.label ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

export function unitOf(object: string, member: string): string {
  return members[`${object}.${member}`]?.unit ?? "";
}

/** What it means that a member is left out that has no default. */
export function absentWords(object: string, member: string): string {
  return members[`${object}.${member}`]?.absent ?? "";
}

/** `context` is the object for a kind, else the member. */
export function choiceWords(context: string, choice: string): string {
  const meaning = choices[`${context}.${choice}`];
  const plain = choice.replaceAll("_", " ");
  return meaning ? `${plain}: ${meaning}` : plain;
}
