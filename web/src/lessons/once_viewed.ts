// Waits for the run of a scenario.

import type { View } from "../engine/types";
import type { Store } from "../state";
import { isSameScenario } from "./scenario_text";

/**
 * Calls once, with the View of a text: at once if the page has it, else when it comes. Returns a function that ends the
 * waiting.
 */
export function onceViewed(store: Store, text: string, then: (view: View) => void): () => void {
  const found = (): View | null => (isSameScenario(store.state.viewText, text) ? store.state.view : null);
  const view = found();
  if (view) {
    then(view);
    return () => undefined;
  }
  const stop = store.subscribe((state, before) => {
    const later = state.view === before.view ? null : found();
    if (later) {
      stop();
      then(later);
    }
  });
  return stop;
}
