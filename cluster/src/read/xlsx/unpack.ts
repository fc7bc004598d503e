import { Inflate } from 'fflate';
import type { ByteSource } from '../../../../pack/src/format/byte-source.ts';
import { WorkbookError } from './workbook-error.ts';
import { viewOf, type ZipEntry } from './zip.ts';

/** Deflate packs at most 1,032 times, so a piece never unpacks to more than 16 MiB. */
const pieceBytes = 1 << 14;
/** Read from the source at once. */
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
  // What unpacks to more than the directory says is damaged, so this also bounds what it says too little of.
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
