import { Footer } from 'apache-arrow/ipc/metadata/file';
import { Message } from 'apache-arrow/ipc/metadata/message';
import type { ByteSource } from '../byte-source.ts';
import { CheckedSource } from '../checked-source.ts';
import { blockBytes, PackDamaged, type PackMetadata, type Part, partsOf } from '../pack-format.ts';
import { xxh32 } from '../xxh32.ts';
import { magic, sealBytes, sealOf } from './frame.ts';
import { packSchema, readMetadata } from './schema.ts';

/**
 * Reads the end of a pack: the footer, whose seal is checked, and the slice before it. The message of the single batch
 * is read when a column is first requested.
 * @throws PackDamaged if anything differs from what `pack-writer` writes
 */
export async function openFrame(source: ByteSource, cacheBytes: number) {
  const { footerBytes, sealStart, read } = await readFooter(source);
  const footer = decoded(() => Footer.decode(footerBytes));
  const { metadata, blocks } = decoded(() => readMetadata(footer.schema));
  const hashedBytes = sealStart - metadata.rootSlice.bytes;
  if (!(hashedBytes > 0)) throw new PackDamaged(`a slice of ${metadata.rootSlice.bytes} bytes`);
  if (blocks.length !== Math.ceil(hashedBytes / blockBytes)) throw new PackDamaged('a hash for every block is missing');
  if (String(footer.schema) !== String(packSchema(metadata)))
    throw new PackDamaged('other columns than the format has');
  const rootSlice = await read(hashedBytes, metadata.rootSlice.bytes);
  if (xxh32(rootSlice) !== metadata.rootSlice.hash) throw new PackDamaged('the slice is not as sealed');
  const checked = new CheckedSource(source, blocks, hashedBytes, cacheBytes);
  return { metadata, checked, rootSlice, places: () => readPlaces(checked, footer, metadata) };
}

/** The positions of the columns, from the head of the batch. */
async function readPlaces(checked: CheckedSource, footer: Footer, metadata: PackMetadata): Promise<Places> {
  const block = footer.numRecordBatches === 1 ? footer.getRecordBatch(0) : null;
  if (!block) throw new PackDamaged('not exactly one record batch');
  const head = new Uint8Array(block.metaDataLength);
  await checked.read(block.offset, head);
  const message = decoded(() => Message.decode(head.subarray(8)));
  if (!message.isRecordBatch()) throw new PackDamaged('no record batch where the footer says');
  const batch = message.header();
  if (batch.length !== metadata.nodes + metadata.notInHierarchy) throw new PackDamaged(`${batch.length} rows`);
  return placesOf(partsOf(metadata), batch.buffers, block.offset + block.metaDataLength);
}

/** A buffer of a field: its position in the file and its size in bytes. */
export type Place = { readonly offset: number; readonly length: number };
/**
 * The buffers of each field except the unused validity buffer. Texts have two, offsets first. Omitted columns are
 * absent.
 */
export type Places = ReadonlyMap<Part['name'], readonly Place[]>;

/** The size of the first read at the end of the file, which contains footer and slice of nearly every pack. */
const endBytes = 1024 * 1024;

/** A single read, unless footer and slice are longer than {@link endBytes}. */
async function readFooter(source: ByteSource) {
  const tailBytes = 4 + magic.length;
  if (source.size < magic.length + sealBytes + tailBytes) throw new PackDamaged(`${source.size} bytes are no pack`);
  const endStart = Math.max(0, source.size - endBytes);
  const end = await source.read(endStart, source.size - endStart);
  const read = async (offset: number, length: number): Promise<Uint8Array> =>
    offset < endStart ? source.read(offset, length) : end.slice(offset - endStart, offset - endStart + length);
  const tail = end.subarray(end.length - tailBytes);
  if (!isEqual(tail.subarray(4), magic)) throw new PackDamaged('the end of an Arrow file is missing');
  const length = new DataView(tail.buffer, tail.byteOffset).getInt32(0, true);
  const sealStart = source.size - tailBytes - length - sealBytes;
  if (length <= 0 || sealStart <= 0) throw new PackDamaged(`a footer of ${length} bytes`);
  const sealed = await read(sealStart, sealBytes + length);
  const footerBytes = sealed.slice(sealBytes);
  if (!isEqual(sealed.subarray(0, sealBytes), sealOf(footerBytes)))
    throw new PackDamaged('the footer is not as sealed');
  return { footerBytes, sealStart, read };
}

/** Buffers are in the order of the fields, each with its unused validity buffer first. */
export function placesOf(parts: readonly Part[], buffers: readonly Place[], bodyStart: number): Places {
  const places = new Map<Part['name'], Place[]>();
  let next = 0;
  for (const { name, kind } of parts) {
    const count = kind === 'text' ? 3 : kind === 'structure' ? 1 : 2;
    const own = buffers.slice(next + 1, next + count);
    places.set(
      name,
      own.map(({ offset, length }) => ({ offset: bodyStart + offset, length })),
    );
    next += count;
  }
  if (buffers.length !== next) throw new PackDamaged(`${buffers.length} buffers, expected ${next}`);
  return places;
}

function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof PackDamaged) throw error;
    throw new PackDamaged('its frame cannot be read', { cause: error });
  }
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
