import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { openBytes } from '../disk.ts';
import type { StoredBytes } from '../storage.ts';

/**
 * Copies of packs on this machine, which all processes of its servers share. They have the names of the objects in the bucket,
 * which never change: a copy can be old, but not wrong.
 */
export type PackCache = {
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
export async function openPackCache(folder: string, maxBytes: number): Promise<PackCache> {
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
