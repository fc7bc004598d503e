import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { createLog } from '../log.ts';
import { openUploadSession } from '../visualizations/upload/upload-session.ts';
import { onConnection } from './copy-tables.ts';
import { listen } from './notifications.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('connections that wait are asked after ten seconds whether their other end is there, not after hours', async () => {
  const keptAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  const listener = listen(
    () => database.connection,
    createLog('ERROR'),
    () => undefined,
  );
  const session = openUploadSession(() => database.connection);
  onTestFinished(async () => {
    await listener.close();
    await session.close();
    keptAlive.mockRestore();
  });
  // A backup holds a lock on one of these for as long as it takes.
  await onConnection(database.connection, async () => undefined);
  await expect.poll(() => keptAlive.mock.calls.length).toBe(3);
  expect(keptAlive.mock.calls).toEqual([
    [true, 10_000],
    [true, 10_000],
    [true, 10_000],
  ]);
});
