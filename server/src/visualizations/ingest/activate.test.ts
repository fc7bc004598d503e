import { done, refuse } from '@kc/rules/result';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount, recordOf } from '../../../test/support/rows.ts';
import { actingAdmin, mayDo, mayImportLists } from '../../accounts/may-do.ts';
import { readConfig } from '../../config.ts';
import { createLog } from '../../log.ts';
import { flipActive, type VisualizationRecord } from '../queries.ts';
import { type Activation, activate, OwnerGone, saveAndActivate, Withdrawn } from './activate.ts';
import { keepMoves } from './moves-at-end.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await insertAccount(database.db, 'admin', { role: 'admin' });
});
afterAll(() => database.close());

const lines: string[] = [];
const log = createLog('ERROR', { write: (line: string) => lines.push(line) });
const config = readConfig({}, '/');
const activation = (): Activation => ({
  db: database.db,
  flip: flipActive,
  mayUpload: (transaction, id) => actingAdmin(transaction, { config }, id),
  mayImport: (db, id, ownerId) => mayImportLists(db, { config }, id, ownerId),
  mayDo: (transaction, id, action) => mayDo(transaction, { config }, id, action),
  log,
  now: Date.now,
});
const recordsOf = (userId: string): Promise<VisualizationRecord[]> =>
  database.db.selectFrom('visualizations').selectAll().where('user_id', '=', userId).execute();
const activeOf = async (userId: string): Promise<string[]> =>
  (await recordsOf(userId)).filter((record) => record.is_active).map((record) => record.id);

// Shows P10.12.
test('REL-03 a hundred concurrent uploads for one user leave a hundred records and one active', async () => {
  await insertAccount(database.db, 'crowd');
  const records = Array.from({ length: 100 }, () => recordOf('crowd'));
  const warnings = await Promise.all(records.map((record) => saveAndActivate(activation(), record)));
  expect(warnings.filter((warning) => warning !== undefined)).toEqual([]);
  expect(await recordsOf('crowd')).toHaveLength(100);
  expect(await activeOf('crowd')).toHaveLength(1);
});

test('the latest upload is active, and other users keep theirs', async () => {
  await insertAccount(database.db, 'ann');
  await insertAccount(database.db, 'bob');
  const [first, second, other] = [recordOf('ann'), recordOf('ann'), recordOf('bob')];
  for (const record of [first, other, second]) await saveAndActivate(activation(), record);
  expect(await activeOf('ann')).toEqual([second.id]);
  expect(await activeOf('bob')).toEqual([other.id]);
});

test('REL-06 finishing an upload twenty times creates one record', async () => {
  await insertAccount(database.db, 'repeat');
  const { upload_id } = recordOf('repeat');
  const finishes = Array.from({ length: 20 }, () => saveAndActivate(activation(), recordOf('repeat', { upload_id })));
  await Promise.all(finishes);
  expect(await recordsOf('repeat')).toHaveLength(1);
  expect(await activeOf('repeat')).toHaveLength(1);
});

// Shows P10.13.
test('REL-04 if activation fails the record is kept, inactive, and the previous one stays active', async () => {
  await insertAccount(database.db, 'unlucky');
  const [before, after] = [recordOf('unlucky'), recordOf('unlucky')];
  await saveAndActivate(activation(), before);
  const broken = { ...activation(), flip: () => Promise.reject(new Error('no')) };
  expect(await saveAndActivate(broken, after)).toEqual({ code: 'upload/not-activated' });
  expect(await recordsOf('unlucky')).toHaveLength(2);
  expect(lines).toHaveLength(1);
  expect(await activeOf('unlucky')).toEqual([before.id]);
});

test('a visualization for a user deleted meanwhile is not saved', async () => {
  await expect(saveAndActivate(activation(), recordOf('nobody'))).rejects.toThrow(OwnerGone);
});

describe('an upload whose sender', () => {
  const losses = {
    'was demoted': { role: 'user' },
    'was denied': { status: 'denied' },
    'waits for approval': { status: 'pending' },
  } as const;

  test.each(Object.entries(losses))('%s since the last byte is not saved', async (way, loss) => {
    const [owner, sender] = [`owner ${way}`, `sender ${way}`];
    await insertAccount(database.db, owner);
    await insertAccount(database.db, sender, { role: 'admin' });
    const [before, after] = [recordOf(owner), recordOf(owner, { uploaded_by: sender })];
    await saveAndActivate(activation(), before);
    await database.db.updateTable('accounts').set(loss).where('id', '=', sender).execute();
    const finish = saveAndActivate(activation(), after);
    await expect(finish).rejects.toThrow(Withdrawn);
    await expect(finish).rejects.toMatchObject({ refusal: { code: 'admin/only' } });
    expect((await recordsOf(owner)).map(({ id }) => id)).toEqual([before.id]);
    expect(await activeOf(owner)).toEqual([before.id]);
  });

  test('was deleted since the last byte is not saved', async () => {
    await insertAccount(database.db, 'left alone');
    const record = recordOf('left alone', { uploaded_by: 'nobody' });
    await expect(saveAndActivate(activation(), record)).rejects.toThrow(OwnerGone);
    expect(await recordsOf('left alone')).toEqual([]);
  });

  test('is demoted while activation fails is not saved inactive either', async () => {
    await insertAccount(database.db, 'unlucky owner');
    await insertAccount(database.db, 'unlucky sender', { role: 'admin' });
    let isAdmin = true;
    const flip = async () => {
      isAdmin = false;
      throw new Error('no');
    };
    const mayUpload: Activation['mayUpload'] = async () => (isAdmin ? done(true) : refuse('admin/only'));
    const record = recordOf('unlucky owner', { uploaded_by: 'unlucky sender' });
    await expect(saveAndActivate({ ...activation(), flip, mayUpload }, record)).rejects.toThrow(Withdrawn);
    expect(await recordsOf('unlucky owner')).toEqual([]);
  });
});

test('two admins who upload for each other at once do not deadlock', async () => {
  for (const id of ['left', 'right']) await insertAccount(database.db, id, { role: 'admin' });
  const records = Array.from({ length: 40 }, (_, nth) =>
    nth % 2 ? recordOf('left', { uploaded_by: 'right' }) : recordOf('right', { uploaded_by: 'left' }),
  );
  const warnings = await Promise.all(records.map((record) => saveAndActivate(activation(), record)));
  expect(warnings.filter((warning) => warning !== undefined)).toEqual([]);
  expect([await activeOf('left'), await activeOf('right')].map(({ length }) => length)).toEqual([1, 1]);
});

// Shows P13.2.
test('an older visualization can be activated again, and the database allows only one active', async () => {
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

test('a visualization is activated even if what refers to its moved branches cannot follow, and that is tried again', async () => {
  await insertAccount(database.db, 'moved');
  const [first, second] = [recordOf('moved'), recordOf('moved')];
  for (const record of [second, first]) await saveAndActivate(activation(), record);
  await keepMoves(database.db, second.id, [['a', 'b']]);
  const kept = async () => (await database.db.selectFrom('pending_moves').select('moves').execute()).length;
  const before = lines.length;
  const broken = { ...activation(), followMoves: () => Promise.reject(new Error('no')) };
  await activate(broken, 'moved', second);
  expect([await activeOf('moved'), await kept(), lines.length - before]).toEqual([[second.id], 1, 1]);
  // A database that is busy is no fault of the moves: the request fails, and nothing changes.
  const busy = {
    ...activation(),
    followMoves: () => Promise.reject(Object.assign(new Error('busy'), { code: '55P03' })),
  };
  await activate(activation(), 'moved', first);
  await expect(activate(busy, 'moved', second)).rejects.toThrow('busy');
  expect([await activeOf('moved'), await kept()]).toEqual([[first.id], 1]);
  const followed: unknown[] = [];
  const working = { ...activation(), followMoves: async (...[, , moves]: unknown[]) => void followed.push(moves) };
  for (let times = 0; times < 2; times++) await activate(working, 'moved', second);
  expect([await activeOf('moved'), await kept(), followed]).toEqual([[second.id], 0, [[['a', 'b']]]]);
});
