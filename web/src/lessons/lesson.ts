// What a lesson is: a scenario, a question that is asked before the run is seen, and what the run then shows. Whatever a
// lesson says of a run it works out from the View of that run, so it cannot say anything else than the engine.

import type { View } from "../engine/types";
import type { Path } from "../json/document";
import type { PageState } from "../state";

export interface Lesson {
  title: string;
  /** What the learner has to know of the scenario. */
  setting: string;
  /** The scenario's text. It has no description: that would tell what comes out. */
  text: string;
  question: Question;
  look: Look;
  change: Change;
}

export interface Question {
  prompt: string;
  /** Exactly one of them is right. */
  options: readonly string[];
  /** The index of the option that came out. */
  correct(view: View): number;
  explain(view: View): string;
}

/** A place of the run where it can be seen. */
export interface Look {
  describe(view: View): string;
  /** What to select: an attempt, a tick, or both. */
  place(view: View): Partial<Pick<PageState, "selected" | "tick">>;
}

export interface Figure {
  name: string;
  value: number;
}

/** One value of the scenario that is worth changing next. */
export interface Change {
  suggestion: string;
  /** What the button says that makes the change. */
  action: string;
  path: Path;
  value: unknown;
  /** What to compare with the run before. */
  figures(view: View): readonly Figure[];
  conclusion(changed: View, before: View): string;
}
