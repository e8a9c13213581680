// Which ticks of a run the lanes show: all of them, or some at a time.

import type { Tick } from "../engine/types";

export class TickWindow {
  /** How many ticks are shown at once; null for all. */
  zoom: Tick | null = null;
  #begin: Tick = 0;

  /** The first tick shown, and the first one behind those shown, of a run that is drawn up to `end`. */
  shown(end: Tick): [Tick, Tick] {
    const ticks = Math.min(end, this.zoom ?? end);
    const from = Math.max(0, Math.min(this.#begin, end - ticks));
    return [from, from + ticks];
  }

  /** Moves so that a tick is shown, with a little of what led to it and more of what follows. */
  reveal(tick: Tick, end: Tick): void {
    const [from, to] = this.shown(end);
    if (tick < from || tick >= to) {
      this.#begin = tick - Math.floor((to - from) / 4);
    }
  }
}
