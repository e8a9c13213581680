// The lanes of some clients: a canvas that scrolls, and one place in the order of focus. For those who listen it is a
// grid of which only the row and the cell in focus exist.

import { h } from "../dom";
import type { Attempt, Tick, View } from "../engine/types";
import { grouped } from "../format";
import { lastEventTick, timeDomain } from "../time_scale";
import { attemptInWords } from "./attempt_in_words";
import { oncePerFrame, onThemeChange, prepareCanvas, readColours } from "./canvas";
import { laneEnds } from "./lane_ends";
import { laneGeometry, placeAt, type Place } from "./lane_geometry";
import { nearestAttempt, type Lane } from "./lanes_by_client";
import { paintLanes } from "./lanes_painter";
import { MarkSprites } from "./mark_sprites";
import { outagesOf } from "./outages";
import { TickWindow } from "./tick_window";
import { axisHeight } from "./time_axis";

export interface LaneField {
  element: HTMLElement;
  setLabel(label: string): void;
  show(view: View, lanes: readonly Lane[]): void;
  setTick(tick: Tick): void;
  /** Shows so many ticks at once, or all of them. */
  setZoom(ticks: Tick | null): void;
  /** Goes to the attempt that was made nearest to this tick, whoever made it. */
  seek(tick: Tick): void;
  /** Marks the attempt whose details are open. The keyboard goes on from there. */
  setSelected(client: number | null, attempt: number | null): void;
}

interface LaneFieldEvents {
  onOpen(attempt: Attempt): void;
  onTick(tick: Tick): void;
  /** The attempt under the pointer or in focus, in words; empty if there is none. */
  onRead(words: string): void;
}

const pageOfLanes = 10;

let fieldsMade = 0;

export function createLaneField({ onOpen, onTick, onRead }: LaneFieldEvents): LaneField {
  const prefix = `garden-${++fieldsMade}`;
  const canvas = h("canvas", { class: "garden-canvas" });
  const size = h("div", { "aria-hidden": "true" }, canvas);
  const row = h("div", { class: "unseen", role: "row" });
  const help = h(
    "p",
    { id: `${prefix}-help`, hidden: true },
    "Left and right go to the client's attempts, up and down to other clients, Enter opens an attempt.",
  );
  const field = h(
    "div",
    { class: "garden-field", role: "grid", tabindex: 0, "aria-describedby": help.id },
    size,
    row,
  );
  const element = h("div", { class: "garden-lanes" }, field, help);

  let view: View | null = null;
  let lanes: readonly Lane[] = [];
  let tick: Tick = 0;
  const ticks = new TickWindow();
  let focus: Place = { lane: 0, place: 0 };
  let pointed: Place | null = null;
  let selected: Place | null = null;
  let geometry = laneGeometry(1, 0, [0, 1]);
  let colours = readColours();
  let sprites = new MarkSprites(colours, geometry.radius);
  let cellsMade = 0;

  const draw = oncePerFrame(() => {
    const width = element.clientWidth;
    if (view === null || width === 0) {
      return;
    }
    const domain = ticks.shown(timeDomain(view)[1]);
    geometry = laneGeometry(lanes.length, width, domain);
    layOut(width);
    if (!sprites.suits(colours, geometry.radius)) {
      sprites = new MarkSprites(colours, geometry.radius);
    }
    const height = field.clientHeight;
    paintLanes(
      prepareCanvas(canvas, width, height),
      {
        ...geometry,
        lanes,
        domain,
        width,
        height,
        scrolled: field.scrollTop,
        outages: outagesOf(view.scenario),
        serviceTicks: view.scenario.server.service_ticks,
        tick,
        isTickLast: tick >= lastEventTick(view),
        pointed: attemptAt(pointed),
        focused: hasFocus() ? attemptAt(focus) : null,
        selected: attemptAt(selected),
      },
      sprites,
      colours,
    );
  });

  // The scrollbar stands beside the lanes, not on them, so that the ticks keep to the scale of the charts.
  function layOut(width: number): void {
    size.style.height = `${geometry.height}px`;
    field.style.height = `${geometry.fieldHeight}px`;
    field.style.width = `${width + field.offsetWidth - field.clientWidth}px`;
  }

  function attemptAt(place: Place | null): Attempt | null {
    return (place && lanes[place.lane]?.attempts[place.place]) ?? null;
  }

  function hasFocus(): boolean {
    return document.activeElement === field;
  }

  function inWords(place: Place | null): string {
    const attempt = attemptAt(place);
    return attempt === null || view === null
      ? ""
      : attemptInWords(attempt, lanes[place!.lane]!.client, view.scenario.server.service_ticks);
  }

  function read(): void {
    onRead(inWords(pointed ?? (hasFocus() ? focus : null)));
  }

  // Only the cell in focus exists, each time as a new element: that makes a screen reader read it.
  function putFocus(place: Place): void {
    focus = place;
    const { client, state } = lanes[place.lane]!.client;
    const cell = h("span", { role: "gridcell", id: `${prefix}-cell-${++cellsMade}` }, inWords(place));
    row.setAttribute("aria-rowindex", String(place.lane + 1));
    row.replaceChildren(h("span", { role: "rowheader" }, `Client ${grouped(client)}: ${laneEnds[state].short}`), cell);
    field.setAttribute("aria-activedescendant", cell.id);
    read();
    draw();
  }

  function goTo(place: Place): void {
    putFocus(place);
    const top = place.lane * geometry.laneHeight;
    const roomBelow = geometry.fieldHeight - axisHeight - geometry.laneHeight;
    field.scrollTop = Math.min(top, Math.max(top - roomBelow, field.scrollTop));
    reveal(attemptAt(place)?.tick ?? 0);
  }

  function reveal(wish: Tick): void {
    if (view !== null) {
      ticks.reveal(wish, timeDomain(view)[1]);
    }
    draw();
  }

  function goToLane(wish: number): void {
    const lane = Math.min(lanes.length - 1, Math.max(0, wish));
    goTo({ lane, place: nearestAttempt(lanes[lane]!, attemptAt(focus)?.tick ?? 0) });
  }

  function goToAttempt(wish: number): void {
    const { lane } = focus;
    goTo({ lane, place: Math.min(lanes[lane]!.attempts.length - 1, Math.max(0, wish)) });
  }

  function open(): void {
    const attempt = attemptAt(focus);
    if (attempt !== null) {
      onOpen(attempt);
    }
  }

  function move(key: string, isFar: boolean): (() => void) | undefined {
    const { lane, place } = focus;
    return {
      ArrowLeft: () => goToAttempt(place - 1),
      ArrowRight: () => goToAttempt(place + 1),
      ArrowUp: () => goToLane(lane - 1),
      ArrowDown: () => goToLane(lane + 1),
      PageUp: () => goToLane(lane - pageOfLanes),
      PageDown: () => goToLane(lane + pageOfLanes),
      Home: () => (isFar ? goToLane(0) : goToAttempt(0)),
      End: () => (isFar ? goToLane(Infinity) : goToAttempt(Infinity)),
      Enter: open,
      " ": open,
    }[key];
  }

  function pointOf(event: MouseEvent): { x: number; y: number } {
    const box = field.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  function pointAt(place: Place | null): void {
    if (place?.lane !== pointed?.lane || place?.place !== pointed?.place) {
      pointed = place;
      field.classList.toggle("is-on-mark", place !== null);
      read();
      draw();
    }
  }

  field.addEventListener("keydown", (event) => {
    const act = event.altKey || event.metaKey || lanes.length === 0 ? undefined : move(event.key, event.ctrlKey);
    if (act !== undefined) {
      event.preventDefault();
      act();
    }
  });
  field.addEventListener("pointermove", (event) => pointAt(placeAt(geometry, lanes, pointOf(event), field.scrollTop)));
  field.addEventListener("pointerleave", () => pointAt(null));
  field.addEventListener("click", (event) => {
    const point = pointOf(event);
    const place = placeAt(geometry, lanes, point, field.scrollTop);
    if (place !== null) {
      putFocus(place);
      open();
    } else if (point.y < axisHeight) {
      onTick(geometry.scale.tickAt(point.x));
    }
  });
  field.addEventListener("scroll", draw);
  for (const change of ["focus", "blur"]) {
    field.addEventListener(change, () => {
      read();
      draw();
    });
  }
  new ResizeObserver(draw).observe(element);
  onThemeChange(() => {
    colours = readColours();
    draw();
  });

  return {
    element,
    setLabel: (label) => field.setAttribute("aria-label", label),
    show(nextView, nextLanes) {
      const wasAt = attemptAt(focus);
      view = nextView;
      lanes = nextLanes;
      pointed = selected = null;
      field.setAttribute("aria-rowcount", String(lanes.length));
      const lane = Math.max(0, lanes.findIndex(({ client }) => client.client === wasAt?.client));
      putFocus({ lane, place: nearestAttempt(lanes[lane]!, wasAt?.tick ?? 0) });
    },
    setTick(next) {
      tick = next;
      reveal(next);
    },
    setZoom(next) {
      ticks.zoom = next;
      reveal(tick);
    },
    seek(wish) {
      const places = lanes.map((each, lane): Place => ({ lane, place: nearestAttempt(each, wish) }));
      const distances = places.map((place) => Math.abs((attemptAt(place)?.tick ?? Infinity) - wish));
      const nearest = places[distances.indexOf(Math.min(...distances))];
      if (nearest !== undefined) {
        goTo(nearest);
        field.scrollTop = nearest.lane * geometry.laneHeight - geometry.fieldHeight / 2;
      }
    },
    setSelected(client, number) {
      const lane = lanes.findIndex((each) => each.client.client === client);
      const place = lanes[lane]?.attempts.findIndex(({ attempt }) => attempt === number) ?? -1;
      selected = place < 0 ? null : { lane, place };
      if (selected !== null && (selected.lane !== focus.lane || selected.place !== focus.place)) {
        goTo(selected);
      }
      draw();
    },
  };
}
