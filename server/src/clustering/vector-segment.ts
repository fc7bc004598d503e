import { closeSync, openSync, readSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Bytes of a key: half of a SHA-256. */
export const keyBytes = 16;
/** Names of complete segments; others are being written, or their writer died. */
export const segmentEnding = '.vectors';

const magic = 0x31564b43;
/** Magic, number of vectors, their dimensions, and the checksum of these and the keys. */
const headBytes = 16;
const checksumBytes = 4;

/**
 * A file of vectors that never changes: a head, all keys, and for each key a checksum of both and the vector. It gets its
 * name when all of it is on the disk, so that a crash leaves the segment or nothing.
 */
export class Segment {
  readonly path: string;
  readonly count: number;
  private readonly dimensions: number;
  private readonly handle: number;
  private readonly record: Buffer;

  private constructor(path: string, handle: number, count: number, dimensions: number) {
    this.path = path;
    this.handle = handle;
    this.count = count;
    this.dimensions = dimensions;
    this.record = Buffer.alloc(checksumBytes + dimensions);
  }

  /**
   * @param onKeys called with the keys, one after the other
   * @returns undefined if it is damaged or of other dimensions
   * @throws if it cannot be read
   */
  static async open(
    path: string,
    dimensions: number,
    onKeys: (keys: Buffer) => void = () => undefined,
  ): Promise<Segment | undefined> {
    const { size } = await stat(path);
    const handle = openSync(path, 'r');
    const head = Buffer.alloc(headBytes);
    const isRead = readSync(handle, head, 0, headBytes, 0) === headBytes;
    const count = head.readUInt32LE(4);
    const isWhole = isRead && head.readUInt32LE(0) === magic && head.readUInt32LE(8) === dimensions;
    if (isWhole && size === sizeOf(count, dimensions)) {
      const keys = Buffer.alloc(count * keyBytes);
      readSync(handle, keys, 0, keys.length, headBytes);
      if (checksumOf(head, keys) === head.readUInt32LE(12)) {
        onKeys(keys);
        return new Segment(path, handle, count, dimensions);
      }
    }
    closeSync(handle);
    return undefined;
  }

  /** @throws if they cannot be read */
  keys(): Buffer[] {
    const all = Buffer.alloc(this.count * keyBytes);
    readSync(this.handle, all, 0, all.length, headBytes);
    return Array.from({ length: this.count }, (_, index) => all.subarray(index * keyBytes, (index + 1) * keyBytes));
  }

  /** Copies a vector. @returns false if it is not that of the key, or damaged */
  read(index: number, key: Buffer, into: Int8Array, row: number): boolean {
    const { record, dimensions } = this;
    const place = headBytes + this.count * keyBytes + index * record.length;
    if (readSync(this.handle, record, 0, record.length, place) !== record.length) return false;
    if (crc32(record.subarray(checksumBytes), crc32(key)) !== record.readUInt32LE(0)) return false;
    into.set(new Int8Array(record.buffer, record.byteOffset + checksumBytes, dimensions), row * dimensions);
    return true;
  }

  close(): void {
    closeSync(this.handle);
  }
}

const sizeOf = (count: number, dimensions: number): number =>
  headBytes + count * (keyBytes + checksumBytes + dimensions);

const checksumOf = (head: Buffer, keys: Buffer): number => crc32(keys, crc32(head.subarray(0, 12)));

/** @param path without an ending; nothing has it yet. @param vectors keys × dimensions */
export async function writeSegment(path: string, keys: readonly Buffer[], vectors: Int8Array): Promise<void> {
  const dimensions = vectors.length / keys.length;
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(magic, 0);
  head.writeUInt32LE(keys.length, 4);
  head.writeUInt32LE(dimensions, 8);
  const allKeys = Buffer.concat(keys);
  head.writeUInt32LE(checksumOf(head, allKeys), 12);
  const records = Buffer.alloc(keys.length * (checksumBytes + dimensions));
  keys.forEach((key, index) => {
    const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
    const start = index * (checksumBytes + dimensions);
    records.writeUInt32LE(crc32(Buffer.from(vector.buffer, vector.byteOffset, dimensions), crc32(key)), start);
    records.set(new Uint8Array(vector.buffer, vector.byteOffset, dimensions), start + checksumBytes);
  });
  const handle = await open(`${path}.new`, 'wx', 0o600);
  try {
    await handle.writev([head, allKeys, records]);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.new`, `${path}${segmentEnding}`);
}
