import type { FilteredPack } from '../filter/filtered-pack.ts';
import { keptTrend } from '../filter/kept-trend.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { asSearches } from '../tree/trend-roll-up.ts';
import { trendMonths } from '../upload/trend-text.ts';

/** Twelve months, the oldest first. Same shape as in the HTTP contract. */
export type Trend = {
  /**
   * Null for an unknown month. `share`: relative to the keyword's best month, if there is no volume to compute
   * searches.
   */
  months: (number | null)[];
  unit: 'searches' | 'share';
  /** The number of keywords whose searches are included. */
  known: number;
  /** The last month, such as `2026-04`; absent if the file does not name months. */
  newest?: string;
};

/** The monthly searches of a branch or a keyword; undefined if unknown. */
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
  const isSearches = asSearches(values, kind.unit, volume?.[0] ?? Number.NaN);
  return {
    months: Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
    unit: isSearches ? 'searches' : kind.unit,
    known: Number(isSearches),
    ...newest,
  };
}

async function monthsAt(pack: PackReader, list: 'trend' | 'own_trend', at: number): Promise<Float64Array | undefined> {
  const [start, end] = (await pack.gather(list, Uint32Array.of(at, at + 1)))!;
  if (start === end) return undefined;
  const places = Uint32Array.from({ length: trendMonths }, (_, month) => start! + month);
  return Float64Array.from((await pack.gather(list === 'trend' ? 'month' : 'own_month', places))!);
}
