import type { Family } from '../layout/family.ts';
import { type Page, pageOf, pageWeights, type Run, runOf } from '../layout/readable-pages.ts';
import { placeCircles } from './place-circles.ts';

/** Radii with room for a short and for a long name, in CSS pixels. */
const [shortRadius, longRadius] = [27, 38];
/** A short name has this many bytes. Each further byte adds this much to the radius, in CSS pixels. */
const [shortBytes, radiusPerByte] = [14, 0.75];
/** Approximate share of a circle's area that the circles in it cover. */
const density = 0.7;

/** The approximate radius with room for a name of so many UTF-8 bytes, in CSS pixels. */
export const namedRadiusFor = (nameBytes: number): number =>
  Math.min(longRadius, shortRadius + radiusPerByte * Math.max(0, nameBytes - shortBytes));

/** Approximately how many circles of radius `named` fit into one of radius `radius`. */
export const roomIn = (radius: number, named: number): number => density * (radius / named) ** 2;

/**
 * A page in its circle: centres and radii of its items, with those of the rest last. That circle has its centre at the
 * origin and a radius of 1.
 */
export type CirclesPage = Page & { readonly x: Float64Array; readonly y: Float64Array; readonly radii: Float64Array };

/**
 * The children of one row as circles, page by page. The first page fills the parent's circle, and each further one the
 * circle of the rest of the page before it.
 */
export class PagedCircles {
  readonly run: Run;
  /** The radius of the circle for the first page at zoom 1, in CSS pixels. */
  readonly radius: number;
  /** The radius that each circle needs for its name, in CSS pixels. */
  readonly named: number;
  /** See `pageOf`. */
  readonly isNear: boolean;
  readonly #pages: CirclesPage[] = [];

  constructor(family: Family, radius: number, named: number, isNear: boolean) {
    this.run = runOf(family);
    this.radius = radius;
    this.named = named;
    this.isNear = isNear;
  }

  /** Whether these pages are still valid. */
  isOf(family: Family, radius: number, isNear: boolean): boolean {
    return this.run.family === family && this.radius === radius && this.isNear === isNear;
  }

  /** Whether the circles of page `at` are already computed. */
  isPlaced(at: number): boolean {
    return at < this.#pages.length;
  }

  /**
   * Page `at`, computed on first use; undefined after the last loaded child that has a weight.
   *
   * @param onWork called for each page that is computed, with its number of circles
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
