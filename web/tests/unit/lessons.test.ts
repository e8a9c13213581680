// Each lesson is given the run of its scenario by the native program. What must come out is worked out here from the
// rules in docs/model.md, or stands there in section 10, or in docs/published-results.md; never taken from the lessons.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { PolicyResult, View } from "../../src/engine/types";
import { deduplication } from "../../src/lessons/deduplication";
import { synchronisedRetries } from "../../src/lessons/jitter";
import type { Lesson } from "../../src/lessons/lesson";
import { lessons } from "../../src/lessons/lessons";
import { missingResponse } from "../../src/lessons/missing_response";
import { onceViewed } from "../../src/lessons/once_viewed";
import { remedies } from "../../src/lessons/remedies";
import { retryStorm } from "../../src/lessons/retry_storm";
import { isSameScenario, lessonText, withValue } from "../../src/lessons/scenario_text";
import { stillScheduled } from "../../src/lessons/still_scheduled";
import { Store } from "../../src/state";
import { runNatively } from "../view_of_export";

const runs = new Map<string, View>();

function run(text: string): View {
  const view = runs.get(text) ?? runNatively(text);
  runs.set(text, view);
  return view;
}

const view = (lesson: Lesson): View => run(lesson.text);
const viewAfterChange = ({ text, change }: Lesson): View => run(withValue(text, change.path, change.value));

/** The option that is right where some value of the scenario is another one. */
function rightWith(lesson: Lesson, ...values: [path: (string | number)[], value: unknown][]): number {
  const text = values.reduce((before, [path, value]) => withValue(before, path, value), lesson.text);
  return lesson.question.correct(run(text));
}

function policy(of: View, name: string): PolicyResult {
  const found = of.results.find((result) => result.policy === name);
  if (!found) {
    throw new Error(`no policy ${name}`);
  }
  return found;
}

function golden(name: string): { policies: { name: string }[] } {
  return JSON.parse(readFileSync(new URL(`../../../golden/scenarios/${name}.json`, import.meta.url), "utf8"));
}

function selectedAttempt(lesson: Lesson) {
  const { selected, tick } = lesson.look.place(view(lesson));
  const attempts = view(lesson).results[selected!.policy]!.lanes.attempts;
  const attempt = attempts.find((made) => made.client === selected!.client && made.attempt === selected!.attempt)!;
  expect(tick).toBe(attempt.tick);
  return attempt;
}

const values = (lesson: Lesson, of: View): (number | undefined)[] => lesson.change.figures(of).map(({ value }) => value);

describe("every lesson", () => {
  it("is one of six", () => {
    expect(lessons).toEqual([missingResponse, deduplication, synchronisedRetries, stillScheduled, retryStorm, remedies]);
  });

  it.each(lessons)("$title: offers three or four different answers, one of which is right", (lesson) => {
    const { options, correct } = lesson.question;
    expect([3, 4]).toContain(options.length);
    expect(new Set(options).size).toBe(options.length);
    expect(Object.keys(options)).toContain(String(correct(view(lesson))));
  });

  it.each(lessons)("$title: explains in three to five sentences", (lesson) => {
    expect(lesson.question.explain(view(lesson)).match(/[.?!](\s|$)/g)?.length).toSatisfy((n: number) => n >= 3 && n <= 5);
  });

  it.each(lessons)("$title: has a scenario that does not tell what comes out", ({ text }) => {
    expect(JSON.parse(text)).not.toHaveProperty("description");
  });

  it.each(lessons)("$title: suggests a change that changes a figure, and keeps their names", (lesson) => {
    const names = (of: View): string[] => lesson.change.figures(of).map(({ name }) => name);
    expect(values(lesson, viewAfterChange(lesson))).not.toEqual(values(lesson, view(lesson)));
    expect(names(viewAfterChange(lesson))).toEqual(names(view(lesson)));
    expect(lesson.change.conclusion(viewAfterChange(lesson), view(lesson))).not.toMatch(/undefined|null|NaN/);
  });

  it.each(lessons)("$title: says the same of columns of two ticks", (lesson) => {
    const coarse = runNatively(lesson.text, 2);
    expect(lesson.question.correct(coarse)).toBe(lesson.question.correct(view(lesson)));
    expect(lesson.question.explain(coarse)).toBe(lesson.question.explain(view(lesson)));
  });
});

describe("the missing response", () => {
  const of = view(missingResponse);

  it("loses two requests and two responses of twelve that are sent once", () => {
    expect(of.scenario).toMatchObject({ clients: 12, policies: [{ attempts: 1, timeout: 3 }, { attempts: 6, timeout: 3 }] });
    const fates = policy(of, "send once").lanes.attempts.map(({ outcome, response }) => `${outcome} ${response}`);
    expect(fates.filter((fate) => fate === "request_lost none")).toHaveLength(2);
    expect(fates.filter((fate) => fate === "accepted lost")).toHaveLength(2);
    expect(fates.filter((fate) => fate === "accepted acknowledged")).toHaveLength(8);
  });

  it("has the right answer that some are never applied, and some more than once", () => {
    const timesApplied = (name: string) => policy(of, name).lanes.clients.map(({ effects }) => effects);
    expect(timesApplied("send once").filter((times) => times === 0)).toHaveLength(2);
    expect(timesApplied("send again").filter((times) => times === 2)).toHaveLength(3);
    expect(Math.min(...timesApplied("send again"))).toBe(1);
    expect(missingResponse.question.correct(of)).toBe(2);
  });

  it("has each other answer right where less is lost", () => {
    const noResponse: [string[], number] = [["faults", "response_loss"], 0];
    const noRequest: [string[], number] = [["faults", "request_loss"], 0];
    expect(rightWith(missingResponse, noResponse, noRequest)).toBe(0);
    expect(rightWith(missingResponse, noRequest)).toBe(1);
    expect(rightWith(missingResponse, noResponse)).toBe(3);
  });

  it("quotes who saw no response, who was applied, and the duplicates", () => {
    const explanation = missingResponse.question.explain(of);
    expect(explanation).toContain("4 clients saw no response");
    expect(explanation).toContain("applied the operations of 2 of them");
    expect(explanation).toContain("those of the other 2");
    expect(explanation).toContain("12 of 12 clients were acknowledged, at the price of 3 duplicate effects");
  });

  it("selects an attempt whose response was lost", () => {
    expect(selectedAttempt(missingResponse)).toMatchObject({ client: 6, effect: "applied", response: "lost" });
    expect(missingResponse.look.describe(of)).toContain("The request of client 7 never arrived");
  });

  it("has no duplicates when no response is lost, and the same two never applied", () => {
    expect(values(missingResponse, of)).toEqual([3, 2]);
    expect(values(missingResponse, viewAfterChange(missingResponse))).toEqual([0, 2]);
  });
});

describe("deduplication", () => {
  const of = view(deduplication);

  it("has the figures of docs/model.md, section 10", () => {
    const figures = (result: PolicyResult) => {
      const { attempts, effects, duplicate_effects, acknowledged } = result.summary;
      return [attempts, effects, duplicate_effects, acknowledged];
    };
    expect(of.results.map(figures)).toEqual([[26, 7, 0, 6], [26, 8, 0, 7]]);
    expect(viewAfterChange(deduplication).results.map(figures)).toEqual([[26, 9, 2, 6], [26, 10, 2, 7]]);
  });

  it("has the right answer that nothing is applied twice, but some never learn of it", () => {
    // 7 and 8 operations were applied, 6 and 7 clients acknowledged.
    expect(deduplication.question.correct(of)).toBe(0);
    const explanation = deduplication.question.explain(of);
    expect(explanation).toContain("suppressed 2 repetitions with “fixed delay” and 2 with “bounded jitter”");
    expect(explanation).toContain("1 client with “fixed delay” and 1 with “bounded jitter” never learned");
    expect(explanation).toContain("attempt 4 of client 6 was lost");
  });

  it("has each other answer right in another scenario", () => {
    expect(rightWith(deduplication, [["server", "deduplication"], { kind: "none" }])).toBe(2);
    // Whoever may send as often as it takes is acknowledged in the end.
    expect(rightWith(deduplication, [["policies", 0, "attempts"], 20], [["policies", 1, "attempts"], 20])).toBe(1);
  });

  it("selects the attempt after which a client gave up without knowing", () => {
    // In tick 12, three of the four clients that are left find room: 3, 5 and 6.
    expect(selectedAttempt(deduplication)).toMatchObject({ tick: 12, client: 6, attempt: 4, effect: "applied", response: "lost" });
  });

  it("leaves attempts and acknowledgements as they are when it is turned off", () => {
    expect(values(deduplication, of)).toEqual([26, 6, 0, 26, 7, 0]);
    expect(values(deduplication, viewAfterChange(deduplication))).toEqual([26, 6, 2, 26, 7, 2]);
  });
});

describe("synchronised retries", () => {
  const of = view(synchronisedRetries);
  // Sums of the delays 2, 4, 8, 16, 32, 32, 32. The last five find the server up, which starts 10 each time.
  const waves = [0, 2, 6, 14, 30, 62, 94, 126];

  it("takes its policies as they are from the jitter comparison", () => {
    const names = ["no jitter", "proportional, 20 %", "full jitter"];
    const all = golden("jitter-comparison").policies;
    expect(JSON.parse(synchronisedRetries.text).policies).toEqual(all.filter(({ name }) => names.includes(name)));
    expect(of.scenario).toMatchObject({ clients: 100, server: { capacity: 10, outages: [{ from: 0, ticks: 10 }] } });
  });

  it("has the right answer that only without jitter some give up", () => {
    const { load, summary } = policy(of, "no jitter");
    expect(load.filter(({ attempts }) => attempts > 0).map(({ tick }) => tick)).toEqual(waves);
    expect([summary.acknowledged, summary.exhausted]).toEqual([50, 50]);
    expect(policy(of, "proportional, 20 %").summary).toMatchObject({ acknowledged: 100, last_acknowledged_tick: 60 });
    expect(policy(of, "full jitter").summary).toMatchObject({ acknowledged: 100, last_acknowledged_tick: 41 });
    expect(synchronisedRetries.question.correct(of)).toBe(3);
  });

  it("has each other answer right in another scenario", () => {
    expect(rightWith(synchronisedRetries, [["server", "capacity"], 20])).toBe(0);
    // Ten waves serve all without jitter; two attempts are over before the outage is.
    expect(
      rightWith(synchronisedRetries, [["horizon"], 400], [["policies", 0, "attempts"], 13], [["policies", 2, "attempts"], 2]),
    ).toBe(1);
    expect(rightWith(synchronisedRetries, [["server", "capacity"], 0])).toBe(2);
  });

  it("quotes the waves, and what the server could have done", () => {
    const explanation = synchronisedRetries.question.explain(of);
    expect(explanation).toContain("8 waves, of which 5 find the server up, and each fills 10 places");
    expect(explanation).toContain("50 clients were acknowledged and 50 gave up");
    expect(explanation).toContain(`${((126 - 10 + 1) * 10).toLocaleString("en-US").replace(",", "\u00a0")} requests`);
    expect(explanation).toContain("100 clients were acknowledged, the last in tick 60; with full jitter 100, the last in tick 41");
  });

  it("goes to the first wave after the outage", () => {
    expect(synchronisedRetries.look.place(of)).toEqual({ tick: 14 });
    expect(synchronisedRetries.look.describe(of)).toContain("In tick 14, 100 clients without jitter send and 10 are accepted");
    const spread = policy(of, "full jitter").lanes.attempts.filter(({ tick }) => tick === 14).length;
    expect(synchronisedRetries.look.describe(of)).toContain(`with full jitter ${spread} send`);
  });

  it("lets twice the capacity do less than jitter", () => {
    // Twenty in each of five waves are all, but the last of them in the last wave.
    expect(values(synchronisedRetries, of).slice(0, 3)).toEqual([50, 126, 100]);
    expect(values(synchronisedRetries, viewAfterChange(synchronisedRetries)).slice(0, 3)).toEqual([100, 126, 100]);
    const conclusion = synchronisedRetries.change.conclusion(viewAfterChange(synchronisedRetries), of);
    expect(conclusion).toContain("without jitter took until tick 126");
    expect(conclusion).toContain("20 %, until tick 60");
  });
});

describe("still scheduled", () => {
  const of = view(stillScheduled);

  it("has the figures of docs/model.md, section 10", () => {
    expect(of.scenario).toMatchObject({ clients: 80, horizon: 80, server: { capacity: 1 }, policies: [{ attempts: 8 }] });
    expect(of.results[0]?.summary).toMatchObject({ acknowledged: 4, scheduled: 76, exhausted: 0 });
    expect(stillScheduled.question.correct(of)).toBe(1);
  });

  it("has each other answer right in another scenario", () => {
    expect(rightWith(stillScheduled, [["server", "capacity"], 80])).toBe(0);
    // In tick 140 the last attempts are made, if they arrived at once; half of them came a tick later.
    expect(rightWith(stillScheduled, [["horizon"], 141], [["arrivals"], { kind: "spread", over: 2 }])).toBe(2);
    expect(rightWith(stillScheduled, [["horizon"], 200])).toBe(3);
  });

  it("quotes the kinds of clients, and the two failure rates that are none", () => {
    const explanation = stillScheduled.question.explain(of);
    expect(explanation).toContain("4 clients are acknowledged, 0 exhausted and 76 scheduled");
    expect(explanation).toContain("have made 4 attempts, and the next is due in tick 80");
    expect(explanation).toContain("could start 4 requests, not 80");
    expect(explanation).toContain("reports 95 % failures");
  });

  it("selects an attempt that is followed at the horizon", () => {
    // Clients 0 to 3 were served in ticks 0, 20, 40 and 60.
    expect(selectedAttempt(stillScheduled)).toMatchObject({ tick: 60, client: 4, attempt: 4, outcome: "overloaded", next_tick: 80 });
  });

  it("has an outcome of all when it is observed until the eighth attempts", () => {
    expect(values(stillScheduled, of)).toEqual([4, 0, 76]);
    expect(values(stillScheduled, viewAfterChange(stillScheduled))).toEqual([8, 72, 0]);
  });
});

describe("the retry storm", () => {
  const of = view(retryStorm);

  it("has the figures of docs/published-results.md", () => {
    expect(of.scenario).toMatchObject({
      clients: 4000,
      arrivals: { kind: "spread", over: 1000 },
      server: { capacity: 5, queue: 400, outages: [{ from: 100, ticks: 60, kind: "hang" }] },
      policies: [{ attempts: 4, timeout: 20 }],
    });
    expect(of.results[0]?.summary).toMatchObject({ acknowledged: 400, attempts: 14800 });
  });

  it("has the right answer that nobody is acknowledged any more", () => {
    const acknowledgements = of.results[0]!.lanes.clients.map(({ acknowledged_tick }) => acknowledged_tick ?? -1);
    expect(Math.max(...acknowledgements)).toBe(99);
    expect(retryStorm.question.correct(of)).toBe(3);
  });

  it("has each other answer right in another scenario", () => {
    // A server without a queue has nothing to work off.
    expect(rightWith(retryStorm, [["server", "queue"], 0])).toBe(0);
    // With one attempt, request n after the begin of the outage arrives in tick 100 + floor(n / 4) and is started in the
    // tick of its end + floor(n / 5). Again nobody waits more than 20 ticks after 26 ticks from request 104 on, which is
    // 20 ticks after their end; after 60 ticks from request 784 on, 156 ticks after their end.
    expect(rightWith(retryStorm, [["policies", 0, "attempts"], 1], [["server", "outages", 0, "ticks"], 26])).toBe(1);
    expect(rightWith(retryStorm, [["policies", 0, "attempts"], 1])).toBe(2);
  });

  it("quotes the queue, its time, and what the server did in vain", () => {
    const explanation = retryStorm.question.explain(of);
    expect(explanation).toContain("400 of 4\u00a0000 clients were acknowledged, the last in tick 99");
    expect(explanation).toContain("grew to 400 requests, which take 80 ticks, and a client waits 20");
    const { started, acknowledged } = of.results[0]!.summary;
    expect(started - acknowledged).toBe(4814);
    expect(explanation).toContain("4\u00a0814 of its 5\u00a0214 responses come too late");
    expect(explanation).toContain("14\u00a0800 attempts");
  });

  it("goes to a tick long after the outage in which the server works for nobody", () => {
    expect(retryStorm.look.place(of)).toEqual({ tick: 580 });
    expect(retryStorm.look.describe(of)).toContain(
      "In tick 580 the server starts 5 requests, 400 wait, and 0 clients are acknowledged",
    );
    expect(retryStorm.look.describe(runNatively(retryStorm.text, 3))).toContain("In ticks 579 to 581 the server starts 15");
  });

  it("recovers with a queue no longer than clients wait", () => {
    const { started, acknowledged } = viewAfterChange(retryStorm).results[0]!.summary;
    expect(values(retryStorm, of)).toEqual([400, 14800, 4814]);
    expect(values(retryStorm, viewAfterChange(retryStorm))).toEqual([3936, 5778, started - acknowledged]);
    expect(started - acknowledged).toBe(100);
  });
});

describe("the remedies", () => {
  const of = view(remedies);

  it("takes budget and breaker as they are from the published scenarios", () => {
    const own: { name: string }[] = JSON.parse(remedies.text).policies;
    expect(own.filter(({ name }) => name === "retry budget")).toEqual(golden("published/retry-storm-budget").policies);
    expect(own.filter(({ name }) => name === "circuit breaker")).toEqual(golden("published/retry-storm-breaker").policies);
  });

  it("has the right answer that the breaker does best", () => {
    // The figures of docs/published-results.md.
    const acknowledged = Object.fromEntries(of.results.map(({ policy: name, summary }) => [name, summary.acknowledged]));
    expect(acknowledged).toEqual({ "one attempt": 3210, "four attempts": 400, "circuit breaker": 3350, "retry budget": 2810 });
    expect(remedies.question.correct(of)).toBe(2);
  });

  it("has each other answer right in another scenario", () => {
    // Breakers that open for good let nobody through any more.
    const noBreaker: [(string | number)[], number] = [["policies", 2, "breaker", "open_ticks"], 2000];
    expect(rightWith(remedies, noBreaker)).toBe(0);
    expect(rightWith(remedies, [["server", "drop_abandoned"], true])).toBe(1);
    // Where retries join no queue of expired requests, some are better than none.
    const none: [(string | number)[], number] = [["policies", 1, "attempts"], 1];
    expect(rightWith(remedies, [["server", "drop_abandoned"], true], none)).toBe(3);
  });

  it("quotes what the retries of the budget cost: a hundred ticks, and the clients that arrive in them", () => {
    const firstAfter = (name: string) => policy(of, name).load.find(({ tick, acknowledged }) => tick >= 160 && acknowledged > 0);
    expect(firstAfter("retry budget")!.tick - firstAfter("one attempt")!.tick).toBe(100);
    const explanation = remedies.question.explain(of);
    expect(explanation).toContain("3\u00a0350 with the breaker, 3\u00a0210 with one attempt, 2\u00a0810 with the budget, 400 with four attempts");
    expect(explanation).toContain("shrinks by only 1 a tick, since 4 clients still arrive");
    expect(explanation).toContain("its 100 retries join that queue: recovery takes 100 ticks more, in which 400 clients arrive");
    const stopped = policy(of, "circuit breaker").lanes.attempts.filter(({ outcome }) => outcome === "short_circuited");
    expect(explanation).toContain(`${stopped.length.toLocaleString("en-US").replace(",", "\u00a0")} attempts that it stopped`);
  });

  it("goes to the tick in which the queue of the breaker is empty", () => {
    const { tick } = remedies.look.place(of);
    expect(policy(of, "circuit breaker").load[tick!]?.queued).toBe(0);
    const waiting = (name: string) => policy(of, name).load[tick!]?.queued;
    expect(remedies.look.describe(of)).toContain(
      `with one attempt: ${waiting("one attempt")}; with the budget: ${waiting("retry budget")}; ` +
        `with four attempts: ${waiting("four attempts")}.`,
    );
  });

  it("serves most clients of four attempts when abandoned requests are dropped", () => {
    const changed = viewAfterChange(remedies);
    expect(values(remedies, changed).at(-1)).toBe(0);
    expect(Math.max(...changed.results.map(({ summary }) => summary.acknowledged))).toBe(3975);
    expect(policy(changed, "four attempts").summary.acknowledged).toBe(3975);
    expect(remedies.change.conclusion(changed, of)).toContain("with “four attempts”");
  });
});

describe("the texts of scenarios", () => {
  it("are the same however they are laid out", () => {
    expect(isSameScenario('{"a": [1, 2], "b": 0.10}', '{ "a":[1,2],\n"b":0.10 }')).toBe(true);
    expect(isSameScenario('{"a": 1}', '{"a": 2}')).toBe(false);
    expect(isSameScenario('{"a": 1', '{"a": 1')).toBe(true);
  });

  it("keep all policies when none are named", () => {
    const text = '{"description": "x", "policies": [{"name": "a"}, {"name": "b"}]}';
    expect(JSON.parse(lessonText(text))).toEqual({ policies: [{ name: "a" }, { name: "b" }] });
    expect(JSON.parse(lessonText(text, ["b"]))).toEqual({ policies: [{ name: "b" }] });
  });
});

describe("waiting for a run", () => {
  const some = { scenario: {}, results: [] } as unknown as View;
  const other = { scenario: {}, results: [] } as unknown as View;

  it("is over at once when the run is there", () => {
    const store = new Store('{"a": 1}');
    store.update({ view: some, viewText: '{"a":1}' });
    const seen: View[] = [];
    onceViewed(store, '{"a": 1}', (found) => seen.push(found));
    store.update({ view: other });
    expect(seen).toEqual([some]);
  });

  it("passes over other runs, and ends with the first that fits", () => {
    const store = new Store("{}");
    const seen: View[] = [];
    onceViewed(store, '{"a": 1}', (found) => seen.push(found));
    store.update({ view: other, viewText: "{}" });
    expect(seen).toEqual([]);
    store.update({ view: some, viewText: '{"a": 1}' });
    store.update({ view: other, viewText: '{"a": 1}' });
    expect(seen).toEqual([some]);
  });

  it("can be ended", () => {
    const store = new Store("{}");
    const seen: View[] = [];
    onceViewed(store, "{}", (found) => seen.push(found))();
    store.update({ view: some, viewText: "{}" });
    expect(seen).toEqual([]);
  });
});
