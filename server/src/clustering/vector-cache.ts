import { createHash, hash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat, statfs, utimes } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Encoder } from '@kc/cluster/encoder/encoder';
import { spareBytes } from '../storage/writing-limits.ts';
import { keyBytes, Segment, segmentEnding, writeSegment } from './vector-segment.ts';

/** Where vectors of keywords are cached between jobs. */
export type VectorCachePlace = {
  readonly folder: string;
  /** Keywords are stored as hashes with this secret, so that the files do not reveal them. */
  readonly secret: string;
  /** All files together. */
  readonly maxBytes: number;
};

/** So many new vectors are written at a time: what a job loses when it is ended. */
const perSegment = 16_384;
/** Segments with fewer vectors are put together. */
const smallSegment = 4096;
const dayMs = 24 * 3600 * 1000;
/** Files that nothing was read from for so long are removed. */
const retentionMs = 90 * dayMs;
/** A file that is still being written is younger. */
const writingMs = dayMs;

/**
 * An encoder that looks vectors up before it computes them. A vector depends on its text and the encoder only, so that the
 * result is the same. Vectors of another model, another runtime or another processor are in another folder. A file that
 * cannot be read or written costs time and nothing else.
 */
export class CachedEncoder {
  private readonly encoder: Encoder;
  private readonly place: VectorCachePlace;
  private readonly folder: string;
  private readonly now: () => number;
  private readonly freeBytes: (folder: string) => Promise<number>;
  private readonly segments: Segment[] = [];
  private readonly places = new Places();
  private readonly used = new Set<Segment>();
  private readonly keys: Buffer[] = [];
  private readonly vectors: Int8Array[] = [];
  private isWritable = true;

  private constructor(encoder: Encoder, place: VectorCachePlace, now: () => number, freeBytes = freeBytesIn) {
    this.encoder = encoder;
    this.place = place;
    this.now = now;
    this.freeBytes = freeBytes;
    const made = `${encoder.id}\n${cpus()[0]?.model ?? ''}`;
    this.folder = join(place.folder, createHash('sha256').update(made).digest('hex').slice(0, 32));
  }

  /** @param now milliseconds since 1970. @param freeBytes of the disk of a folder */
  static async open(
    encoder: Encoder,
    place: VectorCachePlace,
    now: () => number,
    freeBytes = freeBytesIn,
  ): Promise<CachedEncoder> {
    const cached = new CachedEncoder(encoder, place, now, freeBytes);
    await cached.load().catch(() => {
      cached.isWritable = false;
    });
    return cached;
  }

  /** The encoder to use instead. */
  get reading(): Encoder {
    const { id, languages, dimensions } = this.encoder;
    return {
      id,
      languages,
      dimensions,
      reads: (text) => this.encoder.reads(text),
      embed: (texts, onProgress) => this.embed(texts, onProgress),
    };
  }

  /** Keeps what was computed, and removes what is too much. */
  async close(): Promise<void> {
    const absorbed = this.keys.length > 0 ? this.absorbSmall() : [];
    await this.write();
    if (this.isWritable) for (const { path } of absorbed) await rm(path, { force: true }).catch(() => undefined);
    const time = new Date(this.now());
    for (const { path } of this.used) await utimes(path, time, time).catch(() => undefined);
    for (const segment of this.segments) segment.close();
    await removeSurplus(this.place, this.now()).catch(() => undefined);
  }

  private async load(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of (await readdir(this.folder)).filter((file) => file.endsWith(segmentEnding)).sort()) {
      const path = join(this.folder, name);
      const number = this.segments.length;
      const segment = await Segment.open(path, this.encoder.dimensions, (keys) => this.places.add(keys, number)).catch(
        () => undefined,
      );
      if (segment) this.segments.push(segment);
      else await rm(path, { force: true });
    }
  }

  private async embed(texts: readonly string[], onProgress?: (done: number) => void): Promise<Int8Array> {
    const { dimensions } = this.encoder;
    const found = new Int8Array(texts.length * dimensions);
    const missing: { readonly row: number; readonly key: Buffer }[] = [];
    texts.forEach((text, row) => {
      const key = this.keyOf(text);
      if (!this.read(key, found, row)) missing.push({ row, key });
    });
    let done = texts.length - missing.length;
    if (done > 0) onProgress?.(done);
    for (let first = 0; first < missing.length; first += perSegment) {
      const some = missing.slice(first, first + perSegment);
      const vectors = await this.encoder.embed(
        some.map(({ row }) => texts[row]!),
        (count) => onProgress?.(done + count),
      );
      some.forEach(({ row, key }, index) => {
        const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
        found.set(vector, row * dimensions);
        if (!this.isWritable) return;
        this.keys.push(key);
        this.vectors.push(vector);
      });
      done += some.length;
      if (this.keys.length >= perSegment) await this.write();
    }
    return found;
  }

  /** A prefix is as good as an HMAC here: half of the hash is not shown, so that it cannot be continued. */
  private keyOf(text: string): Buffer {
    return hash('sha256', `${this.place.secret}\n${text}`, 'buffer').subarray(0, keyBytes);
  }

  private read(key: Buffer, into: Int8Array, row: number): boolean {
    const at = this.places.of(key);
    const segment = at && this.segments[at.segment];
    if (!segment) return false;
    try {
      if (!segment.read(at.index, key, into, row)) return false;
    } catch {
      return false;
    }
    this.used.add(segment);
    return true;
  }

  /** Puts small segments into the one that is about to be written: short lists would leave thousands of them. */
  private absorbSmall(): Segment[] {
    const small = this.segments.filter(({ count }) => count < smallSegment);
    const known = new Set(this.keys.map((key) => key.toString('hex')));
    for (const segment of small) {
      try {
        segment.keys().forEach((key, index) => {
          const vector = new Int8Array(this.encoder.dimensions);
          if (known.has(key.toString('hex')) || !segment.read(index, key, vector, 0)) return;
          known.add(key.toString('hex'));
          this.keys.push(key);
          this.vectors.push(vector);
        });
      } catch {
        // Its vectors are computed again.
      }
    }
    return small;
  }

  private async write(): Promise<void> {
    if (this.keys.length === 0 || !this.isWritable) return;
    const { dimensions } = this.encoder;
    const vectors = new Int8Array(this.keys.length * dimensions);
    this.vectors.forEach((vector, index) => {
      vectors.set(vector, index * dimensions);
    });
    const name = `${this.now()}-${randomBytes(6).toString('hex')}`;
    if ((await this.freeBytes(this.folder)) - vectors.length <= spareBytes) this.isWritable = false;
    if (!this.isWritable) return;
    await writeSegment(join(this.folder, name), this.keys, vectors).catch(() => {
      this.isWritable = false;
    });
    this.keys.length = 0;
    this.vectors.length = 0;
  }
}

async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Which segment holds the vector of a key, by the first six bytes; the vector's checksum decides whether it is its own. */
class Places {
  private count = 0;
  private starts: number[] = [];
  private keys = new Float64Array(1 << 10).fill(-1);
  private indices = new Uint32Array(1 << 10);

  add(keys: Buffer, segment: number): void {
    const rows = keys.length / keyBytes;
    this.starts[segment] = this.count;
    this.grow(this.count + rows);
    for (let row = 0; row < rows; row++) this.put(keys.readUIntBE(row * keyBytes, 6), this.count + row);
    this.count += rows;
  }

  of(key: Buffer): { readonly segment: number; readonly index: number } | undefined {
    const slot = this.slotOf(key.readUIntBE(0, 6));
    if (this.keys[slot] === -1) return undefined;
    const index = this.indices[slot]!;
    const after = this.starts.findIndex((start) => start > index);
    const segment = (after < 0 ? this.starts.length : after) - 1;
    return { segment, index: index - this.starts[segment]! };
  }

  private put(key: number, index: number): void {
    const slot = this.slotOf(key);
    this.keys[slot] = key;
    this.indices[slot] = index;
  }

  private slotOf(key: number): number {
    const last = this.keys.length - 1;
    let slot = key & last;
    while (this.keys[slot] !== -1 && this.keys[slot] !== key) slot = (slot + 1) & last;
    return slot;
  }

  private grow(wanted: number): void {
    if (wanted * 1.5 <= this.keys.length) return;
    const [keys, indices] = [this.keys, this.indices];
    const slots = 2 ** Math.ceil(Math.log2(wanted * 1.5));
    this.keys = new Float64Array(slots).fill(-1);
    this.indices = new Uint32Array(slots);
    keys.forEach((key, slot) => {
      if (key !== -1) this.put(key, indices[slot]!);
    });
  }
}

/** Removes files that nobody finished or read for long, then those that were not read for longest. */
async function removeSurplus({ folder, maxBytes }: VectorCachePlace, now: number): Promise<void> {
  const files: { readonly path: string; readonly size: number; readonly mtimeMs: number }[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    const about = await stat(path).catch(() => undefined);
    if (about?.isFile()) files.push({ path, size: about.size, mtimeMs: about.mtimeMs });
  }
  files.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  let bytes = 0;
  for (const { path, size, mtimeMs } of files) {
    bytes += size;
    const isOld = now - mtimeMs > (path.endsWith(segmentEnding) ? retentionMs : writingMs);
    if (isOld || bytes > maxBytes) await rm(path, { force: true });
  }
}
