import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { createMemoryStorage } from '../../../test/support/memory-storage.ts';
import { insertAccount, recordOf, uploadOf } from '../../../test/support/rows.ts';
import { sweepWhen } from '../../../test/support/sweep.ts';
import { newKey, type ObjectKind, type Storage } from '../../storage/storage.ts';
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
beforeEach(() => {
  storage = createMemoryStorage();
});
afterAll(() => database.close());

async function put(key: string): Promise<string> {
  const appender = await storage.append(key, 0);
  await appender.write(Uint8Array.of(1));
  return key;
}
const loose = (kind: ObjectKind): Promise<string> => put(newKey(kind));
/** Sweeps as if `hours` had passed since the objects were written. */
const sweepAfter = (hours: number, dryRun = false) =>
  sweepWhen({ db: database.db, storage, now: () => Date.now() + hours * hour }, dryRun);

test('REL-07 objects without a row are removed after a day, not before', async () => {
  const keys = [await loose('file'), await loose('pack'), await loose('temp')].sort();
  expect((await sweepAfter(23)).objects).toEqual([]);
  expect([...(await sweepAfter(25, true)).objects].sort()).toEqual(keys);
  expect(await storage.stat(keys[0]!)).toBeDefined();
  expect([...(await sweepAfter(25)).objects].sort()).toEqual(keys);
  expect(await storage.stat(keys[0]!)).toBeUndefined();
});

test('REL-20 an object written just now stays, although the database is ten years ahead of the storage', async () => {
  await loose('temp');
  const now = () => Date.now() + 10 * 365 * 24 * hour;
  expect((await sweep({ db: database.db, storage, now })).objects).toEqual([]);
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

test('REL-07 among a thousand mixed objects only the unreferenced ones are removed', async () => {
  const kept: string[] = [];
  const gone: string[] = [];
  for (let n = 0; n < 250; n++) {
    const record = recordOf('ann');
    await insertVisualization(database.db, record);
    kept.push(await put(record.file_key), await put(record.pack_key));
    gone.push(await loose('file'), await loose('temp'));
  }
  expect([...(await sweepAfter(25)).objects].sort()).toEqual(gone.sort());
  const left: string[] = [];
  for await (const key of storage.list()) left.push(key);
  expect(left.sort()).toEqual(kept.sort());
});
