/** When the budget does not suffice, the smallest mark grows by this factor, up to `coarsestPx` CSS pixels. */
const coarser = 1.4;
const coarsestPx = 64;

/**
 * Makes a picture, and makes it again where the budget was too small for everything that could be told apart: everything
 * becomes coarser alike, instead of some branches being drawn finely and the last ones not at all.
 *
 * Where everything is alike, coarser may be nothing at all: then some are drawn finely, and the others are one mark.
 *
 * @param make makes the picture with a smallest mark, in CSS pixels; says whether the budget left something out
 * @param isBare whether the picture that was made shows nothing but the focus
 */
export function coarsen(minPx: number, make: (minPx: number) => boolean, isBare: () => boolean): void {
  let px = minPx;
  while (make(px) && px * coarser <= coarsestPx) px *= coarser;
  if (px > minPx && isBare()) make(minPx);
}
