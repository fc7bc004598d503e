import type { Family } from '../layout/family.ts';
import { type Page, pageOf, pageWeights, type Run, runOf } from '../layout/readable-pages.ts';
import { placeCircles } from './place-circles.ts';

/** A circle with this radius, in CSS pixels, has room for a short name, and for a long one. */
const [shortRadius, longRadius] = [27, 38];
/** By how much the radius grows with each byte of a name, from a few letters on. */
const [radiusPerByte, fewLetters] = [0.75, 14];
/** Circles in a circle cover about so much of it. */
const density = 0.7;

/** The radius that names of so many UTF-8 bytes need, about. */
export const namedRadiusFor = (nameBytes: number): number =>
  Math.min(longRadius, shortRadius + radiusPerByte * Math.max(0, nameBytes - fewLetters));

/** How many circles of a radius have room in another one. */
export const roomIn = (radius: number, named: number): number => density * (radius / named) ** 2;

/** A page in its circle: middles and radii of its items, those of the rest last, in radii of that circle. */
export type CirclesPage = Page & { readonly x: Float64Array; readonly y: Float64Array; readonly radii: Float64Array };

/** The children of one row as circles, page by page, each in the rest of the one before. */
export class PagedCircles {
  readonly run: Run;
  readonly radius: number;
  /** What each circle needs for its name. */
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
   * Undefined after the last held child that weighs something.
   *
   * @param onWork told how many circles have to be placed for it
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
