import type { ByteSource } from '@kc/pack/byte-source';
import type { Storage, StoredBytes } from '../storage/storage.ts';

/**
 * Packs that are open for queries: the most recently used ones stay open. A pack that falls out is closed when the
 * last query on it is done.
 */
export interface OpenPacks<Pack> {
  use<T>(key: string, work: (pack: Pack) => Promise<T> | T): Promise<T>;
  close(): Promise<void>;
}

type Entry<Pack> = { readonly opened: Promise<{ pack: Pack; bytes: StoredBytes }>; users: number; dropped: boolean };

/** @param most packs open at once when none is in use beyond them */
export function createOpenPacks<Pack>(
  storage: Storage,
  open: (source: ByteSource) => Promise<Pack>,
  most: number,
): OpenPacks<Pack> {
  const entries = new Map<string, Entry<Pack>>();

  const take = (key: string): Entry<Pack> => {
    const found = entries.get(key) ?? { opened: openOne(key), users: 0, dropped: false };
    // A Map keeps the order of insertion: the first one is the one not used for the longest time.
    entries.delete(key);
    entries.set(key, found);
    for (const [oldest, entry] of entries) {
      if (entries.size <= most) break;
      if (entry.users === 0 && entry !== found) drop(oldest, entry);
    }
    return found;
  };
  const openOne = async (key: string): Promise<{ pack: Pack; bytes: StoredBytes }> => {
    const bytes = await storage.open(key);
    try {
      return { pack: await open(bytes), bytes };
    } catch (error) {
      await bytes.close();
      throw error;
    }
  };
  const drop = (key: string, entry: Entry<Pack>): void => {
    if (entries.get(key) === entry) entries.delete(key);
    entry.dropped = true;
    if (entry.users === 0) void closed(entry);
  };
  const closed = (entry: Entry<Pack>): Promise<void> =>
    entry.opened.then(
      ({ bytes }) => bytes.close(),
      () => undefined,
    );

  return {
    async use(key, work) {
      const entry = take(key);
      entry.users++;
      try {
        const { pack } = await entry.opened.catch((error: unknown) => {
          drop(key, entry);
          throw error;
        });
        return await work(pack);
      } finally {
        entry.users--;
        if (entry.dropped && entry.users === 0) await closed(entry);
      }
    },
    async close() {
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(all.map(closed));
    },
  };
}
