import { noPause, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { trendMonths } from '../upload/trend-text.ts';
import type { FilteredPack } from './filtered-pack.ts';
import { eachYear } from './kept-trend.ts';
import { keptTrends } from './kept-trends.ts';

/**
 * The monthly searches of some rows: twelve values per row, the oldest first, NaN if unknown. A branch has the sums of
 * its keywords, as in `trendOf`.
 *
 * @returns undefined if the file has no trends
 */
export async function searchesOf(
  pack: PackReader | FilteredPack,
  rows: Uint32Array,
  pause: Pause = noPause,
): Promise<Float64Array | undefined> {
  if (!pack.metadata.trend) return undefined;
  const found = new Float64Array(trendMonths * rows.length).fill(Number.NaN);
  const branches = await pack.branchesOf(rows);
  const isKeyword = await pack.gather('is_keyword', rows);
  const inner = Uint32Array.from(rows.keys()).filter((at) => branches[at] !== noRow);
  const leaves = Uint32Array.from(rows.keys()).filter((at) => branches[at] === noRow && isKeyword[at] === 1);
  const leafRows = leaves.map((at) => rows[at]!);
  await eachYear(pack, leafRows, (at, searches) => found.set(searches, trendMonths * leaves[at]!));
  const yearOf = await branchYears(
    pack,
    inner.map((at) => branches[at]!),
    pause,
  );
  for (const [index, at] of inner.entries()) {
    const year = yearOf(index);
    if (year) found.set(year, trendMonths * at);
  }
  return found;
}

/** The year of each of some branches by index; undefined if unknown. */
async function branchYears(
  pack: PackReader | FilteredPack,
  branches: Uint32Array,
  pause: Pause,
): Promise<(index: number) => ArrayLike<number> | undefined> {
  if ('kept' in pack) {
    const { months, known } = await keptTrends(pack.kept, pause);
    return (index) => {
      const branch = branches[index]!;
      return known[branch] === 0 ? undefined : months.subarray(trendMonths * branch, trendMonths * (branch + 1));
    };
  }
  const pairs = Uint32Array.from({ length: 2 * branches.length }, (_, at) => branches[at >> 1]! + (at & 1));
  const ends = (await pack.gather('trend', pairs))!;
  const first = Array.from(branches.keys(), (index) =>
    ends[2 * index] === ends[2 * index + 1] ? -1 : ends[2 * index]!,
  );
  const having = first.filter((start) => start >= 0);
  const places = Uint32Array.from(
    { length: trendMonths * having.length },
    (_, at) => having[Math.floor(at / trendMonths)]! + (at % trendMonths),
  );
  const values = (await pack.gather('month', places))!;
  const placeOf = new Map(having.map((start, at) => [start, at]));
  return (index) => {
    const at = placeOf.get(first[index]!);
    return at === undefined ? undefined : values.subarray(trendMonths * at, trendMonths * (at + 1));
  };
}
