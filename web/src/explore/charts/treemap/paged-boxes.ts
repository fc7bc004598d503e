import type { Family } from '../layout/family.ts';
import { type Page, pageOf, pageWeights, type Run, runOf } from '../layout/readable-pages.ts';
import { squarify } from './squarify.ts';

/** A box of this area, in square CSS pixels, has room for a name of two lines. */
export const namedArea = 2_800;
/** Boxes are this many times as wide as high, as far as possible, because names are wide. */
const stretch = 1.6;

const namedHeight = 26;
/** The rest is a strip below its page: high enough for its count, and no higher than this, in CSS pixels. */
const [leastRest, mostRest] = [17, 24];
/** A page in its rectangle: four numbers per item, `x0, y0, x1, y1`, with those of the rest last. */
export type BoxedPage = Page & { readonly boxes: Float64Array };

/**
 * The children of one row in a rectangle of `width` by `height`, page by page, each in the remainder of the previous
 * one. Like `Arrangement` it does not depend on the camera.
 */
export class PagedBoxes {
  readonly run: Run;
  readonly width: number;
  readonly height: number;
  readonly isNear: boolean;
  readonly #pages: BoxedPage[] = [];

  /** @param isNear see `pageOf` */
  constructor(family: Family, width: number, height: number, isNear: boolean) {
    this.run = runOf(family);
    this.width = width;
    this.height = height;
    this.isNear = isNear;
  }

  isOf(family: Family, width: number, height: number, isNear: boolean): boolean {
    return this.run.family === family && this.width === width && this.height === height && this.isNear === isNear;
  }

  /** Undefined after the last loaded child with a weight. Cost: the items of the pages up to this one, once. */
  page(at: number): BoxedPage | undefined {
    while (this.#pages.length <= at) {
      const before = this.#pages.at(-1);
      const first = before?.end ?? 0;
      if (first >= this.run.family.rows.length || before?.rest === 0) return undefined;
      this.#pages.push(this.#arrange(first, before));
    }
    return this.#pages[at];
  }

  #arrange(first: number, before: BoxedPage | undefined): BoxedPage {
    const [x0, y0, x1, y1] = before ? before.boxes.subarray(-4) : [0, 0, this.width, this.height];
    const [width, height] = [x1! - x0!, y1! - y0!];
    const page = pageOf(this.run, first, (width * height) / namedArea, this.isNear);
    const weights = pageWeights(this.run, page);
    const free = page.rest > 0 ? height - heightOfRest(page, weights, width, height) : height;
    const { boxes: placed } = squarify(weights.subarray(0, page.end - first), width / stretch, free);
    const boxes = new Float64Array(4 * weights.length);
    for (let at = 0; at < placed.length; at += 2) {
      boxes[at] = x0! + placed[at]! * stretch;
      boxes[at + 1] = y0! + placed[at + 1]!;
    }
    if (page.rest > 0) boxes.set([x0!, y0! + free, x1!, y1!], placed.length);
    // Boxes in a strip may be large and still too low.
    const need = Math.max(page.need, ((namedHeight / free) ** 2 * width * height) / namedArea);
    return { ...page, need, boxes };
  }
}

/** The height that its weight asks for, within limits that keep the names beside it readable. */
function heightOfRest({ rest, need }: Page, weights: Float64Array, width: number, height: number): number {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const enlarged = Math.max(1, Math.sqrt((need * namedArea) / (width * height)));
  const asWeighed = (height * rest) / whole;
  return Math.min(height / 2, Math.min(Math.max(asWeighed, leastRest / enlarged), mostRest / enlarged));
}
