import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../database/testing.ts';
import { createLog } from '../../log.ts';
import { flipActive, type VisualizationRecord } from '../queries.ts';
import { insertAccount, recordOf } from '../testing-rows.ts';
import { activate, OwnerGone, saveAndActivate } from './activate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const lines: string[] = [];
const log = createLog('ERROR', { write: (line: string) => lines.push(line) });
const activation = () => ({ db: database.db, flip: flipActive, log, now: Date.now });
const recordsOf = (userId: string): Promise<VisualizationRecord[]> =>
  database.db.selectFrom('visualizations').selectAll().where('user_id', '=', userId).execute();
const activeOf = async (userId: string): Promise<string[]> =>
  (await recordsOf(userId)).filter((record) => record.is_active).map((record) => record.id);

test('REL-03 a hundred finishes for one person at once leave a hundred records and one active', async () => {
  await insertAccount(database.db, 'crowd');
  const records = Array.from({ length: 100 }, () => recordOf('crowd'));
  const warnings = await Promise.all(records.map((record) => saveAndActivate(activation(), record)));
  expect(warnings.filter((warning) => warning !== undefined)).toEqual([]);
  expect(await recordsOf('crowd')).toHaveLength(100);
  expect(await activeOf('crowd')).toHaveLength(1);
});

test('the newest finish is the active one, and another person keeps theirs', async () => {
  await insertAccount(database.db, 'ann');
  await insertAccount(database.db, 'bob');
  const [first, second, other] = [recordOf('ann'), recordOf('ann'), recordOf('bob')];
  for (const record of [first, other, second]) await saveAndActivate(activation(), record);
  expect(await activeOf('ann')).toEqual([second.id]);
  expect(await activeOf('bob')).toEqual([other.id]);
});

test('REL-06 a finish that is repeated twenty times makes one record', async () => {
  await insertAccount(database.db, 'repeat');
  const { upload_id } = recordOf('repeat');
  const finishes = Array.from({ length: 20 }, () => saveAndActivate(activation(), recordOf('repeat', { upload_id })));
  await Promise.all(finishes);
  expect(await recordsOf('repeat')).toHaveLength(1);
  expect(await activeOf('repeat')).toHaveLength(1);
});

test('REL-04 when the flip fails the record stays, inactive, and the one before stays active', async () => {
  await insertAccount(database.db, 'unlucky');
  const [before, after] = [recordOf('unlucky'), recordOf('unlucky')];
  await saveAndActivate(activation(), before);
  const broken = { ...activation(), flip: () => Promise.reject(new Error('no')) };
  expect(await saveAndActivate(broken, after)).toEqual({ code: 'upload/not-activated' });
  expect(await recordsOf('unlucky')).toHaveLength(2);
  expect(lines).toHaveLength(1);
  expect(await activeOf('unlucky')).toEqual([before.id]);
});

test('a visualization for somebody who was deleted meanwhile is not saved', async () => {
  await expect(saveAndActivate(activation(), recordOf('nobody'))).rejects.toThrow(OwnerGone);
});

test('an older visualization can be made the active one again, and the database holds to one', async () => {
  await insertAccount(database.db, 'cat');
  const [first, second] = [recordOf('cat'), recordOf('cat')];
  for (const record of [first, second]) await saveAndActivate(activation(), record);
  await activate(activation(), 'cat', first);
  expect(await activeOf('cat')).toEqual([first.id]);
  const both = database.db
    .updateTable('visualizations')
    .set({ is_active: true })
    .where('user_id', '=', 'cat')
    .execute();
  await expect(both).rejects.toThrow(/visualizations_one_active/);
});
