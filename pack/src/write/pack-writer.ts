import {
  bufferAlignment,
  type ColumnBuffers,
  hashedEnd,
  regionsOf,
  writeBatchHead,
  writeHead,
  writeTail,
} from '../format/arrow/frame.ts';
import { placesOf } from '../format/arrow/open.ts';
import { packSchema } from '../format/arrow/schema.ts';
import type { ByteSink } from '../format/byte-source.ts';
import {
  maxDepth,
  type NumberColumn,
  noRow,
  numberKinds,
  optionalColumns,
  type PackMetadata,
  type Part,
  packFormatVersion,
  partsOf,
  rootSliceRows,
} from '../format/pack-format.ts';
import type { RowSource } from '../format/pack-reader.ts';
import { PackSink } from '../format/pack-sink.ts';
import { weigherOf } from '../format/weight-columns.ts';
import { xxh32 } from '../format/xxh32.ts';
import { selectRows } from '../slice/select-rows.ts';
import type { Slice } from '../slice/slice.ts';
import { encodeSlice } from '../slice/slice-wire.ts';
import { gatherSlice } from '../slice/take-slice.ts';
import type { Tree } from '../tree/tree.ts';
import type { TrendSource } from '../tree/trend-roll-up.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import { monthText } from '../upload/trend-columns.ts';
import { trendMonths } from '../upload/trend-text.ts';
import type { PackHead } from './pack-check.ts';
import { type Lengths, type NumberArrayOf, writeNumbers, writeStarts, writeStartsWide } from './pack-numbers.ts';
import { type FoldedNames, findFolds, measureNames, writeFolds, writeNames } from './pack-texts.ts';
import {
  branchValues,
  type ColumnValues,
  type Fill,
  fieldsOf,
  type Numbers,
  optionalOf,
  rowValues,
} from './pack-values.ts';

/**
 * Writes a tree as a pack: one Arrow IPC file with one uncompressed record batch. The same tree always gives the same
 * bytes.
 *
 * Rows are collected and written in blocks, so memory in addition to the tree stays under 4 MiB, 12 bytes per row and 8
 * per branch.
 * Source: docs/pack-format.md.
 *
 * @param sourceSha256 of the uploaded file, 64 hex digits
 * @param loop folds many names at a time, if it can run
 * @param onHead called with the head before the columns are written, so that a check can start
 * @throws RangeError if the tree is deeper than a pack can represent
 */
export async function writePack(
  tree: Tree,
  sourceSha256: string,
  target: ByteSink,
  loop?: NameLoop,
  onHead?: (head: PackHead) => void,
): Promise<void> {
  if (tree.counts.depth > maxDepth) throw new RangeError(`${tree.counts.depth} levels in a pack`);
  const sink = new PackSink(target);
  const { names, nameStart, nameLength } = tree.tables.nodes;
  const { merged } = tree.counts;
  const shape = {
    optional: optionalOf(tree, optionalColumns),
    fields: fieldsOf(tree),
    merged,
    ...trendOf(tree),
    ...similarOf(tree),
  };
  const { inPackOrder, firstChild } = placeBranches(tree);
  const values = { rows: rowValues(tree), branches: branchValues(tree, firstChild) };
  const rootSlice = encodeSlice(await sliceTree(tree, values, firstChild, rootSliceRows));
  await writeHead(sink, packSchema(shape));
  const dictionaries = [await writeDictionary(sink, 0, tree.tables.types)];
  for (const field of shape.fields) {
    if (field.kind === 'category') dictionaries.push(await writeDictionary(sink, dictionaries.length, field.values));
  }
  const parts = partsOf(shape);
  const fields = fieldWriters(tree, parts, values, inPackOrder, loop);
  const batch = await writeBatchHead(sink, rowsOf(tree), fields);
  const metadata = {
    version: packFormatVersion,
    sourceSha256,
    sourceBytes: tree.tables.bytes,
    ...tree.counts,
    branches: tree.rollUp.childCount.length,
    types: tree.tables.types,
    rootName: new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      names.subarray(nameStart[0]!, nameStart[0]! + nameLength[0]!),
    ),
    ...shape,
    withheld: tree.withheld,
    rootSlice: { bytes: rootSlice.length, hash: xxh32(rootSlice) },
  };
  const places = placesOf(parts, regionsOf(fields).regions, sink.position);
  onHead?.({ metadata, places, hashedBytes: hashedEnd(batch) });
  for (const field of fields) {
    await field.write(sink);
    await sink.pad(bufferAlignment);
  }
  await writeTail(sink, (blocks) => packSchema(shape, metadata, blocks), batch, dictionaries, rootSlice);
}

/** The metadata of trends, if there are any. */
function trendOf({ trend }: Tree): Pick<PackMetadata, 'trend'> {
  if (!trend) return {};
  const { unit, newest } = trend;
  return { trend: newest === undefined ? { unit } : { unit, newest: monthText(newest) } };
}

const similarOf = ({ tables: { similar } }: Tree): Pick<PackMetadata, 'similar'> =>
  similar ? { similar: similar.to.length } : {};

type FieldWriter = ColumnBuffers & { write(sink: PackSink): Promise<void> };

const rowsOf = ({ order, unplaced }: Tree) => order.length + unplaced.length;

function fieldWriters(
  tree: Tree,
  parts: readonly Part[],
  values: TreeValues,
  branches: Uint32Array,
  loop: NameLoop | undefined,
): FieldWriter[] {
  const folds = findFolds(tree);
  const mergedRanges = createMergedRanges(tree);
  const ownTrends = monthsOfRows(tree);
  const trends = monthsOfBranches(tree, branches);
  return parts.map((part): FieldWriter => {
    switch (part.name) {
      case 'name':
        return nameWriter(tree);
      case 'folded':
        return listWriter(rowsOf(tree), folded(folds));
      case 'fold':
        return foldWriter(tree, folds, loop);
      case 'branch':
        return listWriter(rowsOf(tree), branching(tree));
      case 'merged':
        return listWriter(rowsOf(tree), mergedRanges.lengths);
      case 'merged_range':
        return numbersWriter(Uint32Array, 2, mergedRanges.entries, mergedRanges.read);
      case 'similar':
        return listWriter(rowsOf(tree), similarLengths(tree));
      case 'similar_row':
        return similarWriter(tree);
      case 'own_trend':
        return listWriter(rowsOf(tree), monthsOf(ownTrends));
      case 'own_month':
        return numbersWriter(Float32Array, trendMonths, ownersOf(ownTrends), ownTrends.read);
      case 'trend':
        return listWriter(branches.length, monthsOf(trends));
      case 'month':
        return numbersWriter(Float64Array, trendMonths, ownersOf(trends), trends.read);
      case 'structure':
        return { rows: branches.length, buffers: [0], write: async () => undefined };
      default:
        if (part.over === 'rows')
          return numberWriter(tree, part.kind, values.rows[part.name as keyof TreeValues['rows']]!);
        return numbersWriter(
          numberKinds[part.kind as keyof typeof numberKinds].array,
          1,
          branches,
          values.branches[part.name as keyof TreeValues['branches']]!,
        );
    }
  });
}

/** The branches in row order, and, by branch in document order, the row of its first child. */
function placeBranches({ order, rollUp }: Tree): { inPackOrder: Uint32Array; firstChild: Uint32Array } {
  const inPackOrder = new Uint32Array(rollUp.childCount.length);
  const firstChild = new Uint32Array(rollUp.childCount.length);
  let next = 0;
  let row = 1;
  for (let at = 0; at < order.length; at++) {
    const branch = rollUp.branch[order[at]!]!;
    if (branch < 0) continue;
    inPackOrder[next++] = branch;
    firstChild[branch] = row;
    row += rollUp.childCount[branch]!;
  }
  return { inPackOrder, firstChild };
}

function numberWriter(tree: Tree, kind: Part['kind'], values: ColumnValues): FieldWriter {
  const { array, perRow } = numberKinds[kind as keyof typeof numberKinds];
  const rows = rowsOf(tree);
  return {
    rows,
    buffers: [0, rows * perRow * array.BYTES_PER_ELEMENT],
    async write(sink) {
      await writeNumbers(sink, array, perRow, tree.order, values.nodes);
      await writeNumbers(sink, array, perRow, tree.unplaced, values.entries);
    },
  };
}

/** Writes `perRow` numbers for each of the places. */
function numbersWriter(array: NumberArrayOf, perRow: number, places: Uint32Array, fill: Fill): FieldWriter {
  const numbers = perRow * places.length;
  return {
    rows: numbers,
    buffers: [0, numbers * array.BYTES_PER_ELEMENT],
    write: (sink) => writeNumbers(sink, array, perRow, places, fill),
  };
}

function similarLengths({ order, tables: { similar } }: Tree): Lengths {
  const { start } = similar!;
  return (target, from) => {
    const end = Math.min(target.length, order.length - from);
    for (let at = 0; at < end; at++) target[at] = start[order[from + at]! + 1]! - start[order[from + at]!]!;
    target.fill(0, Math.max(0, end));
  };
}

function similarWriter({ order, rowOf, tables: { similar } }: Tree): FieldWriter {
  const { start, to } = similar!;
  return {
    rows: to.length,
    buffers: [0, 4 * to.length],
    async write(sink) {
      const places = new Uint32Array(to.length);
      let next = 0;
      for (const node of order) for (let at = start[node]!; at < start[node + 1]!; at++) places[next++] = at;
      await writeNumbers(sink, Uint32Array, 1, places, (target, some) => {
        for (let at = 0; at < some.length; at++) target[at] = rowOf[to[some[at]!]!]!;
      });
    },
  };
}

// Each kind of list has its own loop, because calling a function per row costs more than its work.

function folded({ has }: FoldedNames): Lengths {
  return (target, start) => {
    for (let at = 0; at < target.length; at++) target[at] = has[start + at]!;
  };
}

function branching({ order, rollUp: { branch } }: Tree): Lengths {
  return (target, start) => {
    const end = Math.min(target.length, order.length - start);
    for (let at = 0; at < end; at++) target[at] = branch[order[start + at]!]! < 0 ? 0 : 1;
    target.fill(0, Math.max(0, end));
  };
}

function monthsOf({ has }: TrendParts): Lengths {
  return (target, start) => {
    for (let at = 0; at < target.length; at++) target[at] = trendMonths * has[start + at]!;
  };
}

/** Writes the 32-bit starts of a list with at most one part per row. */
function listWriter(rows: number, lengths: Lengths): FieldWriter {
  return {
    rows,
    buffers: [0, 4 * (rows + 1)],
    write: (sink) => writeStarts(sink, rows, lengths),
  };
}

function nameWriter(tree: Tree): FieldWriter {
  const { lengths, bytes } = measureNames(tree);
  return {
    rows: rowsOf(tree),
    buffers: [0, 8 * (rowsOf(tree) + 1), bytes],
    async write(sink) {
      await writeStartsWide(sink, rowsOf(tree), lengths);
      await sink.pad(bufferAlignment);
      await writeNames(sink, tree);
    },
  };
}

function foldWriter(tree: Tree, folds: FoldedNames, loop: NameLoop | undefined): FieldWriter {
  return {
    rows: folds.rows.length,
    buffers: [0, 8 * (folds.rows.length + 1), folds.bytes],
    async write(sink) {
      await writeStartsWide(sink, folds.rows.length, (target, start) => {
        target.set(folds.lengths.subarray(start, start + target.length));
      });
      await sink.pad(bufferAlignment);
      await writeFolds(sink, tree, folds, loop);
    },
  };
}

/** Writes the texts that a column's numbers refer to, as one column with 32-bit offsets. */
async function writeDictionary(sink: PackSink, id: number, values: readonly string[]) {
  const texts = values.map((value) => new TextEncoder().encode(value));
  const offsets = new Int32Array(texts.length + 1);
  for (const [index, text] of texts.entries()) offsets[index + 1] = offsets[index]! + text.length;
  const column = { rows: texts.length, buffers: [0, offsets.byteLength, offsets[texts.length]!] };
  const block = await writeBatchHead(sink, texts.length, [column], id);
  await sink.write(new Uint8Array(offsets.buffer));
  await sink.pad(bufferAlignment);
  for (const text of texts) await sink.write(text);
  await sink.pad(bufferAlignment);
  return block;
}

/** The lists of months in a pack: which rows or branches have one, and how to fill them. */
type TrendParts = {
  /** 1 for a row or branch with a list, in pack order. */
  readonly has: Uint8Array;
  /** Writes the twelve values for some positions in that order. */
  readonly read: Fill;
};

/** The own trends of nodes and entries, in the order of a pack's rows. */
function monthsOfRows({ order, unplaced, trend, rollUp }: Tree): TrendParts {
  const nodes = order.length;
  const has = new Uint8Array(trend ? nodes + unplaced.length : 0);
  const values = new Float64Array(trendMonths);
  const source = rollUp.trend?.source;
  if (source) for (let row = 0; row < nodes; row++) has[row] = source[order[row]!]! > 0 ? 1 : 0;
  for (let row = nodes; row < has.length; row++) has[row] = Number(trend!.ofEntry(unplaced[row - nodes]!, values));
  return {
    has,
    read: (target, rows) => {
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at]!;
        if (row < nodes) trend!.read(order[row]!, source![order[row]!] as TrendSource, values);
        else trend!.ofEntry(unplaced[row - nodes]!, values);
        // A call costs more than copying twelve numbers.
        const to = trendMonths * at;
        for (let month = 0; month < trendMonths; month++) target[to + month] = values[month]!;
      }
    },
  };
}

/** @param branches in row order */
function monthsOfBranches({ rollUp: { trend } }: Tree, branches: Uint32Array): TrendParts {
  const has = new Uint8Array(trend ? branches.length : 0);
  for (let at = 0; at < has.length; at++) has[at] = Number(trend!.known[branches[at]!]! > 0);
  return {
    has,
    read: (target, places) => {
      for (let at = 0; at < places.length; at++) {
        const from = trendMonths * branches[places[at]!]!;
        target.set(trend!.sum.subarray(from, from + trendMonths), trendMonths * at);
      }
    },
  };
}

/** The positions that have a list. */
function ownersOf({ has }: TrendParts): Uint32Array {
  let count = 0;
  for (const one of has) count += one;
  const places = new Uint32Array(count);
  let next = 0;
  for (let place = 0; place < has.length; place++) if (has[place] === 1) places[next++] = place;
  return places;
}

/** The file positions of entries that were merged into a keyword's first entry, by pack row. */
type MergedRanges = {
  /** The count of numbers per row: two per merged entry. */
  readonly lengths: Lengths;
  /** The merged entries in row order. */
  readonly entries: Uint32Array;
  /** Writes the start and end of some entries. */
  readonly read: Fill;
};

/**
 * A keyword that occurs in several nodes has its merged entries only at its first node in the file. Otherwise n nodes
 * and m entries with the same name would take n × m ranges in the pack.
 *
 * Memory: 5 bytes per row if entries were merged, otherwise nothing.
 */
function createMergedRanges(tree: Tree): MergedRanges {
  const { byteStart, byteEnd } = tree.tables.keywords;
  const { start, later } = tree.repeats ?? { start: new Uint32Array(1), later: new Uint32Array(0) };
  const owned = tree.repeats ? ownedEntries(tree) : new Int32Array(0);
  const entries = new Uint32Array(later.length);
  let next = 0;
  for (const first of owned) {
    if (first < 0) continue;
    entries.set(later.subarray(start[first]!, start[first + 1]!), next);
    next += start[first + 1]! - start[first]!;
  }
  return {
    entries,
    lengths(target, from) {
      for (let at = 0; at < target.length; at++) {
        const first = owned[from + at]!;
        target[at] = first < 0 ? 0 : 2 * (start[first + 1]! - start[first]!);
      }
    },
    read(target, some) {
      for (let at = 0; at < some.length; at++) {
        target[2 * at] = byteStart[some[at]!]!;
        target[2 * at + 1] = byteEnd[some[at]!]!;
      }
    },
  };
}

/** By row, the first entry of its keyword if the row is the keyword's first; otherwise -1. */
function ownedEntries({ order, rowOf, unplaced, keyword, entry }: Tree): Int32Array {
  const owned = new Int32Array(order.length + unplaced.length).fill(-1);
  const isOwned = new Uint8Array(entry.length);
  for (let node = 0; node < keyword.length; node++) {
    const id = keyword[node]!;
    if (id < 0 || isOwned[id] === 1) continue;
    isOwned[id] = 1;
    owned[rowOf[node]!] = entry[id]!;
  }
  owned.set(unplaced, order.length);
  return owned;
}

/** The values of a tree's columns, by node row and by branch in document order. */
type TreeValues = {
  readonly rows: ReturnType<typeof rowValues>;
  readonly branches: ReturnType<typeof branchValues>;
};

/**
 * The slice of the root that a pack of this tree will return, computed before the pack exists.
 *
 * @param firstChild the pack row of each branch's first child, by branch in document order
 * @param budget the maximum number of rows
 */
async function sliceTree(tree: Tree, values: TreeValues, firstChild: Uint32Array, budget: number): Promise<Slice> {
  const { order, rollUp, keyword, own } = tree;
  const branch = (row: number) => rollUp.branch[order[row]!]!;
  const ofLeaf = (row: number) => (keyword[order[row]!]! >= 0 ? own.volume?.[order[row]!] || 0 : 0);
  const of = {
    volume: (row: number) => (branch(row) >= 0 ? (rollUp.volume?.sum[branch(row)] ?? 0) : ofLeaf(row)),
    keywords: (row: number) => (branch(row) >= 0 ? rollUp.keywords[branch(row)]! : Number(keyword[order[row]!]! >= 0)),
    leaves: (row: number) => (branch(row) >= 0 ? rollUp.leaves[branch(row)]! : 1),
  };
  const selected = selectRows(
    {
      branch,
      child: (at, nth) => firstChild[at]! + nth,
      isReordered: false,
      childCount: rollUp.childCount,
      weigh: weigherOf(of),
    },
    { node: 0, budget: Math.min(budget, order.length), skip: 0 },
  );
  return gatherSlice(rowsOfTree(tree, values), selected);
}

/** Behaves like an open pack, except that branches are numbered in document order. */
function rowsOfTree(tree: Tree, { rows, branches }: TreeValues): RowSource {
  const { order, rollUp, tables } = tree;
  const fields = fieldsOf(tree);
  const parts = new Map(
    partsOf({ optional: optionalOf(tree, optionalColumns), fields }).map((part) => [part.name, part]),
  );
  const fillOf = (name: NumberColumn): Fill | undefined =>
    rows[name as keyof typeof rows]?.nodes ?? branches[name as keyof typeof branches];
  return {
    metadata: { nodes: order.length, types: tables.types, fields },
    async gather(name, wanted) {
      const part = parts.get(name);
      if (!part) return undefined as never;
      const { array, perRow } = numberKinds[part.kind as keyof typeof numberKinds];
      const values: Numbers = new array(perRow * wanted.length);
      fillOf(name)!(values, part.over === 'rows' ? wanted.map((row) => order[row]!) : wanted);
      return values as never;
    },
    async gatherTexts(_name, wanted) {
      const { names, nameStart, nameLength } = tables.nodes;
      const start = new Float64Array(wanted.length + 1);
      for (const [index, row] of wanted.entries()) start[index + 1] = start[index]! + nameLength[order[row]!]!;
      const bytes = new Uint8Array(start[wanted.length]!);
      for (const [index, row] of wanted.entries()) {
        const from = nameStart[order[row]!]!;
        bytes.set(names.subarray(from, from + nameLength[order[row]!]!), start[index]);
      }
      return { start, bytes };
    },
    branchesOf: async (wanted) =>
      wanted.map((row) => (rollUp.branch[order[row]!]! < 0 ? noRow : rollUp.branch[order[row]!]!)),
  };
}
