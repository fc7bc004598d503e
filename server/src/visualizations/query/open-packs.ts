import type { ByteSource } from '@kc/pack/format/byte-source';
import type { Storage, StoredBytes } from '../../storage/storage.ts';

/**
 * Open packs. The most recently used ones stay open within the budget, and for as long as somebody uses them now and then: the
 * columns that searches have read are not part of the budget, and the pack of a removed map still takes its space on the disk.
 * A pack that is evicted is closed when its last query ends.
 */
export interface OpenPacks<Pack> {
  use<T>(key: string, work: (pack: Pack) => Promise<T> | T): Promise<T>;
  close(): Promise<void>;
}

/** Packs that are open now, and how many were opened since the start. */
export type PackCounts = { readonly open: number; readonly opened: number };

/** After so long without a query a pack is closed. Opening one again takes milliseconds. */
const idleMs = 3 * 60_000;
const idleCheckMs = 60_000;

type Opened<Pack> = { readonly pack: Pack; readonly bytes: StoredBytes };
type Entry<Pack> = {
  readonly opened: Promise<Opened<Pack>>;
  weight: number;
  users: number;
  usedAt: number;
  dropped: boolean;
};

/**
 * @param open opens the part of a stored pack that its key stands for
 * @param weigh how much of the budget an open pack of this many bytes takes
 * @param budget for all open packs; packs in use stay open even beyond it
 * @param onChange called with the counts when a pack is opened or closed
 * @param stored the key of the storage in a key of a pack
 * @param onClose called with each pack before it is closed
 */
export function createOpenPacks<Pack>(
  storage: Storage,
  open: (source: ByteSource, key: string) => Promise<Pack>,
  weigh: (size: number) => number,
  budget: number,
  onChange: (counts: PackCounts) => void = () => undefined,
  stored: (key: string) => string = (key) => key,
  onClose: (pack: Pack) => void = () => undefined,
): OpenPacks<Pack> {
  const entries = new Map<string, Entry<Pack>>();
  let opened = 0;
  const notify = (): void => onChange({ open: entries.size, opened });

  const touch = (key: string): Entry<Pack> => {
    const found = entries.get(key) ?? openEntry(key);
    // A Map keeps insertion order: the first entry is the least recently used one.
    entries.delete(key);
    entries.set(key, found);
    return found;
  };
  const openEntry = (key: string): Entry<Pack> => {
    const opening = async (): Promise<Opened<Pack>> => {
      const bytes = await storage.open(stored(key));
      entry.weight = weigh(bytes.size);
      try {
        return { pack: await open(bytes, key), bytes };
      } catch (error) {
        await bytes.close();
        throw error;
      }
    };
    const entry: Entry<Pack> = { opened: opening(), weight: 0, users: 0, usedAt: 0, dropped: false };
    entries.set(key, entry);
    opened++;
    notify();
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
    if (entry.users === 0) void closeEntry(entry);
    notify();
  };
  const closeIdle = (): void => {
    const before = performance.now() - idleMs;
    for (const [key, entry] of entries) if (entry.users === 0 && entry.usedAt < before) drop(key, entry);
  };
  const idleTimer = setInterval(closeIdle, idleCheckMs).unref();
  /** Never rejects: no query depends on a pack that is closed, whether that works or not. */
  const closeEntry = (entry: Entry<Pack>): Promise<void> =>
    entry.opened
      .then(({ pack, bytes }) => {
        onClose(pack);
        return bytes.close();
      })
      .catch(() => undefined);

  return {
    async use(key, work) {
      const entry = touch(key);
      entry.users++;
      try {
        const { pack } = await entry.opened.catch((error: unknown) => {
          drop(key, entry);
          throw error;
        });
        return await work(pack);
      } finally {
        entry.users--;
        entry.usedAt = performance.now();
        if (entry.dropped && entry.users === 0) await closeEntry(entry);
        trim();
      }
    },
    async close() {
      clearInterval(idleTimer);
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(all.map(closeEntry));
    },
  };
}
