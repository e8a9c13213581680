// The guided tour: a panel beside the page in which a learner goes through the lessons. A lesson goes from its question
// to its answer; the results of the page are covered in between. What is done is kept only as long as the page is open.

import { announce, announceVisibly } from "../announcer";
import { h } from "../dom";
import type { Engine, View } from "../engine/types";
import { endOfRun, type Store } from "../state";
import { type Answer, createAnswer } from "./answer";
import { coverResults, showResults } from "./cover";
import type { Lesson } from "./lesson";
import { lessons } from "./lessons";
import "./lessons.css";
import { onceViewed } from "./once_viewed";
import { createOverview } from "./overview";
import { createQuestionForm } from "./question_form";
import { isSameScenario, withValue } from "./scenario_text";

let tour: Tour | undefined;

/** The panel, closed. It is called like every part of the page, but leaves it to the page to run the scenarios. */
export const createLessons: (store: Store, engine: Engine) => HTMLElement = (store) => {
  tour = new Tour(store);
  return tour.element;
};

/** Opens the panel that was made, at the list of the lessons. */
export function openLessons(): void {
  tour?.open();
}

class Tour {
  readonly element: HTMLElement;
  readonly #store: Store;
  readonly #done = new Set<Lesson>();
  readonly #heading = h("h2", { id: "lessons-heading", tabindex: -1 }, "Guided tour");
  readonly #progress = h("p", { class: "progress" });
  readonly #all = h("button", { type: "button", class: "button", onclick: () => this.#showOverview() }, "All lessons");
  readonly #title = h("h3", { tabindex: -1 });
  readonly #body = h("div", { class: "lesson-body" });
  readonly #astray = this.#createAstrayNote();
  /** The lesson whose question is open. */
  #asked: Lesson | null = null;
  #stopWaiting: () => void = () => undefined;
  /** Had the focus before the panel was opened. */
  #opener: HTMLElement | null = null;

  constructor(store: Store) {
    this.#store = store;
    const close = h("button", { type: "button", class: "button", onclick: () => this.#close() }, "Close the tour");
    this.element = h(
      "aside",
      { class: "lessons", "aria-labelledby": "lessons-heading", hidden: true },
      h("header", null, h("div", null, this.#heading, this.#progress), h("div", { class: "buttons" }, this.#all, close)),
      this.#body,
    );
    store.subscribe((state, before) => {
      if (state.text !== before.text) {
        this.#updateCover();
      }
    });
  }

  open(): void {
    if (this.element.hidden && document.activeElement instanceof HTMLElement) {
      this.#opener = document.activeElement;
    }
    this.element.hidden = false;
    this.#showOverview();
  }

  #close(): void {
    this.#leaveQuestion();
    this.element.hidden = true;
    this.#opener?.focus();
  }

  #showOverview(): void {
    this.#leaveQuestion();
    this.#all.hidden = true;
    this.#showProgress();
    this.#body.replaceChildren(createOverview(lessons, this.#done, (lesson) => this.#ask(lesson)));
    this.#scrollToTop();
    this.#heading.focus({ preventScroll: true });
  }

  #ask(lesson: Lesson): void {
    this.#leaveQuestion();
    this.#all.hidden = false;
    this.#showProgress();
    this.#title.textContent = lesson.title;
    const form = createQuestionForm(lesson.question, (predicted) => {
      this.#load(lesson);
      this.#whenViewed(lesson.text, (view) => this.#reveal(lesson, view, predicted, form));
      if (this.#asked) {
        announceVisibly("The run is not finished yet.");
      }
    });
    this.#body.replaceChildren(
      h("p", { class: "label" }, `Lesson ${lessons.indexOf(lesson) + 1} of ${lessons.length}`),
      this.#title,
      h("p", null, lesson.setting),
      this.#astray,
      form,
    );
    this.#asked = lesson;
    this.#load(lesson);
    this.#updateCover();
    this.#scrollToTop();
    this.#title.focus({ preventScroll: true });
  }

  #reveal(lesson: Lesson, view: View, predicted: number, form: HTMLElement): void {
    this.#leaveQuestion();
    this.#done.add(lesson);
    this.#showProgress();
    const answer: Answer = createAnswer(lesson, view, predicted, {
      look: () => {
        this.#load(lesson);
        this.#whenViewed(lesson.text, (run) => {
          this.#store.update(lesson.look.place(run));
          showResults();
        });
      },
      change: () => {
        const text = withValue(lesson.text, lesson.change.path, lesson.change.value);
        this.#store.update({ text });
        this.#whenViewed(text, (changed) => announce(answer.showChange(changed)));
      },
    });
    form.replaceWith(answer.element);
    answer.element.append(this.#createNext(lesson));
    answer.heading.scrollIntoView();
    answer.heading.focus({ preventScroll: true });
    announce(answer.verdict);
  }

  #createNext(lesson: Lesson): HTMLElement {
    const next = lessons[lessons.indexOf(lesson) + 1];
    return h(
      "p",
      { class: "next" },
      next
        ? h("button", { type: "button", class: "button primary", onclick: () => this.#ask(next) }, `Next: ${next.title}`)
        : h("button", { type: "button", class: "button primary", onclick: () => this.#close() }, "End of the tour"),
    );
  }

  /** Puts the lesson's scenario on the page, if that is not there. */
  #load({ text }: Lesson): void {
    if (!isSameScenario(this.#store.state.text, text)) {
      this.#store.update({ text, tick: endOfRun, selected: null });
    }
  }

  #whenViewed(text: string, then: (view: View) => void): void {
    this.#stopWaiting();
    this.#stopWaiting = onceViewed(this.#store, text, then);
  }

  #leaveQuestion(): void {
    this.#stopWaiting();
    this.#asked = null;
    this.#updateCover();
  }

  /** Only the lesson's own run is covered: whoever changes the scenario meanwhile wants to see another one. */
  #updateCover(): void {
    const isHere = this.#asked !== null && isSameScenario(this.#store.state.text, this.#asked.text);
    this.#astray.hidden = this.#asked === null || isHere;
    coverResults(isHere);
  }

  #createAstrayNote(): HTMLElement {
    // The note goes away with its button, so the focus has to go elsewhere.
    const load = (): void => {
      if (this.#asked) {
        this.#load(this.#asked);
        this.#title.focus();
      }
    };
    return h(
      "p",
      { class: "astray", hidden: true },
      "The scenario on the page is no longer that of the lesson. ",
      h("button", { type: "button", class: "link", onclick: load }, "Load it again"),
    );
  }

  /** The panel scrolls by itself where it stands beside the page, and with the page elsewhere. */
  #scrollToTop(): void {
    this.element.scrollTop = 0;
    this.element.scrollIntoView();
  }

  #showProgress(): void {
    this.#progress.textContent = `${this.#done.size} of ${lessons.length} lessons done`;
  }
}
