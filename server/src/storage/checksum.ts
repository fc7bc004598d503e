import { crc32 } from 'node:zlib';
import type { Appender } from './storage.ts';

/**
 * The checksum of an original: the CRC-32 of its bytes so far. It is computed as bytes arrive, at whichever server, and
 * compared whenever the whole file is read. It finds what a disk or a store has lost or mixed up, not what somebody forged.
 */
export type Checksum = number;

/** Of no bytes. */
export const emptyChecksum: Checksum = 0;

/** The checksum after some more bytes. */
export const checksumAfter = (before: Checksum, bytes: Uint8Array): Checksum => crc32(bytes, before);

/** How much of an object has been written, and its checksum; undefined if that of the bytes before is not known. */
type Written = { readonly size: number; readonly checksum: Checksum | undefined };

/** An appender that knows the checksum of the object. Size and checksum change together. @param before of its bytes so far */
export function checksummed(
  appender: Appender,
  before: Checksum | undefined,
): Appender & { readonly written: Written } {
  let written: Written = { size: appender.size, checksum: before };
  return {
    get size() {
      return written.size;
    },
    get written() {
      return written;
    },
    async write(bytes) {
      await appender.write(bytes);
      const { size, checksum } = written;
      const next = checksum === undefined ? undefined : checksumAfter(checksum, bytes);
      written = { size: size + bytes.length, checksum: next };
    },
    sync: () => appender.sync(),
    close: () => appender.close(),
  };
}

/** What was read is not what was stored. */
export class ChecksumMismatch extends Error {
  constructor() {
    super('The stored bytes differ from those that were received');
    this.name = 'ChecksumMismatch';
  }
}

/**
 * Passes blocks on, the last one only if all of them are what was stored: a client that knows their length notices that
 * something is missing.
 *
 * @param expected not compared if null
 * @throws ChecksumMismatch
 */
export async function* checkedBlocks(
  blocks: AsyncIterable<Uint8Array>,
  expected: Checksum | null,
): AsyncGenerator<Uint8Array> {
  let checksum = emptyChecksum;
  let last: Uint8Array | undefined;
  for await (const block of blocks) {
    if (last) yield last;
    if (expected !== null) checksum = checksumAfter(checksum, block);
    last = block;
  }
  if (expected !== null && checksum !== expected) throw new ChecksumMismatch();
  if (last) yield last;
}
