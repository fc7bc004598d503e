import { BestOf } from '../format/best-of.ts';
import { intents as intentNames } from '../format/figures.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import type { PackReader, RowSource } from '../format/pack-reader.ts';
import { loadWeightColumns, type WeightColumns } from '../format/weight-columns.ts';
import { valuesOf } from '../levels/row-values.ts';
import type { View } from '../sums/filtered-pack.ts';
import { type RollUps, rollUpsOf } from '../sums/roll-ups.ts';
import { compareRanked, rankedField, rankedFigures } from './child-ranking.ts';
import { type SelectedRows, selectRows } from './select-rows.ts';
import { membersOf, type Slice, type SliceField, type SliceQuery, type WholeKnown } from './slice.ts';
import { fieldTaker, requestedFieldOf } from './slice-fields.ts';

/**
 * The part of the tree under a node that fits one screen: see `Slice` for its shape and `selectRows` for the selection.
 *
 * Cost: the columns of {@link loadWeightColumns} are read whole and cached with the pack, the others only for the
 * selected rows.
 * @param pack the filtered pack if the query has a filter
 * @param pause awaited between pieces of a ranking, which reads all children
 * @throws RangeError if the node is not in the tree, or excluded without `rest`; if the budget is below 1, the skip is
 *   negative, a field is unknown, or a ranking is combined with `rest`
 */
export async function takeSlice(pack: View, query: SliceQuery, pause: Pause = noPause): Promise<Slice> {
  checkQuery(query, pack.metadata.nodes);
  const filter = 'kept' in pack ? pack.filter : '';
  if ((query.filter ?? '') !== filter) throw new Error(`A slice under ${query.filter}, of what ${filter} keeps`);
  const isOfWhole = !('kept' in pack) || query.rest === true;
  if (!isOfWhole && !pack.keeps(query.node)) throw new RangeError(`Node ${query.node} is not kept`);
  const takeFields = fieldTaker(pack, query.fields ?? [], pause);
  const budget = Math.min(query.budget, pack.metadata.nodes);
  const weights = isOfWhole ? await loadWeightColumns(pack.whole) : await pack.weights();
  const { ranked } = query;
  const selected = ranked
    ? await rankChildren(pack, weights, { ...query, budget, ranked }, pause)
    : selectRows(weights, { node: query.node, budget, skip: skipOf(weights, query) });
  const slice = await gatherSlice(pack, selected, takeFields);
  if (!('kept' in pack)) return slice;
  const { rows, order } = selected;
  const ofWhole = await rollUpsOf(pack.whole, rows);
  const ofKeywords = await ofWhole.column('keywords');
  const wholeKnown = await knownOf(pack.whole);
  if (!isOfWhole) return { ...slice, order, ofKeywords, wholeKnown };
  const leaves = slice.leaves.map((count, at) => (pack.keeps(rows[at]!) ? count : 0));
  // Among siblings, the kept ones come first.
  const inOrder = rows.map((row) => (pack.keeps(row) ? row : row + pack.metadata.nodes));
  return {
    ...slice,
    leaves,
    childCount: await ofWhole.column('child_count'),
    order: inOrder,
    ofKeywords,
    wholeKnown,
  };
}

async function knownOf(pack: PackReader): Promise<WholeKnown> {
  const root = await rollUpsOf(pack, Uint32Array.of(0));
  const intents = await intentsOf(root, 1);
  return {
    volume: (await root.column('volume_known'))[0]!,
    difficulty: (await root.column('difficulty_known'))[0]!,
    cpc: (await root.column('cpc_known'))[0]!,
    intent: intents.reduce((sum, count) => sum + count, 0),
  };
}

/** Reads the columns of the selected rows. */
export async function gatherSlice(
  source: RowSource,
  { rows: node, parent }: Pick<SelectedRows, 'rows' | 'parent'>,
  fieldsOf: (rows: Uint32Array, totals: RollUps) => Promise<readonly SliceField[]> = async () => [],
): Promise<Slice> {
  const { start, bytes } = await source.gatherTexts('name', node);
  const rolled = await rollUpsOf(source, node);
  const keywords = await rolled.column('keywords');
  return {
    rows: node.length,
    node,
    parent,
    depth: depthsBelow((await source.gather('depth', node.subarray(0, 1)))[0]!, parent),
    type: await source.gather('type', node),
    childCount: await rolled.column('child_count'),
    leaves: await rolled.column('leaves'),
    keywords,
    ofKeywords: keywords,
    order: node,
    volume: await rolled.column('volume'),
    volumeKnown: await rolled.column('volume_known'),
    childKeywords: new Float64Array(await rolled.column('child_keywords')),
    childVolume: await rolled.column('child_volume'),
    difficulty: await rolled.column('difficulty'),
    difficultyKnown: await rolled.column('difficulty_known'),
    cpc: await rolled.column('cpc'),
    cpcKnown: await rolled.column('cpc_known'),
    intent: await intentsOf(rolled, node.length),
    address: swapHalves(await source.gather('address', node)),
    nameStart: new Uint32Array(start),
    names: bytes,
    types: source.metadata.types,
    fields: await fieldsOf(node, rolled),
  };
}

function skipOf(weights: WeightColumns, { node, skip, child }: SliceQuery): number {
  const branch = weights.branch(node);
  return child === undefined || branch < 0 ? skip : weights.childrenBefore(branch, child);
}

function checkQuery({ node, budget, skip, ranked, rest }: SliceQuery, nodes: number): void {
  if (!Number.isInteger(node) || node < 0 || node >= nodes) throw new RangeError(`Node ${node} of ${nodes}`);
  if (!Number.isInteger(budget) || budget < 1) throw new RangeError(`Budget ${budget}`);
  if (!Number.isInteger(skip) || skip < 0) throw new RangeError(`Skip ${skip}`);
  if (ranked && rest) throw new RangeError('A ranking with the rest');
}

/** @param parent the index of each parent, which precedes its children */
function depthsBelow(first: number, parent: Uint32Array): Uint32Array {
  const depth = new Uint32Array(parent.length).fill(first, 0, 1);
  for (let row = 1; row < parent.length; row++) depth[row] = depth[parent[row]!]! + 1;
  return depth;
}

async function intentsOf(rolled: RollUps, rows: number): Promise<Uint32Array> {
  const intents = new Uint32Array(4 * rows);
  for (const [kind, name] of intentNames.entries()) {
    const column = await rolled.column(name);
    for (let row = 0; row < rows; row++) intents[4 * row + kind] = column[row]!;
  }
  return intents;
}

/** Packs store 64-bit numbers low half first, slices high half first. */
function swapHalves(pairs: Uint32Array): Uint32Array {
  for (let low = 0; low < pairs.length; low += 2) {
    const half = pairs[low]!;
    pairs[low] = pairs[low + 1]!;
    pairs[low + 1] = half;
  }
  return pairs;
}

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
async function rankChildren(
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
  const field = name === undefined ? undefined : requestedFieldOf(pack.metadata, name);
  if (!field && !rankedFigures.some((figure) => figure === by)) throw new RangeError(`Nothing is ranked by ${by}`);
  if (field?.kind !== 'category' && field?.kind !== 'set') return (rows) => valuesOf(pack, by, rows, pause);
  return async (rows) => textsOf(await (await rollUpsOf(pack, rows)).field(field));
}

function textsOf(field: SliceField): string[] {
  if (field.kind === 'category') return Array.from(field.value, (value) => field.values[value]!);
  return field.kind === 'set' ? Array.from(field.known, (_, at) => membersOf(field, at).join(', ')) : [];
}
