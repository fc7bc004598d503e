import { noRow } from '../format/pack-format.ts';
import type { PackSink } from '../format/pack-sink.ts';
import { SearchKey } from '../names/text-key.ts';
import { FoldMeasure, isLong, isUnfolded } from '../tree/fold-lengths.ts';
import type { Tree } from '../tree/tree.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import type { Lengths } from './pack-numbers.ts';

/** Names that differ from their search fold. */
export type FoldedNames = {
  /** By pack row: 1 if the name has a separate fold. */
  readonly has: Uint8Array;
  /** The rows with a separate fold. */
  readonly rows: Uint32Array;
  /** The size of each fold in bytes. */
  readonly lengths: Uint32Array;
  /** The size of all folds in bytes. */
  readonly bytes: number;
};

/** Texts are collected in a buffer of this size, so that the sink is not awaited for each one. */
const gatheredBytes = 64 * 1024;
/** Longer texts are copied by `set`, shorter ones word by word. */
const longText = 128;

/** The folds of nodes were measured when the nodes arrived; those of entries that no node names are measured here. */
export function findFolds({ order, unplaced, folds, tables }: Tree): FoldedNames {
  const ofEntries = new Uint32Array(unplaced.length);
  const measure = new FoldMeasure();
  let count = folds.count;
  for (let at = 0; at < unplaced.length; at++) {
    const length = measure.lengthOf(tables.keywords, unplaced[at]!);
    ofEntries[at] = length ?? noRow;
    if (length !== undefined) count++;
  }
  const has = new Uint8Array(order.length + unplaced.length);
  const rows = new Uint32Array(count);
  const lengths = new Uint32Array(count);
  let next = 0;
  let bytes = 0;
  const put = (row: number, length: number) => {
    has[row] = 1;
    rows[next] = row;
    lengths[next++] = length;
    bytes += length;
  };
  for (let row = 0; row < order.length; row++) {
    const length = folds.length[order[row]!]!;
    if (length !== isUnfolded) put(row, length === isLong ? folds.long.get(order[row]!)! : length);
  }
  for (let at = 0; at < ofEntries.length; at++) if (ofEntries[at] !== noRow) put(order.length + at, ofEntries[at]!);
  return { has, rows, lengths, bytes };
}

/** The length of each row's name, and of all names together. */
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

/** The lengths in a column for some of its rows. */
function lengthsOf(column: Uint32Array, rows: Uint32Array): Lengths {
  return (target, start) => {
    for (let at = 0; at < target.length; at++) target[at] = column[rows[start + at]!]!;
  };
}

function sumOf(column: Uint32Array, rows: Uint32Array): number {
  let sum = 0;
  for (let at = 0; at < rows.length; at++) sum += column[rows[at]!]!;
  return sum;
}

/** Writes every row's name, back to back. Names that are already contiguous are copied together. */
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
 * Writes the separate folds, back to back.
 *
 * @param loop folds many names at a time, if it can run
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

/** Copies names of some pack rows into the loop, as many as fit. Returns the index in `rows` where it stopped. */
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
  readonly #room = new DataView(this.#buffer.buffer);
  /** The buffer that texts were last taken from. */
  #bytes: Uint8Array = this.#buffer;
  #view: DataView = this.#room;
  #filled = 0;
  /** The text that did not fit. */
  #rest: Uint8Array | undefined;

  constructor(sink: PackSink) {
    this.#sink = sink;
  }

  /** @returns `false` if {@link flushAndWrite} must be awaited before the next text */
  take(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (this.#filled + length > gatheredBytes) {
      this.#rest = bytes.subarray(start, end);
      return false;
    }
    // A call costs as much as copying a short text.
    if (length > longText) this.#buffer.set(bytes.subarray(start, end), this.#filled);
    else this.#copyWords(bytes, start, length);
    this.#filled += length;
    return true;
  }

  #copyWords(bytes: Uint8Array, start: number, length: number): void {
    if (bytes !== this.#bytes) this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#bytes = bytes;
    const to = this.#filled;
    let index = 0;
    for (; index + 4 <= length; index += 4) this.#room.setInt32(to + index, this.#view.getInt32(start + index));
    for (; index < length; index++) this.#buffer[to + index] = bytes[start + index]!;
  }

  async flushAndWrite(): Promise<void> {
    await this.#sink.write(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
    if (this.#rest) await this.#sink.write(this.#rest);
    this.#rest = undefined;
  }
}
