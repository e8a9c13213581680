// Goes from step to step by itself, at some number of steps a second.

interface PlaybackEvents {
  /** Goes on by some steps. Returns whether there is a step to come after that. */
  advance(steps: number): boolean;
  onChange(isPlaying: boolean): void;
}

export class Playback {
  /** Steps a second. */
  speed = 4;
  #timer: number | undefined;
  readonly #leastPause: number;

  /** `framesPerSecond`: how often the picture may change. */
  constructor(
    private readonly events: PlaybackEvents,
    framesPerSecond: number,
  ) {
    this.#leastPause = 1000 / framesPerSecond;
  }

  get isPlaying(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    if (!this.isPlaying) {
      this.#wait(performance.now());
      this.events.onChange(true);
    }
  }

  stop(): void {
    if (this.isPlaying) {
      window.clearTimeout(this.#timer);
      this.#timer = undefined;
      this.events.onChange(false);
    }
  }

  // At a speed above that of the picture, several steps are taken at once; what is left over counts for the next time.
  #wait(since: number): void {
    const pause = Math.max(this.#leastPause, 1000 / this.speed);
    this.#timer = window.setTimeout(() => {
      const steps = Math.max(1, Math.floor(((performance.now() - since) * this.speed) / 1000));
      if (this.events.advance(steps)) {
        this.#wait(since + (steps * 1000) / this.speed);
      } else {
        this.stop();
      }
    }, pause);
  }
}
