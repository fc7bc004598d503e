import type { Blocks } from './field-blocks.ts';
import { namesIn, plain } from './spelling.ts';

/**
 * Converts click rates, and competition, to one scale, 0 to 1, however a file writes them: '3.4%', 0.034 or 3.4.
 *
 * A text with a percent sign states its scale. The plain numbers of a file share one scale. Clicks and impressions of
 * the same rows show which. Without them, all are percentages if any is above 1; otherwise they are fractions, unless the caller
 * states that they are percentages.
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

/** The name of a click rate whose plain numbers are percentages, also where none is above 1. */
export const clickRateInPercent = 'ctr (in percent)';

/** Stores a rate with a percent sign until the scale of the plain numbers is known, as a number below zero. */
export const signedPercent = (percent: number): number => -percent / 100;

/** Rates of the rows of a table, and their clicks and impressions if the file has them. */
export type Rates = {
  readonly rates: Blocks<Float64Array | Float32Array>;
  readonly clicks?: Blocks<Float64Array> | undefined;
  readonly impressions?: Blocks<Float64Array> | undefined;
};

/**
 * Converts rates to 0 to 1, in place. A rate above 1 is unknown: a result cannot be clicked more often than it is seen.
 *
 * @param isPercent whether plain numbers are percentages if the file does not show which scale it uses
 */
export function settleRates(tables: readonly Rates[], isPercent = false): void {
  const scale = (isInPercent(tables) ?? isPercent) ? 100 : 1;
  for (const block of tables.flatMap(({ rates }) => rates)) {
    for (let at = 0; block && at < block.length; at++) {
      const value = block[at]!;
      const rate = value > 0 ? value / scale : Math.abs(value);
      block[at] = rate <= 1 ? rate : Number.NaN;
    }
  }
}

/** Whether plain numbers are percentages; undefined if the file does not show it. */
function isInPercent(tables: readonly Rates[]): boolean | undefined {
  let isAboveOne = false;
  let percentages = 0;
  for (const { rates, clicks, impressions } of tables) {
    for (const [index, block] of rates.entries()) {
      for (let at = 0; block && at < block.length; at++) {
        const rate = block[at]!;
        isAboveOne ||= rate > 1;
        const share = (clicks?.[index]?.[at] ?? Number.NaN) / (impressions?.[index]?.[at] ?? Number.NaN);
        if (rate > 0 && share > 0 && share <= 1) percentages += rate > 10 * share ? 1 : -1;
      }
    }
  }
  if (percentages !== 0) return percentages > 0;
  return isAboveOne || undefined;
}
