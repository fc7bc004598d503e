import { firstRates } from '@kc/rules/clustering-time';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { readRates, rememberTimes, stageClock } from './clustering-times.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await database.db.deleteFrom('clustering_times').execute();
});
afterAll(() => database.close());

test('the rates are the mean of the last 20 runs, and those known from the start before any', async () => {
  const { db } = database;
  expect(await readRates(db)).toEqual(firstRates);
  for (let run = 0; run < 5; run++) await rememberTimes(db, { keywords: 1_000, stages: { meaning: 900_000 } });
  for (let run = 0; run < 10; run++) await rememberTimes(db, { keywords: 1_000, stages: { meaning: 1_000 } });
  for (let run = 0; run < 10; run++) await rememberTimes(db, { keywords: 2_000, stages: { meaning: 8_000 } });
  // (10 · 1,000 + 10 · 8,000) ms for 30,000 keywords.
  expect(await readRates(db)).toEqual({ ...firstRates, meaning: 3 });
});

test('a short list changes no rate: it takes what a process needs to start', async () => {
  await rememberTimes(database.db, { keywords: 999, stages: { meaning: 900_000 } });
  expect(await readRates(database.db)).toEqual(firstRates);
});

test('a stage that is entered again goes on, and the last one ends with the clock', () => {
  let now = 100;
  const clock = stageClock(() => now);
  clock.enter('read');
  now = 150;
  clock.enter('meaning');
  now = 175;
  clock.enter('meaning');
  expect(clock.since()).toBe(150);
  now = 180;
  clock.enter('read');
  now = 181;
  expect(clock.finish()).toEqual({ read: 51, meaning: 30 });
});
