// The garden of one policy: a lane per client and a mark per attempt; of very many clients a density, and the lanes of
// some of them.

import "./garden.css";
import { h } from "../dom";
import { Cancelled, type Engine, type Lanes, type View } from "../engine/types";
import type { Store } from "../state";
import { createDensityMap } from "./density_map";
import { createLaneChooser } from "./lane_chooser";
import { createLaneField } from "./lane_field";
import { isWhole, lanesByClient } from "./lanes_by_client";
import { createLegend } from "./legend";
import { createMarkKey } from "./mark_key";

/** How many lanes are fetched at once. */
const lanesAtOnce = 200;

const hint = "Choose a mark to open the attempt; the arrow keys go from mark to mark.";

export function createGarden(store: Store, engine: Engine, policyIndex: number): HTMLElement {
  const reading = h("p", { class: "garden-reading", "aria-hidden": "true" }, hint);
  const read = (words: string): void => {
    reading.textContent = words || hint;
  };
  const field = createLaneField({
    onOpen: ({ client, attempt }) => store.update({ selected: { policy: policyIndex, client, attempt } }),
    onTick: (tick) => store.update({ tick }),
    onRead: read,
  });
  const chooser = createLaneChooser({
    onFirstClient: (client) => void showClientsFrom(client),
    onZoom: (ticks) => field.setZoom(ticks),
  });
  const map = createDensityMap(async (client, tick) => {
    await showClientsFrom(client);
    field.seek(tick);
  }, read);
  const key = createMarkKey();
  const element = h(
    "div",
    { class: "garden", hidden: true },
    map.element,
    chooser.element,
    field.element,
    reading,
    key.element,
    createLegend(),
  );

  /** The first client whose lane is shown; null for what came with the run: all of them, or a sample. */
  let first: number | null = null;
  let latestFetch = 0;

  function showView(view: View): void {
    const result = view.results[policyIndex];
    element.hidden = result === undefined;
    if (result === undefined) {
      return;
    }
    field.setLabel(`Attempts by client, ${result.policy}`);
    map.element.hidden = result.density === null;
    if (result.density !== null) {
      map.show(view, result);
    }
    chooser.offer(view, policyIndex);
    showTick();
    const isOutOfReach = isWhole(result.lanes, view.scenario) || (first ?? 0) >= view.scenario.clients;
    void showClientsFrom(isOutOfReach ? null : first);
  }

  async function showClientsFrom(wish: number | null): Promise<void> {
    const { view, viewText } = store.state;
    const sample = view?.results[policyIndex]?.lanes;
    if (view === null || sample === undefined) {
      return;
    }
    const { clients } = view.scenario;
    first = wish === null ? null : Math.min(clients - 1, Math.max(0, Math.floor(wish)));
    const fetch = ++latestFetch;
    if (first === null) {
      showLanes(sample, view);
      return;
    }
    field.element.setAttribute("aria-busy", "true");
    try {
      const last = Math.min(first + lanesAtOnce, clients) - 1;
      const lanes = await engine.lanes(viewText, policyIndex, first, last);
      if (fetch === latestFetch) {
        showLanes(lanes, view);
      }
    } catch (error) {
      // A run of another text cancels what waits, and then shows its own lanes.
      if (fetch === latestFetch && !(error instanceof Cancelled)) {
        chooser.tellFailure();
      }
    } finally {
      if (fetch === latestFetch) {
        field.element.removeAttribute("aria-busy");
      }
    }
  }

  function showLanes(lanes: Lanes, view: View): void {
    field.element.removeAttribute("aria-busy");
    field.show(view, lanesByClient(lanes));
    key.show(lanes);
    chooser.tell(lanes, view);
    map.setClients(lanes.step > 1 ? null : lanes);
    showSelected();
    read("");
  }

  function showTick(): void {
    field.setTick(store.state.tick);
    map.setTick(store.state.tick);
  }

  function showSelected(): void {
    const { selected } = store.state;
    const isOurs = selected?.policy === policyIndex;
    field.setSelected(isOurs ? selected.client : null, isOurs ? selected.attempt : null);
  }

  store.subscribe((state, before) => {
    if (state.view !== before.view && state.view !== null) {
      showView(state.view);
    }
    if (state.tick !== before.tick) {
      showTick();
    }
    if (state.selected !== before.selected) {
      showSelected();
    }
  });
  if (store.state.view !== null) {
    showView(store.state.view);
  }
  return element;
}
