// What happens in one tick under one policy, in words. From single attempts where those of all clients are known, else
// from the sums over a column of ticks.

import type { Attempt, ClientRecord, LoadColumn, PolicyResult, ScenarioJson, Tick, View } from "../engine/types";
import { counted, grouped } from "../format";
import { acknowledgedTick, dueTick } from "../garden/as_of";
import { isWhole } from "../garden/lanes_by_client";
import { crashAfter, outagesOf } from "../garden/outages";
import { listed } from "./listed";
import { outageInWords } from "./outage_in_words";

/** "Tick 4, fixed delay: 8 attempts; the server starts 3 and refuses 5 over capacity; …" */
export function tickInWords(view: View, policyIndex: number, tick: Tick): string {
  const { scenario } = view;
  const result = view.results[policyIndex]!;
  const { from, to } = ticksTold(view, policyIndex, tick);
  const events = present(
    isWhole(result.lanes, scenario)
      ? eventsOfAttempts(result, scenario, tick)
      : eventsOfColumn(result.load[Math.floor(tick / result.ticks_per_column)], scenario, from, to),
  );
  const when = from === to ? `Tick ${grouped(from)}` : `Ticks ${grouped(from)} to ${grouped(to)}`;
  return `${when}, ${result.policy}: ${events.length === 0 ? "nothing happens" : events.join("; ")}.`;
}

/** The ticks that `tickInWords` tells of at once: both ends included. */
export function ticksTold(view: View, policyIndex: number, tick: Tick): { from: Tick; to: Tick } {
  const result = view.results[policyIndex]!;
  const ticks = isWhole(result.lanes, view.scenario) ? 1 : result.ticks_per_column;
  const from = tick - (tick % ticks);
  return { from, to: Math.min(from + ticks, view.scenario.horizon) - 1 };
}

// A part of a sentence that is false or empty is not said.
type Part = string | false;

function present(parts: readonly Part[]): string[] {
  return parts.filter((part): part is string => part !== false && part !== "");
}

function eventsOfAttempts({ lanes }: PolicyResult, scenario: ScenarioJson, tick: Tick): Part[] {
  const service: Tick = scenario.server.service_ticks;
  const having = (holds: (attempt: Attempt) => boolean): Attempt[] => lanes.attempts.filter(holds);
  const made = having((attempt) => attempt.tick === tick);
  const started = having(({ started_tick }) => started_tick === tick);
  const failed = having(({ failed_tick }) => failed_tick === tick);
  const outcomes = (outcome: Attempt["outcome"]): number => count(made, (each) => each.outcome === outcome);
  const lost = count(started, ({ response }) => response === "lost");
  const late = count(lanes.attempts, (each) => each.response === "late" && dueTick(each, service) === tick);
  const acknowledged = count(lanes.attempts, (each) => acknowledgedTick(each, service) === tick);
  return [
    attemptsInWords(made.length, scenario, tick, tick),
    serverInWords(scenario, tick, tick, {
      started: started.length,
      fromQueue: count(started, (each) => each.tick < tick),
      queued: count(made, ({ outcome, started_tick }) => outcome === "accepted" && started_tick !== tick),
      overloaded: outcomes("overloaded"),
      unavailable: outcomes("unavailable"),
    }),
    ...unservedInWords(scenario, outcomes("request_lost"), outcomes("short_circuited")),
    droppedInWords(
      scenario,
      tick,
      count(lanes.attempts, ({ dropped_tick }) => dropped_tick === tick),
      count(lanes.attempts, ({ response, started_tick }) => {
        return response === "crashed" && crashAfter(outagesOf(scenario), started_tick!) === tick;
      }),
    ),
    ...effectsInWords(started),
    lost > 0 && `${counted(lost, "response", "responses")} ${service > 0 ? "will be" : isOrAre(lost)} lost`,
    late > 0 && `${counted(late, "response", "responses")} ${late === 1 ? "comes" : "come"} too late`,
    acknowledgedInWords(acknowledged),
    timeoutsInWords(failed, tick),
    ...decisionsInWords(failed, lanes.clients),
  ];
}

function eventsOfColumn(column: LoadColumn | undefined, scenario: ScenarioJson, from: Tick, to: Tick): Part[] {
  if (column === undefined) {
    return [attemptsInWords(0, scenario, from, to), serverInWords(scenario, from, to, nothingDone)];
  }
  const { attempts, started, overloaded, unavailable, dropped, effects, acknowledged, queued } = column;
  return [
    attemptsInWords(attempts, scenario, from, to),
    serverInWords(scenario, from, to, { ...nothingDone, started, overloaded, unavailable }),
    ...unservedInWords(scenario, column.lost_requests, column.short_circuited),
    dropped > 0 && `${counted(dropped, "request", "requests")} ${isOrAre(dropped)} dropped from the queue`,
    started > 0 && counted(effects, "effect", "effects"),
    acknowledgedInWords(acknowledged),
    queued > 0 && `${from === to ? "" : "up to "}${counted(queued, "request", "requests")} in the queue`,
  ];
}

// That nobody sends is only worth saying where something else is said.
function attemptsInWords(attempts: number, scenario: ScenarioJson, from: Tick, to: Tick): Part {
  if (attempts > 0) {
    return counted(attempts, "attempt", "attempts");
  }
  return outageInWords(scenario, from, to).length > 0 && "no attempts";
}

interface ServerDid {
  started: number;
  fromQueue: number;
  queued: number;
  overloaded: number;
  unavailable: number;
}

const nothingDone: ServerDid = { started: 0, fromQueue: 0, queued: 0, overloaded: 0, unavailable: 0 };

function serverInWords(scenario: ScenarioJson, from: Tick, to: Tick, did: ServerDid): Part {
  const { started, fromQueue, queued, overloaded, unavailable } = did;
  const whence = fromQueue === started ? " from its queue" : ` (${grouped(fromQueue)} from its queue)`;
  const why = scenario.server.queue > 0 ? "as its queue is full" : "over capacity";
  const refused = present([
    overloaded > 0 && `${grouped(overloaded)} ${why}`,
    // Where nothing else is refused, that it is down has been said.
    unavailable > 0 && `${grouped(unavailable)}${overloaded > 0 ? " while it is down" : ""}`,
  ]);
  const done = present([
    ...outageInWords(scenario, from, to),
    started > 0 && `starts ${grouped(started)}${fromQueue > 0 ? whence : ""}`,
    queued > 0 && `puts ${grouped(queued)} into its queue`,
    refused.length > 0 && `refuses ${listed(refused)}`,
  ]);
  return done.length > 0 && `the server ${listed(done)}`;
}

function unservedInWords({ faults }: ScenarioJson, lost: number, shortCircuited: number): Part[] {
  // Where no request gets lost on its way, those that seem to be have met a server that hangs.
  const fate = faults.request_loss > 0 ? `${isOrAre(lost)} lost on the way` : `${lost === 1 ? "gets" : "get"} no answer`;
  return [
    lost > 0 && `${counted(lost, "request", "requests")} ${fate}`,
    shortCircuited > 0 && `breakers stop ${grouped(shortCircuited)}`,
  ];
}

function droppedInWords(scenario: ScenarioJson, tick: Tick, dropped: number, crashed: number): Part {
  if (outagesOf(scenario).some(({ from, kind }) => kind === "crash" && from === tick)) {
    const taken = present([
      dropped > 0 && counted(dropped, "waiting request", "waiting requests"),
      crashed > 0 && counted(crashed, "response", "responses"),
    ]);
    return taken.length > 0 && `the crash takes ${listed(taken)}`;
  }
  return dropped > 0 && `${counted(dropped, "abandoned request", "abandoned requests")} ${isOrAre(dropped)} dropped`;
}

function effectsInWords(started: readonly Attempt[]): Part[] {
  const applied = count(started, ({ effect }) => effect === "applied");
  const duplicates = count(started, ({ effect }) => effect === "duplicate");
  const suppressed = count(started, ({ effect }) => effect === "suppressed");
  const effects = applied + duplicates;
  return [
    effects > 0 && `${counted(effects, "effect", "effects")}${duplicatesInWords(duplicates, effects)}`,
    suppressed > 0 && `${counted(suppressed, "repetition", "repetitions")} ${isOrAre(suppressed)} suppressed`,
  ];
}

function duplicatesInWords(duplicates: number, effects: number): string {
  if (duplicates === 0) {
    return "";
  }
  if (effects === 1) {
    return ", a duplicate";
  }
  return duplicates === effects
    ? ", all of them duplicates"
    : `, ${grouped(duplicates)} of them ${duplicates === 1 ? "a duplicate" : "duplicates"}`;
}

function acknowledgedInWords(clients: number): Part {
  return clients > 0 && `${counted(clients, "client", "clients")} ${isOrAre(clients)} acknowledged`;
}

// A client that waits no time at all for a response needs no mention: that its response was lost has been said.
function timeoutsInWords(failed: readonly Attempt[], tick: Tick): Part {
  const isRefusal = ({ outcome }: Attempt): boolean => outcome !== "accepted" && outcome !== "request_lost";
  const timeouts = count(failed, (attempt) => !isRefusal(attempt) && attempt.tick < tick);
  return timeouts > 0 && `${counted(timeouts, "client", "clients")} ${timeouts === 1 ? "times" : "time"} out`;
}

const reasonsToGiveUp = [
  ["exhausted", "attempts used up"],
  ["deadline_exceeded", "past the deadline"],
  ["budget_denied", "no retry budget"],
] as const;

function decisionsInWords(failed: readonly Attempt[], clients: readonly ClientRecord[]): Part[] {
  const retrying = count(failed, ({ next_tick }) => next_tick !== null);
  return [
    retrying > 0 && `${grouped(retrying)} will retry`,
    ...reasonsToGiveUp.map(([state, reason]): Part => {
      const stopping = count(failed, ({ next_tick, client }) => next_tick === null && clients[client]!.state === state);
      return stopping > 0 && `${grouped(stopping)} ${stopping === 1 ? "gives" : "give"} up: ${reason}`;
    }),
  ];
}

function count<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return all.reduce((sum, one) => sum + (holds(one) ? 1 : 0), 0);
}

function isOrAre(number: number): string {
  return number === 1 ? "is" : "are";
}
