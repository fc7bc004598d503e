import { noRow } from './pack-format.ts';
import type { PackSink } from './pack-sink.ts';
import { isPlainName } from './plain-names.ts';
import { SearchKey } from './text-key.ts';
import type { Tree } from './tree.ts';
import type { EntryColumns } from './upload-tables.ts';

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

/** Folds every name once to know which ones differ; they are folded again when they are written. */
export function findFolds(tree: Tree): FoldedNames {
  const { order, unplaced, tables } = tree;
  const length = new Uint32Array(order.length + unplaced.length);
  const counts = { rows: 0, bytes: 0 };
  measureFolds(length, tables.nodes, order, counts);
  measureFolds(length.subarray(order.length), tables.keywords, unplaced, counts);
  const rows = new Uint32Array(counts.rows);
  let next = 0;
  for (let row = 0; row < length.length; row++) if (length[row] !== noRow) rows[next++] = row;
  return { length, rows, bytes: counts.bytes };
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
export function measureNames({ order, unplaced, tables }: Tree): { lengthOf(row: number): number; bytes: number } {
  const ofNodes = tables.nodes.nameLength;
  const ofEntries = tables.keywords.nameLength;
  let bytes = 0;
  for (const node of order) bytes += ofNodes[node]!;
  for (const entry of unplaced) bytes += ofEntries[entry]!;
  const lengthOf = (row: number) =>
    row < order.length ? ofNodes[order[row]!]! : ofEntries[unplaced[row - order.length]!]!;
  return { lengthOf, bytes };
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

/** The folded names of those that have one, back to back. */
export async function writeFolds(sink: PackSink, { order, unplaced, tables }: Tree, folds: FoldedNames): Promise<void> {
  const texts = new GatheredTexts(sink);
  const fold = new SearchKey();
  for (const packRow of folds.rows) {
    const isNode = packRow < order.length;
    const { names, nameStart, nameLength } = isNode ? tables.nodes : tables.keywords;
    const row = isNode ? order[packRow]! : unplaced[packRow - order.length]!;
    const start = nameStart[row]!;
    const length = fold.write(names, start, start + nameLength[row]!);
    if (!texts.take(fold.buffer.bytes, 0, length)) await texts.flushAndWrite();
  }
  await texts.flushAndWrite();
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
