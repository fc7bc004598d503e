import { createPathHash } from '@kc/pack/names/path-hash';
import type { Slice, SliceField } from '@kc/pack/slice/slice';
import { sliceOf } from '@kc/pack/test/support/trees';
import { LoadedTree } from '../../src/explore/tree-data/loaded-tree.ts';

/** Loads one slice into a new tree, for tests. */
export function loadTree(slice: Slice): LoadedTree {
  const tree = new LoadedTree();
  tree.merge(slice);
  return tree;
}

/**
 * A tree whose nodes have the addresses that a pack gives them, for tests: see `sliceOf`. Of siblings of one name, the first one
 * is counted first.
 */
export function addressedTree(text: string): LoadedTree {
  const slice = sliceOf(text);
  const hash = createPathHash();
  const nameOf = (row: number) => slice.names.subarray(slice.nameStart[row]!, slice.nameStart[row + 1]!);
  for (let row = 0; row < slice.rows; row++) {
    const parent = slice.parent[row]!;
    const name = nameOf(row);
    const isSame = (other: number) => slice.parent[other] === parent && nameOf(other).join() === name.join();
    const ordinal = Array.from({ length: row }, (_, other) => other).filter(
      (other) => other > 0 && isSame(other),
    ).length;
    const [high, low] = row === 0 ? [0, 0] : slice.address.subarray(2 * parent, 2 * parent + 2);
    const [ownLow, ownHigh] = hash(high!, low!, ordinal, name, 0, name.length);
    slice.address.set([ownHigh!, ownLow!], 2 * row);
  }
  return loadTree(slice);
}

/**
 * A part of a slice, for tests: the first row is the root, and the parents of all others are included. Rows keep the
 * figures of their whole branch, so what is left out becomes the remainder.
 */
export function partOf(whole: Slice, rows: readonly number[]): Slice {
  const pick = <T extends Uint32Array | Uint16Array | Float32Array | Float64Array>(
    column: T,
    into: T,
    stride = 1,
  ): T => {
    rows.forEach((row, i) => {
      for (let part = 0; part < stride; part++) into[i * stride + part] = column[row * stride + part]!;
    });
    return into;
  };
  const count = rows.length;
  const names = rows.map((row) => whole.names.subarray(whole.nameStart[row], whole.nameStart[row + 1]));
  const nameStart = new Uint32Array(count + 1);
  names.forEach((name, i) => {
    nameStart[i + 1] = nameStart[i]! + name.length;
  });
  const isFiltered = whole.order !== whole.node;
  const node = pick(whole.node, new Uint32Array(count));
  const keywords = pick(whole.keywords, new Uint32Array(count));
  return {
    rows: count,
    node,
    order: isFiltered ? pick(whole.order, new Uint32Array(count)) : node,
    parent: Uint32Array.from(rows, (row) => Math.max(0, rows.indexOf(whole.parent[row]!))),
    depth: pick(whole.depth, new Uint32Array(count)),
    type: pick(whole.type, new Uint16Array(count)),
    childCount: pick(whole.childCount, new Uint32Array(count)),
    leaves: pick(whole.leaves, new Uint32Array(count)),
    keywords,
    ofKeywords: isFiltered ? pick(whole.ofKeywords, new Uint32Array(count)) : keywords,
    volume: pick(whole.volume, new Float64Array(count)),
    volumeKnown: pick(whole.volumeKnown, new Uint32Array(count)),
    childKeywords: pick(whole.childKeywords, new Float64Array(count)),
    childVolume: pick(whole.childVolume, new Float64Array(count)),
    difficulty: pick(whole.difficulty, new Float32Array(count)),
    difficultyKnown: pick(whole.difficultyKnown, new Uint32Array(count)),
    cpc: pick(whole.cpc, new Float32Array(count)),
    cpcKnown: pick(whole.cpcKnown, new Uint32Array(count)),
    intent: pick(whole.intent, new Uint32Array(count * 4), 4),
    address: pick(whole.address, new Uint32Array(count * 2), 2),
    nameStart,
    names: Uint8Array.from(names.flatMap((name) => [...name])),
    types: whole.types,
    fields: whole.fields.map((field) => pickField(field, rows)),
  };
}

/**
 * A filtered slice of a whole tree, for tests: these rows, including their parents. Every row without children is a
 * keyword, except the root.
 */
export function cutTo(whole: Slice, rows: readonly number[]): Slice {
  const cut = partOf(whole, rows);
  const [childCount, leaves, keywords] = [0, 1, 2].map(() => new Uint32Array(rows.length));
  const childKeywords = new Float64Array(rows.length);
  for (let row = rows.length - 1; row >= 0; row--) {
    const isLeaf = childCount![row] === 0;
    if (isLeaf) leaves![row] = 1;
    keywords![row] = isLeaf && row > 0 ? 1 : childKeywords[row]!;
    if (row === 0) continue;
    const up = cut.parent[row]!;
    childCount![up]! += 1;
    leaves![up]! += leaves![row]!;
    childKeywords[up]! += keywords![row]!;
  }
  return {
    ...cut,
    childCount: childCount!,
    leaves: leaves!,
    keywords: keywords!,
    childKeywords,
    ofKeywords: cut.keywords,
    order: cut.node.slice(),
  };
}

/**
 * A slice of a whole tree with the figures under a filter, for tests: the response to a query with `rest`. Rows are
 * kept as in {@link cutTo}; no fields.
 */
export function withRest(whole: Slice, rows: readonly number[]): Slice {
  const kept = cutTo(whole, rows);
  const all = Array.from(whole.node.keys());
  const of = (column: ArrayLike<number>, none: number) =>
    all.map((row) => (rows.includes(row) ? column[rows.indexOf(row)]! : none));
  return {
    ...whole,
    leaves: Uint32Array.from(of(kept.leaves, 0)),
    keywords: Uint32Array.from(of(kept.keywords, 0)),
    childKeywords: Float64Array.from(of(kept.childKeywords, 0)),
    volume: Float64Array.from(of(kept.volume, Number.NaN)),
    volumeKnown: Uint32Array.from(of(kept.volumeKnown, 0)),
    difficulty: Float32Array.from(of(kept.difficulty, Number.NaN)),
    cpc: Float32Array.from(of(kept.cpc, Number.NaN)),
    ofKeywords: whole.keywords,
    order: Uint32Array.from(whole.node, (node, row) => (rows.includes(row) ? node : node + whole.rows)),
  };
}

function pickField(field: SliceField, rows: readonly number[]): SliceField {
  const known = Uint32Array.from(rows, (row) => field.known[row]!);
  if (field.kind === 'number') return { ...field, known, value: Float64Array.from(rows, (row) => field.value[row]!) };
  const count = Uint32Array.from(rows, (row) => field.count[row]!);
  if (field.kind === 'set') {
    const value = Uint32Array.from(rows.flatMap((row) => [...field.value.subarray(2 * row, 2 * row + 2)]));
    return { ...field, known, value, count };
  }
  return { ...field, known, value: Uint8Array.from(rows, (row) => field.value[row]!), count };
}

/**
 * A slice with these fields, for tests. For a sum: its value in each row, NaN for unknown. For a category: the index of
 * its value, 0 for unknown. For a set: the indexes of the values it shows. Known values are known for one keyword.
 */
export function withFields(
  slice: Slice,
  fields: Readonly<Record<string, readonly number[] | CategoryRows | SetRows>>,
): Slice {
  const each = Object.entries(fields).map(([name, rows]): SliceField => {
    if ('lists' in rows) {
      const known = Uint32Array.from(rows.lists, (list) => Number(list.length > 0));
      const bits = (list: readonly number[], first: number) =>
        list.reduce((sum, at) => sum + (at > first && at <= first + 32 ? 2 ** (at - first - 1) : 0), 0);
      const value = Uint32Array.from(rows.lists.flatMap((list) => [bits(list, 0), bits(list, 32)]));
      return { name, kind: 'set', values: rows.values, value, known, count: known.slice() };
    }
    if ('rows' in rows) {
      const known = Uint32Array.from(rows.rows, (value) => Number(value > 0));
      return {
        name,
        kind: 'category',
        values: rows.values,
        value: Uint8Array.from(rows.rows),
        known,
        count: known.slice(),
      };
    }
    const known = Uint32Array.from(rows, (value) => Number(!Number.isNaN(value)));
    return { name, kind: 'number', rollUp: 'sum', value: Float64Array.from(rows), known };
  });
  return { ...slice, fields: each };
}

type SetRows = { readonly values: readonly string[]; readonly lists: readonly (readonly number[])[] };
type CategoryRows = { readonly values: readonly string[]; readonly rows: readonly number[] };
