import type { Blocks } from './field-blocks.ts';
import { namesIn, plain } from './spelling.ts';

/**
 * Converts click rates to one scale, 0 to 1, however a file writes them: '3.4%', 0.034 or 3.4.
 *
 * A text with a percent sign states its scale. The plain numbers of a file share one scale: if any of them is above 1,
 * all are percentages, otherwise all are fractions. A file of percentages that are all below 1 cannot be distinguished
 * from one of fractions.
 */

/** Spellings in order of preference, as in `fields.ts`, then those of other languages. */
export const clickRateNames: readonly string[] = namesIn(`
  ctr, click through rate, clickthrough rate, site ctr, last 28 days ctr, organic google search click through rate,
  klickrate, taux de clics, porcentaje de clics, taxa de cliques, percentuale di clic, klikfrekvens, klikrate, klikkfrekvens,
  klickfrekvens, klikkausprosentti, klikkisuhde, współczynnik klikalności, míra prokliku, miera prekliknutí,
  átkattintási arány, to, tıklama oranı, クリック率, 平均クリック率, 클릭률, 点击率, 平均点击率, 點閱率, 點擊率,
  tỷ lệ nhấp, tỷ lệ nhấp chuột, อัตราการคลิกผ่าน, نسبة النقر إلى الظهور, שיעור קליקים
`);

const spellings = new Set(clickRateNames.map(plain));

/** Whether a field with this name is a click rate: a share, 0 to 1, that is written in percent. */
export const isClickRate = (name: string): boolean =>
  spellings.has(plain(name)) || spellings.has(plain(name.trim().replace(/\([^()]*\)$/u, '')));

/** Stores a rate with a percent sign until the scale of the plain numbers is known, as a number below zero. */
export const signedPercent = (percent: number): number => -percent / 100;

/**
 * Converts rates to 0 to 1, in place. A rate above 1 is unknown: a result cannot be clicked more often than it is seen.
 */
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
