import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { lockNumber, openUploadSession } from './upload-session.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** A connection that holds a lock. It does nothing more, as that of a server that was stopped. */
async function holder(name: string): Promise<pg.Client> {
  const client = new pg.Client(database.connection);
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`select pg_advisory_lock(${lockNumber('$1')})`, [name]);
  return client;
}

test('a server that waits for one lock for long takes another one from a server that was stopped', async () => {
  const [working, stopped] = [await holder('reading:b'), await holder('upload:a')];
  const session = openUploadSession(() => database.connection);
  onTestFinished(async () => {
    await session.close();
    for (const client of [working, stopped]) await client.end().catch(() => undefined);
  });
  let isTaken = false;
  for (let waited = 0; !isTaken && waited < 15_000; waited += 100) {
    await working.query('select');
    expect(await session.tryLock('reading:b')).toBeUndefined();
    isTaken = (await session.tryLock('upload:a')) !== undefined;
    await pause(100);
  }
  expect(isTaken).toBe(true);
});
