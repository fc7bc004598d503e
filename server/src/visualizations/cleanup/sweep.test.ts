import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { createMemoryStorage } from '../../../test/support/memory-storage.ts';
import { insertAccount, recordOf, uploadOf } from '../../../test/support/rows.ts';
import { sweepWhen } from '../../../test/support/sweep.ts';
import { createLog } from '../../log.ts';
import { databaseIdentity } from '../../storage/owner.ts';
import { newKey, type ObjectKind, type Storage } from '../../storage/storage.ts';
import { recordFiles } from '../../storage/stored-files.ts';
import { insertVisualization } from '../queries.ts';
import { insertUpload, recordReceived } from '../upload/upload-queries.ts';
import { sweep } from './sweep.ts';

const hour = 3_600_000;
let database: TestDatabase;
let storage: Storage;
beforeAll(async () => {
  database = await testDatabase();
  await insertAccount(database.db, 'ann');
});
let logged: string[];
const log = createLog('INFO', { write: (line) => void logged.push(line) });
beforeEach(async () => {
  logged = [];
  storage = recordFiles(createMemoryStorage(), database.db);
  await storage.setOwner(await databaseIdentity(database.db));
});
afterAll(() => database.close());

async function put(key: string): Promise<string> {
  const appender = await storage.append(key, 0);
  await appender.write(Uint8Array.of(1));
  return key;
}
const loose = (kind: ObjectKind): Promise<string> => put(newKey(kind));
/** Sweeps as if `hours` had passed since the objects were written. */
const sweepAfter = (hours: number) =>
  sweepWhen({ db: database.db, storage, log, now: () => Date.now() + hours * hour });
async function keysLeft(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of storage.list()) keys.push(key);
  return keys;
}

test('REL-07 objects without a row are removed after a day, not before', async () => {
  const keys = [await loose('file'), await loose('pack'), await loose('temp')].sort();
  expect((await sweepAfter(23)).objects).toEqual([]);
  expect(await storage.stat(keys[0]!)).toBeDefined();
  expect([...(await sweepAfter(25)).objects].sort()).toEqual(keys);
  expect(await storage.stat(keys[0]!)).toBeUndefined();
});

// Shows P19.11.
test('REL-20 an object written just now stays, although the database is ten years ahead of the storage', async () => {
  await loose('temp');
  const now = () => Date.now() + 10 * 365 * 24 * hour;
  expect((await sweep({ db: database.db, storage, log, now })).objects).toEqual([]);
});

test('REL-07 the files of a visualization stay, however old', async () => {
  const record = recordOf('ann');
  await insertVisualization(database.db, record);
  for (const key of [record.file_key, record.pack_key]) await put(key);
  expect((await sweepAfter(10_000)).objects).toEqual([]);
});

test('REL-07 an object that gets a row during the sweep is kept', async () => {
  const record = recordOf('ann');
  await put(record.pack_key);
  let looks = 0;
  const late: Storage = {
    ...storage,
    async stat(key) {
      // The second look-up is the one right before the removal.
      if (++looks === 2) await insertVisualization(database.db, record);
      return storage.stat(key);
    },
  };
  const now = () => Date.now() + 25 * hour;
  expect((await sweepWhen({ db: database.db, storage: late, now })).objects).toEqual([]);
  expect(looks).toBe(2);
  expect(await storage.stat(record.pack_key)).toBeDefined();
});

test('REL-07 an upload and its bytes are removed a day after its last byte', async () => {
  const upload = uploadOf('ann', 100);
  await insertUpload(database.db, upload, new Date(Date.now() - 100 * hour));
  await put(upload.file_key);
  await recordReceived(database.db, upload.id, { from: 0, to: 1, fence: 0 }, new Date());
  expect(await sweepAfter(23)).toEqual({ uploads: [], objects: [] });
  expect(await sweepAfter(25)).toEqual({ uploads: [upload.id], objects: [upload.file_key] });
});

test('REL-07 an upload that waits to be read is kept, however long that takes', async () => {
  const upload = uploadOf('ann', 1);
  await insertUpload(database.db, upload, new Date());
  await put(upload.file_key);
  await recordReceived(database.db, upload.id, { from: 0, to: 1, fence: 0 }, new Date());
  expect(await sweepAfter(1_000)).toEqual({ uploads: [], objects: [] });
});

test('REL-07 among a thousand mixed objects only the unreferenced ones are removed, and each removal is logged', async () => {
  const kept: string[] = [];
  const gone: string[] = [];
  for (let n = 0; n < 250; n++) {
    const record = recordOf('ann');
    await insertVisualization(database.db, record);
    kept.push(await put(record.file_key), await put(record.pack_key));
    gone.push(await loose('temp'), ...(n % 5 === 0 ? [await loose('file')] : []));
  }
  expect([...(await sweepAfter(25)).objects].sort()).toEqual(gone.sort());
  expect((await keysLeft()).sort()).toEqual(kept.sort());
  const named = logged.map((line) => JSON.parse(line) as { level: string; event: string; key: string });
  expect(named.map(({ key }) => key).sort()).toEqual(gone);
  expect(named[0]).toMatchObject({ level: 'INFO', event: 'sweep' });
});

test('REL-07 nothing is removed if it were more than a tenth, and more than a few: rows may be missing', async () => {
  const alarm = { level: 'ERROR', event: 'sweep-stopped', files: 21, of: 209, atMost: 20 };
  for (let n = 0; n < 94; n++) {
    const record = recordOf('ann');
    await insertVisualization(database.db, record);
    await put(record.file_key);
    await put(record.pack_key);
  }
  const gone = await Promise.all(Array.from({ length: 21 }, () => loose('file')));
  expect((await sweepAfter(25)).objects).toEqual([]);
  expect(JSON.parse(logged.at(-1)!)).toMatchObject(alarm);
  expect(await keysLeft()).toHaveLength(209);
  // One more file: now they are a tenth.
  await put((await insertedRecord()).file_key);
  expect((await sweepAfter(25)).objects).toHaveLength(gone.length);
});

test('REL-07 an administrator can say how many files may go', async () => {
  const gone = await Promise.all(Array.from({ length: 30 }, () => loose('pack')));
  const asked = { db: database.db, storage, log, now: () => Date.now() + 25 * hour };
  expect((await sweepWhen({ ...asked, atMost: 29 })).objects).toEqual([]);
  expect((await sweepWhen({ ...asked, atMost: 30 })).objects).toHaveLength(gone.length);
});

test('REL-07 an object that this database did not make stays, however old', async () => {
  const foreign = createMemoryStorage();
  await foreign.setOwner(await databaseIdentity(database.db));
  storage = recordFiles(foreign, database.db);
  const key = newKey('file');
  await foreign.append(key, 0);
  const own = await loose('file');
  expect((await sweepAfter(10_000)).objects).toEqual([own]);
  expect(await keysLeft()).toEqual([key]);
  expect(logged.some((line) => line.includes('did not make'))).toBe(true);
});

test.each([undefined, 'f'.repeat(32)])('REL-07 a storage whose owner is %s is not swept', async (owner) => {
  const key = await loose('file');
  const now = () => Date.now() + 25 * hour;
  const other: Storage = { ...storage, owner: async () => owner, now: async () => now() };
  expect(await sweep({ db: database.db, storage: other, log, now })).toEqual({ uploads: [], objects: [] });
  expect(await keysLeft()).toEqual([key]);
  expect(JSON.parse(logged.at(-1)!)).toMatchObject({ level: 'ERROR', event: 'sweep-stopped' });
});

test('REL-07 a sweep that is interrupted between two removals is completed by the next', async () => {
  const gone = [await loose('file'), await loose('pack'), await loose('file')].sort();
  let removals = 0;
  const breaking: Storage = {
    ...storage,
    async remove(key) {
      if (++removals === 2) throw new Error('the server was killed');
      await storage.remove(key);
    },
  };
  const now = () => Date.now() + 25 * hour;
  await expect(sweepWhen({ db: database.db, storage: breaking, log, now })).rejects.toThrow('the server was killed');
  expect(await keysLeft()).toHaveLength(2);
  await sweepAfter(25);
  expect(await keysLeft()).toEqual([]);
  const known = await database.db.selectFrom('stored_files').select('key').where('key', 'in', gone).execute();
  expect(known).toEqual([]);
});

async function insertedRecord() {
  const record = recordOf('ann');
  await insertVisualization(database.db, record);
  return record;
}
