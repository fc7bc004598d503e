import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertTestAccount } from '../../test/support/account.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { closeStream, heartbeatMs, onlineAccounts, openStream } from './events.ts';

const now = Date.UTC(2026, 0, 15);
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const open = (accountId: string, at = now) => openStream(database.db, randomUUID(), accountId, at);

test('SEC-13 of sixty streams that one user opens at once, twenty succeed', async () => {
  const [ann, ben] = [await insertTestAccount(database.db, now), await insertTestAccount(database.db, now)];
  const opened = await Promise.all(Array.from({ length: 60 }, () => open(ann)));
  expect(opened.filter(Boolean)).toHaveLength(20);
  expect(await open(ben)).toBe(true);
});

test('a stream that is closed, or whose server is gone, frees its slot and does not count as presence', async () => {
  const ann = await insertTestAccount(database.db, now);
  const ids = Array.from({ length: 20 }, () => randomUUID());
  for (const id of ids) expect(await openStream(database.db, id, ann, now)).toBe(true);
  expect(await open(ann)).toBe(false);
  await closeStream(database.db, ids[0]!);
  expect(await open(ann)).toBe(true);
  const later = now + 4 * heartbeatMs;
  expect((await onlineAccounts(database.db, later)).has(ann)).toBe(false);
  expect(await open(ann, later)).toBe(true);
  expect((await onlineAccounts(database.db, later)).has(ann)).toBe(true);
});
