import type { Places } from '../format/arrow/open.ts';
import type { ByteSource } from '../format/byte-source.ts';
import {
  blockBytes,
  noRow,
  numberKinds,
  PackDamaged,
  type PackMetadata,
  type Part,
  partsOf,
  rootSliceRows,
} from '../format/pack-format.ts';
import { openPack, type PackReader } from '../format/pack-reader.ts';
import { weigherOf } from '../format/weight-columns.ts';
import { xxh32 } from '../format/xxh32.ts';
import { selectRows } from '../slice/select-rows.ts';
import { decodeSlice, encodeSlice } from '../slice/slice-wire.ts';
import { gatherSlice } from '../slice/take-slice.ts';
import { type ColumnChecks, createColumnChecks } from './column-checks.ts';

/** What a writer states about a pack before it writes the columns. It is compared with the file once the end of that can be read. */
export type PackHead = {
  readonly metadata: PackMetadata;
  /** The positions of the buffers of its columns. */
  readonly places: Places;
  /** The number of bytes that the block hashes cover. */
  readonly hashedBytes: number;
};

/**
 * Opens a pack and verifies all of it: every block, the shape of the tree, the roll-ups that can be derived from
 * others, the counts, and that its precomputed slice is the one it would return. Called before a pack is published.
 *
 * Cost: one pass over the file; for memory see {@link createColumnChecks}.
 * @throws PackDamaged with the first error
 */
export async function checkPack(source: ByteSource): Promise<PackReader> {
  const pack = await openPack(source, checkCacheBytes);
  const { hashes, hashedBytes, places } = await pack.frame();
  const check = new PackCheck({ metadata: pack.metadata, places, hashedBytes }, hashes);
  while (check.wanted) {
    const { offset, length, into } = check.wanted;
    check.take(await source.read(offset, length, into));
  }
  return check.finish(source);
}

/** The block cache is only needed for the slice of the root. */
const checkCacheBytes = 16 * blockBytes;

/** {@link checkPack} for a pack that is being written: takes its blocks in file order, then its end. */
export class PackCheck {
  readonly #head: PackHead;
  readonly #columns: ColumnChecks;
  /** Buffers in file order. */
  readonly #buffers: readonly Buffer[];
  #next = 0;
  /** The hashes of the checked blocks. */
  readonly #hashes: Uint32Array;
  readonly #sealed: Uint32Array | undefined;
  #blocks = 0;
  readonly #memory: Uint8Array<ArrayBuffer>;

  /** @param sealed the block hashes in the file, if its end is already available */
  constructor(head: PackHead, sealed?: Uint32Array) {
    this.#head = head;
    this.#sealed = sealed;
    this.#hashes = new Uint32Array(Math.ceil(head.hashedBytes / blockBytes));
    this.#columns = createColumnChecks(head.metadata, (name) => head.places.get(name)![1]!.length);
    this.#buffers = buffersOf(head);
    this.#memory = new Uint8Array(Math.min(blockBytes, head.hashedBytes));
  }

  /** The next range to read from the file, and the buffer for it; undefined after all blocks. */
  get wanted():
    | { readonly offset: number; readonly length: number; readonly into: Uint8Array<ArrayBuffer> }
    | undefined {
    const offset = this.#blocks * blockBytes;
    const length = Math.min(blockBytes, this.#head.hashedBytes - offset);
    return length > 0 ? { offset, length, into: this.#memory.subarray(0, length) } : undefined;
  }

  /** @param block the bytes that were read; not used after the call returns */
  take(block: Uint8Array): void {
    const start = this.#blocks * blockBytes;
    // Numbers are checked in place, so the block must be aligned.
    const bytes = block.byteOffset % 8 === 0 ? block : block.slice();
    const hash = xxh32(bytes);
    if (this.#sealed && hash !== this.#sealed[this.#blocks]) throw damagedAt(start, bytes.length);
    this.#hashes[this.#blocks++] = hash;
    for (let buffer = this.#buffers[this.#next]; buffer; buffer = this.#buffers[++this.#next]) {
      if (buffer.offset >= start + bytes.length) return;
      this.#takePart(buffer, bytes, start);
      if (buffer.offset + buffer.length > start + bytes.length) return;
      this.#columns.of[buffer.part.name]?.end?.();
    }
  }

  /** Verifies the part after the blocks, and that it agrees with the head. @param source the whole file */
  async finish(source: ByteSource): Promise<PackReader> {
    if (this.wanted) throw new Error('There are blocks that were not looked at');
    const { metadata, places, hashedBytes } = this.#head;
    const pack = await openPack(source, checkCacheBytes);
    const frame = await pack.frame();
    const isSame =
      JSON.stringify(pack.metadata) === JSON.stringify(metadata) &&
      frame.hashedBytes === hashedBytes &&
      JSON.stringify([...frame.places]) === JSON.stringify([...places]);
    if (!isSame) throw new PackDamaged('its end says other things than were written');
    for (const [block, hash] of frame.hashes.entries()) {
      const start = block * blockBytes;
      if (hash !== this.#hashes[block]) throw damagedAt(start, Math.min(blockBytes, hashedBytes - start));
    }
    this.#columns.finish();
    await checkRootSlice(pack);
    return pack;
  }

  #takePart({ part, offset, length, array }: Buffer, bytes: Uint8Array, start: number): void {
    const from = Math.max(offset, start);
    const { BYTES_PER_ELEMENT: width } = array;
    if (from === offset && length !== width * this.#columns.lengthOf(part))
      throw new PackDamaged(`${length} bytes of ${part.name}`);
    const check = this.#columns.of[part.name];
    if (!check) return;
    const count = Math.min(offset + length, start + bytes.length) - from;
    const numbers = new array(bytes.buffer as ArrayBuffer, bytes.byteOffset + from - start, count / width);
    check.take(numbers, (from - offset) / width);
  }
}

type NumberArray = (typeof numberKinds)[keyof typeof numberKinds]['array'];
type Buffer = { readonly part: Part; readonly offset: number; readonly length: number; readonly array: NumberArray };

/** The buffers that have checks. The bytes of texts are only hashed. */
function buffersOf({ metadata, places }: PackHead): Buffer[] {
  return partsOf(metadata).flatMap((part): Buffer[] => {
    const place = places.get(part.name)?.[0];
    if (!place) return [];
    if (place.offset % 8 > 0) throw new PackDamaged(`the place of ${part.name}`);
    const kind = part.kind === 'text' ? 'uint64' : (part.kind as keyof typeof numberKinds);
    return [{ part, ...place, array: numberKinds[kind].array }];
  });
}

const damagedAt = (start: number, length: number) =>
  new PackDamaged(`bytes ${start} to ${start + length} are not what was written`);

/**
 * Checks that the precomputed slice of the root is the one that would be computed. Reads only the rows of the slice: if
 * other rows would be selected, the slices differ.
 */
export async function checkRootSlice(pack: PackReader): Promise<void> {
  const { rootSlice } = pack;
  const { node } = decodeSlice(rootSlice);
  const weights = await weightsOf(pack, node);
  const budget = Math.min(rootSliceRows, pack.metadata.nodes);
  const found = encodeSlice(await gatherSlice(pack, selectRows(weights, { node: 0, budget, skip: 0 })));
  if (found.length !== rootSlice.length || found.some((byte, index) => byte !== rootSlice[index])) throw another();
}

const another = () => new PackDamaged('the slice of the root is another one');

/** Like `loadWeightColumns` for some rows only. Branches are numbered within these rows. */
async function weightsOf(pack: PackReader, rows: Uint32Array): Promise<Parameters<typeof selectRows>[0]> {
  const { nodes } = pack.metadata;
  if (rows.some((row, at) => row >= nodes || (at > 0 && row <= rows[at - 1]!))) throw another();
  const branchOf = await pack.branchesOf(rows);
  const branches = branchOf.filter((branch) => branch !== noRow);
  const [isKeyword, ownVolume, firstChild, childCount, volume, keywords, leaves] = await Promise.all([
    pack.gather('is_keyword', rows),
    pack.gather('own_volume', rows),
    pack.gather('first_child', branches),
    pack.gather('child_count', branches),
    pack.gather('volume', branches),
    pack.gather('keywords', branches),
    pack.gather('leaves', branches),
  ]);
  const placeOf = new Map<number, { readonly at: number; readonly branch: number }>();
  let next = 0;
  for (const [at, row] of rows.entries()) placeOf.set(row, { at, branch: branchOf[at] === noRow ? -1 : next++ });
  const place = (row: number) => {
    const found = placeOf.get(row);
    if (!found) throw another();
    return found;
  };
  const of = {
    volume(row: number) {
      const { at, branch } = place(row);
      if (branch >= 0) return volume[branch]! || 0;
      return isKeyword[at] === 1 ? ownVolume?.[at] || 0 : 0;
    },
    keywords(row: number) {
      const { at, branch } = place(row);
      return branch >= 0 ? keywords[branch]! : isKeyword[at]!;
    },
    leaves(row: number) {
      const { branch } = place(row);
      return branch >= 0 ? leaves[branch]! : 1;
    },
  };
  return {
    branch: (row) => place(row).branch,
    child: (branch, nth) => firstChild[branch]! + nth,
    childCount,
    isReordered: false,
    weigh: weigherOf(of),
  };
}
