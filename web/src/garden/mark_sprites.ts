// Marks as small pictures that are painted once and then stamped: a garden may show thousands of them in a frame.

import type { ClientState } from "../engine/types";
import { pixelRatio, type Colours } from "./canvas";
import { laneEnds } from "./lane_ends";
import { fills, shapes, type Mark } from "./marks";

const lineWidth = 1.35;
/** The signs at the ends of lanes stand in the margin, which is narrow. */
const mostEndRadius = 4.8;

export class MarkSprites {
  readonly #sprites = new Map<string, HTMLCanvasElement>();
  readonly #half: number;

  constructor(
    private readonly colours: Colours,
    private readonly radius: number,
    private readonly ratio = pixelRatio(),
  ) {
    this.#half = Math.ceil(1.6 * radius + 2);
  }

  /** Whether these are the sprites that would be made now. */
  suits(colours: Colours, radius: number): boolean {
    return this.colours === colours && this.radius === radius && this.ratio === pixelRatio();
  }

  stampMark(context: CanvasRenderingContext2D, mark: Mark, x: number, y: number): void {
    this.#stamp(context, `${mark.shape} ${mark.fill}`, (sprite) => this.#paintMark(sprite, mark), x, y);
  }

  stampEnd(context: CanvasRenderingContext2D, state: ClientState, x: number, y: number): void {
    this.#stamp(context, state, (sprite) => this.#paintEnd(sprite, state), x, y);
  }

  #stamp(
    context: CanvasRenderingContext2D,
    name: string,
    paint: (sprite: CanvasRenderingContext2D) => void,
    x: number,
    y: number,
  ): void {
    let sprite = this.#sprites.get(name);
    if (sprite === undefined) {
      sprite = document.createElement("canvas");
      sprite.width = sprite.height = Math.ceil(2 * this.#half * this.ratio);
      const own = sprite.getContext("2d")!;
      const scale = this.ratio * this.radius;
      own.setTransform(scale, 0, 0, scale, sprite.width / 2, sprite.height / 2);
      paint(own);
      this.#sprites.set(name, sprite);
    }
    // On whole pixels of the screen, so that marks are crisp wherever they stand.
    const size = sprite.width / this.ratio;
    const snap = (place: number): number => Math.round((place - size / 2) * this.ratio) / this.ratio;
    context.drawImage(sprite, snap(x), snap(y), size, size);
  }

  #paintMark(sprite: CanvasRenderingContext2D, { shape, fill }: Mark): void {
    const { outline, colour } = shapes[shape];
    const { painted, isDotted } = fills[fill];
    const path = new Path2D(outline);
    sprite.fillStyle = this.colours("--paper");
    sprite.fill(path);
    sprite.fillStyle = sprite.strokeStyle = this.colours(colour);
    if (painted > 0) {
      sprite.save();
      sprite.beginPath();
      sprite.rect(-2, painted < 1 ? 0 : -2, 4, 4);
      sprite.clip();
      sprite.fill(path);
      sprite.restore();
    }
    sprite.lineWidth = lineWidth / this.radius;
    sprite.lineJoin = "round";
    sprite.setLineDash(isDotted ? [lineWidth / this.radius, (1.25 * lineWidth) / this.radius] : []);
    sprite.stroke(path);
  }

  #paintEnd(sprite: CanvasRenderingContext2D, state: ClientState): void {
    const { strokes, colour } = laneEnds[state];
    const radius = Math.min(this.radius, mostEndRadius);
    sprite.scale(radius / this.radius, radius / this.radius);
    sprite.strokeStyle = this.colours(colour);
    sprite.lineWidth = (1.15 * lineWidth) / radius;
    sprite.lineCap = sprite.lineJoin = "round";
    sprite.stroke(new Path2D(strokes));
  }
}
