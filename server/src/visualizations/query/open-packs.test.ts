// Shows REL-26.
import { expect, test, vi } from 'vitest';
import { createMemoryStorage } from '../../../test/support/memory-storage.ts';
import { newKey, type Storage } from '../../storage/storage.ts';
import { createOpenPacks, type PackCounts } from './open-packs.ts';

/** A storage that counts its open objects. It has `count` objects, each containing its own number. */
async function storageOf(count: number) {
  const storage = createMemoryStorage();
  const keys: string[] = [];
  let open = 0;
  for (let n = 0; n < count; n++) {
    const key = newKey('pack');
    const appender = await storage.append(key, 0);
    await appender.write(Uint8Array.of(n));
    keys.push(key);
  }
  const counting: Storage = {
    ...storage,
    async open(key) {
      const bytes = await storage.open(key);
      open++;
      return {
        size: bytes.size,
        read: bytes.read,
        async close() {
          open--;
          await bytes.close();
        },
      };
    },
  };
  return { storage: counting, keys, openNow: () => open };
}

const first = async (source: { read(offset: number, length: number): Promise<Uint8Array> }) =>
  (await source.read(0, 1))[0];

test('a pack is opened once for all its users', async () => {
  const { storage, keys, openNow } = await storageOf(1);
  const packs = createOpenPacks(storage, first, () => 1, 2);
  expect(await Promise.all([1, 2, 3].map(() => packs.use(keys[0]!, (n) => n)))).toEqual([0, 0, 0]);
  expect(openNow()).toBe(1);
  await packs.close();
  expect(openNow()).toBe(0);
});

test('the least recently used pack is closed', async () => {
  const { storage, keys, openNow } = await storageOf(3);
  const packs = createOpenPacks(storage, first, () => 1, 2);
  for (const key of keys) await packs.use(key, () => undefined);
  await packs.use(keys[0]!, (n) => expect(n).toBe(0));
  expect(openNow()).toBe(2);
});

test('a pack that nobody has asked for three minutes is closed, and opened again when somebody does', async () => {
  vi.useFakeTimers();
  try {
    const { storage, keys, openNow } = await storageOf(2);
    const counts: PackCounts[] = [];
    const packs = createOpenPacks(
      storage,
      first,
      () => 1,
      2,
      (now) => counts.push(now),
    );
    for (const key of keys) await packs.use(key, () => undefined);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    await packs.use(keys[1]!, () => undefined);
    expect(openNow()).toBe(2);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(openNow()).toBe(1);
    await packs.use(keys[0]!, async (n) => {
      expect(n).toBe(0);
      // However long it takes.
      await vi.advanceTimersByTimeAsync(30 * 60_000);
      expect(openNow()).toBe(1);
    });
    expect(counts.at(-1)).toEqual({ open: 1, opened: 3 });
    await packs.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a pack in use is not closed, however many others are opened', async () => {
  const { storage, keys, openNow } = await storageOf(3);
  const packs = createOpenPacks(storage, first, () => 1, 1);
  await packs.use(keys[0]!, async (n) => {
    await packs.use(keys[1]!, () => undefined);
    await packs.use(keys[2]!, () => undefined);
    expect(n).toBe(0);
    expect(openNow()).toBe(1);
    expect(await packs.use(keys[0]!, (same) => same)).toBe(0);
  });
  await packs.use(keys[2]!, () => undefined);
  await packs.close();
  expect(openNow()).toBe(0);
});

test('a pack that cannot be closed fails no query, and nothing that nobody waits for', async () => {
  const { storage, keys } = await storageOf(2);
  let failed = 0;
  const failing: Storage = {
    ...storage,
    open: async (key) => ({
      ...(await storage.open(key)),
      async close() {
        failed++;
        throw new Error('EIO');
      },
    }),
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    // There is room for none: each is closed after its query.
    const packs = createOpenPacks(failing, first, () => 1, 0);
    for (const [n, key] of keys.entries()) expect(await packs.use(key, (pack) => pack)).toBe(n);
    await packs.close();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([failed, unhandled]).toEqual([2, []]);
  } finally {
    process.off('unhandledRejection', note);
  }
});

test('a pack that failed to open is retried on the next request', async () => {
  const { storage, keys } = await storageOf(1);
  let tries = 0;
  const packs = createOpenPacks(
    storage,
    async () => {
      if (++tries === 1) throw new Error('no');
      return 'yes';
    },
    () => 1,
    1,
  );
  await expect(packs.use(keys[0]!, (pack) => pack)).rejects.toThrow('no');
  expect(await packs.use(keys[0]!, (pack) => pack)).toBe('yes');
});
