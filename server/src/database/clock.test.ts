import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { createLog } from '../log.ts';
import { type MachineClocks, readDatabaseTime, startDatabaseClock } from './clock.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const tenYears = 10 * 365 * 24 * 3_600_000;
const near = 2_000;
const machine = (aheadMs: () => number): MachineClocks => ({
  elapsed: () => performance.now(),
  wall: () => Date.now() + aheadMs(),
});

async function logged(aheadMs: () => number) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('INFO', { write: (line) => void lines.push(JSON.parse(line)) });
  const clock = await startDatabaseClock(database.db, log, machine(aheadMs));
  return { clock, lines };
}

// Shows P19.11.
test('REL-20 a machine whose clock is ten years ahead goes by the database, and says so once', async () => {
  const { clock, lines } = await logged(() => tenYears);
  expect(Math.abs(clock.now() - (await readDatabaseTime(database.db)))).toBeLessThan(near);
  await clock.adjust();
  clock.stop();
  expect(lines).toMatchObject([{ level: 'WARN', event: 'clock', aheadSeconds: tenYears / 1000 }]);
});

test('REL-20 a clock that is set back while the server runs changes nothing', async () => {
  let ahead = 0;
  const { clock, lines } = await logged(() => ahead);
  const before = clock.now();
  ahead = -tenYears;
  expect(clock.now()).toBeGreaterThanOrEqual(before);
  expect(clock.now() - before).toBeLessThan(near);
  expect(lines).toEqual([]);
  await clock.adjust();
  clock.stop();
  expect(lines).toMatchObject([{ aheadSeconds: -tenYears / 1000 }]);
});

test('time that passed while the machine was suspended is made up for', async () => {
  let suspended = 0;
  const log = createLog('ERROR', { write: () => undefined });
  const clocks = { elapsed: () => performance.now() - suspended, wall: () => Date.now() };
  const clock = await startDatabaseClock(database.db, log, clocks);
  suspended = 60_000;
  expect(clock.now()).toBeLessThan(Date.now() - 50_000);
  await clock.adjust();
  clock.stop();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(near);
});

test('a reading that waited for long is not believed', async () => {
  const log = createLog('ERROR', { write: () => undefined });
  const times = [0, 0, 1_000, 5_000];
  const clocks = { elapsed: () => times.shift() ?? 5_000, wall: () => Date.now() };
  // The first reading takes two calls, and the check against the machine's own clock a third.
  const clock = await startDatabaseClock(database.db, log, clocks);
  const expected = Date.now() + 5_000;
  times.unshift(1_000);
  await clock.adjust();
  clock.stop();
  expect(Math.abs(clock.now() - expected)).toBeLessThan(near);
});

test('a database that does not answer leaves the clock as it is', async () => {
  const { clock } = await logged(() => 0);
  await sql`select 1`.execute(database.db);
  const gone = await testDatabase();
  const lost = await startDatabaseClock(gone.db, createLog('ERROR', { write: () => undefined }));
  await gone.close();
  await lost.adjust();
  expect(Math.abs(lost.now() - clock.now())).toBeLessThan(near);
  lost.stop();
  clock.stop();
});
