import { BestOf } from '../format/best-of.ts';
import type { Pause } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import type { WeightColumns } from '../format/weight-columns.ts';
import { valuesOf } from '../levels/row-values.ts';
import type { View } from '../sums/filtered-pack.ts';
import { rollUpsOf } from '../sums/roll-ups.ts';
import { compareRanked, rankedField, rankedFigures } from './child-ranking.ts';
import type { SelectedRows } from './select-rows.ts';
import { membersOf, type SliceField, type SliceQuery } from './slice.ts';
import { askedFieldOf } from './slice-fields.ts';

/** The number of children whose values are read at a time. */
const pieceRows = 2 ** 15;

type Values = ArrayLike<number> | ArrayLike<string>;
/** A child, and its position in the order that breaks ties: heaviest first. */
type Child = { readonly row: number; readonly place: number; readonly value: number | string };

/**
 * The node of a query and the first of its children in the query's ranking: at most `budget` rows, without further
 * descendants.
 *
 * Cost: one column of all the children, whatever the budget; memory for twice the budget.
 *
 * @param pack the filtered pack if the query has a filter
 * @throws RangeError if the ranking does not exist
 */
export async function rankChildren(
  pack: View,
  weights: WeightColumns,
  { node, budget, ranked }: Pick<SliceQuery, 'node' | 'budget'> & Required<Pick<SliceQuery, 'ranked'>>,
  pause: Pause,
): Promise<SelectedRows> {
  const rankedValues = ranking(pack, ranked.by, pause);
  const branch = weights.branch(node);
  const count = branch < 0 ? 0 : weights.childCount[branch]!;
  const compare = (one: Child, other: Child) =>
    compareRanked(one.value, other.value, ranked.descending) || one.place - other.place;
  const childAt = async (place: number): Promise<Child> => {
    const row = weights.child(branch, place);
    return { row, place, value: (await rankedValues(Uint32Array.of(row)))[0]! };
  };
  const place = count > 0 && ranked.after !== undefined ? placeOf(ranked.after, weights, branch) : undefined;
  const behind = place === undefined ? undefined : await childAt(place);
  const wanted = budget - 1;
  const best = new BestOf(wanted, compare);
  for (let from = 0; from < count && wanted > 0; from += pieceRows) {
    if (from > 0) await pause();
    const rows = Uint32Array.from({ length: Math.min(pieceRows, count - from) }, (_, at) =>
      weights.child(branch, from + at),
    );
    const values = await rankedValues(rows);
    for (const [at, row] of rows.entries()) {
      const child = { row, place: from + at, value: values[at]! };
      if (!behind || compare(child, behind) > 0) best.offer(child);
    }
  }
  const found = best.inOrder().sort((one, other) => one.row - other.row);
  const rows = Uint32Array.of(node, ...found.map(({ row }) => row));
  const order = weights.isReordered ? Uint32Array.of(0, ...found.map((child) => child.place)) : rows;
  return { rows, parent: new Uint32Array(rows.length), order };
}

/** The position of a child, heaviest first; undefined for a row that is not a child. */
function placeOf(row: number, weights: WeightColumns, branch: number): number | undefined {
  const place = weights.childrenBefore(branch, row);
  return weights.child(branch, place) === row ? place : undefined;
}

/** Reads the ranked values of rows; NaN or the empty text if unknown. */
function ranking(pack: View, by: string, pause: Pause): (rows: Uint32Array) => Promise<Values> {
  if (by === 'name') return (rows) => namesAt(pack, rows);
  if (by === 'type') {
    const { types } = pack.metadata;
    return async (rows) => Array.from(await pack.gather('type', rows), (type) => types[type]!);
  }
  const name = rankedField(by);
  const field = name === undefined ? undefined : askedFieldOf(pack.metadata, name);
  if (!field && !rankedFigures.some((figure) => figure === by)) throw new RangeError(`Nothing is ranked by ${by}`);
  if (field?.kind !== 'category' && field?.kind !== 'set') return (rows) => valuesOf(pack, by, rows, pause);
  return async (rows) => textsOf(await (await rollUpsOf(pack, rows)).field(field));
}

function textsOf(field: SliceField): string[] {
  if (field.kind === 'category') return Array.from(field.value, (value) => field.values[value]!);
  return field.kind === 'set' ? Array.from(field.known, (_, at) => membersOf(field, at).join(', ')) : [];
}
