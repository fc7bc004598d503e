import type { Slice } from '@kc/pack/slice/slice';

/**
 * The columns of a loaded tree, as growable typed arrays. `Slice` in `@kc/pack/slice/slice` documents each of them,
 * except that `parent` refers to loaded rows here, and `pillar` is the loaded row of the ancestor at depth 1 (the row
 * itself there, -1 for the root).
 */
export type Columns = ReturnType<typeof allocateColumns>;

type NumberColumn = Uint32Array | Uint16Array | Int32Array | Float32Array | Float64Array;

/** Columns that are copied unchanged from a slice, with their numbers per row. */
const copiedColumns = [
  ['depth', 1],
  ['type', 1],
  ['childCount', 1],
  ['leaves', 1],
  ['keywords', 1],
  ['ofKeywords', 1],
  ['order', 1],
  ['volume', 1],
  ['volumeKnown', 1],
  ['childKeywords', 1],
  ['childVolume', 1],
  ['difficulty', 1],
  ['difficultyKnown', 1],
  ['cpc', 1],
  ['cpcKnown', 1],
  ['intent', 4],
  ['address', 2],
] as const;

export function allocateColumns(capacity: number) {
  return {
    node: new Uint32Array(capacity),
    parent: new Int32Array(capacity),
    pillar: new Int32Array(capacity),
    depth: new Uint32Array(capacity),
    type: new Uint16Array(capacity),
    childCount: new Uint32Array(capacity),
    leaves: new Uint32Array(capacity),
    keywords: new Uint32Array(capacity),
    ofKeywords: new Uint32Array(capacity),
    order: new Uint32Array(capacity),
    volume: new Float64Array(capacity),
    volumeKnown: new Uint32Array(capacity),
    childKeywords: new Float64Array(capacity),
    childVolume: new Float64Array(capacity),
    difficulty: new Float32Array(capacity),
    difficultyKnown: new Uint32Array(capacity),
    cpc: new Float32Array(capacity),
    cpcKnown: new Uint32Array(capacity),
    intent: new Uint32Array(capacity * 4),
    address: new Uint32Array(capacity * 2),
    /** Start of the name in the bytes of all loaded names. */
    nameStart: new Uint32Array(capacity),
    nameEnd: new Uint32Array(capacity),
    /** See `LoadedTree.touched`. */
    touched: new Uint32Array(capacity),
  };
}

/** The same values with room for `capacity` rows. */
export function growColumns(columns: Columns, capacity: number): Columns {
  const grown = allocateColumns(capacity);
  for (const name of Object.keys(grown) as (keyof Columns)[]) grown[name].set(columns[name]);
  return grown;
}

/**
 * Copies the values of a slice into the columns, row `i` to `rowAt[i]`. Rows from `firstNew` on are new, in the order
 * of the slice; in most slices they are the last rows, which are copied in one block.
 *
 * @param onChange called with every existing row whose values change; NaN equals NaN
 */
export function writeSlice(
  loaded: Columns,
  slice: Slice,
  rowAt: Int32Array,
  firstNew: number,
  onChange: (row: number) => void,
): void {
  const at = rowAt.indexOf(firstNew);
  const isRestNew = at !== -1 && rowAt[slice.rows - 1] === firstNew + slice.rows - 1 - at;
  const end = isRestNew ? at : slice.rows;
  for (const [name, stride] of copiedColumns) {
    const [to, from] = [loaded[name], slice[name]];
    // A slice ranks siblings. It has none of the requested node, so the rank of that node is meaningless.
    const first = name === 'order' && rowAt[0]! < firstNew ? 1 : 0;
    writeRows(to, from.subarray(first * stride), rowAt.subarray(first, end), stride, onChange);
    to.set(from.subarray(end * stride, slice.rows * stride), firstNew * stride);
  }
}

function writeRows(
  loaded: NumberColumn,
  slice: NumberColumn,
  rowAt: Int32Array,
  stride: number,
  onChange: (row: number) => void,
): void {
  for (let i = 0; i < rowAt.length; i++) {
    for (let part = 0; part < stride; part++) {
      const to = rowAt[i]! * stride + part;
      const value = slice[i * stride + part]!;
      if (Object.is(loaded[to], value)) continue;
      loaded[to] = value;
      onChange(rowAt[i]!);
    }
  }
}

/** The first of the places `[first, end)` from which on something is so; `end` if it is so at none. */
export function firstFrom(first: number, end: number, isSo: (at: number) => boolean): number {
  let [low, high] = [first, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** No row. */
export const none = -1;
