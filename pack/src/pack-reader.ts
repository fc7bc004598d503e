import { openFrame, type Place, type Places } from './arrow/open.ts';
import type { ByteSource } from './byte-source.ts';
import type { CheckedSource } from './checked-source.ts';
import {
  blockBytes,
  type FieldColumn,
  type NumberArray,
  type NumberColumn,
  noRow,
  numberKinds,
  type OptionalColumn,
  PackDamaged,
  type PackMetadata,
  partsOf,
  type TextColumn,
  type TrendColumn,
} from './pack-format.ts';

/** Texts of some rows: text `i` is `bytes[start[i] .. start[i + 1]]`, UTF-8. One start more than texts. */
export type Texts = { readonly start: Float64Array; readonly bytes: Uint8Array };

type Column<C extends NumberColumn> =
  | NumberArray<C>
  | (C extends OptionalColumn | FieldColumn | TrendColumn ? undefined : never);

/** What the rows of a slice are gathered from: an open pack, or a tree that is about to become one. */
export interface RowSource {
  readonly metadata: Pick<PackMetadata, 'nodes' | 'types' | 'fields'>;
  /** A column at some rows, or branches; fast when they rise. Columns of 64 bits give two numbers a row, low half first. */
  gather<C extends NumberColumn>(name: C, rows: Uint32Array): Promise<Column<C>>;
  /** The texts of some rows; fast when they rise. */
  gatherTexts(name: TextColumn, rows: Uint32Array): Promise<Texts>;
  /** The branch of each of some rows, `noRow` for one without children: what columns of branches are asked for by. */
  branchesOf(rows: Uint32Array): Promise<Uint32Array>;
}

/**
 * An open pack. Rows below `metadata.nodes` are the nodes; those from there to `rows` are the keywords that no node
 * names. Every method may throw {@link PackDamaged} when a block that is read is not what was written.
 */
export interface PackReader extends RowSource {
  readonly metadata: PackMetadata;
  readonly rows: number;
  /** A whole column, read once and kept; `undefined` for one that was left out. Not to be changed. */
  column<C extends NumberColumn>(name: C): Promise<Column<C>>;
  /** A whole column of texts, read once and kept. Not to be changed. */
  texts(name: TextColumn): Promise<Texts>;
  /** The first `rootSliceRows` rows of a slice of the root, as they go over the wire. Not to be changed. */
  readonly rootSlice: Uint8Array;
  /** Checks every block against its hash. */
  checkBlocks(): Promise<void>;
}

/**
 * Opens a pack: reads its end and checks it. Cost: one read of 1 MiB.
 *
 * @param cacheBytes what the blocks read last may take; whole columns come on top
 * @throws PackDamaged when it is no pack of this version or its frame is damaged
 */
export async function openPack(source: ByteSource, cacheBytes = 256 * blockBytes): Promise<PackReader> {
  const { metadata, checked, rootSlice, places: readPlaces } = await openFrame(source, cacheBytes);
  const columns = new Map<NumberColumn, Promise<unknown>>();
  const textColumns = new Map<TextColumn, Promise<Texts>>();
  const frame = new Map<'places', Promise<Places>>();
  const places = () => frame.get('places') ?? forgetFailure(frame, 'places', readPlaces());
  const kinds = new Map(partsOf(metadata).map(({ name, kind }) => [name, kind as keyof typeof numberKinds]));
  const gather = async <C extends NumberColumn>(name: C, wanted: Uint32Array) => {
    const place = (await places()).get(name)?.[0];
    return (place && (await gatherNumbers(checked, place, numberKinds[kinds.get(name)!], wanted))) as Column<C>;
  };
  return {
    metadata,
    rows: metadata.nodes + metadata.notInHierarchy,
    rootSlice,
    column: async <C extends NumberColumn>(name: C) => {
      const place = (await places()).get(name)?.[0];
      if (!place) return undefined as Column<C>;
      const kind = numberKinds[kinds.get(name)!];
      const found = columns.get(name) ?? forgetFailure(columns, name, readColumn(checked, place, kind));
      return found as Promise<Column<C>>;
    },
    gather,
    texts: async (name) => {
      const place = (await places()).get(name)!;
      return textColumns.get(name) ?? forgetFailure(textColumns, name, readTexts(checked, place));
    },
    gatherTexts: async (name, wanted) => gatherTexts(checked, (await places()).get(name)!, wanted),
    branchesOf: async (wanted) => branchesAt(await gather('branch', around(wanted)), wanted.length),
    checkBlocks: () => checked.checkAll(),
  };
}

/** Every row and the one after it. */
function around(rows: Uint32Array): Uint32Array {
  const pairs = new Uint32Array(2 * rows.length);
  for (let index = 0; index < rows.length; index++) {
    pairs[2 * index] = rows[index]!;
    pairs[2 * index + 1] = rows[index]! + 1;
  }
  return pairs;
}

/** A row has a branch where the list's offset after it is another. */
function branchesAt(starts: Uint32Array, rows: number): Uint32Array {
  const branches = new Uint32Array(rows);
  for (let index = 0; index < rows; index++) {
    branches[index] = starts[2 * index] === starts[2 * index + 1] ? noRow : starts[2 * index]!;
  }
  return branches;
}

/** Keeps what is being read, unless it fails: then the next asker tries again. */
function forgetFailure<K, V>(kept: Map<K, Promise<V>>, key: K, reading: Promise<V>): Promise<V> {
  kept.set(key, reading);
  reading.catch(() => kept.delete(key));
  return reading;
}

type NumberKind = (typeof numberKinds)[keyof typeof numberKinds];

async function readColumn(source: CheckedSource, place: Place, { array: NumberArrayOf }: NumberKind) {
  const bytes = await source.read(place.offset, place.length);
  return new NumberArrayOf(bytes.buffer);
}

/** Buffers are aligned in the file and blocks are a multiple of that, so no number lies across two blocks. */
async function gatherNumbers(
  source: CheckedSource,
  place: Place,
  { array: NumberArrayOf, perRow }: NumberKind,
  rows: Uint32Array,
) {
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
  return values;
}

async function readTexts(source: CheckedSource, [offsets, bytes]: readonly Place[]): Promise<Texts> {
  const halves = new Uint32Array((await source.read(offsets!.offset, offsets!.length)).buffer);
  const start = new Float64Array(halves.length / 2);
  for (let row = 0; row < start.length; row++) start[row] = halves[2 * row]! + halves[2 * row + 1]! * 2 ** 32;
  return { start, bytes: await source.read(bytes!.offset, bytes!.length) };
}

async function gatherTexts(source: CheckedSource, [offsets, bytes]: readonly Place[], rows: Uint32Array) {
  const halves = await gatherNumbers(source, offsets!, numberKinds.uint64, around(rows));
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
