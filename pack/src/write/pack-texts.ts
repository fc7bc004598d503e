import { noRow } from '../format/pack-format.ts';
import type { PackSink } from '../format/pack-sink.ts';
import { isPlainName } from '../names/plain-names.ts';
import { SearchKey } from '../names/text-key.ts';
import type { Tree } from '../tree/tree.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import type { EntryColumns } from '../upload/upload-tables.ts';
import type { Lengths } from './pack-numbers.ts';

/** Names that search sees otherwise than they are written. */
export type FoldedNames = {
  /** By pack row: bytes of the folded name; {@link noRow} where it is the name itself. */
  readonly length: Uint32Array;
  /** The rows that have one. */
  readonly rows: Uint32Array;
  /** Of all of them. */
  readonly bytes: number;
};

/** Texts are gathered so that not every one of them waits for the sink. */
const gatheredBytes = 64 * 1024;
const longText = 128;

/**
 * Folds every name once to know which ones differ; they are folded again when they are written.
 *
 * @param loop what folds many names at a time, where it can run
 */
export function findFolds(tree: Tree, loop: NameLoop | undefined): FoldedNames {
  const { order, unplaced, tables } = tree;
  const length = new Uint32Array(order.length + unplaced.length);
  const counts = { rows: 0, bytes: 0 };
  if (loop) measureMany(loop, length, tree, counts);
  else measureFolds(length, tables.nodes, order, counts);
  measureFolds(length.subarray(order.length), tables.keywords, unplaced, counts);
  const rows = new Uint32Array(counts.rows);
  let next = 0;
  for (let row = 0; row < length.length; row++) if (length[row] !== noRow) rows[next++] = row;
  return { length, rows, bytes: counts.bytes };
}

/** The nodes' folds, in the order of the file, in which their names stand. */
function measureMany(
  loop: NameLoop,
  length: Uint32Array,
  { rowOf, tables }: Tree,
  counts: { rows: number; bytes: number },
): void {
  const { nodes } = tables;
  const { foldLengths, isLeft } = loop;
  const one = new Uint32Array(1);
  for (let from = 0; from < nodes.rows; ) {
    const brought = loop.bring(nodes, from, nodes.rows);
    loop.fold();
    for (let at = 0; at < brought; at++) {
      const row = rowOf[from + at]!;
      if (isLeft[at] === 1) {
        one[0] = from + at;
        measureFolds(length.subarray(row, row + 1), nodes, one, counts);
        continue;
      }
      const folded = foldLengths[at]!;
      length[row] = folded;
      if (folded === noRow) continue;
      counts.rows++;
      counts.bytes += folded;
    }
    from += brought;
  }
}

function measureFolds(
  length: Uint32Array,
  { names, nameStart, nameLength }: EntryColumns,
  rows: Uint32Array,
  counts: { rows: number; bytes: number },
): void {
  const fold = new SearchKey();
  const view = new DataView(names.buffer, names.byteOffset, names.byteLength);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const start = nameStart[row]!;
    if (isPlainName(view, start, start + nameLength[row]!)) {
      length[at] = noRow;
      continue;
    }
    const folded = fold.write(names, start, start + nameLength[row]!);
    if (folded === nameLength[row] && isSame(fold.buffer.bytes, names, start, folded)) {
      length[at] = noRow;
      continue;
    }
    length[at] = folded;
    counts.rows++;
    counts.bytes += folded;
  }
}

function isSame(folded: Uint8Array, names: Uint8Array, start: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (folded[index] !== names[start + index]) return false;
  return true;
}

/** How long each row's name is, and all of them. */
export function measureNames({ order, unplaced, tables }: Tree): { readonly lengths: Lengths; readonly bytes: number } {
  const ofNodes = tables.nodes.nameLength;
  const ofEntries = tables.keywords.nameLength;
  const nodes = lengthsOf(ofNodes, order);
  const entries = lengthsOf(ofEntries, unplaced);
  return {
    lengths(target, start) {
      const end = Math.max(0, Math.min(target.length, order.length - start));
      if (end > 0) nodes(target.subarray(0, end), start);
      if (end < target.length) entries(target.subarray(end), start + end - order.length);
    },
    bytes: sumOf(ofNodes, order) + sumOf(ofEntries, unplaced),
  };
}

/** A column of lengths at some of its rows. */
export function lengthsOf(column: Uint32Array, rows: Uint32Array): Lengths {
  return (target, start) => {
    for (let at = 0; at < target.length; at++) target[at] = column[rows[start + at]!]!;
  };
}

function sumOf(column: Uint32Array, rows: Uint32Array): number {
  let sum = 0;
  for (let at = 0; at < rows.length; at++) sum += column[rows[at]!]!;
  return sum;
}

/** Every row's name, back to back. Names that stand one behind the other already are taken together. */
export async function writeNames(sink: PackSink, { order, unplaced, tables }: Tree): Promise<void> {
  const texts = new GatheredTexts(sink);
  for (const [{ names, nameStart, nameLength }, rows] of [
    [tables.nodes, order],
    [tables.keywords, unplaced],
  ] as const) {
    let start = 0;
    let end = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      const next = nameStart[row]!;
      if (next !== end) {
        if (!texts.take(names, start, end)) await texts.flushAndWrite();
        start = next;
      }
      end = next + nameLength[row]!;
    }
    if (!texts.take(names, start, end)) await texts.flushAndWrite();
  }
  await texts.flushAndWrite();
}

/**
 * The folded names of those that have one, back to back.
 *
 * @param loop what folds many names at a time, where it can run
 */
export async function writeFolds(
  sink: PackSink,
  tree: Tree,
  { rows }: FoldedNames,
  loop: NameLoop | undefined,
): Promise<void> {
  const texts = new GatheredTexts(sink);
  const fold = new SearchKey();
  for (let from = 0; from < rows.length; ) {
    const end = loop ? bringNames(loop, tree, rows, from) : rows.length;
    const bytes = loop?.fold() ?? 0;
    if (loop && !loop.isLeft.subarray(0, end - from).includes(1)) {
      await texts.flushAndWrite();
      await sink.write(loop.folds.subarray(0, bytes));
      from = end;
    }
    for (; from < end; from++) {
      const { names, start, length } = nameAt(tree, rows[from]!);
      const folded = fold.write(names, start, start + length);
      if (!texts.take(fold.buffer.bytes, 0, folded)) await texts.flushAndWrite();
    }
  }
  await texts.flushAndWrite();
}

/** As many names as there is room for, of some pack rows; answers where in `rows` it stopped. */
function bringNames(loop: NameLoop, tree: Tree, rows: Uint32Array, from: number): number {
  loop.clear();
  for (let index = from; index < rows.length; index++) {
    const { names, start, length } = nameAt(tree, rows[index]!);
    if (!loop.add(names, start, length)) return index;
  }
  return rows.length;
}

function nameAt({ order, unplaced, tables }: Tree, packRow: number) {
  const isNode = packRow < order.length;
  const { names, nameStart, nameLength } = isNode ? tables.nodes : tables.keywords;
  const row = isNode ? order[packRow]! : unplaced[packRow - order.length]!;
  return { names, start: nameStart[row]!, length: nameLength[row]! };
}

class GatheredTexts {
  readonly #sink: PackSink;
  readonly #buffer = new Uint8Array(gatheredBytes);
  #filled = 0;
  /** What did not fit. */
  #rest: Uint8Array | undefined;

  constructor(sink: PackSink) {
    this.#sink = sink;
  }

  /** @returns `false` when {@link flushAndWrite} is to be awaited before the next text */
  take(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (this.#filled + length > gatheredBytes) {
      this.#rest = bytes.subarray(start, end);
      return false;
    }
    const buffer = this.#buffer;
    const to = this.#filled;
    // A call costs as much as copying a short text.
    if (length > longText) buffer.set(bytes.subarray(start, end), to);
    else for (let index = 0; index < length; index++) buffer[to + index] = bytes[start + index]!;
    this.#filled = to + length;
    return true;
  }

  async flushAndWrite(): Promise<void> {
    await this.#sink.write(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
    if (this.#rest) await this.#sink.write(this.#rest);
    this.#rest = undefined;
  }
}
