import type { ByteSource } from '@kc/pack/format/byte-source';
import type { Storage, StoredBytes } from '../../storage/storage.ts';

/**
 * Open packs. The most recently used ones stay open within the budget. A pack that is evicted is closed when its last
 * query ends.
 */
export interface OpenPacks<Pack> {
  use<T>(key: string, work: (pack: Pack) => Promise<T> | T): Promise<T>;
  close(): Promise<void>;
}

/** Packs that are open now; how often one had to be opened, and how often it was open already. */
export type PackCounts = { readonly open: number; readonly opened: number; readonly reused: number };

type Opened<Pack> = { readonly pack: Pack; readonly bytes: StoredBytes };
type Entry<Pack> = { readonly opened: Promise<Opened<Pack>>; weight: number; users: number; dropped: boolean };

/**
 * @param weigh how much of the budget an open pack of this many bytes takes
 * @param budget for all open packs; packs in use stay open even beyond it
 * @param changed hears the counts after each use of a pack
 */
export function createOpenPacks<Pack>(
  storage: Storage,
  open: (source: ByteSource) => Promise<Pack>,
  weigh: (size: number) => number,
  budget: number,
  changed: (counts: PackCounts) => void = () => undefined,
): OpenPacks<Pack> {
  const entries = new Map<string, Entry<Pack>>();
  let [opened, reused] = [0, 0];

  const take = (key: string): Entry<Pack> => {
    const known = entries.get(key);
    if (known) reused++;
    else opened++;
    const found = known ?? openOne(key);
    // A Map keeps insertion order: the first entry is the least recently used one.
    entries.delete(key);
    entries.set(key, found);
    return found;
  };
  const openOne = (key: string): Entry<Pack> => {
    const opening = async (): Promise<Opened<Pack>> => {
      const bytes = await storage.open(key);
      entry.weight = weigh(bytes.size);
      try {
        return { pack: await open(bytes), bytes };
      } catch (error) {
        await bytes.close();
        throw error;
      }
    };
    const entry: Entry<Pack> = { opened: opening(), weight: 0, users: 0, dropped: false };
    return entry;
  };
  const trim = (): void => {
    let total = 0;
    for (const entry of entries.values()) total += entry.weight;
    for (const [key, entry] of entries) {
      if (total <= budget) return;
      if (entry.users > 0) continue;
      total -= entry.weight;
      drop(key, entry);
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
        trim();
        changed({ open: entries.size, opened, reused });
      }
    },
    async close() {
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(all.map(closed));
    },
  };
}
