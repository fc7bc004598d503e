// Shows REL-39.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { createMemoryStorage } from '../../test/support/memory-storage.ts';
import { type Swift, startSwift, whyNoSwift } from '../../test/support/swift.ts';
import { onConnection } from '../database/copy-tables.ts';
import { createLog } from '../log.ts';
import { openDiskStorage } from './disk.ts';
import { claimStorage, databaseIdentity, ForeignStorage, holdStorage } from './owner.ts';
import { openS3Storage } from './s3/s3.ts';
import { newKey, type Storage, StorageUnavailable } from './storage.ts';
import { recordFiles } from './stored-files.ts';

let one: TestDatabase;
let other: TestDatabase;
let identities: readonly string[];
beforeAll(async () => {
  [one, other] = [await testDatabase(), await testDatabase()];
  // Databases of tests are copies of one, and so are their identities.
  await onConnection(other.owner, (client) => client.query(`update database_identity set id = repeat('e', 32)`));
  identities = [await databaseIdentity(one.db), await databaseIdentity(other.db)];
});
afterAll(async () => {
  await one.close();
  await other.close();
});

const claim = ({ owner }: TestDatabase, storage: Storage, adopt?: string) =>
  claimStorage({ connection: owner, storage, adopt });

async function put(storage: Storage, key = newKey('file')): Promise<string> {
  const appender = await storage.append(key, 0);
  await appender.write(Uint8Array.of(1));
  await appender.sync();
  await appender.close();
  return key;
}

function claims(name: string, make: () => Promise<{ storage: Storage; dispose(): Promise<void> }>): void {
  describe(`the owner of a storage ${name}`, () => {
    let storage: Storage;
    beforeEach(async () => {
      const made = await make();
      storage = made.storage;
      return () => made.dispose();
    });

    test('REL-38 the first start claims it, later ones find it so, and another database is refused', async () => {
      expect(await claim(one, storage)).toBe(identities[0]);
      await put(storage);
      expect(await claim(one, storage)).toBe(identities[0]);
      await expect(claim(other, storage)).rejects.toThrow(ForeignStorage);
      expect(await storage.owner()).toBe(identities[0]);
    });

    test('REL-38 another database takes it over if it is told whose it was; then the first one is refused', async () => {
      await claim(one, storage);
      await put(storage);
      await expect(claim(other, storage, 'f'.repeat(32))).rejects.toThrow(`ADOPT_STORAGE=${identities[0]}`);
      await expect(claim(other, storage, 'unmarked')).rejects.toThrow(ForeignStorage);
      await claim(other, storage, identities[0]);
      // The variable may stay set: it names an owner that is gone.
      await claim(other, storage, identities[0]);
      await expect(claim(one, storage)).rejects.toThrow(`ADOPT_STORAGE=${identities[1]}`);
    });

    test('REL-38 files from before there were owners are claimed by the database that knows one of them', async () => {
      await put(storage);
      await expect(claim(one, storage)).rejects.toThrow(/knows none of them\..*ADOPT_STORAGE=unmarked$/);
      expect(await storage.owner()).toBeUndefined();
      await put(recordFiles(storage, one.db));
      await expect(claim(other, storage)).rejects.toThrow(ForeignStorage);
      await claim(one, storage);
      expect(await storage.owner()).toBe(identities[0]);
    });

    test('REL-38 files that nobody knows are claimed only on request', async () => {
      await put(storage);
      await claim(other, storage, 'unmarked');
      expect(await storage.owner()).toBe(identities[1]);
    });

    test('REL-38 several servers of one database claim it at once', async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => claim(one, storage)));
      expect(new Set(all)).toEqual(new Set([identities[0]]));
    });
  });
}

claims('in memory', async () => ({ storage: createMemoryStorage(), dispose: () => Promise.resolve() }));

claims('on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kc-owner-'));
  return { storage: await openDiskStorage(folder), dispose: () => rm(folder, { recursive: true }) };
});

const reason = whyNoSwift();
if (reason) console.log(reason);
describe.skipIf(reason !== undefined)('with a real S3 server', () => {
  let swift: Swift;
  beforeAll(async () => {
    swift = await startSwift();
  });
  afterAll(() => swift?.stop());

  claims('on S3', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kc-owner-'));
    const place = { kind: 's3', ...(await swift.newBucket()), folder, cacheBytes: 2 ** 20 } as const;
    return { storage: await openS3Storage(place), dispose: () => rm(folder, { recursive: true }) };
  });
});

test('what is under construction makes no storage foreign', async () => {
  const storage = createMemoryStorage();
  await put(storage, newKey('temp'));
  await claim(other, storage);
  expect(await storage.owner()).toBe(identities[1]);
});

test('among many files, one that the database made is found', async () => {
  const storage = createMemoryStorage();
  for (let n = 0; n < 501; n++) await put(storage);
  await put(recordFiles(storage, one.db));
  await claim(one, storage);
  expect(await storage.owner()).toBe(identities[0]);
});

test('whoever appends says which of the writers it is, also where keys are recorded', async () => {
  const storage = createMemoryStorage();
  const append = vi.spyOn(storage, 'append');
  const key = newKey('file');
  await (await recordFiles(storage, one.db).append(key, 0, 7)).close();
  expect(append).toHaveBeenCalledWith(key, 0, 7);
});

test('REL-07 a key is known before its object exists, and until it is removed', async () => {
  const known = async (key: string) =>
    (await one.db.selectFrom('stored_files').select('key').where('key', '=', key).execute()).length === 1;
  const disk = createMemoryStorage();
  const seen: boolean[] = [];
  const watched: Storage = {
    ...disk,
    async append(key, offset) {
      seen.push(await known(key));
      return disk.append(key, offset);
    },
    async publish(from, to) {
      seen.push(await known(to));
      await disk.publish(from, to);
    },
    async remove(key) {
      seen.push(await known(key));
      await disk.remove(key);
    },
  };
  const storage = recordFiles(watched, one.db);
  const [file, temp, pack] = [newKey('file'), newKey('temp'), newKey('pack')];
  await put(storage, file);
  await put(storage, temp);
  await storage.publish(temp, pack);
  await storage.remove(pack);
  expect(seen).toEqual([true, false, true, true]);
  expect([await known(file), await known(temp), await known(pack)]).toEqual([true, false, false]);
});

describe('a server that runs', () => {
  const log = createLog('ERROR', { write: () => undefined });
  const held = (storage: Storage, onLost: () => void) =>
    holdStorage({ connection: one.owner, storage, adopt: undefined, log, onLost });

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => void vi.useRealTimers();
  });

  test('REL-38 ends when another database has taken over its files', async () => {
    const storage = createMemoryStorage();
    const lost = vi.fn();
    const holding = await held(storage, lost);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lost).not.toHaveBeenCalled();
    await storage.setOwner(identities[1]!);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lost).toHaveBeenCalledOnce();
    await holding.stop();
  });

  test('REL-38 starts while the store does not answer, and learns later whose it is', async () => {
    const storage = createMemoryStorage();
    await storage.setOwner(identities[1]!);
    let isAway = true;
    const owner = () => (isAway ? Promise.reject(new StorageUnavailable()) : storage.owner());
    let lose: () => void = () => undefined;
    const isLost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    const holding = await held({ ...storage, owner }, lose);
    isAway = false;
    await vi.advanceTimersByTimeAsync(10_000);
    await isLost;
    await holding.stop();
  });
});
