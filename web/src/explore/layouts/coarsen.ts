/** When the budget does not suffice, the smallest mark grows by this factor, up to `coarsestPx` CSS pixels. */
const coarser = 1.4;
const coarsestPx = 64;

/**
 * Makes a picture, and makes it again where the budget was too small for everything that could be told apart: everything
 * becomes coarser alike, instead of some branches being drawn finely and the last ones not at all.
 *
 * @param make makes the picture with a smallest mark, in CSS pixels; says whether the budget left something out
 */
export function coarsen(minPx: number, make: (minPx: number) => boolean): void {
  for (let px = minPx; make(px) && px * coarser <= coarsestPx; ) px *= coarser;
}
