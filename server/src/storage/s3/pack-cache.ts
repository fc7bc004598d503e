import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { openBytes } from '../disk.ts';
import { isKey, type StoredBytes } from '../storage.ts';

/** Copies of packs on this machine, which all processes of its servers share. */
export type PackCache = {
  /** The copy; undefined if there is none. */
  open(key: string): Promise<StoredBytes | undefined>;
  /** Copies an object in the background, once at a time; undone if that fails. */
  fill(key: string, source: StoredBytes): void;
  /** Takes a complete file over as a copy. */
  adopt(key: string, file: string): Promise<void>;
  remove(key: string): Promise<void>;
};

const blockBytes = 8 * 2 ** 20;

/**
 * A folder of packs, those that were not used for longest removed first.
 *
 * @param mostBytes that the copies may take together; a larger pack is never copied
 */
export async function openPackCache(folder: string, mostBytes: number): Promise<PackCache> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const filling = new Set<string>();
  const pathOf = (key: string): string => join(folder, key);

  async function copy(key: string, source: StoredBytes): Promise<void> {
    const temp = join(folder, `copy-${randomBytes(8).toString('hex')}`);
    const handle = await open(temp, 'wx', 0o600);
    try {
      for (let at = 0; at < source.size; at += blockBytes) {
        await handle.appendFile(await source.read(at, Math.min(blockBytes, source.size - at)));
      }
      await handle.close();
      await rename(temp, pathOf(key));
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
    for (const name of await readdir(folder)) {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found) copies.push({ path: join(folder, name), size: found.size, usedAt: found.mtimeMs });
    }
    let total = copies.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of copies.sort((one, other) => one.usedAt - other.usedAt)) {
      if (total <= mostBytes) return;
      await rm(path, { force: true });
      total -= size;
    }
  }

  return {
    async open(key) {
      if (!isKey(key)) return undefined;
      const found = await openBytes(key, pathOf(key)).catch(() => undefined);
      const now = new Date();
      if (found) await utimes(pathOf(key), now, now).catch(() => undefined);
      return found;
    },
    fill(key, source) {
      if (filling.has(key) || source.size > mostBytes) return;
      filling.add(key);
      // Without a copy, the store is read: that is slower, and nothing is wrong.
      void copy(key, source)
        .catch(() => undefined)
        .finally(() => filling.delete(key));
    },
    async adopt(key, file) {
      const { size } = await stat(file);
      if (size > mostBytes) return rm(file, { force: true });
      await rename(file, pathOf(key));
      await trim();
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
