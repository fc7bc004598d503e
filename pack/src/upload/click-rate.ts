import type { Blocks } from './field-blocks.ts';

/**
 * Click rates have one scale, 0 to 1, whatever a file writes: '3.4%', 0.034 or 3.4.
 *
 * A text with a percent sign says its scale. The plain numbers of a file share one: where any of them is above 1 they are
 * all percents, else they are fractions. A file of percents that are all below 1 cannot be told from one of fractions.
 */

/** A rate with a percent sign, as it is held until the scale of the plain numbers is known: below zero. */
export const signedPercent = (percent: number): number => -percent / 100;

/** Brings rates to 0 to 1, in place. One above 1 is unknown: nobody clicks more often than a result is seen. */
export function settleRates(tables: readonly Blocks<Float64Array>[]): void {
  const all = tables.flat();
  const scale = all.some((block) => block?.some((value) => value > 1)) ? 100 : 1;
  for (const block of all) {
    for (let at = 0; block && at < block.length; at++) {
      const value = block[at]!;
      const rate = value > 0 ? value / scale : Math.abs(value);
      block[at] = rate <= 1 ? rate : Number.NaN;
    }
  }
}
