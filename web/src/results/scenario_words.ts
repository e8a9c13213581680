// The scenario in one line.

import type { ScenarioJson } from "../engine/types";
import { counted, grouped } from "../format";

export function scenarioWords(scenario: ScenarioJson): string {
  return [clientsWords(scenario), counted(scenario.horizon, "tick", "ticks"), serverWords(scenario)].join(", ");
}

function clientsWords({ clients, clients_per_host, policies }: ScenarioJson): string {
  const words = counted(clients, "client", "clients");
  const shares = policies.some((policy: { budget?: unknown; breaker?: unknown }) => policy.budget || policy.breaker);
  return shares && clients_per_host > 1
    ? `${words} on ${counted(Math.ceil(clients / clients_per_host), "host", "hosts")}`
    : words;
}

function serverWords({ server }: ScenarioJson): string {
  const { capacity, capacity_window, service_ticks, concurrency, queue, discipline } = server;
  return [
    `capacity ${grouped(capacity)} ${capacity_window === 1 ? "a tick" : `in ${grouped(capacity_window)} ticks`}`,
    service_ticks > 0 && `service ${counted(service_ticks, "tick", "ticks")}`,
    service_ticks > 0 && concurrency !== undefined && `${grouped(concurrency)} at once`,
    queue > 0 && `queue ${grouped(queue)}${discipline === "lifo" ? " (lifo)" : ""}`,
  ]
    .filter(Boolean)
    .join(", ");
}
