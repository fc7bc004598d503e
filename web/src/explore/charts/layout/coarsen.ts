/** If the budget is exceeded, the smallest mark grows by this factor, up to `coarsestPx` CSS pixels. */
const coarser = 1.4;
const coarsestPx = 64;

/**
 * Lays out a chart, and lays it out again if the budget was too small for all marks: the whole chart becomes coarser
 * evenly, instead of some branches being drawn finely and the last ones not at all.
 *
 * If all marks are about the same size, a coarser layout may be empty: then some are drawn finely, and one mark stands
 * for the others.
 *
 * @param make makes a layout with a smallest mark, in CSS pixels; returns whether the budget left something out
 * @param isBare whether that layout shows nothing but the focus
 */
export function coarsen(minPx: number, make: (minPx: number) => boolean, isBare: () => boolean): void {
  let px = minPx;
  while (make(px) && px * coarser <= coarsestPx) px *= coarser;
  if (px > minPx && isBare()) make(minPx);
}
