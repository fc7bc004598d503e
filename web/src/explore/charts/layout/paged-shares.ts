import type { Family } from './family.ts';
import { isReadable, type Page, pageOf, type Run, runOf } from './readable-pages.ts';

/** Maximum number of pages: each takes a small part of the previous one at most, so more would never be visible. */
const mostPages = 12;

/**
 * The children of one row along a line, page by page, each in the remainder of the previous one. Item `i` takes
 * `[starts[i], starts[i + 1])` of the line, 0 to 1.
 */
export class PagedShares {
  readonly run: Run;
  readonly room: number;
  readonly isNear: boolean;
  /** One more than the last item that has a position. */
  readonly starts: Float64Array;
  readonly #pages: readonly Page[];

  /**
   * @param room length of the line at zoom 1, as a multiple of what one item needs
   * @param isNear see `pageOf`
   */
  constructor(family: Family, room: number, isNear: boolean) {
    this.run = runOf(family);
    this.room = room;
    this.isNear = isNear;
    const starts: number[] = [0];
    const pages: Page[] = [];
    const loaded = family.rows.length;
    for (let first = 0; first < loaded && pages.length < mostPages; ) {
      const from = starts[first]!;
      const page = pageOf(this.run, first, room * (1 - from), isNear);
      let whole = page.rest;
      for (let item = first; item < page.end; item++) whole += family.weights[item]!;
      let before = 0;
      for (let item = first; item < page.end; item++) {
        before += family.weights[item]!;
        starts.push(from + ((1 - from) * before) / whole);
      }
      pages.push(page);
      first = page.end;
      if (page.rest === 0) {
        starts[first] = 1;
        break;
      }
    }
    this.starts = Float64Array.from(starts);
    this.#pages = pages;
  }

  /** How many items are readable in this room on screen; 0 if the branch should stay closed. */
  shown(room: number, isFocus: boolean): number {
    let shown = 0;
    for (const [at, page] of this.#pages.entries()) {
      const isFirst = at === 0;
      const ofPage = room * (1 - this.starts[page.first]!);
      if (!(isFirst && isFocus) && !isReadable(page, ofPage, isFirst && this.isNear)) break;
      shown = page.end;
    }
    return shown;
  }
}
