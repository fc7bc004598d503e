import { noPause, type Pause } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { similarNames } from '../format/similar.ts';
import { fieldTaker } from '../slice/slice-fields.ts';
import { gatherSlice } from '../slice/take-slice.ts';
import { loadRepeatColumns } from '../sums/branches.ts';
import type { View } from '../sums/filtered-pack.ts';
import { searchesOf } from '../sums/kept-trends.ts';
import { rollUpsOf } from '../sums/roll-ups.ts';
import { type LevelQuery, levelListsOf } from './level-lists.ts';
import { type ShareFigure, shareFigures } from './row-sort.ts';
import { knownVolumesAt } from './row-values.ts';
import type { LevelRows } from './rows-wire.ts';
import { clustersOf, pillarOf } from './topics.ts';

export type RowsQuery = LevelQuery & {
  /** The rank of the first row. */
  readonly from: number;
  /** A node to show: its page, in pages of `count` rows, is returned instead of the one at `from`. */
  readonly around?: number;
  /** The maximum number of rows. */
  readonly count: number;
  /** Names of fields to include, as in a slice. */
  readonly fields: readonly string[];
  /** Whether to include monthly search volumes. Under a filter, they cost a pass over what it keeps. */
  readonly withTrends: boolean;
  /** Whether to include the names of similar nodes. */
  readonly withSimilar?: boolean;
};

/**
 * A page of a flat list, with everything that a table shows of its rows.
 *
 * @param pack the filtered pack if the query has a filter
 * @throws RangeError if the focus is not in the tree, or there is no such field
 */
export async function takeRows(
  pack: View,
  { from: requestedFrom, around, count, fields, withTrends, withSimilar = false, ...query }: RowsQuery,
  pause: Pause = noPause,
): Promise<LevelRows> {
  const lists = levelListsOf(pack);
  const place = around === undefined ? undefined : await lists.placeOf(query, around, pause);
  const from = place && count > 0 ? place.rank - (place.rank % count) : requestedFrom;
  const { rows, total, keywords } = await lists.page(query, from, count, pause);
  return {
    from,
    place,
    total,
    keywords,
    ...(await takeListed(pack, rows, { fields, withTrends, withSimilar }, pause)),
  };
}

/** Everything that a table shows of some rows, without their place in a list. */
export type ListedRows = Omit<LevelRows, keyof PlaceOfRows>;

type PlaceOfRows = { from: number; place: unknown; total: number; keywords: number };

/**
 * Everything that a table shows of any rows, in their order.
 *
 * @throws RangeError if there is no such field
 */
export async function takeListed(
  pack: View,
  rows: Uint32Array,
  { fields, withTrends, withSimilar = false }: Pick<RowsQuery, 'fields' | 'withTrends' | 'withSimilar'>,
  pause: Pause = noPause,
): Promise<ListedRows> {
  const { whole } = pack;
  const takeFields = fieldTaker(pack, fields, pause);
  const [slice, rolled, { of: clusterOf }, parent] = [
    await gatherSlice(pack, { rows, parent: new Uint32Array(rows.length) }, takeFields),
    await rollUpsOf(pack, rows),
    await clustersOf(whole, pause),
    await whole.column('parent'),
  ];
  const knownVolume = {} as Record<ShareFigure, Float64Array>;
  const { optional } = whole.metadata;
  for (const figure of shareFigures) {
    const isThere = optional.includes(`own_${figure}`);
    knownVolume[figure] = isThere
      ? await knownVolumesAt(pack, figure, rows, rolled, pause)
      : new Float64Array(rows.length);
  }
  const cluster = rows.map(clusterOf);
  const pillar = rows.map((row) => pillarOf(parent, row));
  const ofKeywords = 'kept' in pack ? await (await rollUpsOf(whole, rows)).column('keywords') : slice.keywords;
  return {
    slice: { ...slice, depth: Uint32Array.from((await whole.gather('depth', rows))!), ofKeywords },
    isKeyword: await pack.gather('is_keyword', rows),
    isRepeated: await repeatedAmong(whole, rows, pause),
    cluster,
    pillar,
    names: await namesOf(whole, [cluster, pillar]),
    difficultyWeighted: await rolled.column('difficulty_weighted'),
    intentKnown: await rolled.column('intent_known'),
    knownVolume,
    months: (withTrends ? await searchesOf(pack, rows, pause) : undefined) ?? new Float64Array(0),
    similar: withSimilar ? await similarNames(pack, rows) : [],
    hasSimilar: whole.metadata.similar !== undefined,
    hasTrends: whole.metadata.trend !== undefined,
    newest: whole.metadata.trend?.newest,
  };
}

/** The names of the rows that some columns refer to, by row. */
async function namesOf(whole: PackReader, columns: readonly Uint32Array[]): Promise<ReadonlyMap<number, string>> {
  const rows = new Set(columns.flatMap((column) => [...column]));
  rows.delete(noRow);
  const ascending = Uint32Array.from(rows).sort();
  const names = await namesAt(whole, ascending);
  return new Map(names.map((name, at) => [ascending[at]!, name]));
}

/** 1 for a row whose keyword also occurs at another node, even if a filter excludes that. */
async function repeatedAmong(whole: PackReader, rows: Uint32Array, pause: Pause): Promise<Uint8Array> {
  const repeats = await loadRepeatColumns(whole, pause);
  const places = new Map(Array.from(rows, (row, at) => [row, at]));
  const isRepeated = new Uint8Array(rows.length);
  for (const column of [repeats.rows, repeats.previous]) {
    for (const row of column) {
      const at = places.get(row);
      if (at !== undefined) isRepeated[at] = 1;
    }
  }
  return isRepeated;
}
