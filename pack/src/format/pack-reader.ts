import { openFrame, type Place, type Places } from './arrow/open.ts';
import type { ByteSource } from './byte-source.ts';
import type { CheckedSource } from './checked-source.ts';
import {
  blockBytes,
  type FieldColumn,
  type MergedColumn,
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
import { pickRows } from './pick-rows.ts';

/** The texts of some rows: text `i` is `bytes[start[i] .. start[i + 1]]`, UTF-8. There is one start more than texts. */
export type Texts = { readonly start: Float64Array; readonly bytes: Uint8Array };

/** Provides memory of the caller for texts; undefined if there is not enough. */
type TextRoom = (starts: number, bytes: number) => Texts | undefined;

type Column<C extends NumberColumn> =
  | NumberArray<C>
  | (C extends OptionalColumn | FieldColumn | TrendColumn | MergedColumn ? undefined : never);

/** The source of the rows of a slice: an open pack, or a tree that is about to become one. */
export interface RowSource {
  readonly metadata: Pick<PackMetadata, 'nodes' | 'types' | 'fields'>;
  /**
   * The values of a column at some rows or branches; fast in ascending order. 64-bit columns give two numbers per row,
   * low half first.
   */
  gather<C extends NumberColumn>(name: C, rows: Uint32Array): Promise<Column<C>>;
  /** The texts of some rows; fast in ascending order. */
  gatherTexts(name: TextColumn, rows: Uint32Array): Promise<Texts>;
  /** The branch of each of some rows, used to read branch columns; `noRow` for a row without children. */
  branchesOf(rows: Uint32Array): Promise<Uint32Array>;
}

/**
 * An open pack. Rows below `metadata.nodes` are the nodes; those from there to `rows` are the keywords that no node
 * names. Every method may throw {@link PackDamaged} if a block differs from what was written.
 */
export interface PackReader extends RowSource {
  readonly metadata: PackMetadata;
  /** The pack that this is a filtered view of; without a filter, this one. */
  readonly whole: PackReader;
  /** Whether a filter keeps a node. */
  keeps(row: number): boolean;
  readonly rows: number;
  /** A whole column, read once and cached; `undefined` if it was omitted. Must not be modified. */
  column<C extends NumberColumn>(name: C): Promise<Column<C>>;
  /**
   * A whole column of texts, read once and cached. Must not be modified.
   * @param room provides the memory for a new read, given the number of starts and of bytes
   */
  texts(name: TextColumn, room?: TextRoom): Promise<Texts>;
  /** The first `rootSliceRows` rows of a slice of the root, in wire format. Must not be modified. */
  readonly rootSlice: Uint8Array;
  /** The positions of the columns, the number of hashed bytes, and the hashes of all blocks. */
  frame(): Promise<{ readonly places: Places; readonly hashedBytes: number; readonly hashes: Uint32Array }>;
}

/**
 * Opens a pack: reads its end and checks it.
 * Cost: one read of 1 MiB.
 *
 * @param cacheBytes the maximum memory of cached blocks; whole columns are additional
 * @throws PackDamaged if it is not a pack of this version or its frame is damaged
 */
export async function openPack(source: ByteSource, cacheBytes = 256 * blockBytes): Promise<PackReader> {
  const { metadata, checked, rootSlice, places: readPlaces } = await openFrame(source, cacheBytes);
  const columns = new LoadCache<NumberColumn, NumberArray<NumberColumn>>();
  const textColumns = new LoadCache<TextColumn, Texts>();
  const frame = new LoadCache<'places', Places>();
  const places = () => frame.get('places', readPlaces);
  const kinds = new Map(partsOf(metadata).map(({ name, kind }) => [name, kind as keyof typeof numberKinds]));
  const gather = async <C extends NumberColumn>(name: C, wanted: Uint32Array) => {
    const kind = numberKinds[kinds.get(name)!];
    const cached = columns.loaded(name);
    if (cached) return gatherCached(cached, kind, wanted) as Column<C>;
    const place = (frame.loaded('places') ?? (await places())).get(name)?.[0];
    return (place && (await gatherNumbers(checked, place, kind, wanted))) as Column<C>;
  };
  const pack: PackReader = {
    metadata,
    get whole() {
      return pack;
    },
    keeps: () => true,
    rows: metadata.nodes + metadata.notInHierarchy,
    rootSlice,
    column: async <C extends NumberColumn>(name: C) => {
      const place = (await places()).get(name)?.[0];
      if (!place) return undefined as Column<C>;
      return columns.get(name, () => readColumn(checked, place, numberKinds[kinds.get(name)!])) as Promise<Column<C>>;
    },
    gather,
    texts: async (name, room) => {
      const place = (await places()).get(name)!;
      return textColumns.get(name, () => readTexts(checked, place, room));
    },
    async gatherTexts(name, wanted) {
      const cached = textColumns.loaded(name);
      return cached ? gatherCachedTexts(cached, wanted) : gatherTexts(checked, (await places()).get(name)!, wanted);
    },
    branchesOf: async (wanted) => branchesAt(await gather('branch', around(wanted)), wanted.length),
    frame: async () => ({ places: await places(), hashedBytes: checked.size, hashes: checked.hashes }),
  };
  return pack;
}

/** A cache of loaded values. A failed load is retried on the next request. */
class LoadCache<K, V> {
  readonly #loading = new Map<K, Promise<V>>();
  readonly #loaded = new Map<K, V>();

  get(key: K, read: () => Promise<V>): Promise<V> {
    const found = this.#loading.get(key);
    if (found) return found;
    const loading = read();
    this.#loading.set(key, loading);
    loading.then(
      (value) => this.#loaded.set(key, value),
      () => this.#loading.delete(key),
    );
    return loading;
  }

  /** Undefined if it has not been loaded yet. */
  loaded(key: K): V | undefined {
    return this.#loaded.get(key);
  }
}

/** Every row and the one after it. A column of lists has the start of each list, which is the end of the one before. */
export function around(rows: Uint32Array): Uint32Array {
  const pairs = new Uint32Array(2 * rows.length);
  for (let index = 0; index < rows.length; index++) {
    pairs[2 * index] = rows[index]!;
    pairs[2 * index + 1] = rows[index]! + 1;
  }
  return pairs;
}

/** A row has a branch if the list offset after it differs. */
function branchesAt(starts: Uint32Array, rows: number): Uint32Array {
  const branches = new Uint32Array(rows);
  for (let index = 0; index < rows; index++) {
    branches[index] = starts[2 * index] === starts[2 * index + 1] ? noRow : starts[2 * index]!;
  }
  return branches;
}

type NumberKind = (typeof numberKinds)[keyof typeof numberKinds];

async function readColumn(source: CheckedSource, place: Place, { array: NumberArrayOf }: NumberKind) {
  const column = new NumberArrayOf(place.length / NumberArrayOf.BYTES_PER_ELEMENT);
  await source.read(place.offset, new Uint8Array(column.buffer));
  return column;
}

function gatherCached(
  column: NumberArray<NumberColumn>,
  { array: NumberArrayOf, perRow }: NumberKind,
  rows: Uint32Array,
) {
  const values = new NumberArrayOf(rows.length * perRow);
  const done = pickRows(values, column, perRow * NumberArrayOf.BYTES_PER_ELEMENT, rows);
  if (done < rows.length) throw new RangeError(`Row ${rows[done]} is not in the pack`);
  return values;
}

/** Buffers are aligned in the file and blocks are a multiple of the alignment, so no number spans two blocks. */
async function gatherNumbers(
  source: CheckedSource,
  place: Place,
  { array: NumberArrayOf, perRow }: NumberKind,
  rows: Uint32Array,
) {
  const values = new NumberArrayOf(rows.length * perRow);
  const width = perRow * NumberArrayOf.BYTES_PER_ELEMENT;
  const end = place.offset + place.length;
  for (let index = 0; index < rows.length; ) {
    const at = place.offset + rows[index]! * width;
    if (at + width > end) throw new RangeError(`Row ${rows[index]} is not in the pack`);
    const block = Math.floor(at / blockBytes);
    const start = block * blockBytes;
    const waiting = source.with(block, (bytes) => {
      const own = bytes.subarray(Math.max(0, place.offset - start), end - start);
      const base = (start + own.byteOffset - bytes.byteOffset - place.offset) / width;
      index = pickRows(values, own, width, rows, base, index);
    });
    if (waiting) await waiting;
  }
  return values;
}

async function readTexts(source: CheckedSource, [offsets, bytes]: readonly Place[], room?: TextRoom): Promise<Texts> {
  const count = offsets!.length / 8;
  const texts = room?.(count, bytes!.length) ?? {
    start: new Float64Array(count),
    bytes: new Uint8Array(bytes!.length),
  };
  // Offsets are read as pairs of 32 bits into the memory of the numbers that they become.
  const halves = new Uint32Array(texts.start.buffer, texts.start.byteOffset, 2 * count);
  await source.read(offsets!.offset, new Uint8Array(halves.buffer, halves.byteOffset, offsets!.length));
  for (let row = 0; row < count; row++) texts.start[row] = halves[2 * row]! + halves[2 * row + 1]! * 2 ** 32;
  await source.read(bytes!.offset, texts.bytes);
  return texts;
}

function gatherCachedTexts({ start: starts, bytes }: Texts, rows: Uint32Array): Texts {
  const start = new Float64Array(rows.length + 1);
  for (let index = 0; index < rows.length; index++) {
    start[index + 1] = start[index]! + starts[rows[index]! + 1]! - starts[rows[index]!]!;
  }
  const text = new Uint8Array(start[rows.length]!);
  for (let index = 0; index < rows.length; ) {
    const last = runEnd(rows, index);
    text.set(bytes.subarray(starts[rows[index]!]!, starts[rows[last]! + 1]!), start[index]);
    index = last + 1;
  }
  return { start, bytes: text };
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
    const last = runEnd(rows, index);
    const waiting = copyRange(
      source,
      bytes!.offset + offsetAt(2 * index),
      text.subarray(start[index], start[last + 1]),
    );
    if (waiting) await waiting;
    index = last + 1;
  }
  return { start, bytes: text };
}

/** Adjacent texts of the pack are adjacent in the buffer, so a run needs one copy. @returns the last of the run */
function runEnd(rows: Uint32Array, first: number): number {
  let last = first;
  while (last + 1 < rows.length && rows[last + 1] === rows[last]! + 1) last++;
  return last;
}

/** @returns a promise if the copy is not complete yet */
function copyRange(source: CheckedSource, offset: number, target: Uint8Array): Promise<void> | undefined {
  if (target.length === 0) return undefined;
  let done = 0;
  const waiting = source.with(Math.floor(offset / blockBytes), (block) => {
    const part = block.subarray(offset % blockBytes, (offset % blockBytes) + target.length);
    target.set(part);
    done = part.length;
  });
  const rest = () => {
    if (done === 0) throw new PackDamaged('texts beyond the end');
    return done < target.length ? copyRange(source, offset + done, target.subarray(done)) : undefined;
  };
  return waiting ? waiting.then(rest) : rest();
}
