import type { FilteredPack } from '../filter/filtered-pack.ts';
import { keptTrend } from '../filter/kept-trend.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { asSearches } from '../tree/trend-roll-up.ts';
import { trendMonths } from '../upload/trend-text.ts';

/** Twelve months, the oldest first. Same shape as in the HTTP contract. */
export type Trend = {
  /** Null for an unknown month. */
  months: (number | null)[];
  /**
   * `searches` per month; `share` of the keyword's best month, for a keyword whose file gives only shares and whose
   * volume is unknown.
   */
  unit: 'searches' | 'share';
  /**
   * For a branch, the number of keywords in the sum. For a keyword, 1 if `months` are the searches of a whole year,
   * otherwise 0.
   */
  known: number;
  /** The last month, such as `2026-04`; absent if the file does not name months. */
  newest?: string;
};

/**
 * The monthly searches of a branch or a keyword; undefined if unknown. Those of a filtered branch are computed from its
 * kept keywords, because a filtered view has no column for them.
 */
export async function trendOf(pack: PackReader | FilteredPack, row: number): Promise<Trend | undefined> {
  const kind = pack.metadata.trend;
  if (!kind) return undefined;
  const newest = kind.newest === undefined ? {} : { newest: kind.newest };
  const [branch] = await pack.branchesOf(Uint32Array.of(row));
  if (branch !== noRow && 'kept' in pack) {
    const found = await keptTrend(pack.kept, branch!);
    return found && { months: [...found.months], unit: 'searches', known: found.known, ...newest };
  }
  if (branch !== noRow) {
    const values = await monthsAt(pack, 'trend', branch!);
    const [known] = (await pack.gather('trend_known', Uint32Array.of(branch!)))!;
    return values && { months: [...values], unit: 'searches', known: known!, ...newest };
  }
  const [isKeyword] = await pack.gather('is_keyword', Uint32Array.of(row));
  const values = isKeyword === 1 ? await monthsAt(pack, 'own_trend', row) : undefined;
  if (!values) return undefined;
  const volume = await pack.gather('own_volume', Uint32Array.of(row));
  // Converts `values` in place.
  const isWholeYear = asSearches(values, kind.unit, volume?.[0] ?? Number.NaN);
  return {
    months: Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
    unit: isWholeYear ? 'searches' : kind.unit,
    known: Number(isWholeYear),
    ...newest,
  };
}

/**
 * Twelve values, NaN for an unknown one; undefined if there is no trend.
 *
 * @param at the branch for `trend`, the row for `own_trend`
 */
async function monthsAt(pack: PackReader, list: 'trend' | 'own_trend', at: number): Promise<Float64Array | undefined> {
  // A list column has the start of each list, which is the end of the previous one.
  const [start, end] = (await pack.gather(list, Uint32Array.of(at, at + 1)))!;
  if (start === end) return undefined;
  const places = Uint32Array.from({ length: trendMonths }, (_, month) => start! + month);
  return Float64Array.from((await pack.gather(list === 'trend' ? 'month' : 'own_month', places))!);
}
