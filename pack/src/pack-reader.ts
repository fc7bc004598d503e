import { openFrame, type Place, type Places } from './arrow/open.ts';
import type { ByteSource } from './byte-source.ts';
import type { CheckedSource } from './checked-source.ts';
import {
  blockBytes,
  branchColumns,
  type NumberArray,
  type NumberColumn,
  noRow,
  numberKinds,
  type OptionalColumn,
  PackDamaged,
  type PackMetadata,
  rowColumns,
  type TextColumn,
} from './pack-format.ts';

/** Texts of some rows: text `i` is `bytes[start[i] .. start[i + 1]]`, UTF-8. One start more than texts. */
export type Texts = { readonly start: Float64Array; readonly bytes: Uint8Array };

type Column<C extends NumberColumn> = NumberArray<C> | (C extends OptionalColumn ? undefined : never);

/**
 * An open pack. Rows below `metadata.nodes` are the nodes; those from there to `rows` are the keywords that no node
 * names. Columns of branches are asked for by branch, see {@link branchesOf}. Every method may throw
 * {@link PackDamaged} when a block that is read is not what was written.
 */
export interface PackReader {
  readonly metadata: PackMetadata;
  readonly rows: number;
  /** A whole column, read once and kept; `undefined` for one that was left out. Not to be changed. */
  column<C extends NumberColumn>(name: C): Promise<Column<C>>;
  /** A column at some rows, or branches; fast when they rise. Columns of 64 bits give two numbers a row, low half first. */
  gather<C extends NumberColumn>(name: C, rows: Uint32Array): Promise<Column<C>>;
  /** A whole column of texts, read once and kept. Not to be changed. */
  texts(name: TextColumn): Promise<Texts>;
  /** The texts of some rows; fast when they rise. */
  gatherTexts(name: TextColumn, rows: Uint32Array): Promise<Texts>;
  /** Checks every block against its hash. */
  checkBlocks(): Promise<void>;
}

/**
 * Opens a pack: reads its ends and checks them. Cost: three reads and one block.
 *
 * @param cacheBytes what the blocks read last may take; whole columns come on top
 * @throws PackDamaged when it is no pack of this version or its frame is damaged
 */
export async function openPack(source: ByteSource, cacheBytes = 256 * blockBytes): Promise<PackReader> {
  const { metadata, checked, rows, places } = await openFrame(source, cacheBytes);
  const columns = new Map<NumberColumn, Promise<unknown>>();
  const textColumns = new Map<TextColumn, Promise<Texts>>();
  return {
    metadata,
    rows,
    column: async <C extends NumberColumn>(name: C) => {
      const place = placeOf(places, name);
      if (!place) return undefined as Column<C>;
      const found = columns.get(name) ?? forgetFailure(columns, name, readColumn(checked, place, name));
      return found as Promise<Column<C>>;
    },
    gather: async <C extends NumberColumn>(name: C, wanted: Uint32Array) => {
      const place = placeOf(places, name);
      return (place && (await gatherNumbers(checked, place, name, wanted))) as Column<C>;
    },
    texts: (name) => textColumns.get(name) ?? forgetFailure(textColumns, name, readTexts(checked, places.get(name)!)),
    gatherTexts: (name, wanted) => gatherTexts(checked, places.get(name)!, wanted),
    checkBlocks: () => checked.checkAll(),
  };
}

/** The branch of each of some rows, {@link noRow} for one without children. */
export async function branchesOf(pack: PackReader, rows: Uint32Array): Promise<Uint32Array> {
  const around = new Uint32Array(2 * rows.length);
  for (let index = 0; index < rows.length; index++) {
    around[2 * index] = rows[index]!;
    around[2 * index + 1] = rows[index]! + 1;
  }
  const starts = await pack.gather('branch', around);
  return Uint32Array.from(rows, (_, index) =>
    starts[2 * index] === starts[2 * index + 1] ? noRow : starts[2 * index]!,
  );
}

function placeOf(places: Places, name: NumberColumn): Place | undefined {
  return places.get(name)?.[0];
}

/** Keeps what is being read, unless it fails: then the next asker tries again. */
function forgetFailure<K, V>(kept: Map<K, Promise<V>>, key: K, reading: Promise<V>): Promise<V> {
  kept.set(key, reading);
  reading.catch(() => kept.delete(key));
  return reading;
}

async function readColumn<C extends NumberColumn>(source: CheckedSource, place: Place, name: C) {
  const { array: NumberArrayOf } = kindOf(name);
  const bytes = await source.read(place.offset, place.length);
  return new NumberArrayOf(bytes.buffer) as NumberArray<C>;
}

/** Buffers are aligned in the file and blocks are a multiple of that, so no number lies across two blocks. */
async function gatherNumbers<C extends NumberColumn>(
  source: CheckedSource,
  place: Place,
  name: C,
  rows: Uint32Array,
): Promise<NumberArray<C>> {
  const { array: NumberArrayOf, perRow } = kindOf(name);
  const values = new NumberArrayOf(rows.length * perRow);
  const bytesPerRow = perRow * NumberArrayOf.BYTES_PER_ELEMENT;
  let held = -1;
  let numbers = values.subarray(0, 0);
  for (let index = 0; index < rows.length; index++) {
    const at = place.offset + rows[index]! * bytesPerRow;
    if (at + bytesPerRow > place.offset + place.length) throw new RangeError(`Row ${rows[index]} is not in the pack`);
    const block = Math.floor(at / blockBytes);
    if (block !== held) {
      const bytes = await source.block(block);
      const length = Math.floor(bytes.length / NumberArrayOf.BYTES_PER_ELEMENT);
      numbers = new NumberArrayOf(bytes.buffer as ArrayBuffer, bytes.byteOffset, length);
      held = block;
    }
    const first = (at - block * blockBytes) / NumberArrayOf.BYTES_PER_ELEMENT;
    for (let half = 0; half < perRow; half++) values[perRow * index + half] = numbers[first + half]!;
  }
  return values as NumberArray<C>;
}

async function readTexts(source: CheckedSource, [offsets, bytes]: readonly Place[]): Promise<Texts> {
  const halves = new Uint32Array((await source.read(offsets!.offset, offsets!.length)).buffer);
  const start = new Float64Array(halves.length / 2);
  for (let row = 0; row < start.length; row++) start[row] = halves[2 * row]! + halves[2 * row + 1]! * 2 ** 32;
  return { start, bytes: await source.read(bytes!.offset, bytes!.length) };
}

async function gatherTexts(source: CheckedSource, [offsets, bytes]: readonly Place[], rows: Uint32Array) {
  const ends = new Uint32Array(2 * rows.length);
  for (let index = 0; index < rows.length; index++) {
    ends[2 * index] = rows[index]!;
    ends[2 * index + 1] = rows[index]! + 1;
  }
  const halves = await gatherNumbers(source, offsets!, 'address', ends);
  const offsetAt = (index: number) => halves[2 * index]! + halves[2 * index + 1]! * 2 ** 32;
  const start = new Float64Array(rows.length + 1);
  for (let index = 0; index < rows.length; index++) {
    const length = offsetAt(2 * index + 1) - offsetAt(2 * index);
    if (length < 0) throw new PackDamaged('texts that end before they begin');
    start[index + 1] = start[index]! + length;
  }
  const text = new Uint8Array(start[rows.length]!);
  for (let index = 0; index < rows.length; ) {
    // Neighbours in the pack are neighbours in the blob: one copy for a run.
    let last = index;
    while (last + 1 < rows.length && rows[last + 1] === rows[last]! + 1) last++;
    await copyRange(source, bytes!.offset + offsetAt(2 * index), text.subarray(start[index], start[last + 1]));
    index = last + 1;
  }
  return { start, bytes: text };
}

async function copyRange(source: CheckedSource, offset: number, target: Uint8Array): Promise<void> {
  for (let done = 0; done < target.length; ) {
    const at = offset + done;
    const block = await source.block(Math.floor(at / blockBytes));
    const part = block.subarray(at % blockBytes, (at % blockBytes) + target.length - done);
    if (part.length === 0) throw new PackDamaged('texts beyond the end');
    target.set(part, done);
    done += part.length;
  }
}

const kinds = new Map<string, keyof typeof numberKinds>(
  [...rowColumns, ...branchColumns].flatMap(({ name, kind }) => (kind === 'text' ? [] : [[name, kind] as const])),
);

function kindOf(name: NumberColumn) {
  return numberKinds[kinds.get(name)!];
}
