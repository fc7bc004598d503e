import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { openBytes, openDiskStorage } from '../disk.ts';
import {
  type Appender,
  identityBytes,
  isKey,
  ObjectMissing,
  ownerName,
  type S3Place,
  type Storage,
  StorageUnavailable,
  type StoredBytes,
} from '../storage.ts';
import { type Bucket, type Listed, openBucket } from './bucket.ts';

/** A part of an object that is appended to. Uploads make bytes durable more often than that. */
const partBytes = 8 * 2 ** 20;
/** S3 allows 10,000 parts. */
const packPartBytes = 16 * 2 ** 20;
const readsAtOnce = 4;
const removalsAtOnce = 8;

/**
 * Storage in a bucket (record 070). A file that arrives is a sequence of parts, each written once: `key/offset-generation-random`. A pack is
 * one object, which its publication writes as a whole; until then it is on this machine's disk, where it is built and
 * verified. A pack that is read is copied to that disk in the background.
 */
export async function openS3Storage(place: S3Place): Promise<Storage> {
  const bucket = openBucket(place);
  const temp = join(place.folder, 'temp');
  const local = await openDiskStorage(temp);
  const cache = await openPackCache(join(place.folder, 'packs'), place.cacheBytes);

  return {
    place,
    append: async (key, offset, generation) =>
      isLocal(key) ? local.append(key, offset) : appendParts(bucket, key, offset, generation),
    open: async (key) => (isLocal(key) ? local.open(key) : openObject(bucket, cache, key)),
    async publish(from, to) {
      if (!isLocal(from) || isLocal(to)) throw new Error('Only an object under construction is published');
      const name = wholeName(to, await objectsOf(bucket, to));
      await sendFile(bucket, join(temp, from), name);
      if (isPack(to)) await cache.adopt(name, join(temp, from));
      else await local.remove(from);
    },
    async remove(key) {
      if (isLocal(key)) return local.remove(key);
      const names = (await objectsOf(bucket, key)).map(({ name }) => name);
      await inGroups(names, removalsAtOnce, (name) => bucket.remove(name));
      await cache.remove(key);
    },
    async stat(key) {
      if (isLocal(key)) return local.stat(key);
      const objects = await objectsOf(bucket, key);
      if (objects.length === 0) return undefined;
      const { size } = newestWhole(objects) ?? chainOf(objects);
      return { size, modifiedAt: Math.max(...objects.map((object) => object.modifiedAt)) };
    },
    async *list() {
      for await (const name of bucket.listTop()) if (isKey(name)) yield name;
    },
    async now() {
      await bucket.reach();
      return bucket.now();
    },
    async tidy(graceMs) {
      for await (const key of local.list()) {
        const found = await local.stat(key);
        if (found && found.modifiedAt < Date.now() - graceMs) await local.remove(key);
      }
      for (const key of (await cache.keys()).filter(isKey))
        if ((await objectsOf(bucket, key)).length === 0) await cache.remove(key);
    },
    async owner() {
      try {
        return new TextDecoder().decode(await bucket.get(ownerName, 0, identityBytes));
      } catch (error) {
        if (error instanceof ObjectMissing) return undefined;
        throw error;
      }
    },
    setOwner: (identity) => bucket.put(ownerName, new TextEncoder().encode(identity)),
    check: () => bucket.check(),
    freeBytes: async () => Number.POSITIVE_INFINITY,
    freeForWork: () => local.freeForWork(),
  };
}

/** Files are read once, from start to end, so only packs are copied. */
const isPack = (key: string): boolean => key.startsWith('pack-');

const isLocal = (key: string): boolean => checked(key).startsWith('temp-');

function checked(key: string): string {
  if (!isKey(key)) throw new Error('Not a storage key');
  return key;
}

/** What the bucket has of a key, by name. */
async function objectsOf(bucket: Bucket, key: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for await (const object of bucket.list(`${checked(key)}/`)) all.push(object);
  return all.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function appendParts(bucket: Bucket, key: string, offset: number, generation = 0): Promise<Appender> {
  const objects = await objectsOf(bucket, key);
  const { pieces, size } = chainOf(objects);
  if (size < offset) throw new Error(`The stored object is shorter (${size}) than what was acknowledged (${offset})`);
  const cut = pieces.find(({ at, from, length }) => at - from < offset && offset < at + length);
  if (cut) {
    const start = offsetOf(cut.name);
    // The bytes stay in the generation that wrote them.
    await bucket.put(partName(key, start, generationOf(cut.name)), await bucket.get(cut.name, 0, offset - start));
  }
  const retained = new Set(
    offset === 0 ? [] : partsIn(objects).filter((part) => offsetOf(part.name) + part.size <= offset),
  );
  const surplus = objects.filter((object) => !retained.has(object));
  await inGroups(surplus, removalsAtOnce, ({ name }) => bucket.remove(name));
  // An empty object exists as well.
  if (offset === 0) await bucket.put(partName(key, 0, generation), new Uint8Array());
  return partAppender(bucket, key, offset, generation);
}

function partAppender(bucket: Bucket, key: string, offset: number, generation: number): Appender {
  let gathered: Uint8Array[] = [];
  /** Of the first gathered byte. */
  let start = offset;
  let size = offset;
  let sending = Promise.resolve();
  const send = (): Promise<void> => {
    if (size > start) {
      const [blocks, at] = [gathered, start];
      gathered = [];
      start = size;
      sending = sending.then(() => bucket.put(partName(key, at, generation), Buffer.concat(blocks)));
      sending.catch(() => undefined);
    }
    return sending;
  };
  return {
    get size() {
      return size;
    },
    async write(bytes) {
      // A copy, since the caller uses its memory again; `slice` of a Buffer would be none.
      gathered.push(new Uint8Array(bytes));
      size += bytes.length;
      if (size - start >= partBytes) await send();
    },
    sync: send,
    close: () => sending.catch(() => undefined),
  };
}

/** The newest object of a key. While the store does not answer, a copy will do. */
async function openObject(bucket: Bucket, cache: PackCache, key: string): Promise<StoredBytes> {
  const objects = await objectsOf(bucket, key).catch(async (error: unknown) => {
    const copy = error instanceof StorageUnavailable && isPack(key) ? await cache.openAny(key) : undefined;
    if (copy) return copy;
    throw error;
  });
  if (!Array.isArray(objects)) return objects;
  if (objects.length === 0) throw new ObjectMissing(key);
  const whole = newestWhole(objects);
  if (!whole) return remoteBytes(bucket, chainOf(objects));
  const { name, size } = whole;
  const copy = isPack(key) ? await cache.open(name) : undefined;
  if (copy) return copy;
  const remote = remoteBytes(bucket, { size, pieces: [{ name, at: 0, from: 0, length: size }] });
  if (!isPack(key)) return remote;
  cache.fill(name, remote);
  return orCopy(remote, () => cache.open(name));
}

/** Reads the copy as soon as there is one. */
function orCopy(remote: StoredBytes, openCopy: () => Promise<StoredBytes | undefined>): StoredBytes {
  let copy: StoredBytes | undefined;
  let looking: Promise<void> | undefined;
  let reads = 0;
  const look = async (): Promise<void> => {
    copy = await openCopy();
    if (!copy) looking = undefined;
  };
  return {
    size: remote.size,
    async read(offset, length, into) {
      // Looking costs less than a request, but not nothing.
      if (!copy && ++reads % 8 === 0) {
        looking ??= look();
        await looking;
      }
      return (copy ?? remote).read(offset, length, into);
    },
    async close() {
      await looking;
      await copy?.close();
    },
  };
}

function remoteBytes(
  bucket: Bucket,
  { pieces, size }: { readonly pieces: readonly Piece[]; readonly size: number },
): StoredBytes {
  return {
    size,
    async read(offset, length, into = new Uint8Array(length)) {
      const end = offset + length;
      if (offset < 0 || length < 0 || end > size) throw new RangeError(`[${offset}, ${end}) leaves [0, ${size})`);
      const wanted = pieces.filter(({ at, length: bytes }) => at < end && at + bytes > offset);
      await inGroups(wanted, readsAtOnce, async ({ name, at, from, length: bytes }) => {
        const [first, last] = [Math.max(at, offset), Math.min(at + bytes, end)];
        into.set(await bucket.get(name, from + first - at, last - first), first - offset);
      });
      return into;
    },
    close: () => Promise.resolve(),
  };
}

async function sendFile(bucket: Bucket, path: string, name: string): Promise<void> {
  const file = await openBytes(name, path);
  try {
    const part = (at: number) => file.read(at, Math.min(packPartBytes, file.size - at));
    if (file.size <= packPartBytes) return await bucket.put(name, await part(0));
    const parts = async function* () {
      for (let at = 0; at < file.size; at += packPartBytes) yield await part(at);
    };
    await bucket.putParts(name, parts());
  } finally {
    await file.close();
  }
}

/** Works on some items at a time. */
async function inGroups<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += most) await Promise.all(items.slice(at, at + most).map(work));
}

/** A piece of an object: `length` bytes that begin at `at`, in the part `name` from `from`. */
export type Piece = { readonly name: string; readonly at: number; readonly from: number; readonly length: number };

const digits = 16;
const generationDigits = 10;

/**
 * A new name for the part of an object that begins at `offset`. Names sort by offset, then by generation.
 *
 * @param generation rises whenever somebody begins to append, see `Storage.append`
 */
export const partName = (key: string, offset: number, generation = 0): string =>
  `${key}/${String(offset).padStart(digits, '0')}-${String(generation).padStart(generationDigits, '0')}-${randomBytes(4).toString('hex')}`;

const wholeStart = 'whole-';

/**
 * A new name for an object that is written as a whole. It is never written again: a reader of an earlier one under the same
 * key continues with the same bytes. Names sort by age, and after those of parts.
 *
 * @param earlier what the bucket has of the key, in the order of the names
 */
export function wholeName(key: string, earlier: readonly Listed[]): string {
  const [, count = '0'] = /whole-(\d+)-/.exec(newestWhole(earlier)?.name ?? '') ?? [];
  return `${key}/${wholeStart}${String(Number(count) + 1).padStart(digits, '0')}-${randomBytes(4).toString('hex')}`;
}

/** The newest object that was written as a whole, if any. @param objects in the order of their names */
export function newestWhole(objects: readonly Listed[]): Listed | undefined {
  return objects.findLast(({ name }) => name.includes(`/${wholeStart}`));
}

/** Where a part begins. */
export const offsetOf = (name: string): number => Number(wordsOf(name)[0]);

/** Who wrote a part; 0 for parts from before there were generations. */
export function generationOf(name: string): number {
  const [, generation, random] = wordsOf(name);
  return random === undefined ? 0 : Number(generation);
}

const wordsOf = (name: string): string[] => name.slice(name.indexOf('/') + 1).split('-');

/**
 * The bytes that parts form without a gap, from the start.
 *
 * A server that was stopped in the middle of an upload may write one more part when it resumes, over bytes that another
 * server has stored meanwhile, from another file perhaps: where a later generation has begun, nothing of an earlier one
 * counts.
 *
 * @param objects in the order of their names; those that were written as a whole are no parts
 */
export function chainOf(objects: readonly Listed[]): { readonly pieces: readonly Piece[]; readonly size: number } {
  const parts = partsIn(objects);
  const ends = endsOf(parts);
  const pieces: Piece[] = [];
  let size = 0;
  for (const { name, size: bytes } of parts) {
    const offset = offsetOf(name);
    if (offset > size) break;
    const end = Math.min(offset + bytes, ends.get(generationOf(name))!);
    if (end <= size) continue;
    pieces.push({ name, at: size, from: size - offset, length: end - size });
    size = end;
  }
  return { pieces, size };
}

/** Where each generation ends: where a later one begins. */
function endsOf(parts: readonly Listed[]): ReadonlyMap<number, number> {
  const starts = new Map<number, number>();
  for (const { name } of parts) {
    const generation = generationOf(name);
    starts.set(generation, Math.min(starts.get(generation) ?? Number.POSITIVE_INFINITY, offsetOf(name)));
  }
  const ends = new Map<number, number>();
  let end = Number.POSITIVE_INFINITY;
  for (const generation of [...starts.keys()].sort((one, other) => other - one)) {
    ends.set(generation, end);
    end = Math.min(end, starts.get(generation)!);
  }
  return ends;
}

/** Those that were appended, not written as a whole. */
const partsIn = (objects: readonly Listed[]): readonly Listed[] =>
  objects.filter(({ name }) => !name.includes(`/${wholeStart}`));

/**
 * Copies of packs on this machine, which all processes of its servers share. They have the names of the objects in the bucket,
 * which never change: a copy can be old, but not wrong.
 */
type PackCache = {
  /** The copy of an object; undefined if there is none. */
  open(name: string): Promise<StoredBytes | undefined>;
  /** The newest copy of any object of a key. */
  openAny(key: string): Promise<StoredBytes | undefined>;
  /** Copies an object in the background, once at a time. */
  fill(name: string, source: StoredBytes): void;
  /** Takes a complete file over as a copy, or removes it if there is no room. */
  adopt(name: string, file: string): Promise<void>;
  /** Removes every copy of a key. */
  remove(key: string): Promise<void>;
  /** The keys of which there are copies. */
  keys(): Promise<readonly string[]>;
};

const blockBytes = 8 * 2 ** 20;
/** Stands in file names for the slash of an object's name. */
const slash = '.';

/**
 * A folder of packs, those that were not used for longest removed first.
 *
 * @param maxBytes that the copies may take together; a larger pack is never copied
 */
async function openPackCache(folder: string, maxBytes: number): Promise<PackCache> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const filling = new Set<string>();
  const fileOf = (name: string): string => name.replace('/', slash);
  const keyOf = (file: string): string => file.split(slash)[0]!;
  const copiesOf = async (key: string): Promise<string[]> =>
    (await readdir(folder)).filter((file) => keyOf(file) === key).sort();

  async function openFile(file: string): Promise<StoredBytes | undefined> {
    const path = join(folder, file);
    const found = await openBytes(keyOf(file), path).catch(() => undefined);
    const now = new Date();
    if (found) await utimes(path, now, now).catch(() => undefined);
    return found;
  }

  async function copy(name: string, source: StoredBytes): Promise<void> {
    const temp = join(folder, `copy-${randomBytes(8).toString('hex')}`);
    const handle = await open(temp, 'wx', 0o600);
    try {
      for (let at = 0; at < source.size; at += blockBytes) {
        await handle.appendFile(await source.read(at, Math.min(blockBytes, source.size - at)));
      }
      await handle.close();
      await rename(temp, join(folder, fileOf(name)));
      await trim();
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(temp, { force: true });
      throw error;
    }
  }

  /** Another process may remove the same files at the same time. An open file stays readable. */
  async function trim(): Promise<void> {
    const copies: { readonly path: string; readonly size: number; readonly usedAt: number }[] = [];
    for (const file of await readdir(folder)) {
      const path = join(folder, file);
      const found = await stat(path).catch(() => undefined);
      if (found) copies.push({ path, size: found.size, usedAt: found.mtimeMs });
    }
    let total = copies.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of copies.sort((one, other) => one.usedAt - other.usedAt)) {
      if (total <= maxBytes) return;
      await rm(path, { force: true });
      total -= size;
    }
  }

  return {
    open: (name) => openFile(fileOf(name)),
    async openAny(key) {
      const newest = (await copiesOf(key)).at(-1);
      return newest === undefined ? undefined : openFile(newest);
    },
    fill(name, source) {
      if (filling.has(name) || source.size > maxBytes) return;
      filling.add(name);
      // Without a copy, the store is read: that is slower, and nothing is wrong.
      void copy(name, source)
        .catch(() => undefined)
        .finally(() => filling.delete(name));
    },
    async adopt(name, file) {
      try {
        const { size } = await stat(file);
        if (size > maxBytes) return await rm(file, { force: true });
        await rename(file, join(folder, fileOf(name)));
        await trim();
      } catch {
        await rm(file, { force: true });
      }
    },
    async remove(key) {
      for (const file of await copiesOf(key)) await rm(join(folder, file), { force: true });
    },
    keys: async () => [...new Set((await readdir(folder)).map(keyOf))],
  };
}
