// Runs the scenario when its text has changed: shortly after the last change, and only the last text. Results stay
// until there are newer ones.

import { announce } from "./announcer";
import { Cancelled, type Engine, type Fault, type RunProgress, type View, type ViewAnswer } from "./engine/types";
import { counted, grouped } from "./format";
import { areResultsCovered } from "./lessons/cover";
import type { PageState, Store } from "./state";
import { timeDomain } from "./time_scale";

const settleMilliseconds = 30;
// Who types wants to hear of the result, not of each key.
const announceMilliseconds = 700;

export class Runner {
  readonly #store: Store;
  readonly #engine: Engine;
  #settle: number | undefined;
  #announcement: number | undefined;
  // The number of the run under way; others are of no interest any more.
  #run = 0;
  #wasCancelled = false;

  constructor(store: Store, engine: Engine) {
    this.#store = store;
    this.#engine = engine;
    store.subscribe((state, before) => {
      if (state.text !== before.text) {
        this.#schedule();
      }
    });
  }

  /** Runs the text as it is. */
  start(): void {
    void this.#start();
  }

  /** Whether nothing runs because somebody wanted it so. */
  get wasCancelled(): boolean {
    return this.#wasCancelled;
  }

  /** Ends the run; the results before it stay. */
  cancel(): void {
    this.#wasCancelled = true;
    this.#stop();
    announce("Cancelled");
  }

  #schedule(): void {
    this.#stop();
    window.clearTimeout(this.#settle);
    this.#settle = window.setTimeout(() => this.start(), settleMilliseconds);
  }

  #stop(): void {
    window.clearTimeout(this.#announcement);
    if (this.#store.state.running !== null) {
      this.#run += 1;
      this.#engine.cancel();
      this.#store.update({ running: null });
    }
  }

  async #start(): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    const { text } = this.#store.state;
    const isCurrent = () => run === this.#run;
    this.#wasCancelled = false;
    const onProgress = (running: RunProgress) => {
      if (isCurrent()) {
        this.#store.update({ running });
      }
    };
    this.#store.update({ running: "starting" });
    const answer = await this.#engine.view(text, onProgress).catch(answerOfFailure);
    if (!isCurrent()) {
      return;
    }
    if (answer.view) {
      this.#store.update({ ...resultState(this.#store.state, answer.view), viewText: text, faults: [], running: null });
      this.#announceSoon(doneWords(answer.view));
    } else {
      this.#store.update({ faults: answer.faults, running: null });
      this.#announceSoon(faultWords(answer.faults));
    }
  }

  #announceSoon(words: string): void {
    window.clearTimeout(this.#announcement);
    this.#announcement = window.setTimeout(
      () => announce(areResultsCovered() ? "Done. The results are covered." : words),
      announceMilliseconds,
    );
  }
}

/** The view, and what the page was looking at as far as it is there in it. */
function resultState(state: PageState, view: View): Pick<PageState, "view" | "tick" | "selected"> {
  const { tick, selected } = state;
  const lastTick = Math.max(0, Math.ceil(timeDomain(view)[1]) - 1);
  return { view, tick: Math.min(tick, lastTick), selected: selected && isIn(view, selected) ? selected : null };
}

function isIn(view: View, { policy, client, attempt }: NonNullable<PageState["selected"]>): boolean {
  const attempts = view.results[policy]?.lanes.attempts ?? [];
  return attempts.some((made) => made.client === client && made.attempt === attempt);
}

function doneWords(view: View): string {
  const policies = view.results.map(
    ({ policy, summary }) =>
      `${policy}: ${counted(summary.attempts, "attempt", "attempts")}, ` +
      `${counted(summary.effects, "effect", "effects")}, ` +
      `${counted(summary.duplicate_effects, "duplicate", "duplicates")}, ` +
      `${grouped(summary.acknowledged)} of ${counted(summary.clients, "client", "clients")} acknowledged`,
  );
  return `Done: ${policies.join("; ")}.`;
}

function faultWords(faults: readonly Fault[]): string {
  return `${counted(faults.length, "fault", "faults")}: ${faults[0]?.text ?? ""}`;
}

// A run that was cancelled is not the current one any more, and nobody looks at its answer.
function answerOfFailure(error: unknown): ViewAnswer {
  const text = `The engine failed: ${error instanceof Error ? error.message : String(error)}`;
  const fault = { line: null, column: null, pointer: "", expected: "a run", found: "an engine that failed", text };
  return { faults: error instanceof Cancelled ? [] : [fault] };
}
