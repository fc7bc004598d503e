import type { Family } from '../layout/family.ts';
import { type Page, pageOf, pageWeights, type Run, runOf } from '../layout/readable-pages.ts';
import { placeCircles } from './place-circles.ts';

/** A circle with these radii, in CSS pixels, has room for a short and for a long name. */
const [shortRadius, longRadius] = [27, 38];
/** Radius added per byte of a name, beyond a few letters. */
const [radiusPerByte, fewLetters] = [0.75, 14];
/** Approximate share of a circle that the circles in it cover. */
const density = 0.7;

/** The approximate radius that a name of so many UTF-8 bytes needs. */
export const namedRadiusFor = (nameBytes: number): number =>
  Math.min(longRadius, shortRadius + radiusPerByte * Math.max(0, nameBytes - fewLetters));

/** How many circles of one radius fit into another. */
export const roomIn = (radius: number, named: number): number => density * (radius / named) ** 2;

/** A page in its circle: centres and radii of its items, with those of the rest last, in radii of that circle. */
export type CirclesPage = Page & { readonly x: Float64Array; readonly y: Float64Array; readonly radii: Float64Array };

/** The children of one row as circles, page by page, each in the remainder of the previous one. */
export class PagedCircles {
  readonly run: Run;
  readonly radius: number;
  /** The radius that each circle needs for its name. */
  readonly named: number;
  readonly isNear: boolean;
  readonly #pages: CirclesPage[] = [];

  /**
   * @param radius at zoom 1, in CSS pixels
   * @param named see {@link namedRadiusFor}
   * @param isNear see `pageOf`
   */
  constructor(family: Family, radius: number, named: number, isNear: boolean) {
    this.run = runOf(family);
    this.radius = radius;
    this.named = named;
    this.isNear = isNear;
  }

  isOf(family: Family, radius: number, isNear: boolean): boolean {
    return this.run.family === family && this.radius === radius && this.isNear === isNear;
  }

  isPlaced(at: number): boolean {
    return at < this.#pages.length;
  }

  /**
   * Undefined after the last loaded child that has a weight.
   *
   * @param onWork called with the number of circles that have to be placed for it
   */
  page(at: number, onWork: (circles: number) => void): CirclesPage | undefined {
    while (this.#pages.length <= at) {
      const before = this.#pages.at(-1);
      const first = before?.end ?? 0;
      if (first >= this.run.family.rows.length || before?.rest === 0) return undefined;
      const radius = this.#pages.reduce((within, { radii }) => within * radii.at(-1)!, this.radius);
      const page = pageOf(this.run, first, roomIn(radius, this.named), this.isNear);
      onWork(page.end - first);
      this.#pages.push({ ...page, ...placeCircles(pageWeights(this.run, page)) });
    }
    return this.#pages[at];
  }
}
