// Goes through the ticks of a run, by hand or by itself, and says what happens in each.

import "./timeline.css";
import { announce } from "../announcer";
import { h, s } from "../dom";
import type { Engine, Tick, View } from "../engine/types";
import { counted, grouped } from "../format";
import type { PageState, Store } from "../state";
import { lastEventTick } from "../time_scale";
import { eventFrom, eventTicks } from "./event_ticks";
import { Playback } from "./playback";
import { ticksTold, tickInWords } from "./tick_in_words";

/** How many speeds are offered: for a long run, those with which one gets somewhere. */
const speedsOffered = 8;
/** Where fewer ticks than this part hold an event, empty ones are skipped unless somebody wants them. */
const sparse = 0.1;
/** Without a choice, a run is played in about this many seconds. */
const secondsOfRun = 20;

const icons = {
  first: "M2,2H4V14H2ZM14,2V14L5,8Z",
  previous: "M12,2V14L3,8Z",
  play: "M4,2L14,8L4,14Z",
  pause: "M3,2H6.5V14H3ZM9.5,2H13V14H9.5Z",
  next: "M4,2L13,8L4,14Z",
  last: "M12,2H14V14H12ZM2,2L11,8L2,14Z",
};

export function createTimeline(store: Store, _engine: Engine): HTMLElement {
  const first = button("First tick", "first", () => go(0));
  const previous = button("Previous tick", "previous", () => go(ticksFurther(-1)));
  const play = button("Play", "play", () => (playback.isPlaying ? playback.stop() : start()));
  const next = button("Next tick", "next", () => go(ticksFurther(1)));
  const last = button("Last tick", "last", () => go(lastTick()));
  const slider = h("input", {
    class: "timeline-slider",
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Tick",
    oninput: () => go(slider.valueAsNumber * stride()),
  });
  const position = h("span", { class: "timeline-tick", "aria-hidden": "true" });
  const speed = h("select", {
    onchange: () => {
      playback.speed = Number(speed.value);
    },
  });
  const skip = h("input", {
    type: "checkbox",
    onchange: () => {
      isSkipChosen = true;
      offerSpeeds();
    },
  });
  const words = h("ul", { class: "timeline-words" });
  const element = h(
    "section",
    { class: "timeline", "aria-label": "Time line" },
    h(
      "div",
      { class: "timeline-controls" },
      h(
        "div",
        { class: "timeline-buttons", role: "group", "aria-label": "Go through time" },
        [first, previous, play, next, last],
      ),
      slider,
      position,
      h("label", { class: "timeline-choice" }, "Speed ", speed),
      h("label", { class: "timeline-choice" }, skip, " Skip empty ticks"),
    ),
    words,
  );
  const playback = new Playback(
    {
      advance(steps) {
        store.update({ tick: Math.min(lastTick(), ticksFurther(steps)) });
        return store.state.tick < lastTick();
      },
      onChange(isPlaying) {
        label(play, isPlaying ? "Pause" : "Play", isPlaying ? "pause" : "play");
      },
    },
    window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 60,
  );

  let events: Tick[] = [0];
  /** Where a new run has put the time; null as soon as it is there. Only what somebody did is announced. */
  let tickOfRun: Tick | null = null;
  let isSkipChosen = false;

  function lastTick(): Tick {
    return store.state.view === null ? 0 : lastEventTick(store.state.view);
  }

  // The shortest stretch of ticks that is told of at once under any policy.
  function stride(): Tick {
    const { view } = store.state;
    return view === null ? 1 : Math.min(...view.results.map((_, policy) => ticksTold(view, policy, 0).to + 1));
  }

  /** The tick so many steps from here: of those that hold an event, if empty ones are skipped. */
  function ticksFurther(steps: number): Tick {
    const { tick } = store.state;
    return skip.checked ? eventFrom(events, tick, steps) : tick + steps * stride();
  }

  function go(wish: Tick): void {
    playback.stop();
    store.update({ tick: Math.min(lastTick(), Math.max(0, wish)) });
  }

  function start(): void {
    if (store.state.tick >= lastTick()) {
      store.update({ tick: 0 });
    }
    playback.start();
  }

  function show(view: View): void {
    const { tick } = store.state;
    const end = lastTick();
    // The slider counts steps, so that a press of an arrow key is one.
    slider.max = String(Math.ceil(end / stride()));
    slider.value = String(Math.ceil(tick / stride()));
    slider.setAttribute("aria-valuetext", `tick ${grouped(tick)} of ${grouped(end)}`);
    position.replaceChildren("tick ", h("b", null, grouped(tick)), ` of ${grouped(end)}`);
    // Buttons that lead nowhere are not disabled, or they would lose the focus of those who just pressed them.
    for (const back of [first, previous]) {
      back.setAttribute("aria-disabled", String(tick <= 0));
    }
    for (const ahead of [next, last]) {
      ahead.setAttribute("aria-disabled", String(tick >= end));
    }
    words.replaceChildren(...view.results.map((_, policy) => h("li", null, tickInWords(view, policy, tick))));
  }

  function offerSpeeds(): void {
    const steps = skip.checked ? events.length : lastTick() / stride();
    const offered: number[] = [];
    for (let power = 1; offered.length === 0 || offered.at(-1)! * 10 < Math.max(100, steps); power *= 10) {
      offered.push(power, 2 * power, 5 * power);
    }
    offered.splice(0, offered.length - speedsOffered);
    playback.speed = offered.find((each) => each >= Math.max(4, steps / secondsOfRun)) ?? offered.at(-1)!;
    const ticks = skip.checked ? 1 : stride();
    speed.replaceChildren(
      ...offered.map((each) => {
        const words = `${counted(each * ticks, "tick", "ticks")} a second`;
        return h("option", { value: each, selected: each === playback.speed }, words);
      }),
    );
  }

  // A new run is shown whole, unless one looked at a moment of the run before it.
  function takeView(view: View, before: Readonly<PageState>): void {
    playback.stop();
    element.hidden = false;
    events = eventTicks(view);
    if (!isSkipChosen) {
      skip.checked = events.length < sparse * (lastTick() / stride());
    }
    offerSpeeds();
    const wasAtEnd = before.view === null || before.tick >= lastEventTick(before.view);
    const tick = wasAtEnd ? lastTick() : Math.min(store.state.tick, lastTick());
    if (tick !== store.state.tick) {
      tickOfRun = tick;
      store.update({ tick });
    }
    show(view);
  }

  element.addEventListener("keydown", (event) => {
    // Buttons, list and check box have a use for the space bar of their own.
    const isFree = event.target === slider;
    if (event.key === " " && isFree) {
      event.preventDefault();
      play.click();
    }
  });
  store.subscribe((state, before) => {
    if (state.view === null) {
      return;
    }
    if (state.view !== before.view) {
      takeView(state.view, before);
    } else if (state.tick > lastTick()) {
      store.update({ tick: lastTick() });
    } else if (state.tick !== before.tick) {
      show(state.view);
      // Nobody can listen as fast as ticks go by.
      if (!playback.isPlaying && state.tick !== tickOfRun) {
        announce(words.innerText);
      }
      tickOfRun = null;
    }
  });
  element.hidden = true;
  if (store.state.view !== null) {
    takeView(store.state.view, { ...store.state, view: null });
  }
  return element;
}

function button(name: string, icon: keyof typeof icons, onclick: () => void): HTMLButtonElement {
  const made = h("button", { class: "button", type: "button", onclick });
  label(made, name, icon);
  return made;
}

function label(button: HTMLButtonElement, name: string, icon: keyof typeof icons): void {
  button.setAttribute("aria-label", name);
  button.title = name;
  button.replaceChildren(
    s("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" }, s("path", { d: icons[icon] })),
  );
}
