import { Inflate } from 'fflate';
import type { ByteSource } from '../../../../pack/src/format/byte-source.ts';
import type { WorkbookFault } from '../reading.ts';

/** A part of an archive. */
export type ZipEntry = {
  readonly name: string;
  readonly isDeflated: boolean;
  /** Its size in the archive, in bytes. */
  readonly packed: number;
  /** Its size when unpacked, in bytes, as the archive states it. */
  readonly unpacked: number;
  /** Where its local header starts. */
  readonly offset: number;
};

export const maxEntries = 1000;
const maxUnpacked = 2 ** 31;
const maxDirectoryBytes = 1 << 20;
const signatures = { end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50, entry: 0x02014b50 } as const;
const [endBytes, locatorBytes, end64Bytes, entryBytes] = [22, 20, 56, 46];
const maxCommentBytes = 0xffff;
/** Stands in place of a number that only the extra field has. */
const inExtra = 0xffffffff;

/**
 * The entries of a ZIP archive by name, from the directory at its end. Archives larger than 4 GiB are read, encrypted
 * and multi-part ones are not.
 *
 * Source: APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16 and 4.5.3.
 * @throws WorkbookError
 */
export async function zipEntries(source: ByteSource): Promise<ReadonlyMap<string, ZipEntry>> {
  const end = await endOfDirectory(source);
  if (end.entries > maxEntries || end.size > maxDirectoryBytes) throw new WorkbookError('entries');
  const directory = await viewOf(source, end.offset, end.size);
  const entries = new Map<string, ZipEntry>();
  let unpacked = 0;
  let at = 0;
  for (let number = 0; number < end.entries; number++) {
    if (at + entryBytes > directory.byteLength || directory.getUint32(at, true) !== signatures.entry) fail();
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.getUint16(at + field, true)) as LengthTriple;
    const next = at + entryBytes + name + extra + comment;
    if (next > directory.byteLength) fail();
    const entry = entryAt(directory, at, name, extra);
    entries.set(entry.name, entry);
    unpacked += entry.unpacked;
    at = next;
  }
  if (unpacked > maxUnpacked) throw new WorkbookError('size');
  return entries;
}

type LengthTriple = [name: number, extra: number, comment: number];
type Directory = { readonly entries: number; readonly size: number; readonly offset: number };

async function endOfDirectory(source: ByteSource): Promise<Directory> {
  const length = Math.min(source.size, endBytes + maxCommentBytes + locatorBytes);
  const tail = await viewOf(source, source.size - length, length);
  let at = length - endBytes;
  while (at >= 0 && tail.getUint32(at, true) !== signatures.end) at--;
  if (at < 0) fail();
  const locator = at - locatorBytes;
  if (locator >= 0 && tail.getUint32(locator, true) === signatures.locator64) {
    const end = await viewOf(source, numberAt(tail, locator + 8), end64Bytes);
    if (end.getUint32(0, true) !== signatures.end64) fail();
    return { entries: numberAt(end, 32), size: numberAt(end, 40), offset: numberAt(end, 48) };
  }
  return {
    entries: tail.getUint16(at + 10, true),
    size: tail.getUint32(at + 12, true),
    offset: tail.getUint32(at + 16, true),
  };
}

function entryAt(directory: DataView, at: number, nameBytes: number, extraBytes: number): ZipEntry {
  const isEncrypted = (directory.getUint16(at + 8, true) & 1) !== 0;
  const method = directory.getUint16(at + 10, true);
  if (isEncrypted || (method !== 0 && method !== 8)) fail();
  const name = new Uint8Array(directory.buffer, directory.byteOffset + at + entryBytes, nameBytes);
  const extra = new DataView(directory.buffer, directory.byteOffset + at + entryBytes + nameBytes, extraBytes);
  // The extra field has, in this order, those of the three numbers that are too large for 32 bits.
  const [unpacked, packed, offset] = wideNumbers(
    extra,
    [24, 20, 42].map((field) => directory.getUint32(at + field, true)),
  );
  return {
    name: decoder.decode(name).replaceAll('\\', '/').replace(/^\/+/u, ''),
    isDeflated: method === 8,
    packed: packed!,
    unpacked: unpacked!,
    offset: offset!,
  };
}

function wideNumbers(extra: DataView, numbers: readonly number[]): number[] {
  if (!numbers.includes(inExtra)) return [...numbers];
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    return numbers.map((number) => {
      if (number !== inExtra) return number;
      if (next + 8 > extra.byteLength) fail();
      next += 8;
      return numberAt(extra, next - 8);
    });
  }
  return fail();
}

/** Reads a 64-bit number. One beyond 2⁵³ is rounded, but lies outside of any file, which reading there finds. */
const numberAt = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

/** @throws WorkbookError if the range is outside the file */
async function viewOf(source: ByteSource, offset: number, length: number): Promise<DataView> {
  if (offset < 0 || length < 0 || offset + length > source.size) fail();
  const bytes = await source.read(offset, length);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function fail(): never {
  throw new WorkbookError('damaged');
}

const decoder = new TextDecoder();

/** A spreadsheet that cannot be read, or that is too large. */
export class WorkbookError extends Error {
  readonly what: WorkbookFault;

  constructor(what: WorkbookFault) {
    super(`This workbook cannot be read: ${what}`);
    this.what = what;
  }
}

/** Deflate compresses by at most 1,032, so a piece never unpacks to more than 16 MiB. */
const pieceBytes = 1 << 14;
/** How many bytes are read from the source at once. */
const readBytes = 1 << 18;
/** Beyond this many bytes, an entry may not be more than `maxRatio` times as large as it is packed. */
const freeBytes = 10 * 2 ** 20;
const maxRatio = 200;
const localHeaderBytes = 30;
const localSignature = 0x04034b50;

/**
 * Unpacks an entry of an archive piece by piece.
 *
 * @param take receives the bytes; returns whether it wants more
 * @throws WorkbookError
 */
export async function unpack(source: ByteSource, entry: ZipEntry, take: (bytes: Uint8Array) => boolean): Promise<void> {
  // An entry that unpacks to more than the directory states is refused as damaged, so a false size does not pass this check.
  if (entry.unpacked > freeBytes && entry.unpacked > maxRatio * entry.packed) throw new WorkbookError('ratio');
  const start = await startOf(source, entry);
  if (start + entry.packed > source.size) throw new WorkbookError('damaged');
  let unpacked = 0;
  let wantsMore = true;
  const pass = (bytes: Uint8Array): void => {
    unpacked += bytes.length;
    if (unpacked > entry.unpacked) throw new WorkbookError('damaged');
    if (bytes.length > 0 && wantsMore) wantsMore = take(bytes);
  };
  const inflate = entry.isDeflated ? new Inflate(pass) : undefined;
  for (let at = 0; at < entry.packed && wantsMore; at += readBytes) {
    const bytes = await source.read(start + at, Math.min(readBytes, entry.packed - at));
    for (let from = 0; from < bytes.length && wantsMore; from += pieceBytes) {
      const piece = bytes.subarray(from, from + pieceBytes);
      if (inflate) push(inflate, piece, at + from + piece.length === entry.packed);
      else pass(piece);
    }
  }
  if (wantsMore && unpacked !== entry.unpacked) throw new WorkbookError('damaged');
}

function push(inflate: Inflate, piece: Uint8Array, isLast: boolean): void {
  try {
    inflate.push(piece, isLast);
  } catch (error) {
    // fflate marks its own errors with a code; others come from `take`.
    if (error instanceof Error && 'code' in error) throw new WorkbookError('damaged');
    throw error;
  }
}

/** The first byte of an entry's contents, after its local header. */
async function startOf(source: ByteSource, { offset }: ZipEntry): Promise<number> {
  const header = await viewOf(source, offset, localHeaderBytes);
  if (header.getUint32(0, true) !== localSignature) throw new WorkbookError('damaged');
  return offset + localHeaderBytes + header.getUint16(26, true) + header.getUint16(28, true);
}
