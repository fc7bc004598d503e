import type { Places } from '../format/arrow/open.ts';
import type { ByteSource } from '../format/byte-source.ts';
import { blockBytes, numberKinds, PackDamaged, type PackMetadata, type Part, partsOf } from '../format/pack-format.ts';
import { openPack, type PackReader } from '../format/pack-reader.ts';
import { xxh32 } from '../format/xxh32.ts';
import { checkRootSlice } from './check-root-slice.ts';
import { type ColumnChecks, createColumnChecks } from './column-checks.ts';

/** What a writer says of a pack before its columns are there. It is believed until its end can be read. */
export type PackHead = {
  readonly metadata: PackMetadata;
  /** Where the buffers of its columns stand. */
  readonly places: Places;
  /** Bytes that the block hashes cover. */
  readonly hashedBytes: number;
};

/**
 * Opens a pack and verifies all of it: every block, the shape of the tree, the roll-ups that follow from others, and
 * the counts, and that the slice it has ready is the one it would give. What the writer's side asks before a pack is published.
 *
 * Cost: one pass over the file; what {@link createColumnChecks} says of memory.
 * @throws PackDamaged naming the first thing that is wrong
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

/** Blocks are for the slice of the root alone. */
const checkCacheBytes = 16 * blockBytes;

/** {@link checkPack} of a pack that is being written: block after block as they lie in the file, then its end. */
export class PackCheck {
  readonly #head: PackHead;
  readonly #columns: ColumnChecks;
  /** Buffers in the order of the file. */
  readonly #buffers: readonly Buffer[];
  #next = 0;
  /** Of the blocks that were taken. */
  readonly #hashes: Uint32Array;
  readonly #sealed: Uint32Array | undefined;
  #blocks = 0;
  readonly #memory: Uint8Array<ArrayBuffer>;

  /** @param sealed hashes that the file has of its blocks, where its end is there already */
  constructor(head: PackHead, sealed?: Uint32Array) {
    this.#head = head;
    this.#sealed = sealed;
    this.#hashes = new Uint32Array(Math.ceil(head.hashedBytes / blockBytes));
    this.#columns = createColumnChecks(head.metadata, (name) => head.places.get(name)![1]!.length);
    this.#buffers = buffersOf(head);
    this.#memory = new Uint8Array(Math.min(blockBytes, head.hashedBytes));
  }

  /** What is to be read of the file next, and where to; undefined once all blocks were taken. */
  get wanted():
    | { readonly offset: number; readonly length: number; readonly into: Uint8Array<ArrayBuffer> }
    | undefined {
    const offset = this.#blocks * blockBytes;
    const length = Math.min(blockBytes, this.#head.hashedBytes - offset);
    return length > 0 ? { offset, length, into: this.#memory.subarray(0, length) } : undefined;
  }

  /** @param block what was read, which is no longer needed when it returns */
  take(block: Uint8Array): void {
    const start = this.#blocks * blockBytes;
    // Numbers are looked at in place, so the block must start where they are aligned.
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

  /** Verifies what is behind the blocks, and that it is as was believed. @param source the whole file */
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

/** The buffers that something is known of: the bytes of texts are hashed, no more. */
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
