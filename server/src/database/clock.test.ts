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
/** However long the machine stalls. */
const near = 60_000;
const hour = 3_600_000;
/** Of the machine's time every look takes a millisecond, so that no reading takes too long to be believed. */
function machine(aheadMs: () => number): MachineClocks {
  let looks = 0;
  return { elapsed: () => looks++, wall: () => Date.now() + aheadMs() };
}
const about = (seconds: number) => expect.closeTo(seconds, -2);

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
  expect(lines).toMatchObject([{ level: 'WARN', event: 'clock', aheadSeconds: about(tenYears / 1000) }]);
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
  expect(lines).toMatchObject([{ aheadSeconds: about(-tenYears / 1000) }]);
});

test('time that passed while the machine was suspended is made up for', async () => {
  let suspended = 0;
  const log = createLog('ERROR', { write: () => undefined });
  const { elapsed, wall } = machine(() => 0);
  const clock = await startDatabaseClock(database.db, log, { elapsed: () => elapsed() - suspended, wall });
  suspended = hour;
  expect(clock.now()).toBeLessThan(Date.now() - hour + near);
  await clock.adjust();
  clock.stop();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(near);
});

test('a reading that waited for long is not believed', async () => {
  const log = createLog('ERROR', { write: () => undefined });
  const times = [0, 0, hour, 5 * hour];
  const clocks = { elapsed: () => times.shift() ?? 5 * hour, wall: () => Date.now() };
  // The first reading takes two calls, and the check against the machine's own clock a third.
  const clock = await startDatabaseClock(database.db, log, clocks);
  const expected = Date.now() + 5 * hour;
  times.unshift(hour);
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
