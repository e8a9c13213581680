// What the lanes show, where they cannot show all: which clients, and how many ticks at once.

import { h } from "../dom";
import type { Lanes, Tick, View } from "../engine/types";
import { grouped } from "../format";
import { timeDomain } from "../time_scale";
import { isWhole } from "./lanes_by_client";

export interface LaneChooser {
  element: HTMLElement;
  /** Offers what there is to choose in a run. */
  offer(view: View, policyIndex: number): void;
  /** Says which clients are shown. */
  tell(lanes: Lanes, view: View): void;
  tellFailure(): void;
}

interface LaneChooserEvents {
  /** Null for the sample that came with the run. */
  onFirstClient(first: number | null): void;
  /** Null for all. */
  onZoom(ticks: Tick | null): void;
}

/** Numbers of ticks that can be shown at once, where there are many more of them. */
const zooms = [1000, 250, 60];

export function createLaneChooser({ onFirstClient, onZoom }: LaneChooserEvents): LaneChooser {
  const first = h("input", { type: "number", min: 0, step: 1, inputmode: "numeric", placeholder: "sample" });
  const range = h("span", { "aria-live": "polite" });
  const toSample = h(
    "button",
    { class: "link", type: "button", onclick: () => onFirstClient(null) },
    "show the sample",
  );
  const clients = h("span", { class: "garden-clients" }, h("label", null, "First client ", first), range, toSample);
  const zoom = h("select", { onchange: () => onZoom(Number(zoom.value) || null) });
  const ticks = h("label", null, "Ticks shown ", zoom);
  const element = h("div", { class: "garden-chooser" }, clients, ticks);

  first.addEventListener("change", () => onFirstClient(Number.isNaN(first.valueAsNumber) ? null : first.valueAsNumber));

  // What is chosen stays chosen while the run is long enough for it.
  function offerZooms(end: Tick): void {
    const offered = zooms.filter((each) => 2 * each <= end);
    const chosen = offered.find((each) => String(each) === zoom.value) ?? null;
    ticks.hidden = offered.length === 0;
    zoom.replaceChildren(
      h("option", { value: "" }, "all"),
      ...offered.map((each) => h("option", { value: each, selected: each === chosen }, grouped(each))),
    );
    onZoom(chosen);
  }

  return {
    element,
    offer(view, policyIndex) {
      const { lanes, density } = view.results[policyIndex]!;
      clients.hidden = isWhole(lanes, view.scenario);
      first.max = String(view.scenario.clients - 1);
      first.step = String(density?.clients_per_row ?? 1);
      offerZooms(timeDomain(view)[1]);
      element.hidden = clients.hidden && ticks.hidden;
    },
    tell(lanes, view) {
      const isSample = lanes.step > 1;
      first.value = isSample ? "" : String(lanes.first);
      toSample.hidden = isSample;
      range.textContent = inWords(lanes, view.scenario.clients);
    },
    tellFailure() {
      range.textContent = "The lanes of these clients could not be computed.";
    },
  };
}

function inWords({ first, last, step, complete }: Lanes, clients: number): string {
  const which =
    step > 1
      ? `a sample: 1 in ${grouped(step)} of ${grouped(clients)} clients`
      : first === last
        ? `alone, of ${grouped(clients)}`
        : `to ${grouped(last)}, of ${grouped(clients)}`;
  return complete ? which : `${which}; later attempts are left out`;
}
